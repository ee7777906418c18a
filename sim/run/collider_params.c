#include "sim/run/collider_params.h"

#include "core/base/log.h"

#include <stddef.h>
#include <string.h>

static const char *const SHAPES[] = {"sphere", "capsule", "plane", NULL};

// clang-format off
static const coif_param ROWS[] = {
    COIF_PARAM_ROW(coif_collider_params, name, COIF_PARAM_STRING, "Name of the collider.", "", 0, 0, 0),
    COIF_PARAM_ROW(coif_collider_params, parent, COIF_PARAM_STRING, "Body that the collider rides on; its position is given at rest.", "", 0, 0, 0),
    {.name = "shape", .help = "Analytic shape of the collider.", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(coif_collider_params, shape), .choices = SHAPES},
    COIF_PARAM_ROW(coif_collider_params, position, COIF_PARAM_VEC3, "Centre of a sphere, first end of a capsule, or a point on a plane.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_collider_params, end, COIF_PARAM_VEC3, "Second end of a capsule.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_collider_params, radius, COIF_PARAM_FLOAT, "Radius of a sphere or capsule.", "m", 0.1, 1e-5, 1000),
    COIF_PARAM_ROW3(coif_collider_params, normal, COIF_PARAM_VEC3, "Normal of a plane; hair stays on the side it points to.", "", 0, 1, 0, 0, 0),
    COIF_CONTACT_ROWS(coif_collider_params),
};
// clang-format on

static const coif_reference REFERENCES[] = {
    {"parent", "bodies"}, {"affects", "grooms"}, {NULL, NULL}};

const coif_section COIF_COLLIDERS_SECTION = {
    .name = "colliders",
    .basic = "name parent shape position end radius normal friction",
    .help = "Analytic colliders (spheres, capsules, planes); not rendered",
    .form = COIF_SECTION_ARRAY,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .references = REFERENCES,
};

coif_contact_surface coif_contact_surface_of(const coif_contact_params *params)
{
    return (coif_contact_surface){.has_friction = params->friction >= 0.0f,
                                  .friction = params->friction,
                                  .margin = params->margin,
                                  .softness = params->softness,
                                  .inner = params->boundary == COIF_BOUNDARY_INNER};
}

// Whether a groom that the body touches grows on another one.
static bool touches_other_hair(const coif_scene *scene, const coif_node *body)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    const char *name = coif_values_find(&body->values, "name")->text;
    const char *affects = coif_values_find(&body->values, "affects")->text;
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const char *own = coif_values_find(&grooms->children[g].values, "body")->text;
        if (strcmp(own, name) != 0 && coif_node_is_addressed(&grooms->children[g], affects)) {
            return true;
        }
    }
    return false;
}

int32_t coif_sim_warn_contact_without_effect(const coif_scene *scene)
{
    static const char *const names[] = {"affects", "friction", "margin", "softness", "boundary"};
    const coif_node *bodies = coif_node_at(scene->root, "bodies");
    int32_t count = 0;
    for (int32_t b = 0; b < bodies->child_count; ++b) {
        const coif_node *body = &bodies->children[b];
        const bool collides = coif_values_find(&body->values, "collide")->numbers[0] != 0.0;
        for (size_t i = 0; i < COIF_COUNT_OF(names); ++i) {
            const bool margin = strcmp(names[i], "margin") == 0;
            if (coif_values_find(&body->values, names[i])->given &&
                (!collides || (margin && !touches_other_hair(scene, body)))) {
                coif_log(
                    COIF_LOG_WARNING, "%s: %s/%s: no effect: %s", scene->path, body->path, names[i],
                    collides ? "all grooms that touch this body grow on it; sim/contact_margin "
                               "lifts them"
                             : "hair does not collide with this body");
                ++count;
            }
        }
    }
    return count;
}

static coif_vec3 vec3_from(const float v[3])
{
    return coif_vec3_of(v[0], v[1], v[2]);
}

coif_primitive_pose coif_collider_params_pose(const coif_node *node, double frame,
                                              const coif_affine *motion)
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
    if (motion != NULL) {
        pose.ends[0] = coif_affine_apply(motion, pose.ends[0]);
        pose.ends[1] = params.shape == COIF_PRIMITIVE_PLANE
                           ? coif_mat3_apply(&motion->linear, pose.ends[1])
                           : coif_affine_apply(motion, pose.ends[1]);
    }
    return pose;
}
