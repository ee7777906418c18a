// denoise_guides: what a picture without noise may be averaged by: edges of things, where strands
// run, and the paint on bodies.
#include "core/base/arena.h"
#include "render/denoise/denoise.h"
#include "render/denoise/denoise_internal.h"
#include "render/math/fast_math.h"

#include <math.h>

// As gathered, of every pixel.
typedef struct gathered {
    const coif_film *film;
    float *bends;  // tensors of directions
    float *guides; // not yet averaged along strands
    float *paint;  // colour of bodies times their cover, and their cover
    float *across; // the same, averaged along rows
    float *share;
} gathered;

enum { PAINT = 4 };

static void read_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const gathered *all = context;
    const coif_film *film = all->film;
    const int32_t *offset = film->aovs.offset;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const double *sums = coif_film_sums(film, pixel);
        const double *own = sums + offset[COIF_AOV_DENOISED];
        const double scale = 1.0 / coif_film_weight(film, pixel);
        const float hair = (float)(sums[offset[COIF_AOV_MASK]] * scale);
        const float body = (float)(sums[offset[COIF_AOV_MASK] + 1] * scale);
        float *guide = all->guides + pixel * COIF_GUIDES;
        guide[0] = 5.0f * hair;
        guide[1] = 5.0f * body;
        for (size_t c = 0; c < 3; ++c) {
            guide[2 + c] = 10.0f * (float)(sums[offset[COIF_AOV_ALBEDO] + (int)c] * scale);
            guide[5 + c] =
                5.0f * (1.0f - hair) * (float)(sums[offset[COIF_AOV_NORMAL] + (int)c] * scale);
            all->bends[3 * pixel + c] = (float)(own[COIF_SUM_TANGENT2 + c] * scale);
            all->paint[PAINT * pixel + c] = (float)(own[COIF_SUM_ALBEDO + c] * scale);
        }
        all->paint[PAINT * pixel + 3] = body;
        // Of the first half; never none or all, since every pixel has samples of both.
        all->share[pixel] =
            coif_clamp(0.5f + 0.5f * (float)(own[COIF_SUM_HALF_COUNT] * scale), 0.01f, 0.99f);
    }
}

// Directions have no front: they are averaged with doubled angles.
static void course_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    enum { RADIUS = 4 };
    const float sigma = 1.5f;
    const gathered *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        float bend[3] = {0};
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
                    all->bends + 3 * ((size_t)qy * (size_t)denoiser->width + (size_t)qx);
                weights += weight;
                for (int c = 0; c < 3; ++c) {
                    bend[c] += weight * from[c];
                }
            }
        }
        const float length = sqrtf(bend[0] * bend[0] + bend[1] * bend[1]);
        const float even = length / (bend[2] + 1e-3f * weights);
        const float cosine = length > 0.0f ? bend[0] / length : 1.0f;
        denoiser->courses[(size_t)y * (size_t)denoiser->width + (size_t)x] =
            (coif_strand_direction){
                .x = sqrtf(coif_max(0.0f, 0.5f + 0.5f * cosine)),
                .y = (bend[1] < 0.0f ? -1.0f : 1.0f) * sqrtf(coif_max(0.0f, 0.5f - 0.5f * cosine)),
                .reach = length > 0.0f ? even * even : 0.0f,
            };
    }
}

// The mean of paint around a pixel on one axis, step values apart, wider than the widest filter.
static void mean_paint(float to[PAINT], const float *from, int32_t at, int32_t count, size_t step)
{
    enum { RADIUS = 20 };
    const float sigma = 8.0f;
    for (int c = 0; c < PAINT; ++c) {
        to[c] = 0.0f;
    }
    for (int32_t i = -RADIUS; i <= RADIUS; ++i) {
        if (at + i < 0 || at + i >= count) {
            continue;
        }
        const float weight = coif_fast_exp(-0.5f * (float)(i * i) / (sigma * sigma));
        const float *q = from + step * (size_t)(at + i);
        for (int c = 0; c < PAINT; ++c) {
            to[c] += weight * q[c];
        }
    }
}

static void across_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const gathered *all = context;
    const size_t row = PAINT * (size_t)y * (size_t)denoiser->width;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        mean_paint(all->across + row + PAINT * (size_t)x, all->paint + row, x, denoiser->width,
                   PAINT);
    }
}

// How a pixel's paint differs from that around it. The coat of a body shines whatever its paint, by
// a few hundredths; pixels with more hair than body are left to the strands.
static void paint_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const float coat = 0.04f, most = 8.0f;
    const gathered *all = context;
    const size_t step = PAINT * (size_t)denoiser->width;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const float *own = all->paint + PAINT * pixel;
        const float share = coif_clamp(2.0f * own[3] - 1.0f, 0.0f, 1.0f);
        float around[PAINT];
        mean_paint(around, all->across + PAINT * (size_t)x, y, denoiser->height, step);
        for (size_t c = 0; c < 3; ++c) {
            const float ratio =
                share > 0.0f ? (own[c] / own[3] + coat) / (around[c] / around[3] + coat) : 1.0f;
            denoiser->paint[3 * pixel + c] =
                1.0f + share * (coif_clamp(ratio, 1.0f / most, most) - 1.0f);
        }
    }
}

void coif_denoise_guides(coif_denoiser *denoiser, const coif_film *film, coif_arena *arena)
{
    const size_t pixels = (size_t)denoiser->width * (size_t)denoiser->height;
    float *share = coif_arena_new(arena, pixels, float);
    denoiser->courses = coif_arena_new(arena, pixels, coif_strand_direction);
    denoiser->guides = coif_arena_new(arena, pixels * COIF_GUIDES, float);
    denoiser->paint = coif_arena_new(arena, 3 * pixels, float);
    denoiser->share = share;
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    gathered all = {.film = film,
                    .bends = coif_arena_new(arena, 3 * pixels, float),
                    .guides = coif_arena_new(arena, pixels * COIF_GUIDES, float),
                    .paint = coif_arena_new(arena, PAINT * pixels, float),
                    .across = coif_arena_new(arena, PAINT * pixels, float),
                    .share = share};
    coif_denoise_rows(denoiser, read_row, &all);
    coif_denoise_rows(denoiser, course_row, &all);
    coif_denoise_rows(denoiser, across_row, &all);
    coif_denoise_rows(denoiser, paint_row, &all);
    const coif_lines_desc lines = {.from = all.guides,
                                   .to = {denoiser->guides},
                                   .sigmas = {3.0f},
                                   .levels = 1,
                                   .channels = COIF_GUIDES};
    coif_denoise_lines(denoiser, &lines);
    coif_arena_rewind(arena, mark);
}
