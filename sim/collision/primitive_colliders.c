#include "sim/collision/primitive_colliders.h"

#include <stddef.h>

static const char *const SHAPES[] = {"sphere", "capsule", "plane", NULL};

// clang-format off
static const coif_param ROWS[] = {
    COIF_PARAM_ROW(coif_primitive_params, name, COIF_PARAM_STRING, "what it is", "", 0, 0, 0),
    {.name = "shape", .help = "what hair bumps into", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(coif_primitive_params, shape), .choices = SHAPES},
    COIF_PARAM_ROW(coif_primitive_params, place, COIF_PARAM_VEC3, "middle of a sphere, one end of a capsule, a point of a plane", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_primitive_params, to, COIF_PARAM_VEC3, "other end of a capsule", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_primitive_params, radius, COIF_PARAM_FLOAT, "of a sphere or capsule", "m", 0.1, 1e-5, 1000),
    COIF_PARAM_ROW3(coif_primitive_params, normal, COIF_PARAM_VEC3, "side of a plane that hair is on", "", 0, 1, 0, 0, 0),
};
// clang-format on

const coif_section COIF_COLLIDERS_SECTION = {
    .name = "colliders",
    .help = "spheres, capsules and planes that hair bumps into and nobody sees",
    .form = COIF_SECTION_ARRAY,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
};

static coif_vec3 vector_of(const float v[3])
{
    return coif_vec3_of(v[0], v[1], v[2]);
}

coif_primitive_pose coif_primitive_pose_at(const coif_primitive *round, double frame)
{
    coif_primitive_params params;
    coif_node_read(round->node, frame, &params);
    coif_primitive_pose pose = {.ends = {vector_of(params.place), vector_of(params.to)},
                                .radius = params.radius};
    if (round->shape == COIF_PRIMITIVE_SPHERE) {
        pose.ends[1] = pose.ends[0];
    } else if (round->shape == COIF_PRIMITIVE_PLANE) {
        const coif_vec3 n = coif_normalize(vector_of(params.normal));
        pose.ends[1] = coif_dot(n, n) > 0.5f ? n : coif_vec3_of(0.0f, 1.0f, 0.0f);
    }
    return pose;
}

static coif_vec3 lower(coif_vec3 a, coif_vec3 b)
{
    return coif_vec3_of(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z));
}

static coif_vec3 higher(coif_vec3 a, coif_vec3 b)
{
    return coif_vec3_of(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
}

void coif_primitive_move(coif_collider *collider, coif_primitive *round,
                         const coif_primitive_pose *begin, const coif_primitive_pose *end)
{
    round->begin = *begin;
    round->end = *end;
    *collider = (coif_collider){.round = round,
                                .low = {-INFINITY, -INFINITY, -INFINITY},
                                .high = {INFINITY, INFINITY, INFINITY}};
    if (round->shape == COIF_PRIMITIVE_PLANE) {
        return;
    }
    const float most = fmaxf(begin->radius, end->radius);
    const coif_vec3 around = {most, most, most};
    collider->low = coif_sub(
        lower(lower(begin->ends[0], begin->ends[1]), lower(end->ends[0], end->ends[1])), around);
    collider->high = coif_add(
        higher(higher(begin->ends[0], begin->ends[1]), higher(end->ends[0], end->ends[1])), around);
}

static void find_on_plane(coif_closest_point *nearest, const coif_primitive *round, coif_vec3 place,
                          float moment)
{
    const coif_vec3 at = coif_lerp(round->begin.ends[0], round->end.ends[0], moment);
    const coif_vec3 n = coif_normalize(coif_lerp(round->begin.ends[1], round->end.ends[1], moment));
    nearest->distance = coif_dot(n, coif_sub(place, at));
    nearest->normal = n;
    nearest->point = coif_mad(place, -nearest->distance, n);
    // A plane that tilts carries what lies on it along: as far as the same offset from its point,
    // in its plane, goes up or down.
    const coif_vec3 offset = coif_sub(nearest->point, at);
    const float sink = coif_dot(coif_sub(round->end.ends[1], round->begin.ends[1]), offset);
    nearest->motion = coif_mad(coif_sub(round->end.ends[0], round->begin.ends[0]), -sink, n);
}

static void find_on_capsule(coif_closest_point *nearest, const coif_primitive *round,
                            coif_vec3 place, float moment)
{
    const coif_vec3 a = coif_lerp(round->begin.ends[0], round->end.ends[0], moment);
    const coif_vec3 b = coif_lerp(round->begin.ends[1], round->end.ends[1], moment);
    const float radius = round->begin.radius + moment * (round->end.radius - round->begin.radius);
    const coif_vec3 axis = coif_sub(b, a);
    const float length2 = coif_dot(axis, axis);
    const float share = length2 > 0.0f
                            ? coif_clamp(coif_dot(coif_sub(place, a), axis) / length2, 0.0f, 1.0f)
                            : 0.0f;
    const coif_vec3 away = coif_sub(place, coif_mad(a, share, axis));
    const float distance = coif_length(away);
    // On the axis itself any way out is as good as another.
    coif_vec3 across;
    coif_vec3 other;
    coif_frame_around(length2 > 0.0f ? coif_normalize(axis) : coif_vec3_of(1.0f, 0.0f, 0.0f),
                      &across, &other);
    nearest->normal = distance > 1e-9f ? coif_scale(away, 1.0f / distance) : across;
    nearest->distance = distance - radius;
    nearest->point = coif_mad(place, -nearest->distance, nearest->normal);
    const coif_vec3 moved[2] = {coif_sub(round->end.ends[0], round->begin.ends[0]),
                                coif_sub(round->end.ends[1], round->begin.ends[1])};
    nearest->motion = coif_mad(coif_lerp(moved[0], moved[1], share),
                               round->end.radius - round->begin.radius, nearest->normal);
}

void coif_primitive_closest_point(coif_closest_point *nearest, const coif_primitive *round,
                                  coif_vec3 place, float moment)
{
    *nearest = (coif_closest_point){.triangle = 0};
    if (round->shape == COIF_PRIMITIVE_PLANE) {
        find_on_plane(nearest, round, place, moment);
    } else {
        find_on_capsule(nearest, round, place, moment);
    }
}
