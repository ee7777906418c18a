#include "sim/groom/strand_dab.h"

#include "core/base/deterministic_math.h"
#include "core/collision/collider.h"
#include "sim/groom/resolve_penetration.h"

#include <string.h>

// Rounds of moving points and of spreading the bends, as spreading takes the moves back.
enum { ROUNDS = 3 };

const char *const COIF_BRUSH_TOOL_NAMES[COIF_BRUSH_TOOLS + 1] = {
    "comb", "smooth", "puff", "clump", "twist", "part", "lengthen", "cut", "delete", NULL};

// Of one dab at full strength.
static const float SMOOTH_STEP = 0.5f;
static const float PUFF_STEP = 0.16f;  // of the radius
static const float CLUMP_STEP = 0.12f; // of the distance
static const float PART_STEP = 0.15f;  // of the radius
static const float TWIST_STEP = 0.2f;  // radians
static const float GROW_STEP = 0.06f;  // of the length

// Standard deviation of the spread of a bend along the strand, of the radius.
static const float SPREAD = 1.0f;
static const float SHARPEST = 0.05f; // 1 + cosine of the largest rotation by one dab

// Distance from the axis of the cylinder, or from the centre of the ball; beyond the ends of the
// cylinder it is infinite.
static float brush_distance(const coif_strand_dab *dab, coif_vec3 position)
{
    const coif_vec3 to = coif_sub(position, dab->position);
    const float along = coif_dot(to, dab->view);
    if (along < -dab->front || along > dab->radius) {
        return INFINITY;
    }
    return coif_length(coif_mad(to, -along, dab->view));
}

float coif_strand_dab_falloff(const coif_strand_dab *dab, float distance)
{
    const float t = distance / dab->radius;
    if (!(t < 1.0f)) {
        return 0.0f;
    }
    if (t <= dab->hardness) {
        return 1.0f;
    }
    const float s = (1.0f - t) / (1.0f - dab->hardness);
    return s * s * (3.0f - 2.0f * s);
}

// Weights of the points; returns the first that is in the brush, or count.
static int32_t weigh_points(coif_brush_strand *strand, const coif_strand_dab *dab)
{
    int32_t first = strand->count;
    for (int32_t k = 1; k < strand->count; ++k) {
        const float distance = brush_distance(dab, coif_vec4_xyz(strand->points[k]));
        strand->weights[k] = strand->mask * dab->strength * coif_strand_dab_falloff(dab, distance);
        if (strand->weights[k] > 0.0f && first == strand->count) {
            first = k;
        }
    }
    return first;
}

static float largest_weight(const coif_brush_strand *strand)
{
    float largest = 0.0f;
    for (int32_t k = 1; k < strand->count; ++k) {
        largest = strand->weights[k] > largest ? strand->weights[k] : largest;
    }
    return largest;
}

// ---- tools that move points

static coif_vec3 smoothed(const coif_brush_strand *strand, int32_t k)
{
    const coif_vec3 p = coif_vec4_xyz(strand->points[k]);
    if (k + 1 == strand->count) {
        return p;
    }
    const coif_vec3 sum =
        coif_add(coif_vec4_xyz(strand->points[k - 1]), coif_vec4_xyz(strand->points[k + 1]));
    return coif_lerp(p, coif_scale(sum, 0.5f), SMOOTH_STEP * strand->weights[k]);
}

// Towards the line through the centre along the view, of a ball along drag.
static coif_vec3 clumped(const coif_strand_dab *dab, coif_vec3 p, float weight)
{
    const bool ball = coif_dot(dab->view, dab->view) == 0.0f;
    const coif_vec3 axis = ball ? coif_normalize(dab->drag) : dab->view;
    const coif_vec3 to = coif_sub(dab->position, p);
    const coif_vec3 across = coif_mad(to, -coif_dot(to, axis), axis);
    return coif_mad(p, (dab->invert ? -CLUMP_STEP : CLUMP_STEP) * weight, across);
}

static coif_vec3 twisted(const coif_strand_dab *dab, coif_vec3 p, float angle)
{
    const coif_vec3 axis = coif_normalize(dab->drag);
    const float cosine = coif_det_cos(angle);
    const float sine = dab->invert ? -coif_det_sin(angle) : coif_det_sin(angle);
    const coif_vec3 v = coif_sub(p, dab->position);
    const coif_vec3 along = coif_scale(axis, coif_dot(v, axis));
    const coif_vec3 turned =
        coif_add(coif_scale(coif_sub(v, along), cosine), coif_scale(coif_cross(axis, v), sine));
    return coif_add(dab->position, coif_add(along, turned));
}

static void move_points(coif_brush_strand *strand, const coif_strand_dab *dab, int32_t first)
{
    const float puff = (dab->invert ? -PUFF_STEP : PUFF_STEP) * dab->radius;
    for (int32_t k = first; k < strand->count; ++k) {
        const coif_vec3 p = coif_vec4_xyz(strand->points[k]);
        const float weight = strand->weights[k];
        coif_vec3 *to = &strand->moved[k];
        *to = p;
        if (weight == 0.0f) {
            continue;
        }
        switch (dab->tool) {
        case COIF_BRUSH_COMB:
            *to = coif_mad(p, weight, dab->drag);
            break;
        case COIF_BRUSH_SMOOTH:
            *to = smoothed(strand, k);
            break;
        case COIF_BRUSH_PUFF:
            *to = coif_mad(p, weight * puff, strand->normal);
            break;
        case COIF_BRUSH_CLUMP:
            *to = clumped(dab, p, weight);
            break;
        case COIF_BRUSH_TWIST:
            *to = twisted(dab, p, weight * TWIST_STEP);
            break;
        default:
            break;
        }
    }
}

// The whole strand moves to the side of its root, the more the nearer the root is to the line.
static int32_t move_parted(coif_brush_strand *strand, const coif_strand_dab *dab)
{
    const coif_vec3 to_root = coif_sub(coif_vec4_xyz(strand->points[0]), dab->position);
    const float weight =
        strand->mask * dab->strength * coif_strand_dab_falloff(dab, coif_length(to_root));
    const coif_vec3 across = coif_normalize(coif_cross(dab->normal, dab->drag));
    const float side = coif_dot(to_root, across);
    if (weight == 0.0f || coif_dot(across, across) == 0.0f) {
        return strand->count;
    }
    const float step = PART_STEP * dab->radius * weight;
    for (int32_t k = 1; k < strand->count; ++k) {
        // Down as well as outwards: hair lies on the head beside a parting.
        const coif_vec3 p = coif_vec4_xyz(strand->points[k]);
        strand->moved[k] =
            coif_mad(coif_mad(p, side < 0.0f ? -step : step, across), -step, dab->normal);
    }
    return 1;
}

// ---- constraints

// Places moved points at the lengths of their segments.
static void restore_lengths(coif_brush_strand *strand, int32_t first)
{
    for (int32_t k = first; k < strand->count; ++k) {
        const coif_vec3 from = coif_vec4_xyz(strand->points[k - 1]);
        const coif_vec3 step = coif_sub(strand->moved[k], from);
        const float length = coif_length(step);
        if (length > 0.0f) {
            coif_set_position(&strand->points[k],
                              coif_mad(from, strand->segments[k] / length, step));
        }
    }
}

// ---- smooth bends

// A rotation by an angle about an axis as the vector axis * tan(angle / 2) (Gibbs).
static coif_vec3 gibbs_between(coif_vec3 from, coif_vec3 to)
{
    const coif_vec3 a = coif_normalize(from), b = coif_normalize(to);
    const float w = 1.0f + coif_dot(a, b);
    return coif_scale(coif_cross(a, b), 1.0f / (w > SHARPEST ? w : SHARPEST));
}

static coif_vec3 gibbs_rotated(coif_vec3 g, coif_vec3 v)
{
    const coif_vec3 t = coif_add(v, coif_cross(g, v));
    return coif_mad(v, 2.0f / (1.0f + coif_dot(g, g)), coif_cross(g, t));
}

// Exponential filter along the strand, forwards and backwards, twice; beyond the ends values stay.
static void smooth_rotations(coif_vec3 *rotations, int32_t count, float decay)
{
    for (int32_t pass = 0; pass < 2; ++pass) {
        for (int32_t k = 2; k < count; ++k) {
            rotations[k] = coif_lerp(rotations[k], rotations[k - 1], decay);
        }
        for (int32_t k = count - 2; k > 0; --k) {
            rotations[k] = coif_lerp(rotations[k], rotations[k + 1], decay);
        }
    }
}

// Spreads the rotations of the segments by a dab along the strand: a bend at the border of the
// brush becomes an arc, and curls keep their shape, as they are rotated, not filtered. Lengths
// stay.
static void spread_bend(coif_brush_strand *strand, float radius)
{
    float length = 0.0f;
    coif_vec3 *rotations = strand->rotations;
    for (int32_t k = 1; k < strand->count; ++k) {
        const coif_vec3 before =
            coif_sub(coif_vec4_xyz(strand->kept[k]), coif_vec4_xyz(strand->kept[k - 1]));
        const coif_vec3 after =
            coif_sub(coif_vec4_xyz(strand->points[k]), coif_vec4_xyz(strand->points[k - 1]));
        rotations[k] = gibbs_between(before, after);
        length += strand->segments[k];
    }
    // Each of both passes has half of the variance, 2 decay / (1 - decay)^2 segments squared.
    const float deviation = SPREAD * radius * (float)(strand->count - 1) / length;
    const float variance = 0.5f * deviation * deviation + 1e-6f;
    smooth_rotations(rotations, strand->count,
                     (variance + 1.0f - sqrtf(2.0f * variance + 1.0f)) / variance);
    for (int32_t k = 1; k < strand->count; ++k) {
        const coif_vec3 before =
            coif_sub(coif_vec4_xyz(strand->kept[k]), coif_vec4_xyz(strand->kept[k - 1]));
        coif_set_position(&strand->points[k], coif_add(coif_vec4_xyz(strand->points[k - 1]),
                                                       gibbs_rotated(rotations[k], before)));
    }
}

bool coif_brush_is_inside(const coif_brush_body *body, coif_vec4 point)
{
    const coif_closest_point_query query = {
        .position = coif_vec4_xyz(point), .max_distance = 1e3f, .hint = -1};
    coif_closest_point nearest;
    return coif_collider_closest_point(&nearest, body->collider, &query) && nearest.distance < 0.0f;
}

bool coif_strand_push_out(coif_vec4 *points, const coif_vec4 *before, const float *segments,
                          int32_t count, int32_t first, const coif_brush_body *body)
{
    if (body->collider == NULL) {
        return true;
    }
    coif_penetrating_segment seg = {.hint = -1, .sdf = body->sdf};
    float arc_length = 0.0f;
    for (int32_t k = 1; k < first; ++k) {
        arc_length += segments[k];
    }
    coif_vec3 offset = {0.0f, 0.0f, 0.0f};
    for (int32_t k = first; k < count; ++k) {
        arc_length += segments[k];
        const coif_vec3 unresolved = coif_add(coif_vec4_xyz(points[k]), offset);
        seg.from = coif_vec4_xyz(points[k - 1]);
        seg.to = unresolved;
        seg.length = segments[k];
        seg.min_distance = coif_min_distance_near_root(body->clearance + points[k].w, arc_length);
        const bool clear = coif_segment_rotate_out(&seg, body->collider);
        offset = coif_add(offset, coif_sub(seg.to, unresolved));
        coif_set_position(&points[k], seg.to);
        if (!clear && coif_brush_is_inside(body, points[k]) &&
            !coif_brush_is_inside(body, before[k])) {
            return false;
        }
    }
    return true;
}

static bool push_out(coif_brush_strand *strand, int32_t first, const coif_brush_body *body)
{
    return coif_strand_push_out(strand->points, strand->kept, strand->segments, strand->count,
                                first, body);
}

static float segment_length(const coif_vec4 *points, int32_t k)
{
    return coif_length(coif_sub(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k - 1])));
}

static void keep(coif_brush_strand *strand)
{
    memcpy(strand->kept, strand->points, sizeof(coif_vec4) * (size_t)strand->count);
}

static void restore(coif_brush_strand *strand)
{
    memcpy(strand->points, strand->kept, sizeof(coif_vec4) * (size_t)strand->count);
}

// ---- tools that change lengths

static float strand_length(const coif_brush_strand *strand)
{
    float length = 0.0f;
    for (int32_t k = 1; k < strand->count; ++k) {
        length += strand->segments[k];
    }
    return length;
}

static bool scale_strand(coif_brush_strand *strand, const coif_strand_dab *dab,
                         const coif_brush_body *body)
{
    const float step = 1.0f + GROW_STEP * largest_weight(strand);
    const float scale = dab->invert ? 1.0f / step : step;
    if (scale < 1.0f && strand_length(strand) * scale < COIF_SHORTEST_STRAND) {
        return false;
    }
    keep(strand);
    for (int32_t k = 1; k < strand->count; ++k) {
        const coif_vec3 segment =
            coif_sub(coif_vec4_xyz(strand->kept[k]), coif_vec4_xyz(strand->kept[k - 1]));
        coif_set_position(&strand->points[k],
                          coif_mad(coif_vec4_xyz(strand->points[k - 1]), scale, segment));
        strand->segments[k] *= scale;
    }
    if (push_out(strand, 1, body)) {
        return true;
    }
    restore(strand);
    for (int32_t k = 1; k < strand->count; ++k) {
        strand->segments[k] /= scale;
    }
    return false;
}

// Arc length at which the strand enters the brush; a negative number when it does not.
static float entry_length(const coif_brush_strand *strand, const coif_strand_dab *dab)
{
    float arc_length = 0.0f;
    for (int32_t k = 1; k < strand->count; ++k) {
        const coif_vec3 from = coif_vec4_xyz(strand->points[k - 1]);
        const coif_vec3 to = coif_vec4_xyz(strand->points[k]);
        if (brush_distance(dab, to) < dab->radius) {
            float low = 0.0f, high = 1.0f;
            for (int i = 0; i < 12; ++i) {
                const float middle = 0.5f * (low + high);
                const bool in = brush_distance(dab, coif_lerp(from, to, middle)) < dab->radius;
                low = in ? low : middle;
                high = in ? middle : high;
            }
            return arc_length + high * strand->segments[k];
        }
        arc_length += strand->segments[k];
    }
    return -1.0f;
}

void coif_strand_cut(coif_vec4 *points, int32_t count, float fraction, coif_vec4 *scratch)
{
    memcpy(scratch, points, sizeof *points * (size_t)count);
    int32_t at = 1;
    float begin = 0.0f, span = segment_length(scratch, 1), arc_length = 0.0f;
    for (int32_t k = 1; k < count; ++k) {
        arc_length += segment_length(scratch, k);
        const float wanted = arc_length * fraction;
        while (at < k && begin + span < wanted) {
            begin += span;
            span = segment_length(scratch, ++at);
        }
        const float t = span > 0.0f ? coif_clamp((wanted - begin) / span, 0.0f, 1.0f) : 0.0f;
        coif_set_position(&points[k],
                          coif_lerp(coif_vec4_xyz(scratch[at - 1]), coif_vec4_xyz(scratch[at]), t));
    }
}

static bool cut_strand(coif_brush_strand *strand, const coif_strand_dab *dab)
{
    const float entry = entry_length(strand, dab), before = strand_length(strand);
    const float amount = dab->strength * strand->mask;
    if (entry < 0.0f || amount == 0.0f || before <= COIF_SHORTEST_STRAND) {
        return false;
    }
    const float end =
        before + amount * ((entry > COIF_SHORTEST_STRAND ? entry : COIF_SHORTEST_STRAND) - before);
    if (!(end < before)) {
        return false;
    }
    coif_strand_cut(strand->points, strand->count, end / before, strand->kept);
    for (int32_t k = 1; k < strand->count; ++k) {
        strand->segments[k] = segment_length(strand->points, k);
    }
    return true;
}

// ---- dabs

bool coif_brush_apply_dab(coif_brush_strand *strand, const coif_strand_dab *dab,
                          const coif_brush_body *body)
{
    if (strand->deleted) {
        return false;
    }
    if (dab->tool == COIF_BRUSH_CUT) {
        return cut_strand(strand, dab);
    }
    int32_t first;
    if (dab->tool == COIF_BRUSH_PART) {
        first = move_parted(strand, dab);
    } else {
        first = weigh_points(strand, dab);
    }
    if (first == strand->count) {
        return false;
    }
    if (dab->tool == COIF_BRUSH_DELETE) {
        return strand->deleted = true;
    }
    if (dab->tool == COIF_BRUSH_LENGTHEN) {
        return scale_strand(strand, dab, body);
    }
    keep(strand);
    if (dab->tool != COIF_BRUSH_PART) {
        move_points(strand, dab, first);
    }
    const bool bends = dab->tool != COIF_BRUSH_SMOOTH;
    for (int32_t round = 0; round < (bends ? ROUNDS : 1); ++round) {
        // Points outside the brush stay where the last round left them.
        for (int32_t k = first; round > 0 && dab->tool != COIF_BRUSH_PART && k < strand->count;
             ++k) {
            if (strand->weights[k] == 0.0f) {
                strand->moved[k] = coif_vec4_xyz(strand->points[k]);
            }
        }
        restore_lengths(strand, first);
        if (bends) {
            spread_bend(strand, dab->radius);
        }
    }
    first = bends ? 1 : first;
    if (push_out(strand, first, body)) {
        const size_t size = sizeof(coif_vec4) * (size_t)strand->count;
        return memcmp(strand->points, strand->kept, size) != 0;
    }
    restore(strand);
    return false;
}
