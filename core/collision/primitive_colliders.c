#include "core/collision/primitive_colliders.h"

#include "core/base/bounds.h"

void coif_primitive_move(coif_collider *collider, coif_primitive *primitive,
                         const coif_primitive_pose *begin, const coif_primitive_pose *end)
{
    primitive->begin = *begin;
    primitive->end = *end;
    *collider = (coif_collider){.primitive = primitive,
                                .low = {-INFINITY, -INFINITY, -INFINITY},
                                .high = {INFINITY, INFINITY, INFINITY}};
    if (primitive->shape == COIF_PRIMITIVE_PLANE) {
        return;
    }
    const float radius = fmaxf(begin->radius, end->radius);
    const coif_vec3 margin = {radius, radius, radius};
    collider->low = coif_sub(
        coif_min3(coif_min3(begin->ends[0], begin->ends[1]), coif_min3(end->ends[0], end->ends[1])),
        margin);
    collider->high = coif_add(
        coif_max3(coif_max3(begin->ends[0], begin->ends[1]), coif_max3(end->ends[0], end->ends[1])),
        margin);
}

static void closest_on_plane(coif_closest_point *nearest, const coif_primitive *primitive,
                             coif_vec3 position, float time)
{
    const coif_vec3 at = coif_lerp(primitive->begin.ends[0], primitive->end.ends[0], time);
    const coif_vec3 n =
        coif_normalize(coif_lerp(primitive->begin.ends[1], primitive->end.ends[1], time));
    nearest->distance = coif_dot(n, coif_sub(position, at));
    nearest->normal = n;
    nearest->point = coif_mad(position, -nearest->distance, n);
    // A tilting plane moves points on it along its normal, in proportion to their offset
    // from its reference point.
    const coif_vec3 offset = coif_sub(nearest->point, at);
    const float drop = coif_dot(coif_sub(primitive->end.ends[1], primitive->begin.ends[1]), offset);
    nearest->motion =
        coif_mad(coif_sub(primitive->end.ends[0], primitive->begin.ends[0]), -drop, n);
}

static void closest_on_capsule(coif_closest_point *nearest, const coif_primitive *primitive,
                               coif_vec3 position, float time)
{
    const coif_vec3 a = coif_lerp(primitive->begin.ends[0], primitive->end.ends[0], time);
    const coif_vec3 b = coif_lerp(primitive->begin.ends[1], primitive->end.ends[1], time);
    const float radius =
        primitive->begin.radius + time * (primitive->end.radius - primitive->begin.radius);
    const coif_vec3 axis = coif_sub(b, a);
    const float length2 = coif_dot(axis, axis);
    const float fraction =
        length2 > 0.0f ? coif_clamp(coif_dot(coif_sub(position, a), axis) / length2, 0.0f, 1.0f)
                       : 0.0f;
    const coif_vec3 offset = coif_sub(position, coif_mad(a, fraction, axis));
    const float distance = coif_length(offset);
    // On the axis every direction is equally short.
    coif_vec3 across;
    coif_vec3 other;
    coif_frame_around(length2 > 0.0f ? coif_normalize(axis) : coif_vec3_of(1.0f, 0.0f, 0.0f),
                      &across, &other);
    nearest->normal = distance > 1e-9f ? coif_scale(offset, 1.0f / distance) : across;
    nearest->distance = distance - radius;
    nearest->point = coif_mad(position, -nearest->distance, nearest->normal);
    const coif_vec3 motion[2] = {coif_sub(primitive->end.ends[0], primitive->begin.ends[0]),
                                 coif_sub(primitive->end.ends[1], primitive->begin.ends[1])};
    nearest->motion = coif_mad(coif_lerp(motion[0], motion[1], fraction),
                               primitive->end.radius - primitive->begin.radius, nearest->normal);
}

// Results that are not finite are no surface.
static void closest_on_function(coif_closest_point *nearest, const coif_primitive *primitive,
                                const coif_vec3 *positions, int32_t count, float time)
{
    const float seconds = (float)primitive->seconds;
    primitive->function(primitive->context, nearest, positions, count,
                        primitive->time + time * primitive->seconds);
    for (int32_t i = 0; i < count; ++i) {
        coif_closest_point *n = &nearest[i];
        n->normal = coif_normalize(n->normal);
        n->motion = coif_scale(n->motion, seconds);
        const float sum = n->distance + coif_dot(n->normal, n->motion);
        if (!isfinite(sum) || !(coif_dot(n->normal, n->normal) > 0.5f)) {
            *n = (coif_closest_point){.distance = INFINITY, .normal = {0.0f, 1.0f, 0.0f}};
            n->point = positions[i];
            continue;
        }
        n->point = coif_mad(positions[i], -n->distance, n->normal);
    }
}

void coif_primitive_set_time(coif_collider *collider, coif_primitive *primitive, double time,
                             double seconds)
{
    primitive->time = time;
    primitive->seconds = seconds;
    *collider = (coif_collider){.primitive = primitive,
                                .low = {-INFINITY, -INFINITY, -INFINITY},
                                .high = {INFINITY, INFINITY, INFINITY}};
}

void coif_primitive_closest_points(coif_closest_point *nearest, const coif_primitive *primitive,
                                   const coif_vec3 *positions, int32_t count, float time)
{
    for (int32_t i = 0; i < count; ++i) {
        nearest[i] = (coif_closest_point){.triangle = 0};
        if (primitive->shape == COIF_PRIMITIVE_PLANE) {
            closest_on_plane(&nearest[i], primitive, positions[i], time);
        } else if (primitive->shape != COIF_PRIMITIVE_FUNCTION) {
            closest_on_capsule(&nearest[i], primitive, positions[i], time);
        }
    }
    if (primitive->shape == COIF_PRIMITIVE_FUNCTION) {
        closest_on_function(nearest, primitive, positions, count, time);
    }
}

float coif_primitive_max_motion(const coif_primitive *primitive, const coif_closest_point *nearest)
{
    if (primitive->shape == COIF_PRIMITIVE_FUNCTION) {
        return 2.0f * coif_length(nearest->motion); // other parts of the surface may be faster
    }
    return coif_length(coif_sub(primitive->end.ends[0], primitive->begin.ends[0])) +
           coif_length(coif_sub(primitive->end.ends[1], primitive->begin.ends[1]));
}
