// layers: the painted maps of a scene: every density.texture of a groom's maps that is one file.
#ifndef COIF_TOOLS_STUDIO_LAYERS_H
#define COIF_TOOLS_STUDIO_LAYERS_H

#include "tools/studio/studio.h"

// The layer of a file, NULL when there is none.
coif_layer *coif_layers_find(const coif_studio *studio, const char *path);

// Loads the layers that a text names and that are not there yet, and notes which ones it names.
coif_status coif_layers_follow(coif_studio *studio, const coif_scene *scene, coif_error *error);

// A new layer: its file, and an entry in the groom's maps. Name must be fit for a file. Picture is
// what to begin with, or NULL for side x side texels of one value.
typedef struct coif_new_layer {
    int32_t groom;
    const char *name;
    int32_t side;
    uint16_t value;
    const coif_bytes *picture; // bytes of a PNG, EXR or TIFF file; its name gives the format
    const coif_layer *copy;    // another layer to begin with
} coif_new_layer;
coif_status coif_layers_add(coif_studio *studio, const coif_new_layer *layer, coif_error *error);

// The bytes of a layer as a file of that extension, in arena.
coif_status coif_layers_encode(char **data, size_t *size, const coif_layer *layer,
                               const char *extension, coif_arena *arena, coif_error *error);

// Copies of all pictures, for work without the lock; both live in arena.
void coif_layers_snapshot(coif_pictures *pictures, const coif_studio *studio, coif_arena *arena);

void coif_layers_free(coif_studio *studio);

#endif
