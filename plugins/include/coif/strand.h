// coif/strand.h: vectors, access to strands and a walk with parallel-transported frames, for groom
// modifiers.
//
// Frames are rotation-minimizing (R. Bishop, There is more than one way to frame a curve, 1975):
// unlike a Frenet frame they neither flip at inflections nor fail on straight segments. All
// functions are static inline, pure unless they write a point, and deterministic in the sense of
// coif/deterministic_math.h: [worker].
#ifndef COIF_STRAND_H
#define COIF_STRAND_H

#include <coif/deterministic_math.h>
#include <coif/plugin.h>

// A vector or position, m unless said fallback.
typedef struct coif_kit_vec {
    float x, y, z;
} coif_kit_vec;

// (x, y, z)
static inline coif_kit_vec coif_kit_vec_make(float x, float y, float z)
{
    coif_kit_vec v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

// A vector parameter.
static inline coif_kit_vec coif_kit_vec_of(const float v[3])
{
    return coif_kit_vec_make(v[0], v[1], v[2]);
}

// a + s b
static inline coif_kit_vec coif_kit_mad(coif_kit_vec a, float s, coif_kit_vec b)
{
    return coif_kit_vec_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

// a - b
static inline coif_kit_vec coif_kit_sub(coif_kit_vec a, coif_kit_vec b)
{
    return coif_kit_vec_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

// s a
static inline coif_kit_vec coif_kit_scale(coif_kit_vec a, float s)
{
    return coif_kit_vec_make(a.x * s, a.y * s, a.z * s);
}

// a . b
static inline float coif_kit_dot(coif_kit_vec a, coif_kit_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// a x b
static inline coif_kit_vec coif_kit_cross(coif_kit_vec a, coif_kit_vec b)
{
    return coif_kit_vec_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// |a|
static inline float coif_kit_length(coif_kit_vec a)
{
    return sqrtf(coif_kit_dot(a, a));
}

// a / |a|, or `fallback` where |a| <= 1e-12.
static inline coif_kit_vec coif_kit_normalize(coif_kit_vec a, coif_kit_vec fallback)
{
    const float length = coif_kit_length(a);
    return length > 1e-12f ? coif_kit_scale(a, 1.0f / length) : fallback;
}

// Component of a perpendicular to the unit vector n: a - (a . n) n.
static inline coif_kit_vec coif_kit_perpendicular(coif_kit_vec a, coif_kit_vec n)
{
    return coif_kit_mad(a, -coif_kit_dot(a, n), n);
}

// A unit vector perpendicular to the unit vector n.
static inline coif_kit_vec coif_kit_any_perpendicular(coif_kit_vec n)
{
    const coif_kit_vec axis = fabsf(n.x) < 0.6f   ? coif_kit_vec_make(1.0f, 0.0f, 0.0f)
                              : fabsf(n.y) < 0.6f ? coif_kit_vec_make(0.0f, 1.0f, 0.0f)
                                                  : coif_kit_vec_make(0.0f, 0.0f, 1.0f);
    return coif_kit_normalize(coif_kit_perpendicular(axis, n), axis);
}

// v rotated about the unit axis by the angle with cosine c and sine s (Rodrigues).
static inline coif_kit_vec coif_kit_rotate(coif_kit_vec v, coif_kit_vec axis, float c, float s)
{
    coif_kit_vec turned = coif_kit_scale(v, c);
    turned = coif_kit_mad(turned, s, coif_kit_cross(axis, v));
    return coif_kit_mad(turned, (1.0f - c) * coif_kit_dot(axis, v), axis);
}

// v rotated by the smallest rotation that takes the unit vector a to the unit vector b.
static inline coif_kit_vec coif_kit_parallel_transport(coif_kit_vec v, coif_kit_vec a,
                                                       coif_kit_vec b)
{
    const float c = coif_kit_dot(a, b);
    if (c < -0.9999f) {
        // Opposite directions: half a turn about any perpendicular axis.
        return coif_kit_rotate(v, coif_kit_any_perpendicular(a), -1.0f, 0.0f);
    }
    const coif_kit_vec k = coif_kit_cross(a, b);
    const coif_kit_vec once = coif_kit_cross(k, v);
    const coif_kit_vec twice = coif_kit_cross(k, once);
    return coif_kit_mad(coif_kit_mad(v, 1.0f, once), 1.0f / (1.0f + c), twice);
}

// Position of a point of the batch, m.
static inline coif_kit_vec coif_kit_point(const coif_groom_batch *batch, int32_t point)
{
    return coif_kit_vec_make(batch->x[point], batch->y[point], batch->z[point]);
}

// Moves a point of the batch, m.
static inline void coif_kit_set_point(const coif_groom_batch *batch, int32_t point,
                                      coif_kit_vec position)
{
    batch->x[point] = position.x;
    batch->y[point] = position.y;
    batch->z[point] = position.z;
}

// Unit normal of the scalp at the root of a strand of the batch.
static inline coif_kit_vec coif_kit_root_normal(const coif_groom_batch *batch, int32_t strand)
{
    const float *frame = batch->root_frame + 9 * (ptrdiff_t)strand;
    return coif_kit_vec_make(frame[6], frame[7], frame[8]);
}

// Value of the parameter in table row `row` for a strand: mapped, or `value` from the params
// struct.
static inline float coif_kit_strand_param(const coif_groom_batch *batch, int32_t row,
                                          int32_t strand, float value)
{
    return batch->per_strand[row] != NULL ? batch->per_strand[row][strand] : value;
}

// Value of that parameter at a point: ramped, or the value of its strand.
static inline float coif_kit_point_param(const coif_groom_batch *batch, int32_t row, int32_t point,
                                         float strand_value)
{
    return batch->per_point[row] != NULL ? batch->per_point[row][point] : strand_value;
}

// Arc length of a strand of the batch from root to tip, m.
static inline float coif_kit_strand_length(const coif_groom_batch *batch, int32_t strand)
{
    float length = 0.0f;
    for (int32_t i = batch->first[strand]; i + 1 < batch->first[strand + 1]; ++i) {
        length +=
            coif_kit_length(coif_kit_sub(coif_kit_point(batch, i + 1), coif_kit_point(batch, i)));
    }
    return length;
}

// State of a walk along a strand from root to tip.
typedef struct coif_kit_strand_walk {
    const coif_groom_batch *batch;
    int32_t point, end;
    coif_kit_vec position;          // of the point before any change to the strand, m
    coif_kit_vec tangent;           // unit, mean of the adjacent segments
    coif_kit_vec side, up;          // unit, perpendicular to the tangent, parallel-transported
    coif_kit_vec segment_direction; // unit, of the segment to the next point (tip: the last one)
    float segment_length;           // of that segment, m
    float distance;                 // arc length from the root, m
} coif_kit_strand_walk;

// Reads the segment to the next point and updates the tangent.
static inline void coif_kit_strand_walk_update(coif_kit_strand_walk *walk, coif_kit_vec behind)
{
    if (walk->point + 1 < walk->end) {
        const coif_kit_vec step =
            coif_kit_sub(coif_kit_point(walk->batch, walk->point + 1), walk->position);
        walk->segment_length = coif_kit_length(step);
        walk->segment_direction = coif_kit_normalize(step, behind);
    }
    const coif_kit_vec sum = coif_kit_mad(walk->segment_direction, 1.0f, behind);
    walk->tangent = coif_kit_normalize(sum, walk->segment_direction);
}

// Walk at the root. `side` is the projection of `hint` perpendicular to the strand, or any
// perpendicular where the hint is parallel to it. The walk has read one point ahead, so points up
// to and including walk.point may be written.
static inline coif_kit_strand_walk coif_kit_strand_walk_begin(const coif_groom_batch *batch,
                                                              int32_t strand, coif_kit_vec hint)
{
    coif_kit_strand_walk walk;
    memset(&walk, 0, sizeof walk);
    walk.batch = batch;
    walk.point = batch->first[strand];
    walk.end = batch->first[strand + 1];
    walk.position = coif_kit_point(batch, walk.point);
    walk.segment_direction = coif_kit_root_normal(batch, strand);
    coif_kit_strand_walk_update(&walk, walk.segment_direction);
    walk.tangent = walk.segment_direction;
    walk.side = coif_kit_perpendicular(hint, walk.tangent);
    walk.side = coif_kit_normalize(walk.side, coif_kit_any_perpendicular(walk.tangent));
    walk.up = coif_kit_cross(walk.tangent, walk.side);
    return walk;
}

// Advances to the next point; returns 0 at the tip.
static inline int coif_kit_strand_walk_next(coif_kit_strand_walk *walk)
{
    if (walk->point + 1 >= walk->end) {
        return 0;
    }
    const coif_kit_vec tangent = walk->tangent;
    const coif_kit_vec behind = walk->segment_direction;
    ++walk->point;
    walk->distance += walk->segment_length;
    walk->position = coif_kit_point(walk->batch, walk->point);
    coif_kit_strand_walk_update(walk, behind);
    const coif_kit_vec side = coif_kit_perpendicular(
        coif_kit_parallel_transport(walk->side, tangent, walk->tangent), walk->tangent);
    walk->side = coif_kit_normalize(side, coif_kit_any_perpendicular(walk->tangent));
    walk->up = coif_kit_cross(walk->tangent, walk->side);
    return 1;
}

// Position on a curve at the parameter u, about the arc length from its start, m.
typedef coif_kit_vec (*coif_kit_curve)(const void *data, float u);

// A body that strands stay out of while they are laid.
typedef struct coif_kit_obstacle {
    const coif_surface_view *body; // NULL: none
    float clearance;               // m; near the root 0.3 of the arc length where that is less
    float until;                   // parameter of the curve beyond which it is not tested
} coif_kit_obstacle;

// End of a segment, rotated out of the body; its length is kept.
static inline coif_kit_vec coif_kit_rotate_out(const coif_kit_obstacle *obstacle, coif_kit_vec from,
                                               coif_kit_vec to, float clearance)
{
    const float length = coif_kit_length(coif_kit_sub(to, from));
    for (int attempt = 0; attempt < 16; ++attempt) {
        const float p[3] = {to.x, to.y, to.z};
        float distance, n[3];
        obstacle->body->query(obstacle->body, 1, p, clearance + 2.0f * length, &distance, n);
        if (distance >= clearance) {
            break;
        }
        const coif_kit_vec normal = coif_kit_vec_make(n[0], n[1], n[2]);
        to = coif_kit_mad(to, 1.05f * clearance - distance, normal);
        to = coif_kit_mad(from, length, coif_kit_normalize(coif_kit_sub(to, from), normal));
    }
    return to;
}

// Lays a strand of the batch along a curve that starts at its root, around an obstacle; segment
// lengths are kept.
static inline void coif_kit_lay_strand(const coif_groom_batch *batch, int32_t strand,
                                       coif_kit_curve curve, const void *data,
                                       const coif_kit_obstacle *obstacle)
{
    coif_kit_vec at = coif_kit_point(batch, batch->first[strand]), before = at;
    coif_kit_vec heading = coif_kit_root_normal(batch, strand);
    float u = 0.0f, length = 0.0f;
    for (int32_t point = batch->first[strand] + 1; point < batch->first[strand + 1]; ++point) {
        const coif_kit_vec old = coif_kit_point(batch, point);
        const float segment = coif_kit_length(coif_kit_sub(old, before));
        before = old;
        // Two secant steps to the parameter at which the curve is one segment away.
        float step = segment;
        coif_kit_vec to = at;
        for (int k = 0; k < 3; ++k) {
            to = curve(data, u + step);
            const float distance = coif_kit_length(coif_kit_sub(to, at));
            if (k < 2 && distance > 1e-9f) {
                step *= coif_kit_clamp(segment / distance, 0.5f, 2.0f);
            }
        }
        u += step;
        length += segment;
        heading = coif_kit_normalize(coif_kit_sub(to, at), heading);
        to = coif_kit_mad(at, segment, heading);
        if (obstacle->body != NULL && u < obstacle->until) {
            const float rise = 0.3f * length;
            to = coif_kit_rotate_out(obstacle, at, to,
                                     rise < obstacle->clearance ? rise : obstacle->clearance);
        }
        at = to;
        coif_kit_set_point(batch, point, at);
    }
}

// Defines a groom function that calls strand_(params, batch, strand) for every strand of its batch.
#define COIF_KIT_EACH_STRAND(groom_, strand_)                                                      \
    static void groom_(const coif_host *host, const void *state, const void *params,               \
                       const coif_groom_batch *batch)                                              \
    {                                                                                              \
        (void)host, (void)state;                                                                   \
        for (int32_t strand = 0; strand < batch->strand_count; ++strand) {                         \
            strand_(params, batch, strand);                                                        \
        }                                                                                          \
    }

#endif
