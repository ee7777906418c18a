#include "tools/studio/layer.h"

#include "core/error.h"

#include <string.h>

enum { RECORD_WORDS = 4, KIND_TEXELS = 0, KIND_EVEN = 1 };

static void lay_out(coif_layer *layer)
{
    layer->columns = (layer->image.width + COIF_TILE_SIDE - 1) / COIF_TILE_SIDE;
    layer->rows = (layer->image.height + COIF_TILE_SIDE - 1) / COIF_TILE_SIDE;
    layer->changed = coif_arena_new(&layer->arena, layer->columns * layer->rows, uint64_t);
    // A page that knows nothing asks for what changed after 0.
    layer->revision = 1;
    for (int32_t i = 0; i < layer->columns * layer->rows; ++i) {
        layer->changed[i] = 1;
    }
}

coif_status coif_layer_load(coif_layer *layer, const char *path, coif_error *error)
{
    coif_arena_init(&layer->arena, "layer");
    layer->path = coif_arena_copy_text(&layer->arena, path);
    coif_status status = coif_image_load(&layer->image, path, &layer->arena, error);
    if (status == COIF_OK &&
        (layer->image.width > COIF_LAYER_MOST || layer->image.height > COIF_LAYER_MOST)) {
        status = coif_fail(error, COIF_ERR_ARGUMENT, "%s: %d x %d, at most %d can be painted", path,
                           layer->image.width, layer->image.height, COIF_LAYER_MOST);
    }
    if (status != COIF_OK) {
        coif_arena_free(&layer->arena);
        return status;
    }
    lay_out(layer);
    return COIF_OK;
}

void coif_layer_make(coif_layer *layer, const char *path, int32_t side, uint16_t value)
{
    coif_arena_init(&layer->arena, "layer");
    layer->path = coif_arena_copy_text(&layer->arena, path);
    const int64_t count = (int64_t)side * side;
    layer->image = (coif_image){.width = side,
                                .height = side,
                                .channel_count = 1,
                                .integer_bits = 16,
                                .pixels = coif_arena_new(&layer->arena, count, float)};
    for (int64_t i = 0; i < count; ++i) {
        layer->image.pixels[i] = (float)value / 65535.0f;
    }
    lay_out(layer);
    layer->dirty = true;
}

void coif_layer_free(coif_layer *layer)
{
    coif_arena_free(&layer->arena);
}

coif_status coif_layer_export(const coif_layer *layer, const char *path, coif_error *error)
{
    const coif_image *image = &layer->image;
    const coif_image_type type =
        coif_path_has_extension(path, "exr") ? COIF_IMAGE_FLOAT : COIF_IMAGE_UINT16;
    coif_image_type types[64];
    for (int i = 0; i < 64; ++i) {
        types[i] = type;
    }
    const coif_image_desc desc = {.width = image->width,
                                  .height = image->height,
                                  .channel_count = image->channel_count,
                                  .channel_types = image->channel_count <= 64 ? types : NULL,
                                  .pixels = image->pixels};
    return coif_image_save(path, &desc, error);
}

char *coif_previous_name(const char *path, coif_arena *arena)
{
    const char *name = coif_path_name(path);
    const char *dot = strrchr(name, '.');
    const int stem = (int)((dot != NULL ? dot : name + strlen(name)) - path);
    return coif_arena_print(arena, "%.*s.previous%s", stem, path, dot != NULL ? dot : "");
}

static coif_status keep_previous(const char *path, coif_arena *scratch, coif_error *error)
{
    char *data;
    size_t size;
    if (!coif_path_exists(path)) {
        return COIF_OK;
    }
    COIF_TRY(coif_file_load(&data, &size, path, scratch, error));
    return coif_file_save(coif_previous_name(path, scratch), data, size, error);
}

coif_status coif_layer_save(coif_layer *layer, coif_error *error)
{
    if (layer->outside) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: lies outside the scene's folder, where nothing is written; "
                         "duplicate the layer and paint the copy",
                         layer->path);
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "saving");
    coif_status status = keep_previous(layer->path, &scratch, error);
    if (status == COIF_OK) {
        status = coif_layer_export(layer, layer->path, error);
    }
    coif_arena_free(&scratch);
    if (status == COIF_OK) {
        layer->dirty = false;
    }
    return status;
}

static uint16_t word_of(float value)
{
    // Written so that NaN is 0.
    return value >= 1.0f ? 65535 : value > 0.0f ? (uint16_t)(value * 65535.0f + 0.5f) : 0;
}

// The texel of a tile at (x, y), NULL beyond the picture's edge.
static float *texel_at(const coif_layer *layer, const coif_tile_texels *tile, int32_t i)
{
    const coif_image *image = &layer->image;
    const int32_t x = tile->column * COIF_TILE_SIDE + i % COIF_TILE_SIDE;
    const int32_t y = tile->row * COIF_TILE_SIDE + i / COIF_TILE_SIDE;
    if (x >= image->width || y >= image->height) {
        return NULL;
    }
    return image->pixels + ((int64_t)y * image->width + x) * image->channel_count + layer->channel;
}

void coif_layer_read(const coif_layer *layer, coif_tile_texels *tile)
{
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        const float *texel = texel_at(layer, tile, i);
        tile->texels[i] = texel != NULL ? word_of(*texel) : 0;
    }
}

void coif_layer_write(coif_layer *layer, const coif_tile_texels *tile, uint64_t revision)
{
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        float *texel = texel_at(layer, tile, i);
        if (texel != NULL) {
            *texel = (float)tile->texels[i] / 65535.0f;
        }
    }
    layer->changed[tile->row * layer->columns + tile->column] = revision;
    layer->revision = revision;
    layer->dirty = true;
}

static bool is_even(const coif_tile_texels *tile)
{
    for (int32_t i = 1; i < COIF_TILE_TEXELS; ++i) {
        if (tile->texels[i] != tile->texels[0]) {
            return false;
        }
    }
    return true;
}

void coif_layer_pack(const coif_layer *layer, uint64_t since, coif_text *out)
{
    for (int32_t i = 0; i < layer->columns * layer->rows; ++i) {
        if (layer->changed[i] > since) {
            coif_tile_texels tile = {.column = i % layer->columns, .row = i / layer->columns};
            coif_layer_read(layer, &tile);
            const bool even = is_even(&tile);
            const uint16_t words[RECORD_WORDS] = {(uint16_t)tile.column, (uint16_t)tile.row,
                                                  even ? KIND_EVEN : KIND_TEXELS, tile.texels[0]};
            coif_text_add_bytes(out, (const char *)words, sizeof words);
            if (!even) {
                coif_text_add_bytes(out, (const char *)tile.texels, sizeof tile.texels);
            }
        }
    }
}

bool coif_tile_next(coif_tile_reader *reader, const coif_layer *layer, coif_tile_texels *tile,
                    coif_error *error)
{
    if (reader->at == reader->size) {
        return false;
    }
    uint16_t words[RECORD_WORDS];
    if (reader->size - reader->at < sizeof words) {
        coif_fail(error, COIF_ERR_FORMAT, "tiles: %zu bytes too many", reader->size - reader->at);
        return false;
    }
    memcpy(words, reader->data + reader->at, sizeof words);
    reader->at += sizeof words;
    *tile = (coif_tile_texels){.column = words[0], .row = words[1]};
    if (words[0] >= layer->columns || words[1] >= layer->rows || words[2] > KIND_EVEN) {
        coif_fail(error, COIF_ERR_FORMAT, "tiles: no tile at column %d, row %d (kind %d)", words[0],
                  words[1], words[2]);
        return false;
    }
    if (words[2] == KIND_EVEN) {
        for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
            tile->texels[i] = words[3];
        }
        return true;
    }
    if (reader->size - reader->at < sizeof tile->texels) {
        coif_fail(error, COIF_ERR_FORMAT, "tiles: the last one is cut off");
        return false;
    }
    memcpy(tile->texels, reader->data + reader->at, sizeof tile->texels);
    reader->at += sizeof tile->texels;
    return true;
}
