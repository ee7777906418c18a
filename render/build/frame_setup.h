// frame_setup: everything of one frame that is known before its hair is read: posed bodies,
// materials, lights, AOVs, and digests of all settings.
#ifndef COIF_RENDER_BUILD_FRAME_SETUP_H
#define COIF_RENDER_BUILD_FRAME_SETUP_H

#include "render/build/image_params.h"
#include "render/build/render_assets.h"
#include "render/camera/camera.h"
#include "render/lights/light.h"

typedef struct coif_frame_setup {
    double frame;            // may lie between frames of the cache
    double number;           // of the image: the frame, or that of a turntable
    const coif_node *camera; // section
    coif_image_params image;
    coif_sampling_params sampling;
    coif_output_params output;
    coif_shutter shutter;        // of bodies, hair and instances
    coif_shutter camera_shutter; // the same, but for a turntable
    int32_t steps;               // of bodies and hair: those of the shutter, or 1 without motion
    coif_mesh *meshes;           // steps per body, posed
    coif_surface_material **materials; // one list per body
    coif_lights lights;
    int32_t *light_groups; // of emissive bodies, per body
    coif_aovs aovs;
    coif_rect window;         // pixels that are written
    coif_rect region;         // pixels that are rendered, see film.h
    coif_render_tile tile;    // of the image, where it is rendered in tiles
    bool splat;               // filter splatting
    bool denoise_film;        // inputs of the denoiser are stored (image/denoise_frames)
    coif_mesh *motion_meshes; // COIF_MOTION_FRAMES per body; NULL: no motion vectors
    uint64_t film_digest;     // of everything the film depends on
    uint64_t settings;        // of everything the image depends on
} coif_frame_setup;

// Poses bodies, loads textures and reads parameters. Of strands only digests are read, so frames
// that are up to date cost little. Number: the frame, or the image of a turntable.
coif_status coif_frame_setup_init(coif_frame_setup *setup, coif_render_assets *assets,
                                  double number, coif_arena *arena, coif_error *error);

// The pixels to render so that those of a tile equal those of the whole image.
coif_rect coif_frame_setup_tile_region(const coif_frame_setup *setup, coif_render_tile tile);

// For an image with another number of samples than requested.
void coif_frame_setup_set_samples(coif_frame_setup *setup, int32_t samples);

#endif
