// Layers that begin here: empty, copied from others, or brought as files.
#include "core/base/log.h"
#include "core/json/json.h"
#include "tools/studio/server/document/growth_surface.h"
#include "tools/studio/server/document/paint_map_io.h"
#include "tools/studio/server/document/paint_maps.h"

#include <string.h>
#include <unistd.h>

// How the journal describes a layer; numbers and tiles follow.
typedef struct head {
    int32_t width, height, number_count;
    uint32_t value;
    float low, high;
} head;

static bool is_fit(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && length <= 60 && name[0] != '-' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               length;
}

static bool is_taken(const char *path, const int32_t *numbers, int32_t count, coif_arena *arena)
{
    for (int32_t i = 0; i < count; ++i) {
        if (coif_path_exists(coif_udim_tile_path(path, numbers[i], arena))) {
            return true;
        }
    }
    return count == 0 && coif_path_exists(path);
}

// NULL for pictures of a kind that is not read.
static const char *extension_of(const coif_new_layer *desc)
{
    static const char *const known[] = {"exr", "tif", "tiff", "png"};
    for (size_t i = 0; desc->picture_count > 0 && i < COIF_COUNT_OF(known); ++i) {
        if (coif_path_has_extension(desc->pictures[0].name, known[i])) {
            return known[i];
        }
    }
    // Only floats hold what lies beyond 0 and 1.
    const char *own = desc->copy != NULL && desc->copy->floats ? "exr" : "png";
    return desc->picture_count > 0 ? NULL : own;
}

// maps/bob_density.png, with a number when that is taken, and with <UDIM> for several squares.
static const char *free_name(const coif_studio *studio, const coif_new_layer *desc,
                             const int32_t *numbers, int32_t count, coif_arena *arena)
{
    const char *scene = coif_path_name(studio->path);
    const int stem = (int)strcspn(scene, ".");
    const char *end =
        coif_arena_print(arena, "%s.%s", count > 0 ? ".<UDIM>" : "", extension_of(desc));
    const char *relative = coif_arena_print(arena, "maps/%.*s_%s%s", stem, scene, desc->name, end);
    for (int i = 2;
         is_taken(coif_path_join(studio->folder, relative, arena), numbers, count, arena); ++i) {
        relative = coif_arena_print(arena, "maps/%.*s_%s_%d%s", stem, scene, desc->name, i, end);
    }
    return relative;
}

// The layer as one deed of the journal.
static coif_status write_down(coif_studio *studio, const coif_paint_map *layer, uint16_t value,
                              coif_arena *arena, coif_error *error)
{
    const bool tiled = layer->squares[0].number > 0;
    const head begin = {.width = layer->width,
                        .height = layer->height,
                        .number_count = tiled ? layer->square_count : 0,
                        .value = value,
                        .low = layer->low,
                        .high = layer->high};
    coif_strbuf deed;
    coif_strbuf_init(&deed, arena);
    const char *name = coif_paint_maps_name(studio, layer, arena);
    coif_strbuf_add_bytes(&deed, name, strlen(name) - strlen(layer->sheet));
    coif_strbuf_add_bytes(&deed, "", 1);
    coif_strbuf_add_bytes(&deed, (const char *)&begin, sizeof begin);
    for (int32_t i = 0; i < begin.number_count; ++i) {
        coif_strbuf_add_bytes(&deed, (const char *)&layer->squares[i].number, sizeof(int32_t));
    }
    coif_paint_map_pack(layer, 1, &deed); // what is not as it was made
    return coif_studio_journal_append(studio, COIF_DEED_LAYER, deed.data, deed.size, error);
}

static coif_status read_tiles(coif_paint_map *layer, const coif_bytes *tiles, coif_error *error)
{
    coif_tile_reader reader = {.data = tiles->data, .size = tiles->size};
    coif_tile_texels tile;
    coif_error mine = {0};
    while (coif_tile_next(&reader, layer, &tile, &mine)) {
        coif_paint_map_write(layer, &tile, 2);
    }
    return mine.status == COIF_OK ? COIF_OK : coif_fail(error, mine.status, "%s", mine.text);
}

// In place of the one that the scene's text has loaded already, or as a new one.
static coif_status settle(coif_studio *studio, coif_paint_map *layer, coif_error *error)
{
    coif_paint_map_note_files(layer);
    coif_paint_map *old = coif_paint_maps_find(studio, layer->path, 0);
    if (old == NULL) {
        if (studio->layer_count == COIF_MOST_LAYERS) {
            coif_paint_map_free(layer);
            return coif_fail(error, COIF_ERR_SCENE, "more than %d painted maps", COIF_MOST_LAYERS);
        }
        coif_paint_map_move(&studio->layers[studio->layer_count++], layer);
        return COIF_OK;
    }
    layer->listed = old->listed;
    coif_paint_map_free(old);
    coif_paint_map_move(old, layer);
    return COIF_OK;
}

coif_status coif_paint_maps_replay(coif_studio *studio, const char *data, size_t size,
                                   coif_error *error)
{
    const size_t name_size = strnlen(data, size) + 1;
    head begin = {0};
    int32_t numbers[COIF_LAYER_SQUARES];
    size_t at = name_size + sizeof begin;
    if (at <= size) {
        memcpy(&begin, data + name_size, sizeof begin);
    }
    const size_t numbers_size = sizeof(int32_t) * (size_t)begin.number_count;
    if (at > size || begin.width < 1 || begin.width > COIF_LAYER_MOST || begin.height < 1 ||
        begin.height > COIF_LAYER_MOST || begin.number_count < 0 ||
        begin.number_count > COIF_LAYER_SQUARES || numbers_size > size - at) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: a layer makes no sense",
                         studio->journal.path);
    }
    memcpy(numbers, data + at, numbers_size);
    at += numbers_size;
    coif_arena scratch;
    coif_arena_init(&scratch, "replay");
    const coif_paint_map_shape shape = {begin.width,        begin.height, numbers,
                                        begin.number_count, begin.low,    begin.high};
    coif_paint_map layer;
    coif_paint_map_make(&layer, coif_path_join(studio->folder, data, &scratch), &shape,
                        (uint16_t)begin.value);
    coif_arena_free(&scratch);
    layer.fresh = coif_paint_map_is_put_off(&layer);
    const coif_bytes tiles = {studio->journal.path, data + at, size - at};
    const coif_status status = read_tiles(&layer, &tiles, error);
    if (status != COIF_OK) {
        coif_paint_map_free(&layer);
        return status;
    }
    return settle(studio, &layer, error);
}

// A layer all of one value, or with the tiles of another.
static coif_status begin(coif_paint_map *layer, const char *path, const coif_new_layer *desc,
                         const int32_t *numbers, int32_t count, coif_error *error)
{
    const coif_paint_map *from = desc->copy;
    const coif_paint_map_shape shape = {.width = from != NULL ? from->width : desc->side,
                                        .height = from != NULL ? from->height : desc->side,
                                        .numbers = numbers,
                                        .number_count = count,
                                        .low = from != NULL ? from->low : 0.0f,
                                        .high = from != NULL ? from->high : 1.0f};
    coif_paint_map_make(layer, path, &shape, desc->value);
    if (from != NULL) {
        coif_arena scratch;
        coif_arena_init(&scratch, "copy");
        coif_strbuf tiles;
        coif_strbuf_init(&tiles, &scratch);
        coif_paint_map_pack(from, 0, &tiles);
        const coif_bytes bytes = {"tiles", tiles.data, tiles.size};
        const coif_status status = read_tiles(layer, &bytes, error);
        coif_arena_free(&scratch);
        COIF_TRY(status);
    }
    return coif_paint_map_put_off(layer, desc->value, error);
}

// Whatever came in is taken through files of its own and read as any picture: what cannot be read
// never gets into the scene.
static coif_status bring(coif_paint_map *layer, const char *path, const coif_new_layer *desc,
                         coif_studio *studio, coif_arena *arena, coif_error *error)
{
    for (int32_t i = 0; i < desc->picture_count; ++i) {
        const char *file =
            coif_udim_tile_path(path, desc->numbers != NULL ? desc->numbers[i] : 0, arena);
        COIF_TRY(coif_file_save(file, desc->pictures[i].data, desc->pictures[i].size, error));
    }
    pthread_mutex_unlock(&studio->lock);
    coif_error mine = {0};
    const coif_status status = coif_paint_map_load(
        layer, path, desc->numbers, desc->numbers != NULL ? desc->picture_count : 0, &mine);
    pthread_mutex_lock(&studio->lock);
    // Who brought it knows it by its own name.
    const size_t length = strlen(path);
    const bool ours = strncmp(mine.text, path, length) == 0;
    return status == COIF_OK ? COIF_OK
                             : coif_fail(error, status, "%s%s", ours ? desc->pictures[0].name : "",
                                         mine.text + (ours ? length : 0));
}

static void remove_files(const char *path, const int32_t *numbers, int32_t count, coif_arena *arena)
{
    for (int32_t i = 0; i < (count > 0 ? count : 1); ++i) {
        unlink(coif_udim_tile_path(path, count > 0 ? numbers[i] : 0, arena));
    }
}

// The layer takes its place before the text names it, so that its files are not read again.
static coif_status take_in(coif_studio *studio, coif_paint_map *layer, const coif_new_layer *desc,
                           const char *relative, coif_arena *arena, coif_error *error)
{
    const int32_t before = studio->layer_count;
    layer->fresh = true;
    COIF_TRY(settle(studio, layer, error));
    const coif_edit edit = {
        coif_arena_print(arena, "/grooms/%d/maps/-", desc->groom),
        coif_arena_print(arena, "{\"name\": %s, \"plugin\": \"density.texture\", \"path\": %s}",
                         coif_json_quote(desc->name, arena), coif_json_quote(relative, arena)),
    };
    const coif_status status = coif_studio_edit(studio, &edit, 1, "", error);
    if (status != COIF_OK && studio->layer_count > before) {
        coif_paint_map_free(&studio->layers[--studio->layer_count]);
    }
    return status;
}

static coif_status add(coif_studio *studio, const coif_new_layer *desc, coif_arena *arena,
                       coif_error *error)
{
    const coif_node *groom;
    COIF_TRY(coif_studio_groom(&groom, studio, desc->groom, error));
    if (!is_fit(desc->name)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "\"%s\": a layer's name has letters, digits, _ and -", desc->name);
    }
    if (extension_of(desc) == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: PNG, EXR and TIFF files can be imported",
                         desc->pictures[0].name);
    }
    COIF_TRY(coif_path_make_directory(coif_path_join(studio->folder, "maps", arena), error));
    int32_t numbers[COIF_LAYER_SQUARES];
    int32_t count = 0;
    if (desc->copy != NULL) {
        for (int32_t i = 0; desc->copy->squares[0].number > 0 && i < desc->copy->square_count;
             ++i) {
            numbers[count++] = desc->copy->squares[i].number;
        }
    } else if (desc->numbers != NULL) {
        count = desc->picture_count;
        memcpy(numbers, desc->numbers, sizeof(int32_t) * (size_t)count);
    } else if (desc->picture_count == 0) {
        count = coif_paint_maps_ground(numbers, studio, groom);
    }
    const char *relative = free_name(studio, desc, numbers, count, arena);
    const char *path = coif_path_join(studio->folder, relative, arena);
    const bool brought = desc->picture_count > 0;
    coif_paint_map layer = {0};
    coif_status status = brought ? bring(&layer, path, desc, studio, arena, error)
                                 : begin(&layer, path, desc, numbers, count, error);
    // Before the text names it: files of a layer that waits for its size are small.
    if (status == COIF_OK && !brought) {
        status = write_down(studio, &layer, desc->value, arena, error);
    }
    if (status == COIF_OK) {
        status = take_in(studio, &layer, desc, relative, arena, error);
    } else {
        coif_paint_map_free(&layer);
    }
    if (status != COIF_OK) {
        remove_files(path, numbers, count, arena);
    }
    return status;
}

coif_status coif_paint_maps_add(coif_studio *studio, const coif_new_layer *desc, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "new layer");
    pthread_mutex_lock(&studio->lock);
    const coif_status status = add(studio, desc, &scratch, error);
    pthread_mutex_unlock(&studio->lock);
    coif_arena_free(&scratch);
    return status;
}
