// Texture over the uv of a body: one image, or one per UDIM tile.
//
// <UDIM> in a path is replaced by 1001 to 1100: tile 1001 + u + 10 v covers the unit square of uv
// at (u, v). Tiles without a file have no value.
#ifndef COIF_RENDER_SHADING_TEXTURE_H
#define COIF_RENDER_SHADING_TEXTURE_H

#include "core/image/udim.h"
#include "core/mesh/mesh.h"
#include "render/shading/mipmap.h"
#include "render/shading/texture_cache.h"

typedef struct coif_texture {
    const char *path;
    coif_map_kind kind;
    int32_t max_size;
    bool tiled;
    const coif_mipmap *tiles; // one, or COIF_UDIM_TILES of which some have no levels
    float mean[3];
    float texel; // size of the finest texel in uv
    uint64_t digest;
    struct coif_texture *next;
} coif_texture;

// Cached by path and kind.
coif_status coif_texture_load(const coif_texture **texture, coif_texture_cache *textures,
                              const char *path, coif_map_kind kind, coif_error *error);

// A scene parameter that names an image.
typedef struct coif_texture_param {
    const char *name, *path;
    coif_map_kind kind;
} coif_texture_param;

// The same for a mesh, which must have uv. Errors name the parameter.
coif_status coif_texture_load_param(const coif_texture **texture, const coif_param_source *from,
                                    const coif_texture_param *row, const coif_mesh *mesh,
                                    coif_error *error);

// Filtered lookup with a footprint of width in uv; false where there is no tile.
bool coif_texture_at(const coif_texture *texture, coif_vec2 uv, float width, coif_wrap wrap,
                     coif_vec3 *value);

#endif
