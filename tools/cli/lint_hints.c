#include "tools/cli/lint_hints.h"

#include "core/base/log.h"
#include "sim/groom/groom_params.h"

#include <float.h>
#include <string.h>

// Bodies with hair are between a few centimetres and a few metres tall.
static const float MAX_HEIGHT = 5.0f, MIN_SIZE = 0.01f; // m
// Strands longer than this many times the body are mostly in another unit.
static const float MAX_RELATIVE_LENGTH = 10.0f;
// Hair that is spread over a whole body.
static const double MIN_AREA = 0.5, MAX_AREA = 5.0; // m2: of a person or an animal
static const double MIN_STRANDS_PER_CM2 = 2.0;

typedef struct extent {
    coif_vec3 low, high;
} extent;

static void add_mesh(extent *box, const coif_mesh *mesh)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        const coif_vec3 p = mesh->positions[v];
        box->low =
            coif_vec3_of(fminf(box->low.x, p.x), fminf(box->low.y, p.y), fminf(box->low.z, p.z));
        box->high =
            coif_vec3_of(fmaxf(box->high.x, p.x), fmaxf(box->high.y, p.y), fmaxf(box->high.z, p.z));
    }
}

static const extent EMPTY = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static double area_of(const coif_mesh *mesh)
{
    double area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *c = mesh->indices + 3 * (int64_t)t;
        const coif_vec3 a = mesh->positions[c[0]];
        area += 0.5 * (double)coif_length(coif_cross(coif_sub(mesh->positions[c[1]], a),
                                                     coif_sub(mesh->positions[c[2]], a)));
    }
    return area;
}

static bool is_given(const coif_node *node, const char *name)
{
    const coif_value *value = coif_values_find(&node->values, name);
    return value != NULL && value->given;
}

static bool values_use_map(const coif_values *values, const char *name)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_value *value = &values->values[i];
        const bool is_base = value->text != NULL && strcmp(values->rows[i].name, "base") == 0;
        if ((value->map != NULL && strcmp(value->map, name) == 0) ||
            (is_base && strcmp(value->text, name) == 0)) {
            return true;
        }
    }
    return false;
}

static bool node_uses_map(const coif_node *node, const char *name)
{
    if ((!node->list && values_use_map(&node->values, name)) ||
        (node->plugin != NULL && values_use_map(&node->plugin_values, name))) {
        return true;
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        if (node_uses_map(&node->children[i], name)) {
            return true;
        }
    }
    return false;
}

static void hint_maps(const coif_scene *scene, const coif_node *groom)
{
    const coif_node *maps = coif_node_at(groom, "maps");
    for (int32_t i = 0; i < maps->child_count; ++i) {
        const coif_node *map = &maps->children[i];
        const coif_value *name = coif_values_find(&map->values, "name");
        if (!node_uses_map(groom, name->text) &&
            !node_uses_map(coif_node_at(scene->root, "sim"), name->text)) {
            coif_log(COIF_LOG_WARNING, "%s: %s: no parameter uses the map \"%s\"", scene->path,
                     map->path, name->text);
        }
    }
}

void coif_lint_groom_hints(const coif_scene *scene, const coif_node *node, const coif_body *body,
                           int32_t strand_count)
{
    coif_groom_params params;
    coif_node_read(node, 1.0, &params);
    extent box = EMPTY;
    add_mesh(&box, &body->rest);
    const coif_vec3 size = coif_sub(box.high, box.low);
    const float largest = fmaxf(size.x, fmaxf(size.y, size.z));
    hint_maps(scene, node);
    if (strand_count == 0) {
        coif_log(COIF_LOG_WARNING, "%s: %s: no strand grows; check density, count and group",
                 scene->path, node->path);
    }
    if (size.y > MAX_HEIGHT || largest < MIN_SIZE) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s/scale: the body is %.3g m tall and %.3g m in size; scale is in metres per "
                 "unit of the mesh file",
                 scene->path, body->node->path, (double)size.y, (double)largest);
    }
    if (params.length > MAX_RELATIVE_LENGTH * largest && params.file[0] == '\0' &&
        params.guides[0] == '\0') {
        coif_log(COIF_LOG_WARNING, "%s: %s/length: hair of %.3g m on a body of %.3g m", scene->path,
                 node->path, (double)params.length, (double)largest);
    }
    const double area = area_of(&body->rest);
    const double per_cm2 = (double)strand_count / (1e4 * area);
    if (params.group[0] == '\0' && params.file[0] == '\0' && params.strands_per_cm2 == 0.0f &&
        !is_given(node, "density") && area > MIN_AREA && area < MAX_AREA &&
        per_cm2 < MIN_STRANDS_PER_CM2) {
        coif_log(
            COIF_LOG_WARNING,
            "%s: %s/count: %d strands are spread over the whole body, %.2g per cm2; set group, "
            "density or strands_per_cm2",
            scene->path, node->path, (int)strand_count, per_cm2);
    }
}

static coif_vec3 first_value(const coif_node *node, const char *name)
{
    const double *numbers = coif_values_find(&node->values, name)->numbers;
    return coif_vec3_of((float)numbers[0], (float)numbers[1], (float)numbers[2]);
}

void coif_lint_camera_hints(const coif_scene *scene, const coif_body *bodies, int32_t body_count)
{
    const coif_node *camera = coif_node_at(scene->root, "camera");
    extent box = EMPTY;
    for (int32_t i = 0; i < body_count; ++i) {
        add_mesh(&box, &bodies[i].rest);
    }
    // Without both keys the camera frames the bodies; a keyed camera may turn to them later.
    const coif_value *look_at = coif_values_find(&camera->values, "look_at");
    if (!is_given(camera, "position") || !look_at->given || look_at->key_count > 1 ||
        box.low.x > box.high.x) {
        return;
    }
    const coif_vec3 eye = first_value(camera, "position");
    const coif_vec3 axis = coif_normalize(coif_sub(first_value(camera, "look_at"), eye));
    const coif_vec3 middle = coif_scale(coif_add(box.low, box.high), 0.5f);
    const float radius = 0.5f * coif_length(coif_sub(box.high, box.low));
    if (coif_dot(coif_sub(middle, eye), axis) < -radius) {
        coif_log(COIF_LOG_WARNING, "%s: /camera: all bodies are behind the camera", scene->path);
    }
}
