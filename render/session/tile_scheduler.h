// tiles: the loop over a picture's tiles, in parallel, with cancel and checkpoints.
#ifndef COIF_RENDER_SESSION_TILE_SCHEDULER_H
#define COIF_RENDER_SESSION_TILE_SCHEDULER_H

#include "render/film/film.h"
#include "render/scene/render_scene.h"

typedef struct coif_tile_pass {
    const coif_render_scene *stage;
    // Pixels get samples until each has image->samples, or is good enough (image->noise, for which
    // the film must gather the variance).
    const coif_image_params *image;
    int32_t block; // above 1, on an empty film: one pixel stands for so many each way, 2, 4 or 8
    double checkpoint_seconds; // between calls of save; 0 for none
    // Called from one worker at a time while others go on; a failure is logged by save itself.
    void (*save)(void *context, const coif_film *film);
    void *context;
} coif_tile_pass;

// COIF_ERR_CANCELLED when progress was cancelled; pixels that were finished by then stay so.
coif_status coif_tiles_render_pass(coif_film *film, const coif_tile_pass *desc, coif_jobs *jobs,
                                   coif_progress *progress, coif_error *error);

// Samples that are still to be taken, at most.
int64_t coif_tiles_samples_left(const coif_film *film, int32_t samples);

#endif
