// body_transform_simd: transforms and bounds of body_transform.h for as many positions as a
// kernel has lanes.
#ifndef COIF_CORE_COLLISION_BODY_TRANSFORM_SIMD_H
#define COIF_CORE_COLLISION_BODY_TRANSFORM_SIMD_H

#include "core/collision/body_transform.h"
#include "core/simd/simd_vec3.h"

// Brackets of levels tried when solving for the rest height, and the tolerance of a bracket as a
// fraction of a level.
#define MAX_BRACKETS      12
#define BRACKET_TOLERANCE 1e-3f

// Bounds are taken at the levels; between levels and within the frame values are slightly
// larger.
#define DEFORM_MARGIN 1.1f

// Contacts this far outside the deforming part involve only the rigid part, metres.
#define RIGID_DISTANCE 0.04f

static inline coif_simd lerp_simd(coif_simd a, coif_simd b, coif_simd fraction)
{
    return a + fraction * (b - a);
}

// coif_affine_apply of each position, bit for bit.
static inline simd_vec3 affine_apply_simd(const coif_affine *rigid, simd_vec3 p)
{
    const coif_vec3 *m = rigid->linear.row;
    return (simd_vec3){(m[0].x * p.x + m[0].y * p.y + m[0].z * p.z) + rigid->translation.x,
                       (m[1].x * p.x + m[1].y * p.y + m[1].z * p.z) + rigid->translation.y,
                       (m[2].x * p.x + m[2].y * p.y + m[2].z * p.z) + rigid->translation.z};
}

// Per lane: the inverse of a level, followed in memory by that of the next level.
typedef struct level_inverses {
    const simd_float4 *inverse[COIF_LANES];
} level_inverses;

static inline level_inverses levels_at(const coif_body_transform *transform, coif_simd_mask level)
{
    level_inverses levels;
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        levels.inverse[lane] = transform->inverse[level[lane]];
    }
    return levels;
}

// Transposes rows of lanes 0 to 3 into columns, and those of lanes 4 to 7 beside them.
#if COIF_LANES == 8
#define INVERSE_ROW(levels, lane, axis)                                                            \
    __builtin_shufflevector((levels)->inverse[lane][axis], (levels)->inverse[(lane) + 4][axis], 0, \
                            1, 2, 3, 4, 5, 6, 7)
#define UNPACK_LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define UNPACK_HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_PAIRS(a, b)   __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_PAIRS(a, b)  __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define INVERSE_ROW(levels, lane, axis) (levels)->inverse[lane][axis]
#define UNPACK_LOW(a, b)                __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define UNPACK_HIGH(a, b)               __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW_PAIRS(a, b)                 __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define HIGH_PAIRS(a, b)                __builtin_shufflevector(a, b, 2, 3, 6, 7)
#endif

// One axis of the inverse transform of positions; axis + 3 is that of the next level.
static inline coif_simd inverse_axis(const level_inverses *levels, int axis, simd_vec3 x)
{
    const coif_simd a = INVERSE_ROW(levels, 0, axis), b = INVERSE_ROW(levels, 1, axis);
    const coif_simd c = INVERSE_ROW(levels, 2, axis), d = INVERSE_ROW(levels, 3, axis);
    const coif_simd ab = UNPACK_LOW(a, b), ab_high = UNPACK_HIGH(a, b);
    const coif_simd cd = UNPACK_LOW(c, d), cd_high = UNPACK_HIGH(c, d);
    return (LOW_PAIRS(ab, cd) * x.x + HIGH_PAIRS(ab, cd) * x.y) +
           (LOW_PAIRS(ab_high, cd_high) * x.z + HIGH_PAIRS(ab_high, cd_high));
}

// The level below a height; heights are in units of levels.
static inline coif_simd_mask level_index(coif_simd t)
{
    const coif_simd last = coif_simd_all(COIF_HEIGHT_DEFORM_LEVELS - 1);
    const coif_simd within = coif_simd_min(coif_simd_max(t, coif_simd_all(0.0f)), last);
    return __builtin_convertvector(within, coif_simd_mask);
}

// Between two levels the height of B(h) x is linear in h, from a to b, so the fixed point h =
// B(h).y x is known in closed form. If it lies outside the bracket, the next bracket is tried.
static inline simd_vec3 rest_between_levels(const coif_body_transform *transform, simd_vec3 x,
                                            coif_simd_mask active, coif_simd guess)
{
    const coif_body_motion *motion = transform->motion;
    const float step = (motion->high - motion->low) / COIF_HEIGHT_DEFORM_LEVELS;
    const coif_simd none = coif_simd_all(0.0f);
    const coif_simd not_found = coif_simd_all(NAN);
    coif_simd_mask level = level_index((guess - motion->low) / step);
    coif_simd_mask unsolved = active;
    coif_simd fraction = none;
    coif_simd height = not_found;
    for (int n = 0; n < MAX_BRACKETS && any_of(unsolved); ++n) {
        const level_inverses levels = levels_at(transform, level);
        const coif_simd a = inverse_axis(&levels, 1, x);
        const coif_simd b = inverse_axis(&levels, 3 + 1, x);
        const coif_simd floor = __builtin_convertvector(level, coif_simd);
        const coif_simd t = (a - (motion->low + floor * step)) / (step - (b - a));
        // Outside the deforming part the transform is constant.
        const coif_simd_mask ends =
            ((level == 0) & (t < 0.0f)) | ((level == COIF_HEIGHT_DEFORM_LEVELS - 1) & (t > 1.0f));
        const coif_simd_mask found =
            unsolved & (((t >= -BRACKET_TOLERANCE) & (t <= 1.0f + BRACKET_TOLERANCE)) | ends);
        const coif_simd within = coif_simd_min(coif_simd_max(t, none), coif_simd_all(1.0f));
        fraction = coif_simd_select(found, within, fraction);
        height = coif_simd_select(found, lerp_simd(a, b, within), height);
        unsolved &= ~found;
        level = (unsolved & level_index(floor + t)) | (~unsolved & level);
    }
    const level_inverses levels = levels_at(transform, level);
    const coif_simd x_axis =
        lerp_simd(inverse_axis(&levels, 0, x), inverse_axis(&levels, 3 + 0, x), fraction);
    const coif_simd z_axis =
        lerp_simd(inverse_axis(&levels, 2, x), inverse_axis(&levels, 3 + 2, x), fraction);
    return select3(unsolved, (simd_vec3){not_found, not_found, not_found},
                   (simd_vec3){x_axis, height, z_axis});
}

// World to rest positions; NaN where the fixed point was not found. Lanes that are not active
// get any number.
static inline simd_vec3 to_rest_simd(const coif_body_transform *transform, simd_vec3 positions,
                                     coif_simd_mask active)
{
    const coif_body_motion *motion = transform->motion;
    const simd_vec3 above = affine_apply_simd(&transform->above_inverse, positions);
    const coif_simd_mask is_above = (positions.y >= motion->high) & (above.y >= motion->high);
    if (!motion->deforms || !any_of(active & ~is_above)) {
        return above;
    }
    const simd_vec3 below = affine_apply_simd(&transform->below_inverse, positions);
    const coif_simd_mask is_below = (positions.y <= motion->low) & (below.y <= motion->low);
    const simd_vec3 rest = select3(is_above, above, below);
    const coif_simd_mask is_between = active & ~(is_above | is_below);
    if (!any_of(is_between)) {
        return rest;
    }
    // The rotation grows with height: interpolate the first guess.
    const coif_simd fraction = (positions.y - motion->low) / (motion->high - motion->low);
    const coif_simd guess = lerp_simd(below.y, above.y, fraction);
    return select3(is_between, rest_between_levels(transform, positions, is_between, guess), rest);
}

// Lower bound of the compression along y within a radius of the centre.
static inline coif_simd min_compression(const coif_body_motion *motion, coif_simd radius)
{
    return 1.0f -
           DEFORM_MARGIN * (motion->rotation_gradient_up * radius + motion->shift_gradient_up);
}

// |G| and |G^-1| are at most 1 + |u| / (1 + u.y).
static inline coif_simd max_stretch_within(const coif_body_motion *motion, coif_simd radius)
{
    const coif_simd compression = coif_simd_max(min_compression(motion, radius),
                                                coif_simd_all(COIF_BODY_MOTION_MIN_COMPRESSION));
    return 1.0f + DEFORM_MARGIN * (motion->rotation_gradient * radius + motion->shift_gradient) /
                      compression;
}

static inline coif_simd max_displacement_within(const coif_body_motion *motion, coif_simd radius,
                                                coif_simd displacement, float fraction)
{
    const coif_simd surface_motion =
        fraction * (motion->rotation_change * radius + motion->centre_motion);
    const coif_simd bound =
        DEFORM_MARGIN * max_stretch_within(motion, radius) * (displacement + surface_motion) +
        1e-5f;
    return coif_simd_select(min_compression(motion, radius) > COIF_BODY_MOTION_MIN_COMPRESSION,
                            bound, coif_simd_all(INFINITY));
}

// Bounds of the deformation at rest positions.
typedef struct deform_bounds {
    coif_simd radius;      // distance from the centre
    coif_simd max_stretch; // within that radius
    coif_simd outside;     // distance above or below the deforming part
} deform_bounds;

static inline deform_bounds deform_bounds_at(const coif_body_motion *motion, simd_vec3 p)
{
    if (!motion->deforms) {
        return (deform_bounds){.radius = coif_simd_all(0.0f)};
    }
    const coif_vec3 c = motion->centre;
    const simd_vec3 off = {p.x - c.x, p.y - c.y, p.z - c.z};
    const coif_simd radius = coif_simd_sqrt(dot3(off, off));
    return (deform_bounds){radius, max_stretch_within(motion, radius),
                           coif_simd_max(p.y - motion->high, motion->low - p.y)};
}

// Upper bound of rest distance over world distance, for distances of some millimetres.
static inline coif_simd max_stretch_simd(const coif_body_motion *motion,
                                         const deform_bounds *bounds)
{
    const coif_simd one = coif_simd_all(1.0f);
    return motion->deforms
               ? coif_simd_select(bounds->outside > RIGID_DISTANCE, one, bounds->max_stretch)
               : one;
}

// Lower bound of the world distance, given one of the rest distance. Within a rigid part they
// are equal.
static inline coif_simd min_world_distance_simd(const coif_body_motion *motion,
                                                const deform_bounds *bounds, coif_simd least)
{
    if (!motion->deforms) {
        return least;
    }
    const coif_simd_mask differ = (least > 0.0f) & ~(bounds->outside >= least);
    return coif_simd_select(differ, coif_simd_max(least / bounds->max_stretch, bounds->outside),
                            least);
}

// Upper bound of the displacement in rest space, ending at these rest positions, for a world
// displacement during a fraction of the frame.
static inline coif_simd max_displacement_simd(const coif_body_motion *motion,
                                              const deform_bounds *bounds, coif_simd displacement,
                                              float fraction)
{
    return max_displacement_within(motion, bounds->radius + displacement, displacement, fraction);
}

#endif
