#include "render/denoise/denoise.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/denoise/denoise_internal.h"
#include "render/math/fast_math.h"

#include <math.h>
#include <string.h>

typedef struct denoise_pass {
    float *halves;  // of direct or indirect light, COIF_CHANNELS per pixel
    float *clamped; // the same with outliers clamped
    bool indirect;
    float *light; // filtered result
} denoise_pass;

// Means of direct or indirect light of both halves, and of all samples.
static void read_light(const coif_denoiser *denoiser, bool indirect, size_t pixel, float a[3],
                       float b[3], float mean[3])
{
    const coif_film *film = denoiser->film;
    if (film == NULL) {
        const float *inputs = coif_denoise_inputs(denoiser->frame, pixel);
        const float *light = inputs + (indirect ? COIF_INPUT_INDIRECT : COIF_INPUT_DIRECT);
        const float fraction = denoiser->half_fraction[pixel];
        for (int c = 0; c < 3; ++c) {
            a[c] = light[c];
            b[c] = light[3 + c];
            mean[c] = fraction * a[c] + (1.0f - fraction) * b[c];
        }
        return;
    }
    coif_denoise_light(film, pixel, indirect, denoiser->half_fraction[pixel], a, b, mean);
}

// Luma and two chroma differences (YCoCg): their noise differs.
static void to_ycocg(const float rgb[3], float *to)
{
    to[0] = 0.25f * rgb[0] + 0.5f * rgb[1] + 0.25f * rgb[2];
    to[1] = 0.5f * (rgb[0] - rgb[2]);
    to[2] = -0.25f * rgb[0] + 0.5f * rgb[1] - 0.25f * rgb[2];
}

static void from_ycocg(const float *from, float rgb[3])
{
    rgb[0] = from[0] - from[2] + from[1];
    rgb[1] = from[0] + from[2];
    rgb[2] = from[0] - from[2] - from[1];
}

// Demodulated means of both halves.
static void split_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const denoise_pass *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const float *albedo_ratio = denoiser->albedo_ratio + 3 * pixel;
        float a[3], b[3], mean[3];
        read_light(denoiser, all->indirect, pixel, a, b, mean);
        for (int c = 0; c < 3; ++c) {
            a[c] /= albedo_ratio[c];
            b[c] /= albedo_ratio[c];
        }
        to_ycocg(a, all->halves + pixel * COIF_CHANNELS);
        to_ycocg(b, all->halves + pixel * COIF_CHANNELS + 3);
    }
}

// Local maximum of each half, and the mean of both farther away.
typedef struct neighborhood {
    float max[2], mean;
} neighborhood;

static neighborhood measure_neighborhood(const coif_denoiser *denoiser, const denoise_pass *all,
                                         int32_t x, int32_t y)
{
    enum { RADIUS = 3 };
    neighborhood found = {0};
    float count = 0.0f;
    for (int32_t j = -RADIUS; j <= RADIUS; ++j) {
        for (int32_t i = -RADIUS; i <= RADIUS; ++i) {
            const int32_t qx = x + i, qy = y + j;
            if (qx < 0 || qy < 0 || qx >= denoiser->width || qy >= denoiser->height) {
                continue;
            }
            const float *q =
                all->halves + COIF_CHANNELS * ((size_t)qy * (size_t)denoiser->width + (size_t)qx);
            const bool near = i * i <= 1 && j * j <= 1;
            for (int half = 0; half < 2; ++half) {
                found.max[half] = near ? coif_max(found.max[half], q[3 * half]) : found.max[half];
            }
            if (!near) { // a firefly is splatted into its neighbours
                found.mean += q[0] + q[3];
                count += 2.0f;
            }
        }
    }
    found.mean /= coif_max(count, 1.0f);
    return found;
}

// Clamps fireflies, which would become smears. A half may be at most twice as bright as the other
// half is in its neighbourhood, since highlights of strands are in both, or thirty times the mean
// farther away: in dark regions few paths find light at all, and none may be lost.
static void clamp_outliers(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const denoise_pass *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const neighborhood around = measure_neighborhood(denoiser, all, x, y);
        const float *from = all->halves + pixel * COIF_CHANNELS;
        float *to = all->clamped + pixel * COIF_CHANNELS;
        for (int half = 0; half < 2; ++half) {
            const float own = from[3 * half];
            const float limit = coif_max(2.0f * around.max[1 - half], 30.0f * around.mean);
            const float scale = own > limit ? limit / own : 1.0f;
            for (int c = 0; c < 3; ++c) {
                to[3 * half + c] = scale * from[3 * half + c];
            }
        }
    }
}

// Adds the smoothest level.
static void add_residual(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const coif_subband_desc *last = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const float fraction = denoiser->half_fraction[pixel];
        const float *from = last->coarse + pixel * COIF_CHANNELS;
        for (size_t c = 0; c < 3; ++c) {
            last->light[3 * pixel + c] += fraction * from[c] + (1.0f - fraction) * from[3 + c];
        }
    }
}

// Replaces direct or indirect light of the image by the filtered one.
static void recompose(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const denoise_pass *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        float rgb[3], a[3], b[3], raw[3];
        read_light(denoiser, all->indirect, pixel, a, b, raw);
        from_ycocg(all->light + 3 * pixel, rgb);
        for (int c = 0; c < 3; ++c) {
            rgb[c] *= denoiser->albedo_ratio[3 * pixel + (size_t)c];
            float *to = &denoiser->denoised[3 * pixel + (size_t)c];
            *to = coif_max(0.0f, *to + (coif_max(0.0f, rgb[c]) - raw[c]));
        }
    }
}

// Passes over all rows, for progress.
enum { BAND_PASSES = 4, BANDS = COIF_LINE_LEVELS + COIF_ATROUS_LEVELS };
enum { LIGHT_PASSES = 5 + BAND_PASSES * BANDS, GUIDE_PASSES = 5 };
enum { PASSES = GUIDE_PASSES + COIF_LIGHTS * LIGHT_PASSES + COIF_ATROUS_LEVELS };

// Subbands of line filters. Halves hold the smoothest level afterwards, clamped is free.
static void filter_lines(coif_denoiser *denoiser, denoise_pass *all, coif_arena *arena)
{
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    const size_t values = COIF_CHANNELS * (size_t)denoiser->width * (size_t)denoiser->height;
    coif_denoise_rows(denoiser, split_row, all);
    coif_denoise_rows(denoiser, clamp_outliers, all);
    // The halves are not needed any more.
    const coif_lines_desc lines = {.from = all->clamped,
                                   .to = {coif_arena_new(arena, values, float),
                                          coif_arena_new(arena, values, float), all->halves},
                                   .sigmas = {1.5f, 4.0f, 10.0f},
                                   .levels = COIF_LINE_LEVELS,
                                   .channels = COIF_CHANNELS,
                                   .guided = true};
    coif_denoise_lines(denoiser, &lines);
    const float *fine = all->clamped;
    for (int l = 0; l < COIF_LINE_LEVELS; ++l) {
        coif_denoise_subband(denoiser, &(coif_subband_desc){fine, lines.to[l], all->light}, arena);
        fine = lines.to[l];
    }
    coif_arena_rewind(arena, mark);
}

// Subbands of a-trous filters, and what they leave.
static void filter_atrous(coif_denoiser *denoiser, denoise_pass lights[COIF_LIGHTS],
                          coif_arena *arena)
{
    static const float widths[COIF_ATROUS_LEVELS] = {0.9f, 1.56f, 3.1f, 7.1f};
    static const int32_t steps[COIF_ATROUS_LEVELS] = {1, 1, 2, 4};
    float *fine[COIF_LIGHTS], *coarse[COIF_LIGHTS];
    for (int i = 0; i < COIF_LIGHTS; ++i) {
        fine[i] = lights[i].halves;
        coarse[i] = lights[i].clamped;
    }
    for (int l = 0; l < COIF_ATROUS_LEVELS; ++l) {
        coif_denoise_atrous(
            denoiser,
            &(coif_atrous_desc){{fine[0], fine[1]}, {coarse[0], coarse[1]}, widths[l], steps[l]});
        for (int i = 0; i < COIF_LIGHTS; ++i) {
            coif_denoise_subband(denoiser,
                                 &(coif_subband_desc){fine[i], coarse[i], lights[i].light}, arena);
            float *const next = fine[i];
            fine[i] = coarse[i];
            coarse[i] = next;
        }
    }
    for (int i = 0; i < COIF_LIGHTS; ++i) {
        coif_denoise_rows(denoiser, add_residual,
                          &(coif_subband_desc){.coarse = fine[i], .light = lights[i].light});
        coif_denoise_rows(denoiser, recompose, &lights[i]);
    }
}

// Filters denoised, which holds the image as rendered.
static coif_status filter(coif_denoiser *denoiser, coif_error *error)
{
    const size_t pixels = (size_t)denoiser->width * (size_t)denoiser->height;
    COIF_SCOPED_ARENA(scratch, "denoiser");
    coif_progress_begin(denoiser->progress, "denoising", (int64_t)PASSES * denoiser->height,
                        "rows");
    coif_denoise_guides(denoiser, &scratch);
    denoise_pass lights[COIF_LIGHTS];
    for (int i = 0; i < COIF_LIGHTS; ++i) {
        lights[i] =
            (denoise_pass){.halves = coif_arena_new(&scratch, pixels * COIF_CHANNELS, float),
                           .clamped = coif_arena_new(&scratch, pixels * COIF_CHANNELS, float),
                           .indirect = i == 1,
                           .light = coif_arena_new(&scratch, 3 * pixels, float)};
        filter_lines(denoiser, &lights[i], &scratch);
    }
    filter_atrous(denoiser, lights, &scratch);
    coif_progress_end(denoiser->progress);
    return atomic_load(&denoiser->stop) ? coif_fail(error, COIF_ERR_CANCELLED, "cancelled")
                                        : COIF_OK;
}

static void copy_beauty(coif_film *film, size_t pixels, coif_arena *arena)
{
    film->denoised = coif_arena_new(arena, 3 * pixels, float);
    for (size_t i = 0; i < pixels; ++i) {
        float values[COIF_MAX_AOV_CHANNELS];
        coif_film_value(film, i, &film->aovs.list[0], values);
        memcpy(film->denoised + 3 * i, values, 3 * sizeof(float));
    }
}

coif_status coif_film_denoise(coif_film *film, coif_jobs *jobs, coif_progress *progress,
                              coif_arena *arena, coif_error *error)
{
    const coif_rect *region = &film->region;
    copy_beauty(film, coif_film_pixel_count(film), arena);
    coif_denoiser denoiser = {.width = region->x1 - region->x0,
                              .height = region->y1 - region->y0,
                              .film = film,
                              .gain_exponent = 0.3f,
                              .denoised = film->denoised,
                              .jobs = jobs,
                              .progress = progress};
    return coif_film_has_halves(film) ? filter(&denoiser, error) : COIF_OK;
}

coif_status coif_denoise_frame_filter(float *denoised, const coif_denoise_frame *frame,
                                      coif_jobs *jobs, coif_progress *progress, coif_error *error)
{
    const size_t pixels = (size_t)frame->width * (size_t)frame->height;
    for (size_t i = 0; i < pixels; ++i) {
        const float *inputs = coif_denoise_inputs(frame, i);
        const float fraction = inputs[COIF_INPUT_FIRST_HALF];
        for (size_t c = 0; c < 3; ++c) {
            denoised[3 * i + c] = inputs[COIF_INPUT_REST + c];
            for (int k = COIF_INPUT_DIRECT; k <= COIF_INPUT_INDIRECT; k += COIF_INPUT_INDIRECT) {
                denoised[3 * i + c] += fraction * inputs[(size_t)k + c] +
                                       (1.0f - fraction) * inputs[(size_t)k + 3 + c];
            }
        }
    }
    coif_denoiser denoiser = {.width = frame->width,
                              .height = frame->height,
                              .frame = frame,
                              .gain_exponent = 0.75f,
                              .denoised = denoised,
                              .jobs = jobs,
                              .progress = progress};
    return filter(&denoiser, error);
}
