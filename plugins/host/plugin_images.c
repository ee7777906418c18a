// plugin_images: loading and sampling of single images and UDIM tile sets.
#include "plugins/host/plugin_images.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"

#include <math.h>

enum { TILE_COUNT = COIF_UDIM_LAST - COIF_UDIM_FIRST + 1 };

// The override or the file; NULL when neither exists.
static coif_status load_image(const coif_image **image, const char *path,
                              const coif_image_overrides *overrides, coif_arena *arena,
                              coif_error *error)
{
    *image = overrides != NULL ? overrides->find(overrides->data, path) : NULL;
    if (*image != NULL || !coif_path_exists(path)) {
        return COIF_OK;
    }
    coif_image *loaded = coif_arena_new(arena, 1, coif_image);
    *image = loaded;
    return coif_image_load_full(loaded, path, arena, error);
}

static coif_status load_tile(coif_udim_image *tiles, int32_t index, const char *path,
                             const coif_image_overrides *overrides, coif_arena *arena,
                             coif_error *error)
{
    const coif_image *image;
    COIF_TRY(load_image(&image, path, overrides, arena, error));
    if (image == NULL) {
        return COIF_OK;
    }
    if (tiles->channel_count != 0 && image->channel_count != tiles->channel_count) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: %d channels, previous tiles have %d", path,
                         image->channel_count, tiles->channel_count);
    }
    tiles->tiles[index] = image;
    tiles->channel_count = image->channel_count;
    return COIF_OK;
}

static coif_status load_tiles(coif_udim_image *tiles, const char *path,
                              const coif_image_overrides *overrides, coif_arena *arena,
                              coif_error *error)
{
    tiles->tiles = coif_arena_new(arena, TILE_COUNT, const coif_image *);
    for (int32_t i = 0; i < TILE_COUNT; ++i) {
        const char *name = coif_udim_tile_path(path, COIF_UDIM_FIRST + i, arena);
        COIF_TRY(load_tile(tiles, i, name, overrides, arena, error));
    }
    if (tiles->channel_count == 0) {
        return coif_fail(error, COIF_ERR_IO, "%s: no tile from %d to %d exists", path,
                         COIF_UDIM_FIRST, COIF_UDIM_LAST);
    }
    return COIF_OK;
}

coif_status coif_udim_image_load(coif_udim_image *tiles, const char *path,
                                 const coif_image_overrides *overrides, coif_arena *arena,
                                 coif_error *error)
{
    *tiles = (coif_udim_image){0};
    if (coif_path_is_udim(path)) {
        return load_tiles(tiles, path, overrides, arena, error);
    }
    tiles->single = overrides != NULL ? overrides->find(overrides->data, path) : NULL;
    if (tiles->single == NULL) {
        coif_image *image = coif_arena_new(arena, 1, coif_image);
        COIF_TRY(coif_image_load_full(image, path, arena, error));
        tiles->single = image;
    }
    tiles->channel_count = tiles->single->channel_count;
    return COIF_OK;
}

static const coif_image *tile_at(const coif_udim_image *tiles, float column, float row)
{
    // False for NaN and for tiles outside the range.
    if (!(column >= 0.0f && column < (float)COIF_UDIM_COLUMNS && row >= 0.0f && row < 100.0f)) {
        return NULL;
    }
    const int32_t index = (int32_t)column + COIF_UDIM_COLUMNS * (int32_t)row;
    return index < TILE_COUNT ? tiles->tiles[index] : NULL;
}

// The tile that covers (u, v), or NULL; (u, v) becomes relative to it.
static const coif_image *find_tile(const coif_udim_image *tiles, float *u, float *v)
{
    if (tiles->single != NULL) {
        return tiles->single;
    }
    // A point on the edge between two tiles belongs to the next one, if that exists.
    const float columns[2] = {floorf(*u), floorf(*u) == *u ? *u - 1.0f : floorf(*u)};
    const float rows[2] = {floorf(*v), floorf(*v) == *v ? *v - 1.0f : floorf(*v)};
    for (int i = 0; i < 4; ++i) {
        const float column = columns[i & 1], row = rows[i >> 1];
        const coif_image *image = tile_at(tiles, column, row);
        if (image != NULL) {
            *u -= column;
            *v -= row;
            return image;
        }
    }
    return NULL;
}

float coif_udim_image_sample(const coif_udim_image *tiles, int32_t channel, float u, float v)
{
    const coif_image *image = find_tile(tiles, &u, &v);
    return image != NULL ? coif_image_sample(image, channel, u, v) : 0.0f;
}

float coif_udim_image_texel(const coif_udim_image *tiles, int32_t channel, float u, float v)
{
    const coif_image *image = find_tile(tiles, &u, &v);
    return image != NULL ? coif_image_texel(image, channel, u, v) : 0.0f;
}
