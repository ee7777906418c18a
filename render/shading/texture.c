// Images of a scene: environment images and textures of bodies.
#include "render/shading/texture.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/base/log.h"

#include <math.h>
#include <string.h>

// Radiance must be finite and not negative. Merged HDR images often have a few slightly negative
// pixels, which become black; NaN and infinity are errors.
static coif_status check_light(coif_image *image, const char *path, coif_error *error)
{
    const size_t channels = (size_t)image->channel_count;
    const size_t count = (size_t)image->width * (size_t)image->height * channels;
    size_t below = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(image->pixels[i])) {
            const size_t pixel = i / channels;
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: pixel %zu,%zu is %s where light must be a finite number", path,
                             pixel % (size_t)image->width, pixel / (size_t)image->width,
                             isnan(image->pixels[i]) ? "not a number" : "infinite");
        }
        if (image->pixels[i] < 0.0f) {
            image->pixels[i] = 0.0f;
            ++below;
        }
    }
    if (below > 0) {
        coif_log(COIF_LOG_WARNING, "%s: %zu values below 0 are taken as black", path, below);
    }
    return COIF_OK;
}

coif_status coif_texture_cache_load(const coif_image_texture **texture,
                                    coif_texture_cache *textures, const char *path,
                                    coif_error *error)
{
    for (coif_image_texture *known = textures->first; known != NULL; known = known->next) {
        if (known->space == textures->space && strcmp(known->path, path) == 0) {
            *texture = known;
            return COIF_OK;
        }
    }
    coif_image_texture *made = coif_arena_new(textures->arena, 1, coif_image_texture);
    COIF_TRY(coif_image_load_full(&made->image, path, textures->arena, error));
    const coif_image *image = &made->image;
    if (image->width < 1 || image->height < 1 || image->channel_count < 1) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: an image without pixels", path);
    }
    coif_image_linearise(&made->image);
    COIF_TRY(check_light(&made->image, path, error));
    if (image->channel_count >= 3) {
        coif_working_convert_pixels(textures->space, image->pixels,
                                    (size_t)image->width * (size_t)image->height,
                                    (size_t)image->channel_count);
    }
    made->space = textures->space;
    made->path = coif_arena_copy_text(textures->arena, path);
    made->digest =
        coif_hash64(image->pixels, sizeof(float) * (size_t)image->width * (size_t)image->height *
                                       (size_t)image->channel_count);
    made->next = textures->first;
    textures->first = made;
    *texture = made;
    return COIF_OK;
}

bool coif_param_is_set(const coif_param_source *from, const char *row)
{
    const coif_value *value = coif_values_find(&from->node->values, row);
    return value != NULL && value->given;
}

coif_status coif_param_error(const coif_param_source *from, const char *row,
                             const coif_error *cause, coif_error *error)
{
    // An invalid image name is an error of the scene, not of the command line.
    const coif_status status = cause->status == COIF_ERR_ARGUMENT ? COIF_ERR_SCENE : cause->status;
    const char *scene = from->textures->scene;
    return coif_fail(error, status, "%s%s%s/%s: %s", scene != NULL ? scene : "",
                     scene != NULL ? ": " : "", from->node->path, row, cause->text);
}

static coif_status load_image(coif_mipmap *mipmap, const coif_texture *texture, const char *path,
                              coif_arena *arena, coif_error *error)
{
    const coif_mipmap_desc desc = {path, texture->kind, texture->max_size, texture->space};
    return coif_mipmap_load(mipmap, &desc, arena, error);
}

static coif_status load_tiles(coif_texture *texture, coif_arena *arena, coif_error *error)
{
    coif_mipmap *tiles = coif_arena_new(arena, COIF_UDIM_TILES, coif_mipmap);
    int32_t found = 0;
    for (int32_t i = 0; i < COIF_UDIM_TILES; ++i) {
        const char *path = coif_udim_tile_path(texture->path, COIF_UDIM_FIRST + i, arena);
        if (!coif_path_exists(path)) {
            continue;
        }
        COIF_TRY(load_image(&tiles[i], texture, path, arena, error));
        texture->digest = coif_hash64_extend(texture->digest, &tiles[i].digest, sizeof(uint64_t));
        texture->digest = coif_hash64_extend(texture->digest, &i, sizeof i);
        ++found;
        for (int c = 0; c < 3; ++c) {
            texture->mean[c] += (tiles[i].mean[c] - texture->mean[c]) / (float)found;
        }
    }
    texture->tiled = true;
    texture->tiles = tiles;
    return found > 0 ? COIF_OK
                     : coif_fail(error, COIF_ERR_IO, "%s: no tile from 1001 to 1100 exists",
                                 texture->path);
}

static coif_status load(coif_texture *texture, coif_arena *arena, coif_error *error)
{
    if (coif_path_is_udim(texture->path)) {
        return load_tiles(texture, arena, error);
    }
    coif_mipmap *tile = coif_arena_new(arena, 1, coif_mipmap);
    COIF_TRY(load_image(tile, texture, texture->path, arena, error));
    texture->tiles = tile;
    texture->digest = tile->digest;
    memcpy(texture->mean, tile->mean, sizeof texture->mean);
    return COIF_OK;
}

static float finest_texel(const coif_texture *texture)
{
    int32_t most = 1;
    for (int32_t i = 0; i < (texture->tiled ? COIF_UDIM_TILES : 1); ++i) {
        const coif_mipmap *tile = &texture->tiles[i];
        if (tile->level_count > 0 && tile->levels[0].width > most) {
            most = tile->levels[0].width;
        }
    }
    return 1.0f / (float)most;
}

coif_status coif_texture_load(const coif_texture **texture, coif_texture_cache *textures,
                              const char *path, coif_map_kind kind, coif_error *error)
{
    const int32_t max_size =
        textures->max_size > 0 ? textures->max_size : COIF_TEXTURE_DEFAULT_MAX_SIZE;
    for (const coif_texture *known = textures->textures; known != NULL; known = known->next) {
        if (known->kind == kind && known->max_size == max_size && known->space == textures->space &&
            strcmp(known->path, path) == 0) {
            *texture = known;
            return COIF_OK;
        }
    }
    coif_texture *made = coif_arena_new(textures->arena, 1, coif_texture);
    made->path = coif_arena_copy_text(textures->arena, path);
    made->kind = kind;
    made->max_size = max_size;
    made->space = textures->space;
    COIF_TRY(load(made, textures->arena, error));
    made->texel = finest_texel(made);
    made->next = textures->textures;
    textures->textures = made;
    *texture = made;
    return COIF_OK;
}

coif_status coif_texture_load_param(const coif_texture **texture, const coif_param_source *from,
                                    const coif_texture_param *row, const coif_mesh *mesh,
                                    coif_error *error)
{
    coif_error cause = {0};
    if (mesh->uvs == NULL) {
        coif_fail(&cause, COIF_ERR_SCENE, "the body's mesh has no texture coordinates");
    } else if (coif_texture_load(texture, from->textures, row->path, row->kind, &cause) ==
               COIF_OK) {
        return COIF_OK;
    }
    return coif_param_error(from, row->name, &cause, error);
}

bool coif_texture_at(const coif_texture *texture, coif_vec2 uv, float width, coif_wrap wrap,
                     coif_vec3 *value)
{
    if (!texture->tiled) {
        *value = coif_mipmap_at(texture->tiles, uv, width, wrap);
        return true;
    }
    const float u = floorf(uv.x), v = floorf(uv.y);
    if (!(u >= 0.0f) || !(u < (float)COIF_UDIM_COLUMNS) || !(v >= 0.0f) ||
        !(v < (float)(COIF_UDIM_TILES / COIF_UDIM_COLUMNS))) {
        return false;
    }
    const coif_mipmap *tile = &texture->tiles[(int32_t)u + COIF_UDIM_COLUMNS * (int32_t)v];
    if (tile->level_count == 0) {
        return false;
    }
    *value = coif_mipmap_at(tile, (coif_vec2){uv.x - u, uv.y - v}, width, COIF_WRAP_CLAMP);
    return true;
}
