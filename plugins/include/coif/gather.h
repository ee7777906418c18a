// coif/gather.h: gathers hair at a tie and leads it on along a tail, for ponytails, braids and
// buns.
//
// The head is reconstructed from the roots of the groom: a sphere fitted to them and, over its
// directions, their mean distance from its centre (kernel regression, tabulated on an octahedral
// map). A strand follows the great circle from its root to the tie, above those it passes over, and
// bends into the tail within a few tie radii. Where it enters the cross-section of the tie depends
// on the direction it comes from and on the fraction of the hair that grows nearer to the tie, so
// that strands do not cross. Segment lengths are kept.
//
// Built once in coif_plugin.prepare [main], queried by workers. All functions are static inline.
#ifndef COIF_PLUGIN_GATHER_H
#define COIF_PLUGIN_GATHER_H

#include <coif/strand.h>

enum { COIF_KIT_SCALP_SIZE = 33, COIF_KIT_SCALP_ROOTS = 512, COIF_KIT_TAIL_SAMPLES = 512 };

// The head as a height over directions from its centre.
typedef struct coif_kit_scalp {
    coif_kit_vec centre;
    float radius;                                            // of the fitted sphere, m
    float height[COIF_KIT_SCALP_SIZE * COIF_KIT_SCALP_SIZE]; // distance from the centre, m
} coif_kit_scalp;

// Solves the symmetric 4 x 4 system a x = b by elimination with pivoting; 0 if it is singular.
static inline int coif_kit_solve4(double a[4][5], double x[4])
{
    for (int column = 0; column < 4; ++column) {
        int pivot = column;
        for (int row = column + 1; row < 4; ++row) {
            pivot = fabs(a[row][column]) > fabs(a[pivot][column]) ? row : pivot;
        }
        if (fabs(a[pivot][column]) < 1e-12) {
            return 0;
        }
        for (int k = 0; k < 5; ++k) {
            const double swapped = a[column][k];
            a[column][k] = a[pivot][k];
            a[pivot][k] = swapped;
        }
        for (int row = 0; row < 4; ++row) {
            const double factor = row != column ? a[row][column] / a[column][column] : 0.0;
            for (int k = column; k < 5; ++k) {
                a[row][k] -= factor * a[column][k];
            }
        }
    }
    for (int k = 0; k < 4; ++k) {
        x[k] = a[k][4] / a[k][k];
    }
    return 1;
}

// Root of a strand of a view, m.
static inline coif_kit_vec coif_kit_view_root(const coif_strand_view *strands, int32_t strand)
{
    const int32_t root = strands->first[strand];
    return coif_kit_vec_make(strands->x[root], strands->y[root], strands->z[root]);
}

// Sphere with the least |p - c|^2 - r^2 over the roots; around their mean where it is undetermined.
static inline void coif_kit_scalp_fit(coif_kit_scalp *scalp, const coif_strand_view *strands,
                                      int32_t count)
{
    double mean[3] = {0.0, 0.0, 0.0}, a[4][5] = {{0.0}}, x[4];
    for (int32_t s = 0; s < count; ++s) {
        const coif_kit_vec p = coif_kit_view_root(strands, s);
        mean[0] += p.x / (double)count, mean[1] += p.y / (double)count,
            mean[2] += p.z / (double)count;
    }
    double spread = 0.0;
    for (int32_t s = 0; s < count; ++s) {
        const coif_kit_vec p = coif_kit_view_root(strands, s);
        const double q[4] = {p.x - mean[0], p.y - mean[1], p.z - mean[2], 1.0};
        const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
        spread += square / (double)count;
        for (int i = 0; i < 4; ++i) {
            for (int k = 0; k < 4; ++k) {
                a[i][k] += (i < 3 ? 2.0 : 1.0) * (k < 3 ? 2.0 : 1.0) * q[i] * q[k];
            }
            a[i][4] += (i < 3 ? 2.0 : 1.0) * q[i] * square;
        }
    }
    const int solved = coif_kit_solve4(a, x);
    const double center[3] = {solved ? x[0] : 0.0, solved ? x[1] : 0.0, solved ? x[2] : 0.0};
    const double square = center[0] * center[0] + center[1] * center[1] + center[2] * center[2];
    const double radius = solved ? x[3] + square : spread;
    // Nearly flat scalps fit huge spheres: keep the centre within a few times their extent.
    const double limit = 9.0 * spread;
    const double keep = square > limit ? sqrt(limit / square) : 1.0;
    scalp->centre =
        coif_kit_vec_make((float)(mean[0] + keep * center[0]), (float)(mean[1] + keep * center[1]),
                          (float)(mean[2] + keep * center[2]));
    scalp->radius = (float)sqrt(radius > 1e-12 ? radius : 1e-12);
}

// Distance of the head from its centre in a unit direction, m. [worker]
static inline float coif_kit_scalp_height(const coif_kit_scalp *scalp, coif_kit_vec d)
{
    const int32_t n = COIF_KIT_SCALP_SIZE;
    const float scale = 1.0f / (fabsf(d.x) + fabsf(d.y) + fabsf(d.z));
    float u = d.x * scale, v = d.y * scale;
    if (d.z < 0.0f) {
        const float folded = (1.0f - fabsf(v)) * (u < 0.0f ? -1.0f : 1.0f);
        v = (1.0f - fabsf(u)) * (v < 0.0f ? -1.0f : 1.0f);
        u = folded;
    }
    const float x = coif_kit_clamp(0.5f * (u + 1.0f), 0.0f, 1.0f) * (float)(n - 1);
    const float y = coif_kit_clamp(0.5f * (v + 1.0f), 0.0f, 1.0f) * (float)(n - 1);
    const int32_t i = x < (float)(n - 2) ? (int32_t)x : n - 2;
    const int32_t k = y < (float)(n - 2) ? (int32_t)y : n - 2;
    const float *at = scalp->height + k * n + i;
    const float low = coif_kit_mix(at[0], at[1], x - (float)i);
    const float high = coif_kit_mix(at[n], at[n + 1], x - (float)i);
    return coif_kit_mix(low, high, y - (float)k);
}

// Reconstructs the head from the roots of the groom. [main]
static inline void coif_kit_scalp_build(coif_kit_scalp *scalp, const coif_strand_view *strands)
{
    const int32_t n = COIF_KIT_SCALP_SIZE;
    const int32_t count =
        strands->strand_count < COIF_KIT_SCALP_ROOTS ? strands->strand_count : COIF_KIT_SCALP_ROOTS;
    coif_kit_scalp_fit(scalp, strands, count);
    for (int32_t texel = 0; texel < n * n; ++texel) {
        coif_kit_vec d;
        d.x = 2.0f * (float)(texel % n) / (float)(n - 1) - 1.0f;
        d.y = 2.0f * (float)(texel / n) / (float)(n - 1) - 1.0f;
        d.z = 1.0f - fabsf(d.x) - fabsf(d.y);
        if (d.z < 0.0f) {
            const float folded = (1.0f - fabsf(d.y)) * (d.x < 0.0f ? -1.0f : 1.0f);
            d.y = (1.0f - fabsf(d.x)) * (d.y < 0.0f ? -1.0f : 1.0f);
            d.x = folded;
        }
        d = coif_kit_normalize(d, coif_kit_vec_make(0.0f, 0.0f, 1.0f));
        // Outside the scalp the weights vanish and the fitted sphere remains.
        float sum = 1e-6f * scalp->radius, weights = 1e-6f;
        for (int32_t s = 0; s < count; ++s) {
            const coif_kit_vec p = coif_kit_sub(coif_kit_view_root(strands, s), scalp->centre);
            const float distance = coif_kit_length(p);
            const float cosine = distance > 0.0f ? coif_kit_dot(p, d) / distance : 0.0f;
            const float weight = coif_kit_exp(-80.0f * (1.0f - cosine));
            sum += weight * distance;
            weights += weight;
        }
        scalp->height[texel] = sum / weights;
    }
}

// A cross-section of the tail.
typedef struct coif_kit_tail_section {
    coif_kit_vec position, tangent, side, up; // unit vectors; side and up span the section
    float radius;                             // m
    float phase;                              // of a pattern along the tail, radians
} coif_kit_tail_section;

// Centre line of the tail from the tie on, sampled at equal arc lengths.
typedef struct coif_kit_tail {
    float spacing; // m
    int32_t count;
    coif_kit_tail_section sections[COIF_KIT_TAIL_SAMPLES];
} coif_kit_tail;

// Appends a section; the frame is parallel-transported from the one before.
static inline void coif_kit_tail_append(coif_kit_tail *tail, coif_kit_vec position,
                                        coif_kit_vec tangent, coif_kit_vec side_hint, float radius)
{
    if (tail->count >= COIF_KIT_TAIL_SAMPLES) {
        return;
    }
    coif_kit_tail_section *section = &tail->sections[tail->count];
    section->position = position;
    section->tangent = tangent;
    section->radius = radius;
    section->phase = 0.0f;
    coif_kit_vec side = side_hint;
    if (tail->count > 0) {
        const coif_kit_tail_section *last = section - 1;
        side = coif_kit_parallel_transport(last->side, last->tangent, tangent);
    }
    section->side = coif_kit_normalize(coif_kit_perpendicular(side, tangent),
                                       coif_kit_any_perpendicular(tangent));
    section->up = coif_kit_cross(tangent, section->side);
    ++tail->count;
}

// Section at an arc length from the tie, extrapolated linearly beyond the end. [worker]
static inline coif_kit_tail_section coif_kit_tail_at(const coif_kit_tail *tail, float s)
{
    const float x = s > 0.0f ? s / tail->spacing : 0.0f;
    const int32_t last = tail->count - 2;
    const int32_t i = x < (float)last ? (int32_t)x : last;
    const coif_kit_tail_section *a = &tail->sections[i], *b = a + 1;
    const float t = x - (float)i, within = coif_kit_clamp(t, 0.0f, 1.0f);
    coif_kit_tail_section section = *a;
    section.position = coif_kit_mad(a->position, t, coif_kit_sub(b->position, a->position));
    section.side = coif_kit_mad(a->side, within, coif_kit_sub(b->side, a->side));
    section.up = coif_kit_mad(a->up, within, coif_kit_sub(b->up, a->up));
    section.tangent = coif_kit_mad(a->tangent, within, coif_kit_sub(b->tangent, a->tangent));
    section.radius = coif_kit_mix(a->radius, b->radius, within);
    section.phase = coif_kit_mix(a->phase, b->phase, t);
    return section;
}

// Hair gathered at a tie.
//
// The ring of the tie, in the rest space of the body: its centre is sections[0].position of the
// tail, its axis sections[0].tangent, its radius tie_radius. The tail is straight and the hair
// stays within the ring for `band` from there, so a simulated tie holds the points in that
// cylinder.
typedef struct coif_kit_gather {
    coif_kit_scalp scalp;
    coif_kit_tail tail;
    const coif_surface_view *body; // NULL: only the scalp is known
    int32_t region;                // of the strands that are gathered; -1: all
    float band;                    // m
    coif_kit_vec tie;              // centre of the tie, m
    coif_kit_vec to_tie;           // unit, from the centre of the head
    float tie_radius;              // m
    float longest;                 // length of the longest strand, m
    float farthest;                // 1 - cos of the largest angle between a root and the tie
    float blend_angle;  // angle from the tie at which strands leave the scalp for it, radians
    float clearance;    // of the lowest strands above the scalp, m
    float ridge_height; // of the comb ridges, m
} coif_kit_gather;

// Whether a strand of the groom is gathered.
static inline int coif_kit_gather_takes(const coif_kit_gather *gather, const int32_t *region,
                                        int32_t strand)
{
    return gather->region < 0 || (region != NULL ? region[strand] : 0) == gather->region;
}

// Distance of a position from the body, or from the scalp where the body is unknown or far; and the
// unit normal there. [worker]
static inline float coif_kit_gather_distance(const coif_kit_gather *gather, coif_kit_vec position,
                                             coif_kit_vec *normal)
{
    const coif_kit_vec from = coif_kit_sub(position, gather->scalp.centre);
    *normal = coif_kit_normalize(from, gather->to_tie);
    if (gather->body != NULL) {
        const float p[3] = {position.x, position.y, position.z};
        float n[3], distance, far = 2.0f * gather->scalp.radius;
        gather->body->query(gather->body, 1, p, far, &distance, n);
        if (distance < far) {
            *normal = coif_kit_vec_make(n[0], n[1], n[2]);
            return distance;
        }
    }
    return coif_kit_length(from) - coif_kit_scalp_height(&gather->scalp, *normal);
}

// Reconstructs the head and places the tie of the strands of a region (-1: all); a tail must be
// appended before strands are laid. [main]
static inline void coif_kit_gather_build(coif_kit_gather *gather, const coif_groom_batch *whole,
                                         coif_kit_vec tie, float tie_radius, int32_t region)
{
    const coif_strand_view *strands = whole->input;
    gather->region = region;
    gather->body = whole->struct_size > offsetof(coif_groom_batch, body) ? whole->body : NULL;
    coif_kit_scalp_build(&gather->scalp, strands);
    const coif_kit_vec back = coif_kit_vec_make(0.0f, 0.0f, -1.0f);
    const coif_kit_vec to_tie = coif_kit_sub(tie, gather->scalp.centre);
    gather->tie = tie;
    gather->to_tie = coif_kit_normalize(to_tie, back);
    gather->tie_radius = tie_radius;
    gather->farthest = 1e-6f;
    gather->longest = 1e-3f;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        if (!coif_kit_gather_takes(gather, whole->region, s)) {
            continue;
        }
        const coif_kit_vec root = coif_kit_normalize(
            coif_kit_sub(coif_kit_view_root(strands, s), gather->scalp.centre), gather->to_tie);
        const float away = 1.0f - coif_kit_dot(root, gather->to_tie);
        gather->farthest = away > gather->farthest ? away : gather->farthest;
        const float length = coif_kit_strand_length(whole, s);
        gather->longest = length > gather->longest ? length : gather->longest;
    }
    const float high =
        coif_kit_length(to_tie) - coif_kit_scalp_height(&gather->scalp, gather->to_tie);
    gather->blend_angle =
        (1.2f * coif_kit_clamp(high, 0.0f, gather->scalp.radius) + 2.0f * tie_radius) /
        gather->scalp.radius;
}

// Appends a hanging tail, as long as the longest strand: it leaves along `out`, straight within the
// band of the tie, turns towards `fall` within fall_length and keeps `radius` away from the body.
// [main]
static inline void coif_kit_gather_hang(coif_kit_gather *gather, coif_kit_vec out,
                                        coif_kit_vec fall, float fall_length, float radius)
{
    const coif_kit_vec down = coif_kit_vec_make(0.0f, -1.0f, 0.0f);
    const float spacing = gather->longest / (float)(COIF_KIT_TAIL_SAMPLES - 1);
    coif_kit_vec at = gather->tie, tangent = coif_kit_normalize(out, gather->to_tie);
    const coif_kit_vec first = tangent, goal = coif_kit_normalize(fall, down);
    const coif_kit_vec side = coif_kit_cross(tangent, down);
    gather->tail.spacing = spacing;
    for (int32_t i = 0; i < COIF_KIT_TAIL_SAMPLES; ++i) {
        coif_kit_tail_append(&gather->tail, at, tangent, side, radius);
        const float s = spacing * ((float)i + 0.5f) - gather->band;
        const float t = s > 0.0f ? 1.0f - coif_kit_exp(-s / fall_length) : 0.0f;
        coif_kit_vec ahead = coif_kit_mad(coif_kit_scale(first, 1.0f - t), t, goal);
        ahead = coif_kit_normalize(ahead, tangent);
        // Slide along the body instead of entering it.
        coif_kit_vec normal;
        const float gap = coif_kit_gather_distance(gather, at, &normal) - radius;
        const float inwards = coif_kit_dot(ahead, normal);
        if (s > 0.0f && inwards < 0.0f) {
            const float slide = 1.0f - coif_kit_smoothstep(gap / (2.0f * radius));
            ahead = coif_kit_normalize(coif_kit_mad(ahead, -slide * inwards, normal), ahead);
        }
        at = coif_kit_mad(at, spacing, ahead);
        tangent = ahead;
    }
}

// Appends a tail, as long as the longest strand, that follows a polyline from the tie; extrapolated
// linearly. Its up vectors begin as the normal of the body. [main]
static inline void coif_kit_gather_follow(coif_kit_gather *gather, const coif_kit_vec *points,
                                          int32_t count, float radius)
{
    coif_kit_tail *tail = &gather->tail;
    coif_kit_vec at = gather->tie, tangent = gather->to_tie, normal;
    coif_kit_gather_distance(gather, at, &normal);
    tail->spacing = gather->longest / (float)(COIF_KIT_TAIL_SAMPLES - 1);
    for (int32_t i = 0, next = 0; i < COIF_KIT_TAIL_SAMPLES; ++i) {
        // Points within a spacing have been reached.
        while (next < count && coif_kit_length(coif_kit_sub(points[next], at)) < tail->spacing) {
            ++next;
        }
        if (next < count) {
            tangent = coif_kit_normalize(coif_kit_sub(points[next], at), tangent);
        }
        coif_kit_tail_append(tail, at, tangent, coif_kit_cross(normal, tangent), radius);
        at = coif_kit_mad(at, tail->spacing, tangent);
    }
}

enum { COIF_KIT_GATHER_POINTS = 40 };

// One strand on its way to the tie and along the tail.
typedef struct coif_kit_gathered {
    float a, b;    // position in the cross-section of the tie, unit disc
    uint32_t word; // random word of the strand
    float stray;   // 0: in place; up to 1 for strands that leave the hairstyle
    int32_t count; // points of the curve from the root to the tie
    float arc[COIF_KIT_GATHER_POINTS];
    coif_kit_vec curve[COIF_KIT_GATHER_POINTS];
} coif_kit_gathered;

// Appends a point to the curve; arc is its distance from the root along the curve.
static inline void coif_kit_gathered_append(coif_kit_gathered *strand, coif_kit_vec position)
{
    const int32_t i = strand->count;
    strand->curve[i] = position;
    strand->arc[i] =
        i > 0 ? strand->arc[i - 1] + coif_kit_length(coif_kit_sub(position, strand->curve[i - 1]))
              : 0.0f;
    ++strand->count;
}

// Curve of a strand of the batch from its root to the tie. [worker]
static inline coif_kit_gathered coif_kit_gather_strand(const coif_kit_gather *gather,
                                                       const coif_groom_batch *batch,
                                                       int32_t strand, float stray_fraction)
{
    coif_kit_gathered out;
    memset(&out, 0, sizeof out);
    const coif_kit_scalp *scalp = &gather->scalp;
    const coif_kit_tail_section *tie = &gather->tail.sections[0];
    const coif_kit_vec root = coif_kit_point(batch, batch->first[strand]);
    const coif_kit_vec from = coif_kit_sub(root, scalp->centre);
    const coif_kit_vec start = coif_kit_normalize(from, gather->to_tie);
    const float cosine = coif_kit_clamp(coif_kit_dot(start, gather->to_tie), -1.0f, 1.0f);
    const float angle = coif_kit_acos(cosine);
    const float nearer = coif_kit_clamp((1.0f - cosine) / gather->farthest, 0.0f, 1.0f);
    const float chance = coif_kit_random(batch->random[strand], 71);
    out.word = batch->random[strand];
    out.stray = chance < stray_fraction ? 0.2f + 0.8f * chance / stray_fraction : 0.0f;

    // Position in the cross-section: the azimuth of the root about the tie, equal areas.
    const coif_kit_vec across = coif_kit_perpendicular(start, tie->tangent);
    const coif_kit_vec azimuth = coif_kit_normalize(across, tie->side);
    const float ring = sqrtf(nearer);
    const float u = coif_kit_dot(azimuth, tie->side), v = coif_kit_dot(azimuth, tie->up);
    out.a = ring * u, out.b = ring * v;

    const coif_kit_vec axis = coif_kit_normalize(coif_kit_cross(start, gather->to_tie),
                                                 coif_kit_any_perpendicular(start));
    // Strands leave the scalp at different distances from the tie, or a ring would show there.
    const float blend = gather->blend_angle * (0.5f + coif_kit_random(out.word, 74));
    const float span = angle > blend ? angle - blend : 0.0f;
    const float residual = coif_kit_length(from) - coif_kit_scalp_height(scalp, start);
    const int32_t steps = span > 0.0f ? 4 + (int32_t)coif_kit_clamp(10.0f * span, 0.0f, 22.0f) : 0;
    const coif_kit_vec along = coif_kit_cross(axis, start); // on the scalp, towards the tie
    coif_kit_vec at = root,
                 heading = coif_kit_mad(along, 0.3f, coif_kit_root_normal(batch, strand));
    coif_kit_gathered_append(&out, root);
    for (int32_t i = 1; i <= steps; ++i) {
        const float turn = span * (float)i / (float)steps;
        const coif_kit_vec d = coif_kit_rotate(start, axis, coif_kit_cos(turn), coif_kit_sin(turn));
        const float left = angle - turn; // angle to the tie
        // Hair that grows between here and the root lies below: its cross-section over the
        // circumference of the circle around the tie.
        const float below = nearer - (1.0f - coif_kit_cos(left)) / gather->farthest;
        const float circle = 2.0f * scalp->radius * coif_kit_sin(left);
        float height = gather->tie_radius * gather->tie_radius * coif_kit_clamp(below, 0.0f, 1.0f) /
                       (circle > gather->tie_radius ? circle : gather->tie_radius);
        const float ridge = coif_kit_noise3(14.0f * u, 14.0f * v, 1.3f * left, 7u) +
                            0.5f * coif_kit_noise3(41.0f * u, 41.0f * v, 2.0f * left, 8u);
        height += gather->ridge_height * (0.7f + ridge);
        const float bow = coif_kit_sin(COIF_KIT_PI * (float)i / (float)(steps + 1));
        height += out.stray * bow * span * scalp->radius *
                  (0.05f + 0.09f * coif_kit_noise1(2.0f * turn, out.word));
        const float rise = coif_kit_smoothstep(turn * scalp->radius / 0.015f);
        const float distance = coif_kit_scalp_height(scalp, d) +
                               residual * coif_kit_exp(-turn / 0.2f) +
                               rise * (gather->clearance + height);
        const coif_kit_vec next = coif_kit_mad(scalp->centre, distance, d);
        heading = coif_kit_sub(next, at);
        at = next;
        coif_kit_gathered_append(&out, at);
    }
    // Cubic Hermite curve into the tie.
    heading = coif_kit_normalize(heading, gather->to_tie);
    const coif_kit_vec end =
        coif_kit_mad(coif_kit_mad(tie->position, out.a * gather->tie_radius, tie->side),
                     out.b * gather->tie_radius, tie->up);
    const float distance = coif_kit_length(coif_kit_sub(end, at));
    const coif_kit_vec begin = at;
    for (int32_t i = 1; i <= 10; ++i) {
        const float t = 0.1f * (float)i, r = 1.0f - t;
        coif_kit_vec p = coif_kit_scale(begin, r * r * (1.0f + 2.0f * t));
        p = coif_kit_mad(p, t * t * (1.0f + 2.0f * r), end);
        p = coif_kit_mad(p, t * r * r * distance, heading);
        p = coif_kit_mad(p, -0.8f * t * t * r * distance, tie->tangent);
        coif_kit_gathered_append(&out, p);
    }
    return out;
}

// Position of a strand in a section of the tail at arc length s from the tie, along its side and up
// vectors (x, y), m. At s = 0 it must be (a, b) times the tie radius.
typedef coif_kit_vec (*coif_kit_tail_offset)(const void *data, const coif_kit_gathered *strand,
                                             const coif_kit_tail_section *section, float s);

// Shape of one strand: its curve to the tie and the tail after it.
typedef struct coif_kit_gathered_shape {
    const coif_kit_gather *gather;
    const coif_kit_gathered *strand;
    coif_kit_tail_offset offset;
    const void *data;
} coif_kit_gathered_shape;

// coif_kit_curve of a gathered strand.
static inline coif_kit_vec coif_kit_gathered_at(const void *shape, float u)
{
    const coif_kit_gathered_shape *of = (const coif_kit_gathered_shape *)shape;
    const coif_kit_gathered *strand = of->strand;
    const float whole = strand->arc[strand->count - 1];
    if (u >= whole) {
        const coif_kit_tail_section section = coif_kit_tail_at(&of->gather->tail, u - whole);
        const coif_kit_vec within = of->offset(of->data, strand, &section, u - whole);
        return coif_kit_mad(coif_kit_mad(section.position, within.x, section.side), within.y,
                            section.up);
    }
    int32_t i = 0;
    while (i + 2 < strand->count && strand->arc[i + 1] < u) {
        ++i;
    }
    const float length = strand->arc[i + 1] - strand->arc[i];
    const float t = length > 0.0f ? (u - strand->arc[i]) / length : 0.0f;
    return coif_kit_mad(strand->curve[i], t, coif_kit_sub(strand->curve[i + 1], strand->curve[i]));
}

// Lays a strand of the batch along its curve and the tail; segment lengths are kept. [worker]
static inline void coif_kit_gather_lay(const coif_kit_gather *gather,
                                       const coif_kit_gathered *strand,
                                       const coif_groom_batch *batch, int32_t index,
                                       coif_kit_tail_offset offset, const void *data)
{
    const coif_kit_gathered_shape shape = {gather, strand, offset, data};
    const coif_kit_obstacle head = {gather->body, gather->clearance,
                                    strand->arc[strand->count - 1]};
    coif_kit_lay_strand(batch, index, coif_kit_gathered_at, &shape, &head);
}

#endif
