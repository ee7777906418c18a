#include "tools/studio/server/document/paint_maps.h"

#include "core/base/log.h"
#include "plugins/host/plugin_images.h"
#include "tools/studio/server/document/growth_surface.h"
#include "tools/studio/server/document/paint_map_io.h"
#include "tools/studio/server/http/request_auth.h"

#include <math.h>
#include <string.h>

coif_paint_map *coif_paint_maps_find(const coif_studio *studio, const char *path, int32_t channel)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        const coif_paint_map *layer = &studio->layers[i];
        if (strcmp(layer->path, path) == 0 &&
            (layer->refusal != NULL || layer->channel == channel)) {
            return (coif_paint_map *)layer;
        }
    }
    return NULL;
}

bool coif_paint_maps_told(const coif_studio *studio, int32_t number)
{
    for (int32_t i = 0; i < number; ++i) {
        if (studio->layers[i].listed &&
            studio->layers[i].squares == studio->layers[number].squares) {
            return true;
        }
    }
    return false;
}

const char *coif_paint_maps_name(const coif_studio *studio, const coif_paint_map *layer,
                                 coif_arena *arena)
{
    // Whoever comes back may come from another folder.
    const size_t length = strlen(studio->folder);
    const bool inside =
        strncmp(layer->path, studio->folder, length) == 0 && layer->path[length] == '/';
    return coif_arena_print(arena, "%s%s", layer->path + (inside ? length + 1 : 0), layer->sheet);
}

coif_paint_map *coif_paint_maps_find_name(const coif_studio *studio, const char *name)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "names");
    coif_paint_map *found = NULL;
    for (int32_t i = 0; i < studio->layer_count && found == NULL; ++i) {
        coif_paint_map *layer = (coif_paint_map *)&studio->layers[i];
        found = layer->refusal == NULL &&
                        strcmp(coif_paint_maps_name(studio, layer, &scratch), name) == 0
                    ? layer
                    : NULL;
    }
    coif_arena_free(&scratch);
    return found;
}

// The square of a triangle's middle, 0 when there is no number for it.
static int32_t square_of(const coif_mesh *mesh, int32_t triangle)
{
    const coif_vec2 *uv = mesh->uvs + 3 * (int64_t)triangle;
    const float u = floorf((uv[0].x + uv[1].x + uv[2].x) / 3.0f);
    const float v = floorf((uv[0].y + uv[1].y + uv[2].y) / 3.0f);
    // Written so that NaN has none.
    return u >= 0.0f && u < 10.0f && v >= 0.0f && v < 99.0f
               ? COIF_UDIM_FIRST + (int32_t)u + 10 * (int32_t)v
               : 0;
}

int32_t coif_paint_maps_ground(int32_t *numbers, const coif_studio *studio, const coif_node *groom)
{
    coif_growth_surface ground;
    if (coif_growth_surface_of(&ground, studio, groom, NULL) != COIF_OK ||
        ground.mesh->uvs == NULL) {
        return 0;
    }
    bool used[COIF_UDIM_LAST + 1] = {false};
    for (int32_t t = 0; t < ground.mesh->triangle_count; ++t) {
        used[square_of(ground.mesh, t)] |= coif_growth_surface_has(&ground, t);
    }
    int32_t count = 0;
    for (int32_t n = COIF_UDIM_FIRST; n <= COIF_UDIM_LAST && count < COIF_LAYER_SQUARES; ++n) {
        if (used[n]) {
            numbers[count++] = n;
        }
    }
    return count == 1 && numbers[0] == COIF_UDIM_FIRST ? 0 : count;
}

static void refuse(coif_paint_map *layer, const char *path, const coif_error *why)
{
    *layer = (coif_paint_map){.sheet = ""};
    coif_arena_init(&layer->arena, "layer");
    layer->path = coif_arena_copy_text(&layer->arena, path);
    layer->refusal = coif_arena_copy_text(&layer->arena, why->text);
    coif_log(COIF_LOG_WARNING, "%s; it is used, but not painted here", why->text);
}

static coif_status room_for(coif_paint_map **layer, coif_studio *studio, const char *path,
                            coif_error *error)
{
    if (studio->layer_count == COIF_MOST_LAYERS) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: more than %d painted maps", path,
                         COIF_MOST_LAYERS);
    }
    *layer = &studio->layers[studio->layer_count];
    return COIF_OK;
}

static coif_status find_or_load(coif_paint_map **found, coif_studio *studio, const char *path,
                                const coif_node *groom, coif_error *error)
{
    *found = coif_paint_maps_find(studio, path, 0);
    if (*found != NULL) {
        return COIF_OK;
    }
    coif_paint_map *layer = NULL;
    COIF_TRY(room_for(&layer, studio, path, error));
    int32_t numbers[COIF_LAYER_SQUARES];
    const int32_t count =
        coif_path_is_udim(path) ? coif_paint_maps_ground(numbers, studio, groom) : 0;
    coif_error mine = {0};
    const coif_status status = coif_paint_map_load(layer, path, numbers, count, &mine);
    if (status == COIF_ERR_ARGUMENT) {
        refuse(layer, path, &mine);
    } else if (status != COIF_OK) {
        return coif_fail(error, status, "%s", mine.text);
    }
    ++studio->layer_count;
    *found = layer;
    return COIF_OK;
}

// The path of a map that is painted, NULL when it is something else.
static const char *painted_path(const coif_node *map)
{
    if (map->plugin == NULL || strcmp(map->plugin->id, "density.texture") != 0) {
        return NULL;
    }
    const coif_value *path = coif_values_find(&map->plugin_values, "path");
    return path != NULL && path->text != NULL && path->text[0] != '\0' ? path->text : NULL;
}

// Of a file with fewer channels the first is painted.
static int32_t channel_of(const coif_node *map, const coif_paint_map *file)
{
    const coif_value *channel = coif_values_find(&map->plugin_values, "channel");
    const int32_t wanted = channel != NULL ? (int32_t)channel->numbers[0] : 0;
    return wanted < file->channel_count ? wanted : 0;
}

coif_paint_map *coif_paint_maps_of_map(const coif_studio *studio, const coif_node *map)
{
    const char *path = painted_path(map);
    const coif_paint_map *file = path != NULL ? coif_paint_maps_find(studio, path, 0) : NULL;
    return file != NULL ? coif_paint_maps_find(studio, path, channel_of(map, file)) : NULL;
}

static coif_status follow_map(coif_studio *studio, const coif_node *groom, const coif_node *map,
                              coif_error *error)
{
    const char *path = painted_path(map);
    if (path == NULL) {
        return COIF_OK;
    }
    coif_paint_map *layer;
    COIF_TRY(find_or_load(&layer, studio, path, groom, error));
    const int32_t channel = channel_of(map, layer);
    if (channel > 0 && coif_paint_maps_find(studio, path, channel) == NULL) {
        coif_paint_map *other = NULL;
        COIF_TRY(room_for(&other, studio, path, error));
        coif_paint_map_make_channel(other, layer, channel);
        ++studio->layer_count;
    }
    layer = coif_paint_maps_find(studio, path, channel);
    layer->listed = true;
    const coif_value *written = coif_values_find(&map->plugin_values, "path");
    layer->outside = written->source != NULL && coif_path_escapes(written->source->text);
    return COIF_OK;
}

coif_status coif_paint_maps_follow(coif_studio *studio, const coif_scene *scene, coif_error *error)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        studio->layers[i].listed = false;
    }
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_node *maps = coif_node_at(&grooms->children[g], "maps");
        for (int32_t m = 0; m < maps->child_count; ++m) {
            COIF_TRY(follow_map(studio, &grooms->children[g], &maps->children[m], error));
        }
    }
    return COIF_OK;
}

const coif_image *coif_paint_maps_picture(const coif_paint_map *layers, int32_t count,
                                          const char *path)
{
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k < layers[i].square_count; ++k) {
            const coif_udim_tile *square = &layers[i].squares[k];
            if (square->there && strcmp(square->path, path) == 0) {
                return &square->image;
            }
        }
    }
    return NULL;
}

typedef struct snapshot {
    int32_t count;
    coif_paint_map layers[COIF_MOST_LAYERS];
} snapshot;

static const coif_image *find_copy(void *data, const char *path)
{
    const snapshot *all = data;
    return coif_paint_maps_picture(all->layers, all->count, path);
}

void coif_paint_maps_snapshot(coif_image_overrides *pictures, const coif_studio *studio,
                              coif_arena *arena)
{
    snapshot *all = coif_arena_new(arena, 1, snapshot);
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        if (studio->layers[i].listed && !coif_paint_maps_told(studio, i)) {
            coif_paint_map_copy(&all->layers[all->count++], &studio->layers[i], arena);
        }
    }
    *pictures = (coif_image_overrides){all, find_copy};
}

// Whether the scene names any channel of a layer's files.
static bool is_named(const coif_studio *studio, const coif_paint_map *layer)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        if (studio->layers[i].listed && strcmp(studio->layers[i].path, layer->path) == 0) {
            return true;
        }
    }
    return false;
}

void coif_paint_maps_keep(coif_studio *studio)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        coif_paint_map *layer = &studio->layers[i];
        layer->fresh = layer->fresh && !is_named(studio, layer);
    }
}

void coif_paint_maps_tidy(const coif_studio *studio)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        const coif_paint_map *layer = &studio->layers[i];
        if (layer->fresh && !is_named(studio, layer)) {
            coif_paint_map_remove(layer);
        }
    }
}

void coif_paint_maps_free(coif_studio *studio)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        coif_paint_map_free(&studio->layers[i]);
    }
}
