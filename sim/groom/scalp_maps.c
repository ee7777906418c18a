#include "sim/groom/scalp_maps.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/mesh/geodesic_border.h"

#include <string.h>

enum { BATCH = 512 };

enum { COMBINE_MULTIPLY, COMBINE_MAX, COMBINE_MIN, COMBINE_ADD, COMBINE_SUBTRACT };

// Pictures are found by their path: a map that reads a file is laid out in texture coordinates.
static bool reads_a_file(const coif_node *node)
{
    for (uint32_t i = 0; i < node->plugin_values.row_count; ++i) {
        if (coif_values_param(&node->plugin_values, i)->type == COIF_PARAM_PATH) {
            return true;
        }
    }
    return false;
}

static const coif_map *find_map(const coif_maps *maps, const char *name)
{
    for (int32_t i = 0; i < maps->count; ++i) {
        if (strcmp(maps->items[i].params.name, name) == 0) {
            return &maps->items[i];
        }
    }
    return NULL;
}

// Distances from the border of the part of the mesh that hair grows on, for maps that need them.
static coif_status find_border(coif_maps *maps, const coif_node *groom, const coif_node *map,
                               coif_error *error)
{
    const coif_value *name = coif_values_find(&groom->values, "group");
    const bool named = name != NULL && name->text != NULL && name->text[0] != '\0';
    float *border = coif_arena_new(maps->arena, maps->mesh->vertex_count, float);
    coif_arena scratch;
    coif_arena_init(&scratch, "border");
    const int32_t group = named ? coif_mesh_find_group(maps->mesh, name->text) : -1;
    const bool found =
        (group >= 0 || !named) && coif_geodesic_border(border, maps->mesh, group, &scratch);
    coif_arena_free(&scratch);
    if (!found) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s: %s has no border; hair that ends somewhere grows on a group of "
                         "the mesh",
                         maps->scene, map->path,
                         named ? coif_arena_print(maps->arena, "group \"%s\"", name->text)
                               : "the body's whole mesh, which is closed,");
    }
    maps->border = border;
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
        // The scene has been checked: a map lies over one that is open already.
        map->below = map->params.over != NULL && map->params.over[0] != '\0'
                         ? find_map(maps, map->params.over)
                         : NULL;
        map->picture = reads_a_file(node) || (map->below != NULL && map->below->picture);
        if (node->plugin->needs & COIF_NEEDS_BORDER && maps->border == NULL) {
            COIF_TRY(find_border(maps, groom, node, error));
        }
        coif_plugin_instance **instance = &map->instance;
        coif_error cause = {.status = COIF_OK};
        if (coif_plugin_instance_open(instance, node, frame, maps->arena, &cause) != COIF_OK ||
            coif_plugin_begin_frame(*instance, frame, maps->time, &cause) != COIF_OK) {
            return coif_fail_within(error, maps->scene, &cause);
        }
    }
    return COIF_OK;
}

static const char *known_names(const coif_maps *maps)
{
    const char *text = maps->count > 0 ? maps->items[0].params.name : "none";
    for (int32_t i = 1; i < maps->count; ++i) {
        text = coif_arena_print(maps->arena, "%s, %s", text, maps->items[i].params.name);
    }
    return text;
}

// Whether a row holds for all grooms: nothing above it has maps of its own.
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

coif_status coif_maps_check(const coif_maps *maps, const coif_param_ref *place, coif_error *error)
{
    const coif_value *value = &place->values->values[place->row];
    if (value->map == NULL) {
        return COIF_OK;
    }
    const char *row = coif_values_param(place->values, place->row)->name;
    const coif_map *map = find_map(maps, value->map);
    if (map == NULL && is_shared(place->node)) {
        return COIF_OK;
    }
    if (map == NULL) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s/%s: no map \"%s\"; the maps of this groom: %s", maps->scene,
                         place->node->path, row, value->map, known_names(maps));
    }
    if (map->picture && maps->mesh->uvs == NULL) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s/%s: map \"%s\" reads an image, but the body's mesh has no texture "
                         "coordinates",
                         maps->scene, place->node->path, row, value->map);
    }
    return COIF_OK;
}

typedef struct map_arrays {
    float u[BATCH], v[BATCH], x[BATCH], y[BATCH], z[BATCH], nx[BATCH], ny[BATCH], nz[BATCH];
    float border[BATCH];
} map_arrays;

// Where no border can be reached, it is this far, m.
static const float FARTHEST = 1e6f;

static void fill_arrays(map_arrays *arrays, const coif_maps *maps, const coif_surface_point *points,
                        int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (maps->border != NULL) {
            const coif_surface_point *p = &points[i];
            const float far =
                coif_geodesic_border_distance(maps->border, maps->mesh, p->triangle, p->b1, p->b2);
            arrays->border[i] = far < FARTHEST ? far : FARTHEST;
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

static float combined(const coif_map_params *params, float below, float own)
{
    float both = below * own;
    switch (params->combine) {
    case COMBINE_MAX:
        both = own > below ? own : below;
        break;
    case COMBINE_MIN:
        both = own < below ? own : below;
        break;
    case COMBINE_ADD:
        both = below + own < 1.0f ? below + own : 1.0f;
        break;
    case COMBINE_SUBTRACT:
        both = below - own > 0.0f ? below - own : 0.0f;
        break;
    default:
        break;
    }
    // All of it or nothing of it is exact: where a map says 0 there is not a trace of hair.
    return params->amount >= 1.0f ? both : below + params->amount * (both - below);
}

// Values of a map and of what it lies over, for at most BATCH points.
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
            batch->value[i] = combined(&map->params, values[i], batch->value[i]);
        }
    }
    return true;
}

coif_status coif_maps_eval(const coif_maps *maps, const coif_param_ref *place, int32_t count,
                           const coif_surface_point *points, float *out)
{
    const coif_value *value = &place->values->values[place->row];
    const coif_map *map = find_map(maps, value->map);
    const double ends[2] = {value->range[0][place->axis], value->range[1][place->axis]};
    const float low = (float)ends[0];
    const float width = (float)(ends[1] - ends[0]);
    // What holds for all grooms takes 1 of the range where a groom has no such map.
    for (int32_t i = 0; map == NULL && i < count; ++i) {
        out[i] = (float)ends[1];
    }
    bool good = true;
    map_arrays arrays;
    for (int32_t done = 0; map != NULL && good && done < count; done += BATCH) {
        const int32_t some = count - done < BATCH ? count - done : BATCH;
        fill_arrays(&arrays, maps, points + done, some);
        const coif_map_batch batch = {.struct_size = sizeof batch,
                                      .count = some,
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
                                      .border_distance =
                                          maps->border != NULL ? arrays.border : NULL};
        good = eval_map(map, &batch);
        for (int32_t i = done; i < done + some; ++i) {
            out[i] = low + width * out[i];
        }
    }
    return good ? COIF_OK : COIF_ERR_PLUGIN;
}

static coif_status answer(float *values, const coif_maps_query *question,
                          const coif_param_ref *place, coif_arena *scratch, coif_error *error)
{
    coif_maps maps = {.scene = question->scene, .mesh = question->mesh, .arena = scratch};
    COIF_TRY(coif_maps_open(&maps, question->groom, question->frame, error));
    COIF_TRY(coif_maps_check(&maps, place, error));
    if (coif_maps_eval(&maps, place, question->count, question->roots, values) != COIF_OK) {
        return coif_fail(error, COIF_ERR_PLUGIN,
                         "%s: %s/%s: the map gave values that are not numbers", maps.scene,
                         place->node->path, coif_values_param(place->values, place->row)->name);
    }
    return COIF_OK;
}

coif_status coif_maps_evaluate_query(float *values, const coif_maps_query *question,
                                     const coif_param_ref *place, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "maps");
    const coif_status status = answer(values, question, place, &scratch, error);
    coif_arena_free(&scratch);
    return status;
}
