#include "core/collision/posed_surface.h"

#include "core/collision/body_transform_query.h"
#define COIF_LANES 4
#include "core/collision/body_transform_simd.h"
#include "core/collision/sdf_simd.h"

void coif_posed_surface_init(coif_posed_surface *surface, const coif_collider *collider, float time)
{
    *surface = (coif_posed_surface){.collider = collider, .time = time};
    if (collider->sdf != NULL && collider->sdf->valid) {
        coif_body_transform_at(&surface->transform, collider->sdf->motion, time);
    }
}

// Lower bound of the distance, from the bounds of the body.
static float box_distance(const coif_collider *collider, coif_vec3 p)
{
    const float x = fmaxf(fmaxf(collider->low.x - p.x, p.x - collider->high.x), 0.0f);
    const float y = fmaxf(fmaxf(collider->low.y - p.y, p.y - collider->high.y), 0.0f);
    const float z = fmaxf(fmaxf(collider->low.z - p.z, p.z - collider->high.z), 0.0f);
    return sqrtf(x * x + y * y + z * z);
}

simd_float4 coif_posed_surface_bounds4(const coif_posed_surface *surface, const coif_vec4 points[4],
                                       float max_distance)
{
    const coif_sdf *sdf = surface->collider->sdf;
    if (sdf == NULL || !sdf->valid) {
        simd_float4 bounds;
        for (int i = 0; i < 4; ++i) {
            const float bound = box_distance(surface->collider, coif_vec4_xyz(points[i]));
            bounds[i] = bound < max_distance ? -1.0f : bound;
        }
        return bounds;
    }
    const simd_vec3 positions = {{points[0].x, points[1].x, points[2].x, points[3].x},
                                 {points[0].y, points[1].y, points[2].y, points[3].y},
                                 {points[0].z, points[1].z, points[2].z, points[3].z}};
    const simd_vec3 rest =
        to_rest_simd(&surface->transform, positions, (coif_simd_mask){-1, -1, -1, -1});
    const deform_bounds deform = deform_bounds_at(sdf->motion, rest);
    const simd_float4 bounds =
        min_world_distance_simd(sdf->motion, &deform, sdf_lower_bound(sdf, rest));
    return coif_simd_select(bounds >= max_distance, bounds, coif_simd_all(-1.0f));
}

static bool sample_triangles(coif_surface_sample *sample, const coif_posed_surface *surface,
                             coif_vec3 position, float max_distance)
{
    sample->distance = box_distance(surface->collider, position);
    if (sample->distance >= max_distance) {
        return false;
    }
    // Farther than asked for: the bound spares queries of the points that follow.
    const coif_closest_point_query query = {.position = position,
                                            .time = surface->time,
                                            .max_distance = COIF_POSED_SURFACE_DEPTH,
                                            .hint = sample->hint};
    coif_closest_point nearest;
    if (!coif_collider_closest_point(&nearest, surface->collider, &query)) {
        sample->distance = 0.0f;
        return false;
    }
    *sample = (coif_surface_sample){nearest.distance, nearest.normal, nearest.triangle};
    return nearest.distance < max_distance;
}

// Lower bound of the distance outside of the narrow band, 0 within it or inside the body.
static float outside_band(const coif_sdf *sdf, coif_vec3 rest)
{
    const int32_t brick = coif_sdf_brick_at(sdf, rest);
    const bool outside = brick >= 0 && coif_sdf_brick_of(sdf, brick) == NULL &&
                         coif_sdf_center_distance(sdf, brick) > 0.0f;
    return outside ? COIF_SDF_BAND_CELLS * sdf->cell : 0.0f;
}

bool coif_posed_surface_sample(coif_surface_sample *sample, const coif_posed_surface *surface,
                               coif_vec3 position, float max_distance)
{
    const coif_sdf *sdf = surface->collider->sdf;
    if (sdf == NULL || !sdf->valid) {
        return sample_triangles(sample, surface, position, max_distance);
    }
    const coif_vec3 rest = coif_to_rest(&surface->transform, position);
    const float stretch =
        sdf->motion->deforms ? coif_body_motion_max_stretch(sdf->motion, rest) : 1.0f;
    sample->distance = sdf_lower_bound_at(sdf, rest) / stretch;
    if (!(sample->distance < max_distance) || !(sample->distance > -COIF_POSED_SURFACE_DEPTH)) {
        sample->distance = fmaxf(sample->distance, 0.0f); // also of a NaN
        return false;
    }
    coif_sdf_sample value;
    coif_vec3 normal;
    if (coif_sdf_eval(&value, sdf, rest)) {
        normal = coif_normalize(value.gradient);
    } else {
        sample->distance = fmaxf(value.distance, outside_band(sdf, rest)) / stretch;
        if (sample->distance >= max_distance) {
            return false;
        }
        const coif_closest_point_query query = {.position = rest,
                                                .max_distance = COIF_POSED_SURFACE_DEPTH * stretch,
                                                .hint = value.hint};
        coif_closest_point nearest;
        if (!coif_collider_closest_point_bvh(&nearest, sdf->rest_bvh, &query)) {
            sample->distance = 0.0f;
            return false;
        }
        normal = nearest.normal;
        value.distance = nearest.distance;
    }
    const coif_vec3 gradient = coif_gradient_to_world(&surface->transform, position, rest, normal);
    const float scale = 1.0f / coif_length(gradient);
    sample->distance = value.distance * scale;
    sample->normal = coif_scale(gradient, scale);
    return sample->distance < max_distance;
}
