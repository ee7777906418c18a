#include "tools/studio/server/document/paint_maps.h"

#include "core/base/error.h"
#include "core/base/log.h"
#include "tools/studio/server/document/growth_surface.h"

#include <math.h>
#include <string.h>

coif_paint_map *coif_paint_maps_find(coif_paint_maps *maps, const char *path, int32_t channel)
{
    for (int32_t i = 0; i < maps->count; ++i) {
        coif_paint_map *map = &maps->items[i];
        if (strcmp(map->path, path) == 0 &&
            (map->read_only_reason != NULL || map->channel == channel)) {
            return map;
        }
    }
    return NULL;
}

bool coif_paint_maps_is_duplicate(const coif_paint_maps *maps, int32_t index)
{
    for (int32_t i = 0; i < index; ++i) {
        if (maps->items[i].referenced && maps->items[i].udims == maps->items[index].udims) {
            return true;
        }
    }
    return false;
}

const char *coif_paint_maps_name(const coif_paint_maps *maps, const coif_paint_map *map,
                                 coif_arena *arena)
{
    // The folder may be moved between sessions.
    const size_t length = strlen(maps->folder);
    const bool inside = strncmp(map->path, maps->folder, length) == 0 && map->path[length] == '/';
    return coif_arena_print(arena, "%s%s", map->path + (inside ? length + 1 : 0), map->layout);
}

coif_paint_map *coif_paint_maps_find_name(coif_paint_maps *maps, const char *name)
{
    COIF_SCOPED_ARENA(scratch, "names");
    for (int32_t i = 0; i < maps->count; ++i) {
        coif_paint_map *map = &maps->items[i];
        if (map->read_only_reason == NULL &&
            strcmp(coif_paint_maps_name(maps, map, &scratch), name) == 0) {
            return map;
        }
    }
    return NULL;
}

static void init_read_only(coif_paint_map *map, const char *path, const char *reason)
{
    *map = (coif_paint_map){.layout = ""};
    coif_arena_init(&map->arena, "paint map");
    map->path = coif_arena_copy_text(&map->arena, path);
    map->read_only_reason = coif_arena_copy_text(&map->arena, reason);
    coif_log(COIF_LOG_WARNING, "%s; the map is used, but cannot be painted", reason);
}

static coif_status check_capacity(const coif_paint_maps *maps, const char *path, coif_error *error)
{
    return maps->count < COIF_MAX_PAINT_MAPS
               ? COIF_OK
               : coif_fail(error, COIF_ERR_SCENE, "%s: more than %d painted maps", path,
                           COIF_MAX_PAINT_MAPS);
}

// The groom's surface, for the UDIM tiles of its maps.
typedef struct map_source {
    const coif_body *bodies;
    int32_t body_count;
    const coif_node *groom;
} map_source;

static coif_status find_or_load(coif_paint_map **found, coif_paint_maps *maps, const char *path,
                                const map_source *from, coif_error *error)
{
    *found = coif_paint_maps_find(maps, path, 0);
    if (*found != NULL) {
        return COIF_OK;
    }
    COIF_TRY(check_capacity(maps, path, error));
    coif_paint_map *map = &maps->items[maps->count];
    int32_t numbers[COIF_MAX_UDIMS], count = 0;
    coif_growth_surface surface;
    if (coif_path_is_udim(path) &&
        coif_growth_surface_init(&surface, from->bodies, from->body_count, from->groom, NULL) ==
            COIF_OK) {
        count = coif_growth_surface_udims(numbers, COIF_MAX_UDIMS, &surface);
    }
    coif_error cause = {0};
    const coif_status status = coif_paint_map_load(map, path, numbers, count, &cause);
    if (status == COIF_ERR_ARGUMENT) {
        init_read_only(map, path, cause.text);
    } else if (status != COIF_OK) {
        return coif_fail(error, status, "%s", cause.text);
    }
    ++maps->count;
    *found = map;
    return COIF_OK;
}

// The image path of a painted map, NULL for other maps.
static const char *painted_path(const coif_node *node)
{
    if (node->plugin == NULL || strcmp(node->plugin->id, "density.texture") != 0) {
        return NULL;
    }
    const coif_value *path = coif_values_find(&node->plugin_values, "path");
    return path != NULL && path->text != NULL && path->text[0] != '\0' ? path->text : NULL;
}

// The first channel when the file has no such channel.
static int32_t channel_of(const coif_node *node, const coif_paint_map *file)
{
    const coif_value *value = coif_values_find(&node->plugin_values, "channel");
    const int32_t channel = value != NULL ? (int32_t)value->numbers[0] : 0;
    return channel < file->channel_count ? channel : 0;
}

coif_paint_map *coif_paint_maps_of_node(coif_paint_maps *maps, const coif_node *node)
{
    const char *path = painted_path(node);
    const coif_paint_map *file = path != NULL ? coif_paint_maps_find(maps, path, 0) : NULL;
    return file != NULL ? coif_paint_maps_find(maps, path, channel_of(node, file)) : NULL;
}

static const char *const LAYER_FILES[] = {"path", "mask"};

static const coif_value *layer_path(const coif_node *layer, const char *row)
{
    return coif_values_find(&layer->values, row);
}

static coif_status load_node(coif_paint_maps *maps, const coif_node *node, const map_source *from,
                             coif_error *error)
{
    const char *path = painted_path(node);
    if (path == NULL) {
        return COIF_OK;
    }
    coif_paint_map *map;
    COIF_TRY(find_or_load(&map, maps, path, from, error));
    const int32_t channel = channel_of(node, map);
    if (channel > 0 && coif_paint_maps_find(maps, path, channel) == NULL) {
        COIF_TRY(check_capacity(maps, path, error));
        coif_paint_map_make_channel(&maps->items[maps->count], map, channel);
        ++maps->count;
    }
    const coif_node *layers = coif_node_at(node, "layers");
    for (int32_t i = 0; i < layers->child_count; ++i) {
        for (size_t k = 0; k < COIF_COUNT_OF(LAYER_FILES); ++k) {
            path = layer_path(&layers->children[i], LAYER_FILES[k])->text;
            if (path != NULL && path[0] != '\0') {
                COIF_TRY(find_or_load(&map, maps, path, from, error));
            }
        }
    }
    return COIF_OK;
}

static void mark(const coif_paint_maps *maps, coif_paint_map *map, const coif_value *path)
{
    if (map != NULL) {
        map->referenced = true;
        map->outside_folder =
            path->source != NULL &&
            (coif_path_escapes(path->source->text) || coif_path_leads_out(maps->folder, map->path));
    }
}

static void mark_referenced(coif_paint_maps *maps, const coif_node *node)
{
    coif_paint_map *map = coif_paint_maps_of_node(maps, node);
    if (map == NULL) {
        return;
    }
    mark(maps, map, coif_values_find(&node->plugin_values, "path"));
    map->sampled = true;
    const coif_node *layers = coif_node_at(node, "layers");
    for (int32_t i = 0; i < layers->child_count; ++i) {
        for (size_t k = 0; k < COIF_COUNT_OF(LAYER_FILES); ++k) {
            const coif_value *path = layer_path(&layers->children[i], LAYER_FILES[k]);
            mark(maps, path->text != NULL ? coif_paint_maps_find(maps, path->text, 0) : NULL, path);
        }
    }
}

coif_status coif_paint_maps_load_referenced(coif_paint_maps *maps, const coif_scene *scene,
                                            const coif_body *bodies, int32_t body_count,
                                            coif_error *error)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const map_source from = {bodies, body_count, &grooms->children[g]};
        const coif_node *nodes = coif_node_at(from.groom, "maps");
        for (int32_t m = 0; m < nodes->child_count; ++m) {
            COIF_TRY(load_node(maps, &nodes->children[m], &from, error));
        }
    }
    // Only now: after a failure the previous scene stays current.
    for (int32_t i = 0; i < maps->count; ++i) {
        maps->items[i].referenced = maps->items[i].sampled = false;
    }
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_node *nodes = coif_node_at(&grooms->children[g], "maps");
        for (int32_t m = 0; m < nodes->child_count; ++m) {
            mark_referenced(maps, &nodes->children[m]);
        }
    }
    return COIF_OK;
}

coif_status coif_paint_maps_insert(coif_paint_maps *maps, coif_paint_map *map, coif_error *error)
{
    coif_paint_map_stamp_files(map);
    coif_paint_map *old = coif_paint_maps_find(maps, map->path, 0);
    if (old == NULL) {
        const coif_status status = check_capacity(maps, map->path, error);
        if (status != COIF_OK) {
            coif_paint_map_free(map);
            return status;
        }
        coif_paint_map_move(&maps->items[maps->count++], map);
        return COIF_OK;
    }
    map->referenced = old->referenced;
    map->sampled = old->sampled;
    coif_paint_map_free(old);
    coif_paint_map_move(old, map);
    return COIF_OK;
}

// ---- journal records of new maps

typedef struct new_map_header {
    int32_t width, height, number_count;
    uint32_t value;
    float low, high;
} new_map_header;

void coif_paint_maps_pack_new(const coif_paint_maps *maps, const coif_paint_map *map,
                              uint16_t value, coif_strbuf *out)
{
    const bool tiled = map->udims[0].number > 0;
    const new_map_header header = {.width = map->width,
                                   .height = map->height,
                                   .number_count = tiled ? map->udim_count : 0,
                                   .value = value,
                                   .low = map->low,
                                   .high = map->high};
    const char *name = coif_paint_maps_name(maps, map, out->arena);
    coif_strbuf_add_bytes(out, name, strlen(name) - strlen(map->layout));
    coif_strbuf_add_bytes(out, "", 1);
    coif_strbuf_add_bytes(out, (const char *)&header, sizeof header);
    for (int32_t i = 0; i < header.number_count; ++i) {
        coif_strbuf_add_bytes(out, (const char *)&map->udims[i].number, sizeof(int32_t));
    }
    coif_paint_map_pack(map, 1, out); // tiles that differ from value
}

coif_status coif_paint_map_apply_tiles(coif_paint_map *map, const coif_bytes *tiles,
                                       coif_error *error)
{
    coif_tile_reader reader = {.data = tiles->data, .size = tiles->size};
    coif_tile_texels tile;
    coif_error cause = {0};
    while (coif_tile_next(&reader, map, &tile, &cause)) {
        coif_paint_map_write(map, &tile, 2);
    }
    return cause.status == COIF_OK ? COIF_OK : coif_fail(error, cause.status, "%s", cause.text);
}

// A journal comes with its folder, perhaps from a stranger: a map is a new image below the folder
// of the scene.
static coif_status check_new(const coif_paint_maps *maps, const char *name,
                             const new_map_header *header, const char *journal, coif_error *error)
{
    const bool image = coif_path_has_extension(name, "png") || coif_path_has_extension(name, "exr");
    const char *path = maps->folder;
    COIF_SCOPED_ARENA(scratch, "replay");
    if (image && !coif_path_escapes(name)) {
        path = coif_path_join(maps->folder, name, &scratch);
    }
    if (path == maps->folder || coif_path_leads_out(maps->folder, path)) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: the new map \"%s\" is not an image below the folder of the scene",
                         journal, name);
    }
    if (!(isfinite(header->low) && isfinite(header->high) && header->low < header->high)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: %s: invalid range from %g to %g", journal,
                         name, (double)header->low, (double)header->high);
    }
    for (int32_t i = 0; i < maps->count; ++i) {
        if (strcmp(maps->items[i].path, path) == 0 && maps->items[i].channel_count > 1) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: %s exists with several channels, expected a new map", journal,
                             name);
        }
    }
    return COIF_OK;
}

coif_status coif_paint_maps_replay_new(coif_paint_maps *maps, const coif_bytes *record,
                                       coif_error *error)
{
    const char *data = record->data;
    const size_t name_size = strnlen(data, record->size) + 1;
    new_map_header header = {0};
    int32_t numbers[COIF_MAX_UDIMS];
    size_t at = name_size + sizeof header;
    if (at <= record->size) {
        memcpy(&header, data + name_size, sizeof header);
    }
    const size_t numbers_size = sizeof(int32_t) * (size_t)header.number_count;
    if (at > record->size || header.width < 1 || header.width > COIF_PAINT_MAP_MAX_SIZE ||
        header.height < 1 || header.height > COIF_PAINT_MAP_MAX_SIZE || header.number_count < 0 ||
        header.number_count > COIF_MAX_UDIMS || numbers_size > record->size - at) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: malformed record of a new map", record->name);
    }
    COIF_TRY(check_new(maps, data, &header, record->name, error));
    memcpy(numbers, data + at, numbers_size);
    at += numbers_size;
    COIF_SCOPED_ARENA(scratch, "replay");
    const coif_paint_map_shape shape = {header.width,        header.height, numbers,
                                        header.number_count, header.low,    header.high};
    coif_paint_map map;
    coif_paint_map_make(&map, coif_path_join(maps->folder, data, &scratch), &shape,
                        (uint16_t)header.value);
    map.unsaved_new = coif_paint_map_is_placeholder(&map);
    const coif_bytes tiles = {record->name, data + at, record->size - at};
    const coif_status status = coif_paint_map_apply_tiles(&map, &tiles, error);
    if (status != COIF_OK) {
        coif_paint_map_free(&map);
        return status;
    }
    return coif_paint_maps_insert(maps, &map, error);
}

// ---- images

const coif_image *coif_paint_maps_image(const coif_paint_map *maps, int32_t count, const char *path)
{
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k < maps[i].udim_count; ++k) {
            const coif_udim_tile *udim = &maps[i].udims[k];
            if (udim->exists && strcmp(udim->path, path) == 0) {
                return &udim->image;
            }
        }
    }
    return NULL;
}

static const coif_image *find_copy(void *data, const char *path)
{
    const coif_paint_maps *copies = data;
    return coif_paint_maps_image(copies->items, copies->count, path);
}

void coif_paint_maps_snapshot(coif_image_overrides *images, const coif_paint_maps *maps,
                              coif_arena *arena)
{
    coif_paint_maps *copies = coif_arena_new(arena, 1, coif_paint_maps);
    for (int32_t i = 0; i < maps->count; ++i) {
        if (maps->items[i].sampled && !coif_paint_maps_is_duplicate(maps, i)) {
            coif_paint_map_copy(&copies->items[copies->count++], &maps->items[i], arena);
        }
    }
    *images = (coif_image_overrides){copies, find_copy};
}

// Whether the scene references any channel of a map's files.
static bool are_files_referenced(const coif_paint_maps *maps, const coif_paint_map *map)
{
    for (int32_t i = 0; i < maps->count; ++i) {
        if (maps->items[i].referenced && strcmp(maps->items[i].path, map->path) == 0) {
            return true;
        }
    }
    return false;
}

void coif_paint_maps_mark_saved(coif_paint_maps *maps)
{
    for (int32_t i = 0; i < maps->count; ++i) {
        coif_paint_map *map = &maps->items[i];
        map->unsaved_new = map->unsaved_new && !are_files_referenced(maps, map);
    }
}

void coif_paint_maps_remove_unsaved(const coif_paint_maps *maps)
{
    for (int32_t i = 0; i < maps->count; ++i) {
        const coif_paint_map *map = &maps->items[i];
        if (map->unsaved_new && !are_files_referenced(maps, map)) {
            coif_paint_map_remove(map);
        }
    }
}

void coif_paint_maps_free(coif_paint_maps *maps)
{
    for (int32_t i = 0; i < maps->count; ++i) {
        coif_paint_map_free(&maps->items[i]);
    }
}
