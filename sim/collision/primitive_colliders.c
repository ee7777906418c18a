#include "sim/collision/primitive_colliders.h"

#include <stddef.h>

static const char *const SHAPES[] = {"sphere", "capsule", "plane", NULL};

// clang-format off
static const coif_param ROWS[] = {
    COIF_PARAM_ROW(coif_primitive_params, name, COIF_PARAM_STRING, "Name of the collider.", "", 0, 0, 0),
    {.name = "shape", .help = "Analytic shape of the collider.", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(coif_primitive_params, shape), .choices = SHAPES},
    COIF_PARAM_ROW(coif_primitive_params, position, COIF_PARAM_VEC3, "Centre of a sphere, first end of a capsule, or a point on a plane.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_primitive_params, end, COIF_PARAM_VEC3, "Second end of a capsule.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_primitive_params, radius, COIF_PARAM_FLOAT, "Radius of a sphere or capsule.", "m", 0.1, 1e-5, 1000),
    COIF_PARAM_ROW3(coif_primitive_params, normal, COIF_PARAM_VEC3, "Normal of a plane; hair stays on the side it points to.", "", 0, 1, 0, 0, 0),
};
// clang-format on

const coif_section COIF_COLLIDERS_SECTION = {
    .name = "colliders",
    .help = "Analytic colliders (spheres, capsules, planes); not rendered",
    .form = COIF_SECTION_ARRAY,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
};

static coif_vec3 vec3_from(const float v[3])
{
    return coif_vec3_of(v[0], v[1], v[2]);
}

coif_primitive_pose coif_primitive_pose_at(const coif_primitive *primitive, double frame)
{
    coif_primitive_params params;
    coif_node_read(primitive->node, frame, &params);
    coif_primitive_pose pose = {.ends = {vec3_from(params.position), vec3_from(params.end)},
                                .radius = params.radius};
    if (primitive->shape == COIF_PRIMITIVE_SPHERE) {
        pose.ends[1] = pose.ends[0];
    } else if (primitive->shape == COIF_PRIMITIVE_PLANE) {
        const coif_vec3 n = coif_normalize(vec3_from(params.normal));
        pose.ends[1] = coif_dot(n, n) > 0.5f ? n : coif_vec3_of(0.0f, 1.0f, 0.0f);
    }
    return pose;
}

static coif_vec3 min3(coif_vec3 a, coif_vec3 b)
{
    return coif_vec3_of(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z));
}

static coif_vec3 max3(coif_vec3 a, coif_vec3 b)
{
    return coif_vec3_of(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
}

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
        min3(min3(begin->ends[0], begin->ends[1]), min3(end->ends[0], end->ends[1])), margin);
    collider->high = coif_add(
        max3(max3(begin->ends[0], begin->ends[1]), max3(end->ends[0], end->ends[1])), margin);
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

void coif_primitive_closest_point(coif_closest_point *nearest, const coif_primitive *primitive,
                                  coif_vec3 position, float time)
{
    *nearest = (coif_closest_point){.triangle = 0};
    if (primitive->shape == COIF_PRIMITIVE_PLANE) {
        closest_on_plane(nearest, primitive, position, time);
    } else {
        closest_on_capsule(nearest, primitive, position, time);
    }
}
