// textures: every image of a scene, loaded once. Those of the sky are kept whole, as linear light.
#ifndef COIF_RENDER_SHADING_TEXTURE_CACHE_H
#define COIF_RENDER_SHADING_TEXTURE_CACHE_H

#include "core/base/vec.h"
#include "core/image/image.h"
#include "core/scene/scene.h"

typedef struct coif_image_texture {
    const char *path;
    coif_image image;
    uint64_t digest; // of its pixels
    struct coif_image_texture *next;
} coif_image_texture;

enum { COIF_TEXTURE_DEFAULT_MAX_SIZE = 8192 };

typedef struct coif_texture_cache {
    coif_arena *arena; // where images live
    coif_image_texture *first;
    struct coif_texture *atlases; // those of bodies (atlas.h)
    int32_t max_size;             // side that their pictures may have; 0: the usual
    const char *scene;            // the file that names them, for messages; may be NULL
} coif_texture_cache;

// Where a part of the picture reads its settings: a node of the scene at a frame, the textures that
// it may name, and room for what it makes.
typedef struct coif_param_source {
    const coif_node *node;
    double frame;
    coif_texture_cache *textures;
    coif_arena *arena;
} coif_param_source;

// Whether the scene itself gives a row.
bool coif_param_is_set(const coif_param_source *from, const char *row);

// Fails with what is wrong with the picture that a row names, and where the scene names it.
coif_status coif_param_error(const coif_param_source *from, const char *row,
                             const coif_error *cause, coif_error *error);

// The texture of a path, loaded when it is new.
coif_status coif_texture_cache_load(const coif_image_texture **texture,
                                    coif_texture_cache *textures, const char *path,
                                    coif_error *error);

// Its colour at (u, v), bilinear, repeated beyond 0 and 1; grey images give grey.
coif_vec3 coif_image_texture_at(const coif_image_texture *texture, float u, float v);

#endif
