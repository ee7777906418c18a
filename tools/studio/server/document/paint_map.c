#include "tools/studio/server/document/paint_map.h"

#include "core/base/error.h"
#include "tools/studio/server/document/paint_map_io.h"

#include <math.h>
#include <string.h>

enum { RECORD_WORDS = 4, KIND_TEXELS = 0, KIND_EVEN = 1, KIND_SOME = 2 };

static const char *describe_sheet(const coif_paint_map *layer, coif_arena *arena)
{
    const bool tiled = layer->squares[0].number > 0;
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    for (int32_t i = 0; tiled && i < layer->square_count; ++i) {
        coif_strbuf_print(&text, "%c%d", i == 0 ? '?' : ',', layer->squares[i].number);
    }
    if (tiled) {
        coif_strbuf_print(&text, "@%dx%d", layer->width, layer->height);
    }
    if (layer->channel > 0) {
        coif_strbuf_print(&text, "#%d", layer->channel);
    }
    return text.size > 0 ? text.data : "";
}

static int32_t tiles_over(int32_t texels)
{
    return (texels + COIF_TILE_SIDE - 1) / COIF_TILE_SIDE;
}

void coif_paint_map_lay_out(coif_paint_map *layer)
{
    layer->across = 1;
    while (layer->across * layer->across < layer->square_count) {
        ++layer->across;
    }
    layer->square_columns = tiles_over(layer->width);
    layer->square_rows = tiles_over(layer->height);
    layer->columns = layer->across * layer->square_columns;
    layer->rows = (layer->square_count + layer->across - 1) / layer->across * layer->square_rows;
    layer->sheet = describe_sheet(layer, &layer->arena);
    layer->changed = coif_arena_new(&layer->arena, layer->columns * layer->rows, uint64_t);
    // A page that knows nothing asks for what changed after 0.
    layer->revision = 1;
    for (int32_t i = 0; i < layer->columns * layer->rows; ++i) {
        layer->changed[i] = 1;
    }
}

float coif_paint_map_value(const coif_paint_map *layer, uint16_t word)
{
    return layer->low + (float)word / 65535.0f * (layer->high - layer->low);
}

void coif_udim_tile_clear(coif_paint_map *layer, coif_udim_tile *square, float value)
{
    const int64_t count = (int64_t)tiles_over(layer->width) * tiles_over(layer->height);
    square->image = (coif_image){.width = layer->width,
                                 .height = layer->height,
                                 .channel_count = layer->channel_count,
                                 .integer_bits = layer->floats ? 0 : 16,
                                 .tiles = coif_arena_new(&layer->arena, count, coif_image_tile)};
    for (int64_t i = 0; i < count; ++i) {
        square->image.tiles[i].value = value;
    }
}

void coif_paint_map_make(coif_paint_map *layer, const char *path, const coif_paint_map_shape *shape,
                         uint16_t value)
{
    const int32_t count = shape->number_count > 0 ? shape->number_count : 1;
    *layer = (coif_paint_map){.width = shape->width,
                              .height = shape->height,
                              .channel_count = 1,
                              .low = shape->low,
                              .high = shape->high,
                              .floats = shape->low != 0.0f || shape->high != 1.0f,
                              .square_count = count};
    coif_arena_init(&layer->arena, "layer");
    layer->path = coif_arena_copy_text(&layer->arena, path);
    layer->squares = coif_arena_new(&layer->arena, count, coif_udim_tile);
    for (int32_t i = 0; i < count; ++i) {
        const int32_t number = shape->number_count > 0 ? shape->numbers[i] : 0;
        layer->squares[i] =
            (coif_udim_tile){.number = number,
                             .path = coif_udim_tile_path(path, number, &layer->arena),
                             .there = true,
                             .dirty = true};
        coif_udim_tile_clear(layer, &layer->squares[i], coif_paint_map_value(layer, value));
    }
    coif_paint_map_lay_out(layer);
}

static void widen(coif_paint_map *layer, float value)
{
    if (isfinite(value)) {
        layer->low = value < layer->low ? value : layer->low;
        layer->high = value > layer->high ? value : layer->high;
    }
}

void coif_paint_map_measure(coif_paint_map *layer)
{
    layer->low = 0.0f;
    layer->high = 1.0f;
    const int32_t count = tiles_over(layer->width) * tiles_over(layer->height);
    for (int32_t i = 0; i < layer->square_count; ++i) {
        const coif_image *image = &layer->squares[i].image;
        for (int32_t t = 0; image->integer_bits == 0 && t < count; ++t) {
            const coif_image_tile *tile = &image->tiles[t];
            if (tile->texels == NULL) {
                widen(layer, tile->value);
            }
            for (int32_t k = 0; tile->texels != NULL && k < COIF_TILE_TEXELS; ++k) {
                widen(layer, tile->texels[k * layer->channel_count + layer->channel]);
            }
        }
    }
}

void coif_paint_map_make_channel(coif_paint_map *layer, const coif_paint_map *of, int32_t channel)
{
    *layer = *of;
    layer->channel = channel;
    layer->listed = layer->fresh = false;
    coif_arena_init(&layer->arena, "layer");
    layer->path = coif_arena_copy_text(&layer->arena, of->path);
    coif_paint_map_measure(layer);
    coif_paint_map_lay_out(layer);
}

void coif_paint_map_free(coif_paint_map *layer)
{
    coif_arena_free(&layer->arena);
}

void coif_paint_map_move(coif_paint_map *to, coif_paint_map *from)
{
    *to = *from;
    coif_arena_move(&to->arena, &from->arena);
}

void coif_paint_map_copy(coif_paint_map *copy, const coif_paint_map *layer, coif_arena *arena)
{
    *copy = *layer;
    copy->path = coif_arena_copy_text(arena, layer->path);
    copy->squares = coif_arena_new(arena, layer->square_count, coif_udim_tile);
    const size_t bytes = sizeof(float) * COIF_TILE_TEXELS * (size_t)layer->channel_count;
    const int64_t count = (int64_t)layer->square_columns * layer->square_rows;
    for (int32_t i = 0; i < layer->square_count; ++i) {
        coif_udim_tile *square = &copy->squares[i];
        *square = layer->squares[i];
        square->path = coif_arena_copy_text(arena, square->path);
        const coif_image_tile *from = square->image.tiles;
        square->image.tiles = coif_arena_new(arena, count, coif_image_tile);
        for (int64_t k = 0; k < count; ++k) {
            square->image.tiles[k] = from[k];
            if (from[k].texels != NULL) {
                square->image.tiles[k].texels =
                    coif_arena_new(arena, COIF_TILE_TEXELS * layer->channel_count, float);
                memcpy(square->image.tiles[k].texels, from[k].texels, bytes);
            }
        }
    }
}

bool coif_paint_map_dirty(const coif_paint_map *layer)
{
    for (int32_t i = 0; i < layer->square_count; ++i) {
        if (layer->squares[i].dirty) {
            return true;
        }
    }
    return false;
}

coif_udim_tile *coif_paint_map_square(const coif_paint_map *layer, int32_t column, int32_t row,
                                      int32_t *inside)
{
    const int32_t index = row / layer->square_rows * layer->across + column / layer->square_columns;
    *inside = row % layer->square_rows * layer->square_columns + column % layer->square_columns;
    return index < layer->square_count ? &layer->squares[index] : NULL;
}

static uint16_t word_of(const coif_paint_map *layer, float value)
{
    const float share = (value - layer->low) / (layer->high - layer->low);
    // Written so that NaN is 0.
    return share >= 1.0f ? 65535 : share > 0.0f ? (uint16_t)(share * 65535.0f + 0.5f) : 0;
}

void coif_paint_map_read(const coif_paint_map *layer, coif_tile_texels *tile)
{
    int32_t inside;
    const coif_udim_tile *square = coif_paint_map_square(layer, tile->column, tile->row, &inside);
    const coif_image_tile *from = square != NULL ? &square->image.tiles[inside] : NULL;
    const uint16_t even = from != NULL ? word_of(layer, from->value) : 0;
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        tile->texels[i] =
            from != NULL && from->texels != NULL
                ? word_of(layer, from->texels[i * layer->channel_count + layer->channel])
                : even;
    }
}

void coif_paint_map_write(coif_paint_map *layer, const coif_tile_texels *tile, uint64_t revision)
{
    int32_t inside;
    coif_udim_tile *square = coif_paint_map_square(layer, tile->column, tile->row, &inside);
    if (square == NULL) {
        return;
    }
    coif_image_tile *to = &square->image.tiles[inside];
    const int32_t channels = layer->channel_count;
    if (to->texels == NULL && channels == 1 && coif_tile_is_even(tile)) {
        to->value = coif_paint_map_value(layer, tile->texels[0]);
    } else {
        if (to->texels == NULL) {
            to->texels = coif_arena_new(&layer->arena, COIF_TILE_TEXELS * channels, float);
            for (int32_t i = 0; i < COIF_TILE_TEXELS * channels; ++i) {
                to->texels[i] = to->value;
            }
        }
        for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
            // What was not painted keeps its float, of which the word is a rounding.
            float *texel = &to->texels[i * channels + layer->channel];
            if (word_of(layer, *texel) != tile->texels[i]) {
                *texel = coif_paint_map_value(layer, tile->texels[i]);
            }
        }
    }
    square->there = square->dirty = true;
    layer->changed[tile->row * layer->columns + tile->column] = revision;
    layer->revision = revision;
}

bool coif_tile_is_even(const coif_tile_texels *tile)
{
    for (int32_t i = 1; i < COIF_TILE_TEXELS; ++i) {
        if (tile->texels[i] != tile->texels[0]) {
            return false;
        }
    }
    return true;
}

static void pack_tile(const coif_paint_map *layer, int32_t column, int32_t row, coif_strbuf *out)
{
    int32_t inside;
    const coif_udim_tile *square = coif_paint_map_square(layer, column, row, &inside);
    if (square == NULL) {
        return;
    }
    uint16_t words[RECORD_WORDS] = {(uint16_t)column, (uint16_t)row, KIND_EVEN,
                                    word_of(layer, square->image.tiles[inside].value)};
    if (square->image.tiles[inside].texels == NULL) {
        coif_strbuf_add_bytes(out, (const char *)words, sizeof words);
        return;
    }
    coif_tile_texels tile = {.column = column, .row = row};
    coif_paint_map_read(layer, &tile);
    const bool even = coif_tile_is_even(&tile);
    words[2] = even ? KIND_EVEN : KIND_TEXELS;
    words[3] = tile.texels[0];
    coif_strbuf_add_bytes(out, (const char *)words, sizeof words);
    if (!even) {
        coif_strbuf_add_bytes(out, (const char *)tile.texels, sizeof tile.texels);
    }
}

void coif_paint_map_pack(const coif_paint_map *layer, uint64_t since, coif_strbuf *out)
{
    for (int32_t i = 0; i < layer->columns * layer->rows; ++i) {
        if (layer->changed[i] > since) {
            pack_tile(layer, i % layer->columns, i / layer->columns, out);
        }
    }
}

// Texels that a page changed, over those that are there.
static bool read_some(coif_tile_reader *reader, const coif_paint_map *layer, int32_t count,
                      coif_tile_texels *tile)
{
    const size_t bytes = COIF_TILE_TEXELS / 8 + sizeof(uint16_t) * (size_t)count;
    if (reader->size - reader->at < bytes) {
        return false;
    }
    const unsigned char *mask = reader->data + reader->at;
    const unsigned char *words = mask + COIF_TILE_TEXELS / 8;
    coif_paint_map_read(layer, tile);
    int32_t taken = 0;
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        const bool given = mask[i / 8] >> i % 8 & 1;
        if (given && taken < count) {
            memcpy(&tile->texels[i], words + sizeof(uint16_t) * (size_t)taken, sizeof(uint16_t));
        }
        taken += given;
    }
    reader->at += bytes;
    return taken == count;
}

bool coif_tile_next(coif_tile_reader *reader, const coif_paint_map *layer, coif_tile_texels *tile,
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
    int32_t inside;
    if (words[0] >= layer->columns || words[1] >= layer->rows || words[2] > KIND_SOME ||
        coif_paint_map_square(layer, words[0], words[1], &inside) == NULL) {
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
    if (words[2] == KIND_SOME) {
        const bool whole = read_some(reader, layer, words[3], tile);
        if (!whole) {
            coif_fail(error, COIF_ERR_FORMAT, "tiles: not as many texels as one says");
        }
        return whole;
    }
    if (reader->size - reader->at < sizeof tile->texels) {
        coif_fail(error, COIF_ERR_FORMAT, "tiles: the last one is cut off");
        return false;
    }
    memcpy(tile->texels, reader->data + reader->at, sizeof tile->texels);
    reader->at += sizeof tile->texels;
    return true;
}
