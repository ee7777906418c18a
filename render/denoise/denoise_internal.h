// denoise_internal: shared by the files of the denoiser.
#ifndef COIF_RENDER_DENOISE_DENOISE_INTERNAL_H
#define COIF_RENDER_DENOISE_DENOISE_INTERNAL_H

#include "core/base/jobs.h"
#include "core/base/log.h"
#include "render/denoise/denoise_frame.h"
#include "render/film/film.h"

#include <stdatomic.h>

enum {
    COIF_GUIDES =
        8, // coverage of hair and meshes, albedo, normals of meshes; scaled so that 1 is different
    COIF_CHANNELS = 6, // luma and two chroma differences of both halves
    COIF_LIGHTS = 2,   // direct and indirect
    COIF_LINE_LEVELS = 3,
    COIF_ATROUS_LEVELS = 4
};

// Dominant screen-space strand direction of a pixel: (x, y), right and down.
typedef struct coif_strand_direction {
    float x, y;
    float coherence; // 0: no strands or no common direction, 1: all parallel
} coif_strand_direction;

typedef struct coif_denoiser {
    int32_t width, height;
    const coif_film *film;           // source of light and guides
    const coif_denoise_frame *frame; // the same, if film is NULL
    float gain_exponent;             // of subbands, see denoise.h
    float *denoised;                 // RGB per pixel: as rendered, then filtered
    coif_strand_direction *directions;
    float *guides;
    // Ratio of albedo to its local mean, RGB per pixel: demodulates light before filtering.
    float *albedo_ratio;
    const float *half_fraction; // of the samples of a pixel that are in the first half
    coif_jobs *jobs;
    coif_progress *progress;
    atomic_bool stop;
} coif_denoiser;

static inline int32_t coif_clamp_index(int32_t i, int32_t count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

// Lanczos kernel of six taps at tabulated subpixel offsets: shorter kernels blur strands that are
// hardly wider than a pixel. The first tap is two pixels before the whole part of a coordinate.
enum { COIF_LANCZOS_TAPS = 6, COIF_LANCZOS_OFFSETS = 64 };
typedef struct coif_lanczos {
    float weights[COIF_LANCZOS_OFFSETS + 1][COIF_LANCZOS_TAPS];
} coif_lanczos;
void coif_lanczos_init(coif_lanczos *kernel);

static inline const float *coif_lanczos_at(const coif_lanczos *kernel, float fraction)
{
    return kernel->weights[(int32_t)(fraction * COIF_LANCZOS_OFFSETS + 0.5f)];
}

// Calls row for all rows in parallel, until cancelled.
typedef void (*coif_denoise_row)(const coif_denoiser *denoiser, void *context, int32_t y);
void coif_denoise_rows(coif_denoiser *denoiser, coif_denoise_row row, void *context);

// Fills directions, guides, albedo_ratio and half_fraction.
void coif_denoise_guides(coif_denoiser *denoiser, coif_arena *arena);

// Line filters along strands with Gaussian weights of sigmas[i] pixels, one result per level.
typedef struct coif_lines_desc {
    const float *from;
    float *to[COIF_LINE_LEVELS];
    float sigmas[COIF_LINE_LEVELS]; // ascending
    int32_t levels, channels;
    bool guided;
} coif_lines_desc;
void coif_denoise_lines(coif_denoiser *denoiser, const coif_lines_desc *desc);

// Joint bilateral a-trous filter of direct and indirect light, which have the same weights: taps
// are step pixels apart.
typedef struct coif_atrous_desc {
    const float *from[COIF_LIGHTS];
    float *to[COIF_LIGHTS];
    float sigma; // pixels
    int32_t step;
} coif_atrous_desc;
void coif_denoise_atrous(coif_denoiser *denoiser, const coif_atrous_desc *desc);

// Adds the subband between two levels to light (RGB per pixel), scaled by the gain of denoise.h.
typedef struct coif_subband_desc {
    const float *fine, *coarse;
    float *light;
} coif_subband_desc;
void coif_denoise_subband(coif_denoiser *denoiser, const coif_subband_desc *desc,
                          coif_arena *arena);

#endif
