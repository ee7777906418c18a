#include "sim/groom/strand_brush.h"

#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/deterministic_math.h"
#include "core/base/jobs.h"
#include "core/collision/collider.h"
#include "sim/groom/resolve_penetration.h"

#include <string.h>

enum { BLOCK = 32 };
enum { ROUNDS = 3 }; // of moving points and of spreading the bends, as spreading takes them back

// Of one dab at full strength.
static const float SMOOTH_STEP = 0.5f;
static const float PUFF_STEP = 0.12f;  // of the radius
static const float CLUMP_STEP = 0.12f; // of the distance
static const float PART_STEP = 0.15f;  // of the radius
static const float TWIST_STEP = 0.2f;  // radians
static const float GROW_STEP = 0.06f;  // of the length

// Standard deviation of the spread of a bend along the strand, of the radius.
static const float SPREAD = 0.9f;
static const float SHARPEST = 0.05f; // 1 + cosine of the largest rotation by one dab

static const float SHORTEST = 0.001f; // m, of a strand that is cut or drawn

const char *const COIF_BRUSH_TOOL_NAMES[COIF_BRUSH_TOOLS + 1] = {
    "comb", "smooth", "puff", "clump", "twist", "part", "lengthen", "cut", "delete", NULL};

// A strand while dabs are applied to it; arrays start at its root.
typedef struct brush_strand {
    int32_t count;
    coif_vec4 *points;
    float *segments;
    coif_vec3 normal;
    float mask;
    coif_vec3 *moved;     // scratch: positions of the tool
    coif_vec3 *rotations; // scratch: of the segments by a dab
    float *weights;       // scratch: of the dab
    coif_vec4 *kept;      // scratch: points before the dab
    bool deleted;
} brush_strand;

typedef struct brush_ctx {
    const coif_brush_strands *strands;
    const coif_strand_dab *dabs, *mirrored;
    int32_t dab_count;
    const coif_brush_body *body;
    brush_strand *workers; // scratch arrays per worker
} brush_ctx;

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
static int32_t weigh_points(brush_strand *strand, const coif_strand_dab *dab)
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

static float largest_weight(const brush_strand *strand)
{
    float largest = 0.0f;
    for (int32_t k = 1; k < strand->count; ++k) {
        largest = strand->weights[k] > largest ? strand->weights[k] : largest;
    }
    return largest;
}

// ---- tools that move points

static coif_vec3 smoothed(const brush_strand *strand, int32_t k)
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

static void move_points(brush_strand *strand, const coif_strand_dab *dab, int32_t first)
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
static int32_t move_parted(brush_strand *strand, const coif_strand_dab *dab)
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

static void set_position(coif_vec4 *point, coif_vec3 position)
{
    point->x = position.x;
    point->y = position.y;
    point->z = position.z;
}

// Places moved points at the lengths of their segments.
static void restore_lengths(brush_strand *strand, int32_t first)
{
    for (int32_t k = first; k < strand->count; ++k) {
        const coif_vec3 from = coif_vec4_xyz(strand->points[k - 1]);
        const coif_vec3 step = coif_sub(strand->moved[k], from);
        const float length = coif_length(step);
        if (length > 0.0f) {
            set_position(&strand->points[k], coif_mad(from, strand->segments[k] / length, step));
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
static void spread_bend(brush_strand *strand, float radius)
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
        set_position(&strand->points[k], coif_add(coif_vec4_xyz(strand->points[k - 1]),
                                                  gibbs_rotated(rotations[k], before)));
    }
}

static bool is_inside(const coif_brush_body *body, coif_vec4 point)
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
        set_position(&points[k], seg.to);
        if (!clear && is_inside(body, points[k]) && !is_inside(body, before[k])) {
            return false;
        }
    }
    return true;
}

static bool push_out(brush_strand *strand, int32_t first, const coif_brush_body *body)
{
    return coif_strand_push_out(strand->points, strand->kept, strand->segments, strand->count,
                                first, body);
}

static float segment_length(const coif_vec4 *points, int32_t k)
{
    return coif_length(coif_sub(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k - 1])));
}

static void keep(brush_strand *strand)
{
    memcpy(strand->kept, strand->points, sizeof(coif_vec4) * (size_t)strand->count);
}

static void restore(brush_strand *strand)
{
    memcpy(strand->points, strand->kept, sizeof(coif_vec4) * (size_t)strand->count);
}

// ---- tools that change lengths

static float strand_length(const brush_strand *strand)
{
    float length = 0.0f;
    for (int32_t k = 1; k < strand->count; ++k) {
        length += strand->segments[k];
    }
    return length;
}

static bool scale_strand(brush_strand *strand, const coif_strand_dab *dab,
                         const coif_brush_body *body)
{
    const float step = 1.0f + GROW_STEP * largest_weight(strand);
    const float scale = dab->invert ? 1.0f / step : step;
    if (scale < 1.0f && strand_length(strand) * scale < SHORTEST) {
        return false;
    }
    keep(strand);
    for (int32_t k = 1; k < strand->count; ++k) {
        const coif_vec3 segment =
            coif_sub(coif_vec4_xyz(strand->kept[k]), coif_vec4_xyz(strand->kept[k - 1]));
        set_position(&strand->points[k],
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
static float entry_length(const brush_strand *strand, const coif_strand_dab *dab)
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
        set_position(&points[k],
                     coif_lerp(coif_vec4_xyz(scratch[at - 1]), coif_vec4_xyz(scratch[at]), t));
    }
}

static bool cut_strand(brush_strand *strand, const coif_strand_dab *dab)
{
    const float entry = entry_length(strand, dab), before = strand_length(strand);
    const float amount = dab->strength * strand->mask;
    if (entry < 0.0f || amount == 0.0f || before <= SHORTEST) {
        return false;
    }
    const float end = before + amount * ((entry > SHORTEST ? entry : SHORTEST) - before);
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

static bool apply_dab(brush_strand *strand, const coif_strand_dab *dab, const coif_brush_body *body)
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

// A ball around the points.
typedef struct strand_bound {
    coif_vec3 center;
    float radius;
} strand_bound;

static strand_bound bound_of(const brush_strand *strand)
{
    coif_bounds bounds = coif_bounds_empty();
    for (int32_t k = 0; k < strand->count; ++k) {
        coif_bounds_add(&bounds, coif_vec4_xyz(strand->points[k]));
    }
    return (strand_bound){coif_lerp(bounds.low, bounds.high, 0.5f),
                          0.50001f * coif_length(coif_sub(bounds.high, bounds.low))};
}

// Most strands are far from most dabs.
static bool is_near(const strand_bound *bound, const coif_strand_dab *dab)
{
    const coif_vec3 to = coif_sub(bound->center, dab->position);
    const float along = coif_dot(to, dab->view), reach = dab->radius + bound->radius;
    const coif_vec3 across = coif_mad(to, -along, dab->view);
    return along >= -dab->front - bound->radius && along <= reach &&
           coif_dot(across, across) <= 1.0001f * reach * reach;
}

static float along_axis(coif_vec3 v, int32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// A strand on the other side gets the mirrored dab first, so that mirrored strands get the same
// sequence.
static bool apply_pair(brush_strand *strand, const coif_strand_dab *dab,
                       const coif_strand_dab *mirrored, const coif_brush_body *body)
{
    if (!dab->mirror) {
        return apply_dab(strand, dab, body);
    }
    const coif_vec3 root = coif_vec4_xyz(strand->points[0]);
    const bool other_side =
        along_axis(root, dab->mirror_axis) * along_axis(dab->position, dab->mirror_axis) < 0.0f;
    const bool first = apply_dab(strand, other_side ? mirrored : dab, body);
    return apply_dab(strand, other_side ? dab : mirrored, body) || first;
}

static void apply_block(void *context, int64_t begin, int64_t end, int worker)
{
    const brush_ctx *ctx = context;
    const coif_brush_strands *all = ctx->strands;
    for (int64_t s = begin; s < end; ++s) {
        brush_strand strand = ctx->workers[worker];
        strand.count = all->first[s + 1] - all->first[s];
        strand.points = all->points + all->first[s];
        strand.segments = all->segments + all->first[s];
        strand.normal = all->normals[s];
        strand.mask = all->weights != NULL ? all->weights[s] : 1.0f;
        strand.deleted = all->deleted[s] != 0;
        if (strand.mask <= 0.0f || strand.deleted) {
            continue;
        }
        bool changed = false;
        strand_bound bound = bound_of(&strand);
        for (int32_t d = 0; d < ctx->dab_count; ++d) {
            const coif_strand_dab *dab = &ctx->dabs[d], *mirrored = &ctx->mirrored[d];
            if ((is_near(&bound, dab) || (dab->mirror && is_near(&bound, mirrored))) &&
                apply_pair(&strand, dab, mirrored, ctx->body)) {
                changed = true;
                bound = bound_of(&strand);
            }
        }
        all->deleted[s] = strand.deleted;
        all->changed[s] |= changed;
    }
}

static coif_vec3 mirrored_at(coif_vec3 v, int32_t axis)
{
    return coif_vec3_of(axis == 0 ? -v.x : v.x, axis == 1 ? -v.y : v.y, axis == 2 ? -v.z : v.z);
}

static coif_strand_dab mirrored_dab(const coif_strand_dab *dab)
{
    coif_strand_dab mirrored = *dab;
    mirrored.position = mirrored_at(dab->position, dab->mirror_axis);
    mirrored.view = mirrored_at(dab->view, dab->mirror_axis);
    mirrored.drag = mirrored_at(dab->drag, dab->mirror_axis);
    mirrored.normal = mirrored_at(dab->normal, dab->mirror_axis);
    mirrored.invert = dab->invert != (dab->tool == COIF_BRUSH_TWIST); // the turn is mirrored
    return mirrored;
}

// A ball is a cylinder without direction.
static coif_strand_dab prepared_dab(const coif_strand_dab *dab)
{
    coif_strand_dab prepared = *dab;
    prepared.view = coif_normalize(dab->view);
    prepared.normal = coif_normalize(dab->normal);
    prepared.front = dab->front > dab->radius ? dab->front : dab->radius;
    return prepared;
}

void coif_strand_brush_apply(const coif_brush_strands *strands, const coif_strand_dab *dabs,
                             int32_t count, const coif_brush_body *body, coif_arena *scratch,
                             coif_jobs *jobs)
{
    const int threads = jobs != NULL ? coif_jobs_threads(jobs) : 1;
    coif_strand_dab *all = coif_arena_new(scratch, 2 * (int64_t)count, coif_strand_dab);
    for (int32_t d = 0; d < count; ++d) {
        all[d] = prepared_dab(&dabs[d]);
        all[count + d] = mirrored_dab(&all[d]);
    }
    int32_t max_points = 0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t points = strands->first[s + 1] - strands->first[s];
        max_points = points > max_points ? points : max_points;
    }
    brush_strand *workers = coif_arena_new(scratch, threads, brush_strand);
    for (int i = 0; i < threads; ++i) {
        workers[i].moved = coif_arena_new(scratch, max_points, coif_vec3);
        workers[i].rotations = coif_arena_new(scratch, max_points, coif_vec3);
        workers[i].weights = coif_arena_new(scratch, max_points, float);
        workers[i].kept = coif_arena_new(scratch, max_points, coif_vec4);
    }
    brush_ctx ctx = {.strands = strands,
                     .dabs = all,
                     .mirrored = all + count,
                     .dab_count = count,
                     .body = body,
                     .workers = workers};
    coif_parallel_for(jobs, strands->strand_count, BLOCK, apply_block, &ctx);
}

void coif_strand_brush_measure(float *segments, const coif_strands *strands)
{
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t first = strands->first[s];
        segments[first] = 0.0f;
        for (int32_t i = first + 1; i < strands->first[s + 1]; ++i) {
            segments[i] = coif_length(
                coif_sub(coif_vec4_xyz(strands->points[i]), coif_vec4_xyz(strands->points[i - 1])));
        }
    }
}

// ---- drawn strands

// Points at equal distances along a polyline that starts at the root.
static float resample_line(coif_vec4 *points, int32_t count, const coif_vec3 *line,
                           int32_t line_count, coif_vec3 root)
{
    float length = 0.0f;
    for (int32_t i = 1; i < line_count; ++i) {
        length += coif_length(coif_sub(line[i], i == 1 ? root : line[i - 1]));
    }
    int32_t at = 1;
    float begin = 0.0f;
    for (int32_t k = 0; k < count && length > 0.0f; ++k) {
        const float wanted = length * (float)k / (float)(count - 1);
        float span = coif_length(coif_sub(line[at], at == 1 ? root : line[at - 1]));
        while (at + 1 < line_count && begin + span < wanted) {
            begin += span;
            ++at;
            span = coif_length(coif_sub(line[at], line[at - 1]));
        }
        const float t = span > 0.0f ? coif_clamp((wanted - begin) / span, 0.0f, 1.0f) : 0.0f;
        set_position(&points[k], coif_lerp(at == 1 ? root : line[at - 1], line[at], t));
    }
    return length;
}

bool coif_strand_brush_draw(coif_vec4 *points, int32_t count, const coif_vec3 *line,
                            int32_t line_count, coif_vec3 root, const coif_brush_body *body)
{
    if (line_count < 2 || resample_line(points, count, line, line_count, root) < SHORTEST) {
        return false;
    }
    COIF_SCOPED_ARENA(scratch, "drawn strand");
    brush_strand strand = {.count = count,
                           .points = points,
                           .segments = coif_arena_new(&scratch, count, float),
                           .kept = coif_arena_new(&scratch, count, coif_vec4)};
    for (int32_t k = 1; k < count; ++k) {
        strand.segments[k] =
            coif_length(coif_sub(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k - 1])));
    }
    keep(&strand);
    push_out(&strand, 1, body);
    for (int32_t k = 1; body->collider != NULL && k < count; ++k) {
        if (is_inside(body, points[k])) {
            return false;
        }
    }
    return true;
}
