// plugin_images: images opened by a plugin, single files or UDIM tile sets.
#ifndef COIF_PLUGINS_HOST_PLUGIN_IMAGES_H
#define COIF_PLUGINS_HOST_PLUGIN_IMAGES_H

#include "core/image/image.h"
#include "core/image/udim.h"

typedef struct coif_udim_image {
    const coif_image *single; // NULL when tiled
    const coif_image **tiles; // COIF_UDIM_LAST - COIF_UDIM_FIRST + 1, NULL where there is none
    int32_t channel_count;
} coif_udim_image;

// Loads a file, or all existing tiles of a path with <UDIM>; no tile at all is an error. Images in
// `overrides` (may be NULL) take precedence over files.
coif_status coif_udim_image_load(coif_udim_image *tiles, const char *path,
                                 const coif_image_overrides *overrides, coif_arena *arena,
                                 coif_error *error);

// Bilinear and nearest-texel lookup; 0 where no tile covers (u, v).
float coif_udim_image_sample(const coif_udim_image *tiles, int32_t channel, float u, float v);
float coif_udim_image_texel(const coif_udim_image *tiles, int32_t channel, float u, float v);

#endif
