// coif/strand.h: geometry along a strand, for groom modifiers.
//
// A frame that is carried along a strand without turning about it (parallel transport; R. Bishop,
// There is more than one way to frame a curve, 1975) is what keeps waves smooth: unlike a frame
// from curvature it neither flips at inflections nor fails where the strand is straight. Vectors
// are plain; everything is exact in the sense of coif/deterministic_math.h.
#ifndef COIF_STRAND_H
#define COIF_STRAND_H

#include <coif/deterministic_math.h>
#include <coif/plugin.h>

typedef struct coif_kit_vec {
    float x, y, z;
} coif_kit_vec;

static inline coif_kit_vec coif_kit_vec_make(float x, float y, float z)
{
    coif_kit_vec v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

// a + s b
static inline coif_kit_vec coif_kit_mad(coif_kit_vec a, float s, coif_kit_vec b)
{
    return coif_kit_vec_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline coif_kit_vec coif_kit_sub(coif_kit_vec a, coif_kit_vec b)
{
    return coif_kit_vec_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline coif_kit_vec coif_kit_scale(coif_kit_vec a, float s)
{
    return coif_kit_vec_make(a.x * s, a.y * s, a.z * s);
}

static inline float coif_kit_dot(coif_kit_vec a, coif_kit_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline coif_kit_vec coif_kit_cross(coif_kit_vec a, coif_kit_vec b)
{
    return coif_kit_vec_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float coif_kit_length(coif_kit_vec a)
{
    return sqrtf(coif_kit_dot(a, a));
}

// Too short to have a direction: the other one is given back.
static inline coif_kit_vec coif_kit_normalize(coif_kit_vec a, coif_kit_vec otherwise)
{
    const float length = coif_kit_length(a);
    return length > 1e-12f ? coif_kit_scale(a, 1.0f / length) : otherwise;
}

// The part of a across the unit vector n.
static inline coif_kit_vec coif_kit_perpendicular(coif_kit_vec a, coif_kit_vec n)
{
    return coif_kit_mad(a, -coif_kit_dot(a, n), n);
}

// Some unit vector across the unit vector n.
static inline coif_kit_vec coif_kit_any_perpendicular(coif_kit_vec n)
{
    const coif_kit_vec axis = fabsf(n.x) < 0.6f   ? coif_kit_vec_make(1.0f, 0.0f, 0.0f)
                              : fabsf(n.y) < 0.6f ? coif_kit_vec_make(0.0f, 1.0f, 0.0f)
                                                  : coif_kit_vec_make(0.0f, 0.0f, 1.0f);
    return coif_kit_normalize(coif_kit_perpendicular(axis, n), axis);
}

// Turns v about the unit axis by an angle given as cosine and sine (Rodrigues).
static inline coif_kit_vec coif_kit_rotate(coif_kit_vec v, coif_kit_vec axis, float c, float s)
{
    coif_kit_vec turned = coif_kit_scale(v, c);
    turned = coif_kit_mad(turned, s, coif_kit_cross(axis, v));
    return coif_kit_mad(turned, (1.0f - c) * coif_kit_dot(axis, v), axis);
}

// Carries v along by the smallest turn that takes the unit vector a to the unit vector b.
static inline coif_kit_vec coif_kit_parallel_transport(coif_kit_vec v, coif_kit_vec a,
                                                       coif_kit_vec b)
{
    const float c = coif_kit_dot(a, b);
    if (c < -0.9999f) {
        // A strand that turns straight back: half a turn about anything across it.
        return coif_kit_rotate(v, coif_kit_any_perpendicular(a), -1.0f, 0.0f);
    }
    const coif_kit_vec k = coif_kit_cross(a, b);
    const coif_kit_vec once = coif_kit_cross(k, v);
    const coif_kit_vec twice = coif_kit_cross(k, once);
    return coif_kit_mad(coif_kit_mad(v, 1.0f, once), 1.0f / (1.0f + c), twice);
}

static inline coif_kit_vec coif_kit_point(const coif_groom_batch *batch, int32_t point)
{
    return coif_kit_vec_make(batch->x[point], batch->y[point], batch->z[point]);
}

static inline void coif_kit_set_point(const coif_groom_batch *batch, int32_t point, coif_kit_vec at)
{
    batch->x[point] = at.x;
    batch->y[point] = at.y;
    batch->z[point] = at.z;
}

// The scalp's normal at the root of a strand of the batch.
static inline coif_kit_vec coif_kit_root_normal(const coif_groom_batch *batch, int32_t strand)
{
    const float *frame = batch->root_frame + 9 * (ptrdiff_t)strand;
    return coif_kit_vec_make(frame[6], frame[7], frame[8]);
}

// A parameter of a strand, and at one of its points: mapped, ramped, or as it is in the struct.
static inline float coif_kit_strand_param(const coif_groom_batch *batch, int32_t row,
                                          int32_t strand, float value)
{
    return batch->per_strand[row] != NULL ? batch->per_strand[row][strand] : value;
}

static inline float coif_kit_point_param(const coif_groom_batch *batch, int32_t row, int32_t point,
                                         float strand_value)
{
    return batch->per_point[row] != NULL ? batch->per_point[row][point] : strand_value;
}

// The length of a strand of the batch from root to tip.
static inline float coif_kit_strand_length(const coif_groom_batch *batch, int32_t strand)
{
    float length = 0.0f;
    for (int32_t i = batch->first[strand]; i + 1 < batch->first[strand + 1]; ++i) {
        length +=
            coif_kit_length(coif_kit_sub(coif_kit_point(batch, i + 1), coif_kit_point(batch, i)));
    }
    return length;
}

// A place on a strand while walking from root to tip.
typedef struct coif_kit_strand_walk {
    const coif_groom_batch *batch;
    int32_t point, end;
    coif_kit_vec at;       // where the point was before the strand was changed
    coif_kit_vec tangent;  // unit, mean of the segments before and after
    coif_kit_vec side, up; // unit, across the tangent, carried along
    coif_kit_vec ahead;    // unit, of the segment after (at the tip: before)
    float segment;         // length of the segment after (at the tip: before)
    float distance;        // along the strand from the root
} coif_kit_strand_walk;

static inline void coif_kit_strand_walk_update(coif_kit_strand_walk *walk, coif_kit_vec behind)
{
    if (walk->point + 1 < walk->end) {
        const coif_kit_vec step =
            coif_kit_sub(coif_kit_point(walk->batch, walk->point + 1), walk->at);
        walk->segment = coif_kit_length(step);
        walk->ahead = coif_kit_normalize(step, behind);
    }
    const coif_kit_vec sum = coif_kit_mad(walk->ahead, 1.0f, behind);
    walk->tangent = coif_kit_normalize(sum, walk->ahead);
}

// Begins at the root. Side is laid as near to hint as it can be; a hint along the strand is no
// hint. Points may be changed behind the walk: it has read one point ahead.
static inline coif_kit_strand_walk coif_kit_strand_walk_begin(const coif_groom_batch *batch,
                                                              int32_t strand, coif_kit_vec hint)
{
    coif_kit_strand_walk walk;
    memset(&walk, 0, sizeof walk);
    walk.batch = batch;
    walk.point = batch->first[strand];
    walk.end = batch->first[strand + 1];
    walk.at = coif_kit_point(batch, walk.point);
    walk.ahead = coif_kit_root_normal(batch, strand);
    coif_kit_strand_walk_update(&walk, walk.ahead);
    walk.tangent = walk.ahead;
    walk.side = coif_kit_perpendicular(hint, walk.tangent);
    walk.side = coif_kit_normalize(walk.side, coif_kit_any_perpendicular(walk.tangent));
    walk.up = coif_kit_cross(walk.tangent, walk.side);
    return walk;
}

// To the next point; 0 past the tip.
static inline int coif_kit_strand_walk_next(coif_kit_strand_walk *walk)
{
    if (walk->point + 1 >= walk->end) {
        return 0;
    }
    const coif_kit_vec tangent = walk->tangent;
    const coif_kit_vec behind = walk->ahead;
    ++walk->point;
    walk->distance += walk->segment;
    walk->at = coif_kit_point(walk->batch, walk->point);
    coif_kit_strand_walk_update(walk, behind);
    const coif_kit_vec side = coif_kit_perpendicular(
        coif_kit_parallel_transport(walk->side, tangent, walk->tangent), walk->tangent);
    walk->side = coif_kit_normalize(side, coif_kit_any_perpendicular(walk->tangent));
    walk->up = coif_kit_cross(walk->tangent, walk->side);
    return 1;
}

#endif
