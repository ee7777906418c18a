#include "tools/studio/server/document/paint_map.h"

#include "core/base/error.h"

#include <math.h>
#include <string.h>

enum { RECORD_WORDS = 4, KIND_TEXELS = 0, KIND_UNIFORM = 1, KIND_MASKED = 2 };

static const char *describe_layout(const coif_paint_map *map, coif_arena *arena)
{
    const bool tiled = map->udims[0].number > 0;
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    for (int32_t i = 0; tiled && i < map->udim_count; ++i) {
        coif_strbuf_print(&text, "%c%d", i == 0 ? '?' : ',', map->udims[i].number);
    }
    if (tiled) {
        coif_strbuf_print(&text, "@%dx%d", map->width, map->height);
    }
    if (map->channel > 0) {
        coif_strbuf_print(&text, "#%d", map->channel);
    }
    return text.size > 0 ? text.data : "";
}

static int32_t tile_count(int32_t texels)
{
    return (texels + COIF_PAINT_TILE_SIZE - 1) / COIF_PAINT_TILE_SIZE;
}

void coif_paint_map_init_layout(coif_paint_map *map)
{
    map->udims_per_row = 1;
    while (map->udims_per_row * map->udims_per_row < map->udim_count) {
        ++map->udims_per_row;
    }
    map->udim_columns = tile_count(map->width);
    map->udim_rows = tile_count(map->height);
    map->columns = map->udims_per_row * map->udim_columns;
    map->rows = (map->udim_count + map->udims_per_row - 1) / map->udims_per_row * map->udim_rows;
    map->layout = describe_layout(map, &map->arena);
    map->tile_revisions = coif_arena_new(&map->arena, map->columns * map->rows, uint64_t);
    // Clients without any tile request those changed after revision 0.
    map->revision = 1;
    for (int32_t i = 0; i < map->columns * map->rows; ++i) {
        map->tile_revisions[i] = 1;
    }
}

float coif_paint_map_value(const coif_paint_map *map, uint16_t texel16)
{
    return map->low + (float)texel16 / 65535.0f * (map->high - map->low);
}

void coif_udim_tile_clear(coif_paint_map *map, coif_udim_tile *udim, float value)
{
    const int64_t count = (int64_t)tile_count(map->width) * tile_count(map->height);
    udim->image = (coif_image){.width = map->width,
                               .height = map->height,
                               .channel_count = map->channel_count,
                               .integer_bits = map->is_float ? 0 : 16,
                               .tiles = coif_arena_new(&map->arena, count, coif_image_tile)};
    for (int64_t i = 0; i < count; ++i) {
        udim->image.tiles[i].value = value;
    }
}

void coif_paint_map_make(coif_paint_map *map, const char *path, const coif_paint_map_shape *shape,
                         uint16_t value)
{
    const int32_t count = shape->number_count > 0 ? shape->number_count : 1;
    *map = (coif_paint_map){.width = shape->width,
                            .height = shape->height,
                            .channel_count = 1,
                            .low = shape->low,
                            .high = shape->high,
                            .is_float = shape->low != 0.0f || shape->high != 1.0f,
                            .udim_count = count};
    coif_arena_init(&map->arena, "paint map");
    map->path = coif_arena_copy_text(&map->arena, path);
    map->udims = coif_arena_new(&map->arena, count, coif_udim_tile);
    for (int32_t i = 0; i < count; ++i) {
        const int32_t number = shape->number_count > 0 ? shape->numbers[i] : 0;
        map->udims[i] = (coif_udim_tile){.number = number,
                                         .path = coif_udim_tile_path(path, number, &map->arena),
                                         .exists = true,
                                         .dirty = true};
        coif_udim_tile_clear(map, &map->udims[i], coif_paint_map_value(map, value));
    }
    coif_paint_map_init_layout(map);
}

static void extend_range(coif_paint_map *map, float value)
{
    if (isfinite(value)) {
        map->low = value < map->low ? value : map->low;
        map->high = value > map->high ? value : map->high;
    }
}

void coif_paint_map_measure_range(coif_paint_map *map)
{
    map->low = 0.0f;
    map->high = 1.0f;
    const int32_t count = tile_count(map->width) * tile_count(map->height);
    for (int32_t i = 0; i < map->udim_count; ++i) {
        const coif_image *image = &map->udims[i].image;
        for (int32_t t = 0; image->integer_bits == 0 && t < count; ++t) {
            const coif_image_tile *tile = &image->tiles[t];
            if (tile->texels == NULL) {
                extend_range(map, tile->value);
            }
            for (int32_t k = 0; tile->texels != NULL && k < COIF_TILE_TEXELS; ++k) {
                extend_range(map, tile->texels[k * map->channel_count + map->channel]);
            }
        }
    }
}

// Copies all but the arena: other threads change its links to the arenas beside it in the memory
// table. The copy has no arena.
static void copy_fields(coif_paint_map *to, const coif_paint_map *from)
{
    memcpy(to, from, offsetof(coif_paint_map, arena));
    to->arena = (coif_arena){0};
}

void coif_paint_map_make_channel(coif_paint_map *map, const coif_paint_map *of, int32_t channel)
{
    copy_fields(map, of);
    map->channel = channel;
    map->referenced = map->unsaved_new = false;
    coif_arena_init(&map->arena, "paint map");
    map->path = coif_arena_copy_text(&map->arena, of->path);
    coif_paint_map_measure_range(map);
    coif_paint_map_init_layout(map);
}

void coif_paint_map_free(coif_paint_map *map)
{
    coif_arena_free(&map->arena);
}

void coif_paint_map_move(coif_paint_map *to, coif_paint_map *from)
{
    copy_fields(to, from);
    coif_arena_move(&to->arena, &from->arena);
}

void coif_paint_map_copy(coif_paint_map *copy, const coif_paint_map *map, coif_arena *arena)
{
    copy_fields(copy, map);
    copy->path = coif_arena_copy_text(arena, map->path);
    copy->udims = coif_arena_new(arena, map->udim_count, coif_udim_tile);
    const size_t bytes = sizeof(float) * COIF_TILE_TEXELS * (size_t)map->channel_count;
    const int64_t count = (int64_t)map->udim_columns * map->udim_rows;
    for (int32_t i = 0; i < map->udim_count; ++i) {
        coif_udim_tile *udim = &copy->udims[i];
        *udim = map->udims[i];
        udim->path = coif_arena_copy_text(arena, udim->path);
        const coif_image_tile *from = udim->image.tiles;
        udim->image.tiles = coif_arena_new(arena, count, coif_image_tile);
        for (int64_t k = 0; k < count; ++k) {
            udim->image.tiles[k] = from[k];
            if (from[k].texels != NULL) {
                udim->image.tiles[k].texels =
                    coif_arena_new(arena, COIF_TILE_TEXELS * map->channel_count, float);
                memcpy(udim->image.tiles[k].texels, from[k].texels, bytes);
            }
        }
    }
}

bool coif_paint_map_dirty(const coif_paint_map *map)
{
    for (int32_t i = 0; i < map->udim_count; ++i) {
        if (map->udims[i].dirty) {
            return true;
        }
    }
    return false;
}

coif_udim_tile *coif_paint_map_udim_at(const coif_paint_map *map, int32_t column, int32_t row,
                                       int32_t *inside)
{
    const int32_t index = row / map->udim_rows * map->udims_per_row + column / map->udim_columns;
    *inside = row % map->udim_rows * map->udim_columns + column % map->udim_columns;
    return index < map->udim_count ? &map->udims[index] : NULL;
}

static uint16_t texel16_of(const coif_paint_map *map, float value)
{
    const float unit = (value - map->low) / (map->high - map->low);
    // NaN becomes 0.
    return unit >= 1.0f ? 65535 : unit > 0.0f ? (uint16_t)(unit * 65535.0f + 0.5f) : 0;
}

void coif_paint_map_read(const coif_paint_map *map, coif_tile_texels *tile)
{
    int32_t inside;
    const coif_udim_tile *udim = coif_paint_map_udim_at(map, tile->column, tile->row, &inside);
    const coif_image_tile *from = udim != NULL ? &udim->image.tiles[inside] : NULL;
    const uint16_t uniform = from != NULL ? texel16_of(map, from->value) : 0;
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        tile->texels[i] = from != NULL && from->texels != NULL
                              ? texel16_of(map, from->texels[i * map->channel_count + map->channel])
                              : uniform;
    }
}

void coif_paint_map_write(coif_paint_map *map, const coif_tile_texels *tile, uint64_t revision)
{
    int32_t inside;
    coif_udim_tile *udim = coif_paint_map_udim_at(map, tile->column, tile->row, &inside);
    if (udim == NULL) {
        return;
    }
    coif_image_tile *to = &udim->image.tiles[inside];
    const int32_t channels = map->channel_count;
    if (to->texels == NULL && channels == 1 && coif_tile_is_uniform(tile)) {
        to->value = coif_paint_map_value(map, tile->texels[0]);
    } else {
        if (to->texels == NULL) {
            to->texels = coif_arena_new(&map->arena, COIF_TILE_TEXELS * channels, float);
            for (int32_t i = 0; i < COIF_TILE_TEXELS * channels; ++i) {
                to->texels[i] = to->value;
            }
        }
        for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
            // Unchanged texels keep their float value, of which the texel is a rounding.
            float *texel = &to->texels[i * channels + map->channel];
            if (texel16_of(map, *texel) != tile->texels[i]) {
                *texel = coif_paint_map_value(map, tile->texels[i]);
            }
        }
    }
    udim->exists = udim->dirty = true;
    map->tile_revisions[tile->row * map->columns + tile->column] = revision;
    map->revision = revision;
}

void coif_paint_map_read_values(const coif_paint_map *map, int32_t column, int32_t row,
                                double *values)
{
    int32_t inside;
    const coif_udim_tile *udim = coif_paint_map_udim_at(map, column, row, &inside);
    const coif_image_tile *from = udim != NULL ? &udim->image.tiles[inside] : NULL;
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        values[i] = from == NULL ? 0.0
                    : from->texels != NULL
                        ? (double)from->texels[i * map->channel_count + map->channel]
                        : (double)from->value;
    }
}

// The value nearest to `value` that rounds to the texel.
static float refined(const coif_paint_map *map, uint16_t texel, double value)
{
    if (texel16_of(map, (float)value) == texel) {
        return (float)value;
    }
    const double step = ((double)map->high - (double)map->low) / 65535.0;
    const double center = (double)map->low + (double)texel * step;
    return (float)(value < center ? center - 0.49 * step : center + 0.49 * step);
}

bool coif_paint_map_refine(coif_paint_map *map, const coif_tile_texels *tile, const double *values,
                           uint64_t revision)
{
    int32_t inside;
    coif_udim_tile *udim = coif_paint_map_udim_at(map, tile->column, tile->row, &inside);
    coif_image_tile *to = &udim->image.tiles[inside];
    const int32_t channels = map->channel_count;
    bool changed = false, uniform = channels == 1;
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        const float now = to->texels != NULL ? to->texels[i * channels + map->channel] : to->value;
        changed = changed || now != refined(map, tile->texels[i], values[i]);
        uniform = uniform && values[i] == values[0] && tile->texels[i] == tile->texels[0];
    }
    if (!changed) {
        return false;
    }
    if (to->texels == NULL && uniform) {
        to->value = refined(map, tile->texels[0], values[0]);
    } else {
        if (to->texels == NULL) {
            to->texels = coif_arena_new(&map->arena, COIF_TILE_TEXELS * channels, float);
            for (int32_t i = 0; i < COIF_TILE_TEXELS * channels; ++i) {
                to->texels[i] = to->value;
            }
        }
        for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
            to->texels[i * channels + map->channel] = refined(map, tile->texels[i], values[i]);
        }
    }
    udim->exists = udim->dirty = true;
    map->tile_revisions[tile->row * map->columns + tile->column] = revision;
    map->revision = revision;
    return true;
}

bool coif_tile_is_uniform(const coif_tile_texels *tile)
{
    for (int32_t i = 1; i < COIF_TILE_TEXELS; ++i) {
        if (tile->texels[i] != tile->texels[0]) {
            return false;
        }
    }
    return true;
}

static void pack_tile(const coif_paint_map *map, int32_t column, int32_t row, coif_strbuf *out)
{
    int32_t inside;
    const coif_udim_tile *udim = coif_paint_map_udim_at(map, column, row, &inside);
    if (udim == NULL) {
        return;
    }
    uint16_t record[RECORD_WORDS] = {(uint16_t)column, (uint16_t)row, KIND_UNIFORM,
                                     texel16_of(map, udim->image.tiles[inside].value)};
    if (udim->image.tiles[inside].texels == NULL) {
        coif_strbuf_add_bytes(out, (const char *)record, sizeof record);
        return;
    }
    coif_tile_texels tile = {.column = column, .row = row};
    coif_paint_map_read(map, &tile);
    const bool uniform = coif_tile_is_uniform(&tile);
    record[2] = uniform ? KIND_UNIFORM : KIND_TEXELS;
    record[3] = tile.texels[0];
    coif_strbuf_add_bytes(out, (const char *)record, sizeof record);
    if (!uniform) {
        coif_strbuf_add_bytes(out, (const char *)tile.texels, sizeof tile.texels);
    }
}

void coif_paint_map_pack(const coif_paint_map *map, uint64_t since, coif_strbuf *out)
{
    for (int32_t i = 0; i < map->columns * map->rows; ++i) {
        if (map->tile_revisions[i] > since) {
            pack_tile(map, i % map->columns, i / map->columns, out);
        }
    }
}

// Reads the texels of the set bits, on top of the current ones.
static bool read_masked(coif_tile_reader *reader, const coif_paint_map *map, int32_t count,
                        coif_tile_texels *tile)
{
    const size_t bytes = COIF_TILE_TEXELS / 8 + sizeof(uint16_t) * (size_t)count;
    if (reader->size - reader->at < bytes) {
        return false;
    }
    const unsigned char *mask = reader->data + reader->at;
    const unsigned char *values = mask + COIF_TILE_TEXELS / 8;
    coif_paint_map_read(map, tile);
    int32_t read = 0;
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        const bool is_set = mask[i / 8] >> i % 8 & 1;
        if (is_set && read < count) {
            memcpy(&tile->texels[i], values + sizeof(uint16_t) * (size_t)read, sizeof(uint16_t));
        }
        read += is_set;
    }
    reader->at += bytes;
    return read == count;
}

bool coif_tile_next(coif_tile_reader *reader, const coif_paint_map *map, coif_tile_texels *tile,
                    coif_error *error)
{
    if (reader->at == reader->size) {
        return false;
    }
    uint16_t record[RECORD_WORDS];
    if (reader->size - reader->at < sizeof record) {
        coif_fail(error, COIF_ERR_FORMAT, "malformed tile record: %zu trailing bytes",
                  reader->size - reader->at);
        return false;
    }
    memcpy(record, reader->data + reader->at, sizeof record);
    reader->at += sizeof record;
    *tile = (coif_tile_texels){.column = record[0], .row = record[1]};
    int32_t inside;
    if (record[0] >= map->columns || record[1] >= map->rows || record[2] > KIND_MASKED ||
        coif_paint_map_udim_at(map, record[0], record[1], &inside) == NULL) {
        coif_fail(error, COIF_ERR_FORMAT,
                  "malformed tile record: no tile at column %d, row %d (kind %d)", record[0],
                  record[1], record[2]);
        return false;
    }
    if (record[2] == KIND_UNIFORM) {
        for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
            tile->texels[i] = record[3];
        }
        return true;
    }
    if (record[2] == KIND_MASKED) {
        const bool valid = read_masked(reader, map, record[3], tile);
        if (!valid) {
            coif_fail(error, COIF_ERR_FORMAT,
                      "malformed tile record: texel count does not match its mask");
        }
        return valid;
    }
    if (reader->size - reader->at < sizeof tile->texels) {
        coif_fail(error, COIF_ERR_FORMAT, "malformed tile record: the last one is truncated");
        return false;
    }
    memcpy(tile->texels, reader->data + reader->at, sizeof tile->texels);
    reader->at += sizeof tile->texels;
    return true;
}
