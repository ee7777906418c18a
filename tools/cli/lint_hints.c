#include "tools/cli/lint_hints.h"

#include "core/base/fs.h"
#include "core/base/log.h"
#include "sim/groom/groom_params.h"
#include "sim/groom/scalp_maps.h"
#include "sim/run/constraint_params.h"
#include "sim/run/sim_params.h"
#include "sim/run/simulate.h"
#include "tools/preset/head_detect.h"

#include <string.h>

// Bodies with hair are between a few centimetres and a few metres tall.
static const float MAX_HEIGHT = 5.0f, MIN_SIZE = 0.01f; // m
// Strands longer than this many times the body are mostly in another unit; on a whole person or
// animal, those longer than the body.
static const float MAX_RELATIVE_LENGTH = 10.0f, WHOLE_BODY = 1.2f; // m
// Hair that is spread over a whole body.
static const double MIN_AREA = 0.5, MAX_AREA = 5.0; // m2: of a person or an animal
static const double MIN_STRANDS_PER_CM2 = 2.0;

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
    const coif_node *forces = coif_node_at(scene->root, "forces"); // with masks
    for (int32_t i = 0; i < maps->child_count; ++i) {
        const coif_node *map = &maps->children[i];
        const coif_value *name = coif_values_find(&map->values, "name");
        // The groom has the parameters of "sim" that it inherits.
        if (!node_uses_map(groom, name->text) && !node_uses_map(forces, name->text)) {
            coif_log(COIF_LOG_WARNING, "%s: %s: no parameter uses the map \"%s\"", scene->path,
                     map->path, name->text);
        }
    }
}

// Roots and what is chosen among them stay those of the first frame.
static void hint_constant_maps(const coif_scene *scene, const coif_node *groom,
                               const coif_node *node)
{
    for (uint32_t i = 0; !node->list && i < node->values.row_count; ++i) {
        const coif_value *value = &node->values.values[i];
        if (value->map != NULL && (node->values.rows[i].flags & COIF_PARAM_CONSTANT) != 0 &&
            coif_map_is_animated(groom, value->map)) {
            coif_log(COIF_LOG_WARNING,
                     "%s: %s/%s: the map \"%s\" changes over time; here the first frame counts",
                     scene->path, node->path, node->values.rows[i].name, value->map);
        }
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        hint_constant_maps(scene, groom, &node->children[i]);
    }
}

// A free ring that holds all points of its strands straightens them: it takes those of one plane.
static void hint_free_ties(const coif_scene *scene, const coif_node *groom)
{
    const coif_node *list = coif_node_find(groom, COIF_CONSTRAINTS_SECTION.name);
    for (int32_t i = 0; list != NULL && i < list->child_count; ++i) {
        const coif_node *node = &list->children[i];
        coif_constraint_params params;
        coif_node_read(node, 1.0, &params);
        if (params.type == COIF_CONSTRAINT_TIE && params.target == COIF_CONSTRAINT_FREE &&
            params.points == COIF_POINTS_AUTOMATIC && params.from < params.to &&
            params.region == COIF_REGION_EVERYWHERE &&
            (params.points_file == NULL || params.points_file[0] == '\0')) {
            coif_log(COIF_LOG_WARNING,
                     "%s: %s/points: a free tie of all points of a strand unravels braids; use "
                     "\"points\": \"plane\" with position",
                     scene->path, node->path);
        }
    }
}

void coif_lint_groom_hints(const coif_scene *scene, const coif_node *node, const coif_body *body,
                           const coif_strands *rest, int32_t strand_count)
{
    coif_groom_params params;
    coif_node_read(node, 1.0, &params);
    coif_vec3 low, high;
    coif_mesh_bounds(&body->rest, &low, &high);
    const coif_vec3 size = coif_sub(high, low);
    const float largest = fmaxf(size.x, fmaxf(size.y, size.z));
    hint_maps(scene, node);
    hint_constant_maps(scene, node, node);
    hint_free_ties(scene, node);
    if (strand_count == 0) {
        coif_log(COIF_LOG_WARNING, "%s: %s: no strand grows; check density, count and group",
                 scene->path, node->path);
    }
    if (size.y > MAX_HEIGHT || largest < MIN_SIZE) {
        const float scale = body->params.scale;
        const coif_length_unit *unit = coif_guess_unit(coif_scale(size, 1.0f / scale)).best;
        coif_log(COIF_LOG_WARNING,
                 "%s: %s/scale: the body is %.3g m tall and %.3g m in size; scale is in metres per "
                 "unit of the mesh file, %.4g for %s would make it %.3g m tall",
                 scene->path, body->node->path, (double)size.y, (double)largest,
                 (double)unit->scale, unit->name, (double)(size.y / scale * unit->scale));
    }
    const float longest = rest->strand_count > 0 ? coif_strands_measure(rest).longest : 0.0f;
    if (longest > (largest > WHOLE_BODY ? 1.0f : MAX_RELATIVE_LENGTH) * largest) {
        coif_log(COIF_LOG_WARNING, "%s: %s/%s: hair of %.3g m on a body of %.3g m", scene->path,
                 node->path, params.file[0] != '\0' ? "file_scale" : "length", (double)longest,
                 (double)largest);
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
