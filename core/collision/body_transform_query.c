#include "core/collision/body_transform_query.h"

// Queries of one position use the kernel code, so that results are equal.
#define COIF_LANES 4
#include "core/collision/body_transform_simd.h"

static simd_vec3 splat(coif_vec3 p)
{
    return (simd_vec3){coif_simd_all(p.x), coif_simd_all(p.y), coif_simd_all(p.z)};
}

coif_vec3 coif_to_rest(const coif_body_transform *transform, coif_vec3 position)
{
    const simd_vec3 rest = to_rest_simd(transform, splat(position), (coif_simd_mask){-1});
    return coif_vec3_of(rest.x[0], rest.y[0], rest.z[0]);
}

float coif_body_motion_max_stretch(const coif_body_motion *motion, coif_vec3 p)
{
    const deform_bounds bounds = deform_bounds_at(motion, splat(p));
    return max_stretch_simd(motion, &bounds)[0];
}

float coif_body_motion_max_displacement(const coif_body_motion *motion, coif_vec3 low,
                                        coif_vec3 high, float displacement, float fraction)
{
    const coif_vec3 centre = coif_scale(coif_add(low, high), 0.5f);
    const float radius = coif_length(coif_sub(centre, motion->centre)) +
                         coif_length(coif_sub(high, centre)) + motion->centre_offset;
    return max_displacement_within(motion, coif_simd_all(radius), coif_simd_all(displacement),
                                   fraction)[0];
}
