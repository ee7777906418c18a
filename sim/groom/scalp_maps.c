#include "sim/groom/scalp_maps.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/mesh/geodesic_border.h"
#include "core/mesh/mesh_curvature.h"
#include "core/scene/texture_value.h"

#include <string.h>

enum { BATCH = 512 };

enum { COMBINE_MULTIPLY, COMBINE_MAX, COMBINE_MIN, COMBINE_ADD, COMBINE_SUBTRACT };

static const coif_map *find_map(const coif_maps *maps, const char *name)
{
    for (int32_t i = 0; i < maps->count; ++i) {
        if (strcmp(maps->items[i].params.name, name) == 0) {
            return &maps->items[i];
        }
    }
    return NULL;
}

// Geodesic distance from the border of the group, for maps that need it.
static coif_status find_border(coif_maps *maps, const coif_node *groom, const coif_node *map,
                               coif_error *error)
{
    const coif_value *name = coif_values_find(&groom->values, "group");
    const bool named = name != NULL && name->text != NULL && name->text[0] != '\0';
    float *border = coif_arena_new(maps->arena, maps->mesh->vertex_count, float);
    COIF_SCOPED_ARENA(scratch, "border");
    const int32_t group = named ? coif_mesh_find_group(maps->mesh, name->text) : -1;
    if ((group < 0 && named) || !coif_geodesic_border(border, maps->mesh, group, &scratch)) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s: %s has no border; this map needs a group with a border",
                         maps->scene, map->path,
                         named ? coif_arena_print(maps->arena, "group \"%s\"", name->text)
                               : "the body's whole mesh, which is closed,");
    }
    maps->border = border;
    return COIF_OK;
}

// Change of the curvature of the body from its rest pose, for maps that need it.
static coif_status find_curvature(coif_maps *maps, double frame, coif_error *error)
{
    const coif_mesh *mesh = maps->mesh;
    float *change = coif_arena_new(maps->arena, mesh->vertex_count, float);
    maps->curvature = change;
    if (maps->body == NULL || !coif_body_is_animated(maps->body)) {
        return COIF_OK;
    }
    COIF_SCOPED_ARENA(scratch, "curvature");
    coif_mesh posed;
    COIF_TRY(coif_body_pose(&posed, maps->body, frame, &scratch, error));
    float *rest = coif_arena_new(&scratch, mesh->vertex_count, float);
    coif_mesh_curvature(rest, mesh, &scratch);
    coif_mesh_curvature(change, &posed, &scratch);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        change[v] -= rest[v];
    }
    return COIF_OK;
}

coif_status coif_maps_open(coif_maps *maps, const coif_node *groom, double frame, coif_error *error)
{
    const coif_node *list = coif_node_at(groom, "maps");
    maps->count = list->child_count;
    maps->items = coif_arena_new(maps->arena, list->child_count, coif_map);
    for (int32_t i = 0; i < list->child_count; ++i) {
        const coif_node *node = &list->children[i];
        coif_map *map = &maps->items[i];
        coif_node_read(node, frame, &map->params);
        // Validation has checked that `base` names an earlier map.
        map->below = map->params.base != NULL && map->params.base[0] != '\0'
                         ? find_map(maps, map->params.base)
                         : NULL;
        const coif_node *layers = coif_node_find(node, "layers");
        if (layers != NULL && layers->child_count > 0 &&
            strcmp(node->plugin->id, COIF_TEXTURE_MAP_PLUGIN) != 0) {
            coif_log(COIF_LOG_WARNING, "%s: %s: only maps of %s have layers", maps->scene,
                     layers->path, COIF_TEXTURE_MAP_PLUGIN);
        }
        if (node->plugin->needs & COIF_NEEDS_BORDER && maps->border == NULL) {
            COIF_TRY(find_border(maps, groom, node, error));
        }
        if (node->plugin->needs & COIF_NEEDS_CURVATURE && maps->curvature == NULL) {
            COIF_TRY(find_curvature(maps, frame, error));
        }
        coif_plugin_instance **instance = &map->instance;
        coif_error cause = {.status = COIF_OK};
        if (coif_plugin_instance_open(instance, node, frame, maps->arena, &cause) != COIF_OK ||
            coif_plugin_begin_frame(*instance, frame, maps->time, &cause) != COIF_OK) {
            return coif_fail_within(error, maps->scene, &cause);
        }
        map->reads_image = coif_plugin_instance_reads_images(*instance) ||
                           (map->below != NULL && map->below->reads_image);
    }
    return COIF_OK;
}

bool coif_map_is_animated(const coif_node *groom, const char *name)
{
    const coif_node *list = coif_node_at(groom, "maps");
    // A base is an earlier map.
    for (int32_t i = list->child_count - 1; i >= 0; --i) {
        const coif_node *map = &list->children[i];
        if (strcmp(coif_values_find(&map->values, "name")->text, name) == 0) {
            const char *base = coif_values_find(&map->values, "base")->text;
            if (coif_node_is_animated(map)) {
                return true;
            }
            name = base != NULL ? base : "";
        }
    }
    return false;
}

static const char *known_names(const coif_maps *maps)
{
    const char *text = maps->count > 0 ? maps->items[0].params.name : "none";
    for (int32_t i = 1; i < maps->count; ++i) {
        text = coif_arena_print(maps->arena, "%s, %s", text, maps->items[i].params.name);
    }
    return text;
}

// Whether a parameter is shared by all grooms: no ancestor node has maps.
static bool is_shared(const coif_node *node)
{
    for (; node != NULL; node = node->parent) {
        for (int32_t i = 0; i < node->child_count && !node->list; ++i) {
            const coif_node *child = &node->children[i];
            if (child->list && strcmp(child->section->name, "maps") == 0) {
                return false;
            }
        }
    }
    return true;
}

coif_status coif_maps_check(const coif_maps *maps, const coif_param_ref *param, coif_error *error)
{
    const coif_value *value = &param->values->values[param->row];
    if (value->map == NULL) {
        return COIF_OK;
    }
    const char *row = param->values->rows[param->row].name;
    const coif_map *map = find_map(maps, value->map);
    if (map == NULL && is_shared(param->node)) {
        return COIF_OK;
    }
    if (map == NULL) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s/%s: no map \"%s\"; the maps of this groom: %s", maps->scene,
                         param->node->path, row, value->map, known_names(maps));
    }
    if (map->reads_image && maps->mesh->uvs == NULL) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s/%s: map \"%s\" reads an image, but the body's mesh has no texture "
                         "coordinates",
                         maps->scene, param->node->path, row, value->map);
    }
    return COIF_OK;
}

typedef struct map_arrays {
    float u[BATCH], v[BATCH], x[BATCH], y[BATCH], z[BATCH], nx[BATCH], ny[BATCH], nz[BATCH];
    float border[BATCH], curvature[BATCH];
} map_arrays;

// Distance where no border is reachable, metres.
static const float MAX_BORDER_DISTANCE = 1e6f;

static void fill_arrays(map_arrays *arrays, const coif_maps *maps, const coif_surface_point *points,
                        int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (maps->border != NULL) {
            const coif_surface_point *p = &points[i];
            const float distance =
                coif_geodesic_border_distance(maps->border, maps->mesh, p->triangle, p->b1, p->b2);
            arrays->border[i] = distance < MAX_BORDER_DISTANCE ? distance : MAX_BORDER_DISTANCE;
        }
        if (maps->curvature != NULL) {
            const coif_surface_point *p = &points[i];
            const int32_t *corner = maps->mesh->indices + 3 * (int64_t)p->triangle;
            arrays->curvature[i] = (1.0f - p->b1 - p->b2) * maps->curvature[corner[0]] +
                                   p->b1 * maps->curvature[corner[1]] +
                                   p->b2 * maps->curvature[corner[2]];
        }
        arrays->u[i] = points[i].uv.x;
        arrays->v[i] = points[i].uv.y;
        arrays->x[i] = points[i].position.x;
        arrays->y[i] = points[i].position.y;
        arrays->z[i] = points[i].position.z;
        arrays->nx[i] = points[i].normal.x;
        arrays->ny[i] = points[i].normal.y;
        arrays->nz[i] = points[i].normal.z;
    }
}

static float combine(const coif_map_params *params, float below, float own)
{
    float result = below * own;
    switch (params->blend_mode) {
    case COMBINE_MAX:
        result = own > below ? own : below;
        break;
    case COMBINE_MIN:
        result = own < below ? own : below;
        break;
    case COMBINE_ADD:
        result = below + own < 1.0f ? below + own : 1.0f;
        break;
    case COMBINE_SUBTRACT:
        result = below - own > 0.0f ? below - own : 0.0f;
        break;
    default:
        break;
    }
    // Amount 1 is exact: where a map is 0 no hair remains.
    return params->amount >= 1.0f ? result : below + params->amount * (result - below);
}

// Values of a map combined with those below it, for at most BATCH points.
static bool eval_map(const coif_map *map, const coif_map_batch *batch)
{
    if (!coif_plugin_eval_map(map->instance, batch)) {
        return false;
    }
    if (map->below != NULL) {
        float values[BATCH];
        coif_map_batch lower = *batch;
        lower.value = values;
        if (!eval_map(map->below, &lower)) {
            return false;
        }
        for (int32_t i = 0; i < batch->count; ++i) {
            batch->value[i] = combine(&map->params, values[i], batch->value[i]);
        }
    }
    return true;
}

coif_status coif_maps_eval(const coif_maps *maps, const coif_param_ref *param, int32_t count,
                           const coif_surface_point *points, float *out)
{
    const coif_value *value = &param->values->values[param->row];
    const coif_map *map = find_map(maps, value->map);
    const double ends[2] = {value->range[0][param->axis], value->range[1][param->axis]};
    const float low = (float)ends[0];
    const float width = (float)(ends[1] - ends[0]);
    // A shared parameter has the upper end of its range in a groom without the map.
    for (int32_t i = 0; map == NULL && i < count; ++i) {
        out[i] = (float)ends[1];
    }
    bool good = true;
    map_arrays arrays;
    for (int32_t done = 0; map != NULL && good && done < count; done += BATCH) {
        const int32_t batch_count = count - done < BATCH ? count - done : BATCH;
        fill_arrays(&arrays, maps, points + done, batch_count);
        const coif_map_batch batch = {
            .struct_size = sizeof batch,
            .count = batch_count,
            .time = maps->time,
            .u = arrays.u,
            .v = arrays.v,
            .x = arrays.x,
            .y = arrays.y,
            .z = arrays.z,
            .nx = arrays.nx,
            .ny = arrays.ny,
            .nz = arrays.nz,
            .value = out + done,
            .border_distance = maps->border != NULL ? arrays.border : NULL,
            .curvature_change = maps->curvature != NULL ? arrays.curvature : NULL};
        good = eval_map(map, &batch);
        for (int32_t i = done; i < done + batch_count; ++i) {
            out[i] = low + width * out[i];
        }
    }
    return good ? COIF_OK : COIF_ERR_PLUGIN;
}

coif_status coif_maps_evaluate_query(float *values, const coif_maps_query *query,
                                     const coif_param_ref *param, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "maps");
    coif_maps maps = {
        .scene = query->scene, .mesh = query->mesh, .body = query->body, .arena = &scratch};
    COIF_TRY(coif_maps_open(&maps, query->groom, query->frame, error));
    COIF_TRY(coif_maps_check(&maps, param, error));
    if (coif_maps_eval(&maps, param, query->count, query->roots, values) != COIF_OK) {
        return coif_fail(error, COIF_ERR_PLUGIN,
                         "%s: %s/%s: the map returned values that are not finite", maps.scene,
                         param->node->path, param->values->rows[param->row].name);
    }
    return COIF_OK;
}
