// denoise_parts: what the files of denoise share.
#ifndef COIF_RENDER_DENOISE_DENOISE_INTERNAL_H
#define COIF_RENDER_DENOISE_DENOISE_INTERNAL_H

#include "core/base/jobs.h"
#include "core/base/log.h"
#include "render/film/film.h"

#include <stdatomic.h>

enum {
    COIF_GUIDES =
        8, // hair, bodies, albedo, normals of bodies; in units of what counts as different
    COIF_CHANNELS = 6, // brightness and two differences of colour of both halves
    COIF_LINE_LEVELS = 3,
    COIF_ATROUS_LEVELS = 4
};

// Where strands run in a pixel: along (x, y), right and down, as one or every which way.
typedef struct coif_strand_direction {
    float x, y;
    float reach; // 0: no strands or all directions, 1: all in one direction
} coif_strand_direction;

typedef struct coif_denoiser {
    int32_t width, height;
    coif_strand_direction *courses;
    float *guides;
    // What light is divided by before it is averaged and multiplied by again: freckles and the like
    // are known without noise. Around 1, three per pixel.
    float *paint;
    const float *share; // of the first half in a pixel's samples
    coif_jobs *jobs;
    coif_progress *progress;
    atomic_bool stop;
} coif_denoiser;

// Calls row for all rows, unless somebody wants to stop.
typedef void (*coif_denoise_row)(const coif_denoiser *denoiser, void *context, int32_t y);
void coif_denoise_rows(coif_denoiser *denoiser, coif_denoise_row row, void *context);

// Everything of a denoiser but its light.
void coif_denoise_guides(coif_denoiser *denoiser, const coif_film *film, coif_arena *arena);

// Means along strands, of channels values per pixel, over reaches of sigmas[i] pixels: one picture
// per level.
typedef struct coif_lines_desc {
    const float *from;
    float *to[COIF_LINE_LEVELS];
    float sigmas[COIF_LINE_LEVELS]; // ascending
    int32_t levels, channels;
    bool guided;
} coif_lines_desc;
void coif_denoise_lines(coif_denoiser *denoiser, const coif_lines_desc *desc);

// Guided means over all that is around: of pixels that are step apart.
typedef struct coif_atrous_desc {
    const float *from;
    float *to;
    float sigma; // pixels
    int32_t step;
} coif_atrous_desc;
void coif_denoise_atrous(coif_denoiser *denoiser, const coif_atrous_desc *desc);

// Adds the band between two levels to light (three per pixel), as much of it as both halves agree
// on.
typedef struct coif_subband_desc {
    const float *fine, *coarse;
    float *light;
} coif_subband_desc;
void coif_denoise_subband(coif_denoiser *denoiser, const coif_subband_desc *desc,
                          coif_arena *arena);

#endif
