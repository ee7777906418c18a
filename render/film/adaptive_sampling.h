// adaptive_sampling: decides which 8 x 8 blocks of the film get further samples.
//
// Every block gets adaptive_min_samples; a block whose error estimate exceeds the threshold doubles
// its sample count, until it has all samples. The estimate uses the block's own samples alone, so
// it does not depend on crop, tile order or threads. All blocks advance together from check to
// check, because splatting is restricted to blocks that are still sampled: into a finished pixel
// its neighbours would splat samples from one side only.
#ifndef COIF_RENDER_FILM_ADAPTIVE_SAMPLING_H
#define COIF_RENDER_FILM_ADAPTIVE_SAMPLING_H

#include "render/film/film.h"

// How pixels are sampled.
typedef struct coif_sampling_params {
    int32_t samples; // per pixel, at most
    int32_t seed;
    coif_pixel_filter_kind filter;
    float
        adaptive_threshold; // relative error at which a block is finished; 0: no adaptive sampling
    int32_t adaptive_min_samples;
} coif_sampling_params;

typedef struct coif_adaptive_state {
    int32_t x0, y0, blocks_x, blocks_y; // block coordinates of the film
    bool *needs_samples;                // per block, as of the last check
} coif_adaptive_state;

void coif_adaptive_state_init(coif_adaptive_state *state, const coif_film *film, coif_arena *arena);

// Sample count of the first check after count; all samples without adaptive sampling.
int32_t coif_adaptive_next_check(const coif_sampling_params *sampling, int32_t count);

// Evaluates all blocks at a check. Every block has that many samples by then, or was finished with
// fewer.
void coif_adaptive_state_update(coif_adaptive_state *state, const coif_film *film,
                                const coif_sampling_params *sampling, int32_t check);

// Whether the block of a pixel needs samples: false outside the image, true outside the film.
bool coif_adaptive_state_needs_samples(const coif_adaptive_state *state, const coif_film *film,
                                       int32_t x, int32_t y);

#endif
