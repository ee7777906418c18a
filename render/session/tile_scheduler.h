// tile_scheduler: renders a pass over all tiles of a film in parallel.
#ifndef COIF_RENDER_SESSION_TILE_SCHEDULER_H
#define COIF_RENDER_SESSION_TILE_SCHEDULER_H

#include "render/film/adaptive_sampling.h"
#include "render/scene/render_scene.h"

typedef struct coif_tile_pass {
    const coif_render_scene *scene;
    // Every pixel is sampled up to sampling->samples, or until its block has converged (adaptive
    // sampling, for which the film must hold the variance).
    const coif_sampling_params *sampling;
    bool transparent;   // alpha is coverage, else 1
    int32_t pixel_step; // 2, 4 or 8 on an empty film: one sampled pixel stands for a square of them
    double checkpoint_seconds; // between calls of checkpoint; 0: never
    // Called from one worker at a time while others render; logs its own failures.
    void (*checkpoint)(void *context, const coif_film *film);
    void *context;
} coif_tile_pass;

// COIF_ERR_CANCELLED when progress was cancelled; finished blocks keep their samples.
coif_status coif_tiles_render_pass(coif_film *film, const coif_tile_pass *pass, coif_jobs *jobs,
                                   coif_progress *progress, coif_error *error);

// Upper bound of the samples that are left.
int64_t coif_tiles_samples_left(const coif_film *film, int32_t samples);

#endif
