#include "sim/run/collider_params.h"

#include <stddef.h>

static const char *const SHAPES[] = {"sphere", "capsule", "plane", NULL};

// clang-format off
static const coif_param ROWS[] = {
    COIF_PARAM_ROW(coif_collider_params, name, COIF_PARAM_STRING, "Name of the collider.", "", 0, 0, 0),
    {.name = "shape", .help = "Analytic shape of the collider.", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(coif_collider_params, shape), .choices = SHAPES},
    COIF_PARAM_ROW(coif_collider_params, position, COIF_PARAM_VEC3, "Centre of a sphere, first end of a capsule, or a point on a plane.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_collider_params, end, COIF_PARAM_VEC3, "Second end of a capsule.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_collider_params, radius, COIF_PARAM_FLOAT, "Radius of a sphere or capsule.", "m", 0.1, 1e-5, 1000),
    COIF_PARAM_ROW3(coif_collider_params, normal, COIF_PARAM_VEC3, "Normal of a plane; hair stays on the side it points to.", "", 0, 1, 0, 0, 0),
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

coif_primitive_pose coif_collider_params_pose(const coif_node *node, double frame)
{
    coif_collider_params params;
    coif_node_read(node, frame, &params);
    coif_primitive_pose pose = {.ends = {vec3_from(params.position), vec3_from(params.end)},
                                .radius = params.radius};
    if (params.shape == COIF_PRIMITIVE_SPHERE) {
        pose.ends[1] = pose.ends[0];
    } else if (params.shape == COIF_PRIMITIVE_PLANE) {
        const coif_vec3 n = coif_normalize(vec3_from(params.normal));
        pose.ends[1] = coif_dot(n, n) > 0.5f ? n : coif_vec3_of(0.0f, 1.0f, 0.0f);
    }
    return pose;
}
