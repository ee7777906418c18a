// denoise_guides: feature buffers of the denoiser: coverage, albedo, normals, strand directions.
#include "core/base/arena.h"
#include "render/denoise/denoise.h"
#include "render/denoise/denoise_internal.h"
#include "render/math/fast_math.h"

#include <math.h>
#include <string.h>

// Per pixel, before filtering.
typedef struct guide_inputs {
    float *tensors; // structure tensors of strand directions
    float *guides;  // not yet filtered along strands
    float *albedo;  // of meshes times coverage, and coverage
    float *blurred; // the same, blurred along rows
    float *half_fraction;
} guide_inputs;

enum { ALBEDO_CHANNELS = 4 };

// The inputs of a pixel that are neither light nor motion, as COIF_INPUT_MASK and later channels.
static void read_features(const coif_denoiser *denoiser, size_t pixel, float *to)
{
    const coif_film *film = denoiser->film;
    if (film != NULL) {
        coif_denoise_features(film, pixel, to);
    } else {
        memcpy(to, coif_denoise_inputs(denoiser->frame, pixel), COIF_INPUT_LINEAR * sizeof *to);
    }
}

static void read_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const guide_inputs *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        float inputs[COIF_INPUT_LINEAR];
        read_features(denoiser, pixel, inputs);
        const float hair = inputs[COIF_INPUT_MASK], body = inputs[COIF_INPUT_MASK + 1];
        float *guide = all->guides + pixel * COIF_GUIDES;
        guide[0] = 5.0f * hair;
        guide[1] = 5.0f * body;
        for (size_t c = 0; c < 3; ++c) {
            guide[2 + c] = 10.0f * inputs[COIF_INPUT_ALBEDO + c];
            guide[5 + c] = 5.0f * (1.0f - hair) * inputs[COIF_INPUT_NORMAL + c];
            all->tensors[3 * pixel + c] = inputs[COIF_INPUT_TENSOR + c];
            all->albedo[ALBEDO_CHANNELS * pixel + c] = inputs[COIF_INPUT_MESH_ALBEDO + c];
        }
        all->albedo[ALBEDO_CHANNELS * pixel + 3] = body;
        all->half_fraction[pixel] = inputs[COIF_INPUT_FIRST_HALF];
    }
}

// Directions are unoriented: averaged as structure tensors, i.e. with doubled angles.
static void direction_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    enum { RADIUS = 4 };
    const float sigma = 1.5f;
    const guide_inputs *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        float tensor[3] = {0};
        float weights = 0.0f;
        for (int32_t j = -RADIUS; j <= RADIUS; ++j) {
            for (int32_t i = -RADIUS; i <= RADIUS; ++i) {
                const int32_t qx = x + i, qy = y + j;
                if (qx < 0 || qy < 0 || qx >= denoiser->width || qy >= denoiser->height) {
                    continue;
                }
                const float weight =
                    coif_fast_exp(-0.5f * (float)(i * i + j * j) / (sigma * sigma));
                const float *from =
                    all->tensors + 3 * ((size_t)qy * (size_t)denoiser->width + (size_t)qx);
                weights += weight;
                for (int c = 0; c < 3; ++c) {
                    tensor[c] += weight * from[c];
                }
            }
        }
        const float length = sqrtf(tensor[0] * tensor[0] + tensor[1] * tensor[1]);
        const float parallel = length / (tensor[2] + 1e-3f * weights);
        const float cosine = length > 0.0f ? tensor[0] / length : 1.0f;
        denoiser->directions[(size_t)y * (size_t)denoiser->width + (size_t)x] =
            (coif_strand_direction){
                .x = sqrtf(coif_max(0.0f, 0.5f + 0.5f * cosine)),
                .y =
                    (tensor[1] < 0.0f ? -1.0f : 1.0f) * sqrtf(coif_max(0.0f, 0.5f - 0.5f * cosine)),
                .coherence = length > 0.0f ? parallel * parallel : 0.0f,
            };
    }
}

// Gaussian mean of albedo on one axis, wider than the widest filter.
static void blur_albedo(float to[ALBEDO_CHANNELS], const float *from, int32_t at, int32_t count,
                        size_t step)
{
    enum { RADIUS = 20 };
    const float sigma = 8.0f;
    for (int c = 0; c < ALBEDO_CHANNELS; ++c) {
        to[c] = 0.0f;
    }
    for (int32_t i = -RADIUS; i <= RADIUS; ++i) {
        if (at + i < 0 || at + i >= count) {
            continue;
        }
        const float weight = coif_fast_exp(-0.5f * (float)(i * i) / (sigma * sigma));
        const float *q = from + step * (size_t)(at + i);
        for (int c = 0; c < ALBEDO_CHANNELS; ++c) {
            to[c] += weight * q[c];
        }
    }
}

static void blur_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const guide_inputs *all = context;
    const size_t row = ALBEDO_CHANNELS * (size_t)y * (size_t)denoiser->width;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        blur_albedo(all->blurred + row + ALBEDO_CHANNELS * (size_t)x, all->albedo + row, x,
                    denoiser->width, ALBEDO_CHANNELS);
    }
}

// Ratio of albedo to its local mean. A few hundredths are added for the specular coat, which does
// not depend on albedo; pixels with more hair than mesh keep a ratio of 1.
static void albedo_ratio_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const float coat = 0.04f, max_ratio = 8.0f;
    const guide_inputs *all = context;
    const size_t step = ALBEDO_CHANNELS * (size_t)denoiser->width;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const float *own = all->albedo + ALBEDO_CHANNELS * pixel;
        const float weight = coif_clamp(2.0f * own[3] - 1.0f, 0.0f, 1.0f);
        float around[ALBEDO_CHANNELS];
        blur_albedo(around, all->blurred + ALBEDO_CHANNELS * (size_t)x, y, denoiser->height, step);
        for (size_t c = 0; c < 3; ++c) {
            const float ratio =
                weight > 0.0f ? (own[c] / own[3] + coat) / (around[c] / around[3] + coat) : 1.0f;
            denoiser->albedo_ratio[3 * pixel + c] =
                1.0f + weight * (coif_clamp(ratio, 1.0f / max_ratio, max_ratio) - 1.0f);
        }
    }
}

void coif_denoise_guides(coif_denoiser *denoiser, coif_arena *arena)
{
    const size_t pixels = (size_t)denoiser->width * (size_t)denoiser->height;
    float *half_fraction = coif_arena_new(arena, pixels, float);
    denoiser->directions = coif_arena_new(arena, pixels, coif_strand_direction);
    denoiser->guides = coif_arena_new(arena, pixels * COIF_GUIDES, float);
    denoiser->albedo_ratio = coif_arena_new(arena, 3 * pixels, float);
    denoiser->half_fraction = half_fraction;
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    guide_inputs all = {.tensors = coif_arena_new(arena, 3 * pixels, float),
                        .guides = coif_arena_new(arena, pixels * COIF_GUIDES, float),
                        .albedo = coif_arena_new(arena, ALBEDO_CHANNELS * pixels, float),
                        .blurred = coif_arena_new(arena, ALBEDO_CHANNELS * pixels, float),
                        .half_fraction = half_fraction};
    coif_denoise_rows(denoiser, read_row, &all);
    coif_denoise_rows(denoiser, direction_row, &all);
    coif_denoise_rows(denoiser, blur_row, &all);
    coif_denoise_rows(denoiser, albedo_ratio_row, &all);
    const coif_lines_desc lines = {.from = all.guides,
                                   .to = {denoiser->guides},
                                   .sigmas = {3.0f},
                                   .levels = 1,
                                   .channels = COIF_GUIDES};
    coif_denoise_lines(denoiser, &lines);
    coif_arena_rewind(arena, mark);
}
