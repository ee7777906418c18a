// Images of a scene, cached by path: environment images as linear floats, and textures over the uv
// of a body, one image or one per UDIM tile.
//
// <UDIM> in a path is replaced by 1001 to 1100: tile 1001 + u + 10 v covers the unit square of uv
// at (u, v). Tiles without a file have no value.
#ifndef COIF_RENDER_SHADING_TEXTURE_H
#define COIF_RENDER_SHADING_TEXTURE_H

#include "core/image/image.h"
#include "core/image/udim.h"
#include "core/mesh/mesh.h"
#include "core/scene/scene.h"
#include "render/shading/mipmap.h"

typedef struct coif_image_texture {
    const char *path;
    coif_image image;
    uint64_t digest; // of its pixels
    coif_working_space space;
    struct coif_image_texture *next;
} coif_image_texture;

enum { COIF_TEXTURE_DEFAULT_MAX_SIZE = 8192 };

typedef struct coif_texture_cache {
    coif_arena *arena; // of the images
    coif_image_texture *first;
    struct coif_texture *textures; // of bodies
    int32_t max_size;              // maximum side of their images; 0: the default
    coif_working_space space;      // of colours
    const char *scene;             // path of the scene file, for messages; may be NULL
} coif_texture_cache;

// Where parameters are read from: a scene node at a frame, the textures that it may name, and an
// arena for results.
typedef struct coif_param_source {
    const coif_node *node;
    double frame;
    coif_texture_cache *textures;
    coif_arena *arena;
} coif_param_source;

// Whether the scene sets a parameter.
bool coif_param_is_set(const coif_param_source *from, const char *row);

// Fails with the cause, prefixed by scene file and parameter path.
coif_status coif_param_error(const coif_param_source *from, const char *row,
                             const coif_error *cause, coif_error *error);

// The environment image of a path, loaded when it is new.
coif_status coif_texture_cache_load(const coif_image_texture **texture,
                                    coif_texture_cache *textures, const char *path,
                                    coif_error *error);

typedef struct coif_texture {
    const char *path;
    coif_map_kind kind;
    int32_t max_size;
    coif_working_space space;
    bool tiled;
    const coif_mipmap *tiles; // one, or COIF_UDIM_TILES of which some have no levels
    float mean[3];
    float texel; // size of the finest texel in uv
    uint64_t digest;
    struct coif_texture *next;
} coif_texture;

// Cached by path, kind, maximum size and colour space.
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
