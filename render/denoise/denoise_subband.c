// denoise_subband: gain of a subband from the correlation of the two sample halves.
//
// The gain is measured per square of pixels and blurred, so that it varies slowly: gains that
// follow the noise would leave spots.
#include "core/base/arena.h"
#include "render/denoise/denoise_internal.h"
#include "render/math/fast_math.h"

#include <math.h>

enum { SQUARE = 4, COLORS = 3, RADIUS = 10 };
static const float BLUR = 5.0f; // squares

typedef struct gains {
    const coif_subband_desc *band;
    int32_t columns, rows;
    float *both, *mean; // C and E of denoise.h, per channel
    float *blurred;     // both, blurred along rows
    float *gain;
} gains;

// The subband of one pixel: of both halves, and of all samples.
static void read_subband(const coif_denoiser *denoiser, const coif_subband_desc *band, size_t pixel,
                         float a[COLORS], float b[COLORS], float mean[COLORS])
{
    const float *fine = band->fine + pixel * COIF_CHANNELS;
    const float *coarse = band->coarse + pixel * COIF_CHANNELS;
    const float fraction = denoiser->half_fraction[pixel];
    for (int c = 0; c < COLORS; ++c) {
        a[c] = fine[c] - coarse[c];
        b[c] = fine[COLORS + c] - coarse[COLORS + c];
        mean[c] = fraction * a[c] + (1.0f - fraction) * b[c];
    }
}

static void measure_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    gains *all = context;
    if (y % SQUARE != 0) {
        return;
    }
    const int32_t row = y / SQUARE;
    for (int32_t i = 0; i < all->columns; ++i) {
        float both[COLORS] = {0}, mean[COLORS] = {0};
        for (int32_t k = 0; k < SQUARE * SQUARE; ++k) {
            const int32_t px = i * SQUARE + k % SQUARE, py = y + k / SQUARE;
            if (px >= denoiser->width || py >= denoiser->height) {
                continue;
            }
            float a[COLORS], b[COLORS], m[COLORS];
            read_subband(denoiser, all->band, (size_t)py * (size_t)denoiser->width + (size_t)px, a,
                         b, m);
            for (int c = 0; c < COLORS; ++c) {
                both[c] += a[c] * b[c];
                mean[c] += m[c] * m[c];
            }
        }
        const size_t at = COLORS * ((size_t)row * (size_t)all->columns + (size_t)i);
        for (size_t c = 0; c < COLORS; ++c) {
            all->both[at + c] = both[c];
            all->mean[at + c] = mean[c];
        }
    }
}

// Not normalised: C and E lose the same weight at borders.
static void blur_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    (void)denoiser;
    gains *all = context;
    if (y >= all->rows) {
        return;
    }
    for (int32_t x = 0; x < all->columns; ++x) {
        float *to =
            all->blurred + (size_t)(2 * COLORS) * ((size_t)y * (size_t)all->columns + (size_t)x);
        for (int32_t i = -RADIUS; i <= RADIUS; ++i) {
            if (x + i < 0 || x + i >= all->columns) {
                continue;
            }
            const float weight = coif_fast_exp(-0.5f * (float)(i * i) / (BLUR * BLUR));
            const size_t from = COLORS * ((size_t)y * (size_t)all->columns + (size_t)(x + i));
            for (size_t c = 0; c < COLORS; ++c) {
                to[c] += weight * all->both[from + c];
                to[COLORS + c] += weight * all->mean[from + c];
            }
        }
    }
}

// x^exponent (denoise.h) after subtraction of the correlation that pure noise reaches by chance
// over so many pixels, a few hundredths.
static float gain_of(float x, float exponent)
{
    const float significant = x - 0.05f * (1.0f - x);
    return significant > 0.0f ? coif_fast_exp(exponent * coif_fast_log(significant)) : 0.0f;
}

static void gain_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    gains *all = context;
    if (y >= all->rows) {
        return;
    }
    for (int32_t x = 0; x < all->columns; ++x) {
        float sums[2 * COLORS] = {0};
        for (int32_t j = -RADIUS; j <= RADIUS; ++j) {
            if (y + j < 0 || y + j >= all->rows) {
                continue;
            }
            const float weight = coif_fast_exp(-0.5f * (float)(j * j) / (BLUR * BLUR));
            const float *from =
                all->blurred +
                (size_t)(2 * COLORS) * ((size_t)(y + j) * (size_t)all->columns + (size_t)x);
            for (int c = 0; c < 2 * COLORS; ++c) {
                sums[c] += weight * from[c];
            }
        }
        float *to = all->gain + COLORS * ((size_t)y * (size_t)all->columns + (size_t)x);
        for (int c = 0; c < COLORS; ++c) {
            const float both = sums[c], mean = sums[COLORS + c];
            to[c] = both <= 0.0f   ? (mean > 0.0f ? 0.0f : 1.0f)
                    : both >= mean ? 1.0f
                                   : gain_of(both / mean, denoiser->gain_exponent);
        }
    }
}

// Bilinear interpolation between the centres of squares.
static void read_gain(const gains *all, int32_t x, int32_t y, float gain[COLORS])
{
    const float fx = ((float)x + 0.5f) / SQUARE - 0.5f, fy = ((float)y + 0.5f) / SQUARE - 0.5f;
    const float cx = coif_min(coif_max(fx, 0.0f), (float)(all->columns - 1));
    const float cy = coif_min(coif_max(fy, 0.0f), (float)(all->rows - 1));
    const int32_t x0 = (int32_t)cx, y0 = (int32_t)cy;
    const int32_t x1 = x0 + 1 < all->columns ? x0 + 1 : x0, y1 = y0 + 1 < all->rows ? y0 + 1 : y0;
    const float u = cx - (float)x0, v = cy - (float)y0;
    const float *p[4] = {all->gain + COLORS * ((size_t)y0 * (size_t)all->columns + (size_t)x0),
                         all->gain + COLORS * ((size_t)y0 * (size_t)all->columns + (size_t)x1),
                         all->gain + COLORS * ((size_t)y1 * (size_t)all->columns + (size_t)x0),
                         all->gain + COLORS * ((size_t)y1 * (size_t)all->columns + (size_t)x1)};
    for (int c = 0; c < COLORS; ++c) {
        const float above = p[0][c] + u * (p[1][c] - p[0][c]);
        const float below = p[2][c] + u * (p[3][c] - p[2][c]);
        gain[c] = above + v * (below - above);
    }
}

static void add_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const gains *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        float a[COLORS], b[COLORS], mean[COLORS], gain[COLORS];
        read_subband(denoiser, all->band, pixel, a, b, mean);
        read_gain(all, x, y, gain);
        for (size_t c = 0; c < COLORS; ++c) {
            all->band->light[COLORS * pixel + c] += gain[c] * mean[c];
        }
    }
}

void coif_denoise_subband(coif_denoiser *denoiser, const coif_subband_desc *desc, coif_arena *arena)
{
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    gains all = {.band = desc,
                 .columns = (denoiser->width + SQUARE - 1) / SQUARE,
                 .rows = (denoiser->height + SQUARE - 1) / SQUARE};
    const size_t values = COLORS * (size_t)all.columns * (size_t)all.rows;
    all.both = coif_arena_new(arena, values, float);
    all.mean = coif_arena_new(arena, values, float);
    all.blurred = coif_arena_new(arena, 2 * values, float);
    all.gain = coif_arena_new(arena, values, float);
    coif_denoise_rows(denoiser, measure_row, &all);
    coif_denoise_rows(denoiser, blur_row, &all);
    coif_denoise_rows(denoiser, gain_row, &all);
    coif_denoise_rows(denoiser, add_row, &all);
    coif_arena_rewind(arena, mark);
}
