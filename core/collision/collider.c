// collider: closest point queries by the representation of a collider.
#include "core/collision/collider.h"

#include "core/collision/body_transform_query.h"
#include "core/collision/primitive_colliders.h"
#include "core/collision/sdf.h"

// Queries a BVH that is in the rest pose: position and result are transformed.
static bool closest_point_rest_space(coif_closest_point *nearest, const coif_collider *collider,
                                     const coif_closest_point_query *query)
{
    const coif_body_motion *motion = collider->sdf->motion;
    coif_body_transform transform;
    coif_body_transform_at(&transform, motion, query->time);
    coif_closest_point_query rest = *query;
    rest.position = coif_to_rest(&transform, query->position);
    rest.max_distance *= coif_body_motion_max_stretch(motion, rest.position);
    if (!coif_collider_closest_point_bvh(nearest, collider, &rest)) {
        nearest->distance = query->max_distance;
        return false;
    }
    const coif_vec3 gradient =
        coif_gradient_to_world(&transform, query->position, rest.position, nearest->normal);
    coif_body_transform begin;
    coif_body_transform end;
    coif_body_transform_at(&begin, motion, 0.0f);
    coif_body_transform_at(&end, motion, 1.0f);
    const coif_vec3 point = nearest->point;
    nearest->point = coif_to_world(&transform, point);
    nearest->normal = coif_normalize(gradient);
    nearest->distance = coif_dot(nearest->normal, coif_sub(query->position, nearest->point));
    nearest->motion = coif_sub(coif_to_world(&end, point), coif_to_world(&begin, point));
    if (!(fabsf(nearest->distance) < query->max_distance)) {
        *nearest = (coif_closest_point){.triangle = -1, .distance = query->max_distance};
    }
    return nearest->triangle >= 0;
}

bool coif_collider_closest_point(coif_closest_point *nearest, const coif_collider *collider,
                                 const coif_closest_point_query *query)
{
    if (collider->primitive != NULL) {
        coif_primitive_closest_points(nearest, collider->primitive, &query->position, 1,
                                      query->time);
        const bool within = fabsf(nearest->distance) < query->max_distance;
        *nearest = within ? *nearest
                          : (coif_closest_point){.triangle = -1, .distance = query->max_distance};
        return within;
    }
    return collider->bvh_at_rest ? closest_point_rest_space(nearest, collider, query)
                                 : coif_collider_closest_point_bvh(nearest, collider, query);
}
