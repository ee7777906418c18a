#include "tools/studio/server/document/paint_map_io.h"

#include "core/base/error.h"
#include "plugins/host/plugin_images.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void cut_tile(coif_paint_map *layer, coif_image_tile *tile, const coif_image *from,
                     int32_t number)
{
    const int32_t columns = (from->width + COIF_TILE_SIDE - 1) / COIF_TILE_SIDE;
    const int32_t left = number % columns * COIF_TILE_SIDE, top = number / columns * COIF_TILE_SIDE;
    const int32_t channels = from->channel_count;
    const coif_arena_mark mark = coif_arena_mark_here(&layer->arena);
    tile->texels = coif_arena_new(&layer->arena, COIF_TILE_TEXELS * channels, float);
    bool even = true;
    tile->value = from->pixels[((int64_t)top * from->width + left) * channels];
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        const int32_t x = left + i % COIF_TILE_SIDE, y = top + i / COIF_TILE_SIDE;
        for (int32_t c = 0; x < from->width && y < from->height && c < channels; ++c) {
            const float value = from->pixels[((int64_t)y * from->width + x) * channels + c];
            tile->texels[i * channels + c] = value;
            even = even && value == tile->value;
        }
    }
    if (even) {
        coif_arena_rewind(&layer->arena, mark);
        tile->texels = NULL;
    }
}

static coif_status check_size(const coif_paint_map *layer, const char *path,
                              const coif_image *image, coif_error *error)
{
    if (image->width > COIF_LAYER_MOST || image->height > COIF_LAYER_MOST) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: %d x %d, at most %d can be painted", path,
                         image->width, image->height, COIF_LAYER_MOST);
    }
    if (layer->width > 0 && (image->width != layer->width || image->height != layer->height ||
                             image->channel_count != layer->channel_count)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: %d x %d with %d channels, the tiles before it have %d x %d with %d; "
                         "tiles of one size can be painted",
                         path, image->width, image->height, image->channel_count, layer->width,
                         layer->height, layer->channel_count);
    }
    return COIF_OK;
}

static coif_status load_square(coif_paint_map *layer, coif_udim_tile *square, coif_arena *scratch,
                               coif_error *error)
{
    coif_image image;
    COIF_TRY(coif_image_load_full(&image, square->path, scratch, error));
    COIF_TRY(check_size(layer, square->path, &image, error));
    layer->width = image.width;
    layer->height = image.height;
    layer->channel_count = image.channel_count;
    layer->floats = layer->floats || image.integer_bits == 0;
    coif_udim_tile_clear(layer, square, 0.0f);
    square->image.integer_bits = image.integer_bits;
    square->there = true;
    const int32_t columns = (image.width + COIF_TILE_SIDE - 1) / COIF_TILE_SIDE;
    const int32_t rows = (image.height + COIF_TILE_SIDE - 1) / COIF_TILE_SIDE;
    for (int32_t i = 0; i < columns * rows; ++i) {
        cut_tile(layer, &square->image.tiles[i], &image, i);
    }
    return COIF_OK;
}

static bool is_wanted(int32_t number, const int32_t *numbers, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (numbers[i] == number) {
            return true;
        }
    }
    return false;
}

static void find_squares(coif_paint_map *layer, const int32_t *numbers, int32_t number_count)
{
    layer->squares = coif_arena_new(&layer->arena, COIF_LAYER_SQUARES, coif_udim_tile);
    const bool tiled = coif_path_is_udim(layer->path);
    const int32_t first = tiled ? COIF_UDIM_FIRST : 0, last = tiled ? COIF_UDIM_LAST : 0;
    for (int32_t n = first; n <= last && layer->square_count < COIF_LAYER_SQUARES; ++n) {
        const char *path = coif_udim_tile_path(layer->path, n, &layer->arena);
        const bool there = coif_path_exists(path);
        if (there || !tiled || is_wanted(n, numbers, number_count)) {
            layer->squares[layer->square_count++] =
                (coif_udim_tile){.number = n, .path = path, .there = there};
        }
    }
}

static coif_status load_squares(coif_paint_map *layer, coif_arena *scratch, coif_error *error)
{
    for (int32_t i = 0; i < layer->square_count; ++i) {
        coif_udim_tile *square = &layer->squares[i];
        if (square->there || square->number == 0) {
            const coif_arena_mark mark = coif_arena_mark_here(scratch);
            COIF_TRY(load_square(layer, square, scratch, error));
            coif_arena_rewind(scratch, mark);
        }
    }
    if (layer->width == 0) {
        return coif_fail(error, COIF_ERR_IO, "%s: no tile from %d to %d is there", layer->path,
                         COIF_UDIM_FIRST, COIF_UDIM_LAST);
    }
    for (int32_t i = 0; i < layer->square_count; ++i) {
        if (layer->squares[i].image.tiles == NULL) {
            coif_udim_tile_clear(layer, &layer->squares[i], 0.0f);
        }
    }
    return COIF_OK;
}

coif_status coif_paint_map_load(coif_paint_map *layer, const char *path, const int32_t *numbers,
                                int32_t number_count, coif_error *error)
{
    *layer = (coif_paint_map){.high = 1.0f};
    coif_arena_init(&layer->arena, "layer");
    layer->path = coif_arena_copy_text(&layer->arena, path);
    find_squares(layer, numbers, number_count);
    coif_arena scratch;
    coif_arena_init(&scratch, "layer files");
    const coif_status status = load_squares(layer, &scratch, error);
    coif_arena_free(&scratch);
    if (status != COIF_OK) {
        coif_arena_free(&layer->arena);
        return status;
    }
    coif_paint_map_measure(layer);
    coif_paint_map_lay_out(layer);
    coif_paint_map_note_files(layer);
    return COIF_OK;
}

static coif_stamp stamp_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return (coif_stamp){0};
    }
    return (coif_stamp){.inode = (uint64_t)status.st_ino,
                        .size = (uint64_t)status.st_size,
                        .seconds = (int64_t)status.st_mtim.tv_sec,
                        .nanoseconds = (int64_t)status.st_mtim.tv_nsec};
}

void coif_paint_map_note_files(coif_paint_map *layer)
{
    for (int32_t i = 0; i < layer->square_count; ++i) {
        layer->squares[i].stamp = stamp_of(layer->squares[i].path);
    }
}

const char *coif_paint_map_foreign(const coif_paint_map *layer)
{
    for (int32_t i = 0; i < layer->square_count; ++i) {
        const coif_udim_tile *square = &layer->squares[i];
        const coif_stamp now = stamp_of(square->path);
        // One that is gone is written again.
        if (square->dirty && now.inode != 0 && memcmp(&now, &square->stamp, sizeof now) != 0) {
            return square->path;
        }
    }
    return NULL;
}

// As many channels as the layer's files have, or one; types as the extension of a path has room.
typedef struct sheet {
    const float *pixels;
    int32_t channels, width, height;
    coif_image_type types[64];
} sheet;

static coif_image_desc describe(sheet *all, const coif_paint_map *layer, const char *path)
{
    const bool tiff = coif_path_has_extension(path, "tif") || coif_path_has_extension(path, "tiff");
    const coif_image_type type = coif_path_has_extension(path, "exr") || (tiff && layer->floats)
                                     ? COIF_IMAGE_FLOAT
                                     : COIF_IMAGE_UINT16;
    for (int i = 0; i < 64; ++i) {
        all->types[i] = type;
    }
    return (coif_image_desc){.width = all->width,
                             .height = all->height,
                             .channel_count = all->channels,
                             .channel_types = all->channels <= 64 ? all->types : NULL,
                             .pixels = all->pixels};
}

// All texels as one picture, so many channels from the first on.
static float *flatten(const coif_image *image, int32_t first, int32_t channels, coif_arena *arena)
{
    const int32_t columns = (image->width + COIF_TILE_SIDE - 1) / COIF_TILE_SIDE;
    float *pixels = coif_arena_new(arena, (int64_t)image->width * image->height * channels, float);
    for (int32_t y = 0; y < image->height; ++y) {
        for (int32_t x = 0; x < image->width; ++x) {
            const coif_image_tile *tile =
                &image->tiles[y / COIF_TILE_SIDE * columns + x / COIF_TILE_SIDE];
            const int32_t inside = y % COIF_TILE_SIDE * COIF_TILE_SIDE + x % COIF_TILE_SIDE;
            float *pixel = pixels + ((int64_t)y * image->width + x) * channels;
            for (int32_t c = 0; c < channels; ++c) {
                pixel[c] = tile->texels != NULL
                               ? tile->texels[inside * image->channel_count + first + c]
                               : tile->value;
            }
        }
    }
    return pixels;
}

static coif_status save_square(const coif_paint_map *layer, const coif_udim_tile *square,
                               coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "saving");
    const int32_t channels = layer->channel_count;
    sheet all = {
        flatten(&square->image, 0, channels, &scratch), channels, layer->width, layer->height, {0}};
    const coif_image_desc desc = describe(&all, layer, square->path);
    const coif_status status = coif_image_save(square->path, &desc, error);
    coif_arena_free(&scratch);
    return status;
}

coif_status coif_paint_map_encode(char **data, size_t *size, const coif_paint_map *layer,
                                  const coif_udim_tile *square, const char *name, coif_arena *arena,
                                  coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "export");
    sheet one = {
        flatten(&square->image, layer->channel, 1, &scratch), 1, layer->width, layer->height, {0}};
    const coif_image_desc desc = describe(&one, layer, name);
    const coif_status status = coif_image_encode(data, size, name, &desc, arena, error);
    coif_arena_free(&scratch);
    return status;
}

coif_status coif_paint_map_put_off(const coif_paint_map *layer, uint16_t value, coif_error *error)
{
    float pixels[COIF_LAYER_LEAST * COIF_LAYER_LEAST];
    for (size_t i = 0; i < COIF_COUNT_OF(pixels); ++i) {
        pixels[i] = coif_paint_map_value(layer, value);
    }
    for (int32_t i = 0; i < layer->square_count; ++i) {
        sheet small = {pixels, 1, COIF_LAYER_LEAST, COIF_LAYER_LEAST, {0}};
        const coif_image_desc desc = describe(&small, layer, layer->squares[i].path);
        COIF_TRY(coif_image_save(layer->squares[i].path, &desc, error));
    }
    return COIF_OK;
}

bool coif_paint_map_is_put_off(const coif_paint_map *layer)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "look");
    coif_image image;
    coif_error ignored = {0};
    const bool small =
        coif_image_read_header(&image, layer->squares[0].path, 0, &scratch, &ignored) == COIF_OK &&
        image.width == COIF_LAYER_LEAST && layer->width > COIF_LAYER_LEAST;
    coif_arena_free(&scratch);
    return small;
}

void coif_paint_map_remove(const coif_paint_map *layer)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "remove");
    for (int32_t i = 0; i < layer->square_count; ++i) {
        const coif_stamp now = stamp_of(layer->squares[i].path);
        if (memcmp(&now, &layer->squares[i].stamp, sizeof now) == 0) {
            unlink(layer->squares[i].path);
        }
    }
    rmdir(coif_path_folder(layer->path, &scratch));
    coif_arena_free(&scratch);
}

char *coif_previous_name(const char *path, coif_arena *arena)
{
    const char *name = coif_path_name(path);
    const char *dot = strrchr(name, '.');
    const int stem = (int)((dot != NULL ? dot : name + strlen(name)) - path);
    return coif_arena_print(arena, "%.*s.previous%s", stem, path, dot != NULL ? dot : "");
}

static coif_status keep_previous(const char *path, coif_error *error)
{
    if (!coif_path_exists(path)) {
        return COIF_OK;
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "saving");
    char *data;
    size_t size;
    coif_status status = coif_file_load(&data, &size, path, &scratch, error);
    if (status == COIF_OK) {
        status = coif_file_save(coif_previous_name(path, &scratch), data, size, error);
    }
    coif_arena_free(&scratch);
    return status;
}

coif_status coif_paint_map_save(const coif_paint_map *layer, coif_error *error)
{
    if (layer->outside) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: lies outside the scene's folder, where nothing is written; "
                         "duplicate the layer and paint the copy",
                         layer->path);
    }
    for (int32_t i = 0; i < layer->square_count; ++i) {
        const coif_udim_tile *square = &layer->squares[i];
        if (square->dirty) {
            coif_arena scratch;
            coif_arena_init(&scratch, "saving");
            const coif_status made =
                coif_path_make_directory(coif_path_folder(square->path, &scratch), error);
            coif_arena_free(&scratch);
            COIF_TRY(made);
            COIF_TRY(keep_previous(square->path, error));
            COIF_TRY(save_square(layer, square, error));
        }
    }
    return COIF_OK;
}
