// atlas: what is painted over a body's uv: one picture, or a picture for every UDIM tile.
//
// A path with <UDIM> in it stands for the files with 1001 to 1100 in its place: tile
// 1001 + u + 10 v holds the unit square of uv at (u, v). Tiles that have no file are not painted.
#ifndef COIF_RENDER_SHADING_TEXTURE_H
#define COIF_RENDER_SHADING_TEXTURE_H

#include "core/mesh/mesh.h"
#include "render/shading/mipmap.h"
#include "render/shading/texture_cache.h"

enum { COIF_UDIM_COLUMNS = 10, COIF_UDIM_TILES = 100 };

typedef struct coif_texture {
    const char *path;
    coif_map_kind kind;
    int32_t max_size;
    bool tiled;
    const coif_mipmap *tiles; // one, or COIF_UDIM_TILES of which some have no levels
    float mean[3];
    float texel; // size of the finest in uv
    uint64_t digest;
    struct coif_texture *next;
} coif_texture;

// Loaded once for a path and kind.
coif_status coif_texture_load(const coif_texture **atlas, coif_texture_cache *textures,
                              const char *path, coif_map_kind kind, coif_error *error);

// A row of the scene that names a picture.
typedef struct coif_texture_param {
    const char *name, *path;
    coif_map_kind kind;
} coif_texture_param;

// The same for what is painted over the uv of a mesh, which must have some. Mistakes name the row.
coif_status coif_texture_load_param(const coif_texture **atlas, const coif_param_source *from,
                                    const coif_texture_param *row, const coif_mesh *mesh,
                                    coif_error *error);

// The value at a place, averaged over about a width of uv; false where nothing is painted.
bool coif_texture_at(const coif_texture *atlas, coif_vec2 uv, float width, coif_wrap wrap,
                     coif_vec3 *value);

#endif
