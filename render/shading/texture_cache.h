// Cache of all images of a scene; environment images are kept as linear floats.
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
    coif_arena *arena; // of the images
    coif_image_texture *first;
    struct coif_texture *textures; // of bodies (texture.h)
    int32_t max_size;              // maximum side of their images; 0: the default
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

#endif
