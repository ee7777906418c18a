#include "render/denoise/denoise.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/denoise/denoise_internal.h"
#include "render/math/fast_math.h"

#include <math.h>
#include <string.h>

typedef struct work {
    coif_film *film;
    float *halves; // of one kind of light, COIF_CHANNELS per pixel
    float *calm;   // the same without single pixels that stick out
    coif_aov_kind kind;
    int32_t sums;
    float *light; // what one kind of light comes to
} work;

// Brightness and two differences of colour: noise differs between them.
static void to_differences(const float rgb[3], float *to)
{
    to[0] = 0.25f * rgb[0] + 0.5f * rgb[1] + 0.25f * rgb[2];
    to[1] = 0.5f * (rgb[0] - rgb[2]);
    to[2] = -0.25f * rgb[0] + 0.5f * rgb[1] - 0.25f * rgb[2];
}

static void from_differences(const float *from, float rgb[3])
{
    rgb[0] = from[0] - from[2] + from[1];
    rgb[1] = from[0] + from[2];
    rgb[2] = from[0] - from[2] - from[1];
}

// Means of both halves of one kind of light, as if bodies were painted evenly.
static void split_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const work *all = context;
    const coif_film *film = all->film;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const double *sums = coif_film_sums(film, pixel);
        const double *light = sums + film->aovs.offset[all->kind];
        const double *gap = sums + film->aovs.offset[COIF_AOV_DENOISED] + all->sums;
        const float *paint = denoiser->paint + 3 * pixel;
        const double share = (double)denoiser->share[pixel],
                     half = 2.0 * coif_film_weight(film, pixel);
        float a[3], b[3];
        for (int c = 0; c < 3; ++c) {
            a[c] = (float)((light[c] + gap[c]) / (half * share)) / paint[c];
            b[c] = (float)((light[c] - gap[c]) / (half * (1.0 - share))) / paint[c];
        }
        to_differences(a, all->halves + pixel * COIF_CHANNELS);
        to_differences(b, all->halves + pixel * COIF_CHANNELS + 3);
    }
}

// What one half of the samples has at most around a pixel, and the mean of both there.
typedef struct surroundings {
    float most[2], mean;
} surroundings;

static surroundings look_around(const coif_denoiser *denoiser, const work *all, int32_t x,
                                int32_t y)
{
    enum { RADIUS = 3 };
    surroundings found = {0};
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
                found.most[half] =
                    near ? coif_max(found.most[half], q[3 * half]) : found.most[half];
            }
            if (!near) { // what one path lit may reach that far
                found.mean += q[0] + q[3];
                count += 2.0f;
            }
        }
    }
    found.mean /= coif_max(count, 1.0f);
    return found;
}

// One path that found a lamp by chance would become a smear. A half may be at most twice as bright
// as the other is anywhere around, since strands shine in both, or thirty times the mean further
// around: in the dark few paths find light at all, and none may be lost.
static void calm_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const work *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const surroundings around = look_around(denoiser, all, x, y);
        const float *from = all->halves + pixel * COIF_CHANNELS;
        float *to = all->calm + pixel * COIF_CHANNELS;
        for (int half = 0; half < 2; ++half) {
            const float own = from[3 * half];
            const float most = coif_max(2.0f * around.most[1 - half], 30.0f * around.mean);
            const float scale = own > most ? most / own : 1.0f;
            for (int c = 0; c < 3; ++c) {
                to[3 * half + c] = scale * from[3 * half + c];
            }
        }
    }
}

// What is left when all bands are taken away.
static void rest_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const coif_subband_desc *last = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const float share = denoiser->share[pixel];
        const float *from = last->coarse + pixel * COIF_CHANNELS;
        for (size_t c = 0; c < 3; ++c) {
            last->light[3 * pixel + c] += share * from[c] + (1.0f - share) * from[3 + c];
        }
    }
}

// The picture with one kind of light exchanged for what it came to.
static void exchange_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const work *all = context;
    const coif_film *film = all->film;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const double *light = coif_film_sums(film, pixel) + film->aovs.offset[all->kind];
        float rgb[3];
        from_differences(all->light + 3 * pixel, rgb);
        for (int c = 0; c < 3; ++c) {
            const float raw = (float)(light[c] / coif_film_weight(film, pixel));
            rgb[c] *= denoiser->paint[3 * pixel + (size_t)c];
            float *to = &film->denoised[3 * pixel + (size_t)c];
            *to = coif_max(0.0f, *to + (coif_max(0.0f, rgb[c]) - raw));
        }
    }
}

// Passes over all rows, for progress: of one kind of light, and before.
enum { BAND_PASSES = 4, BANDS = COIF_LINE_LEVELS + COIF_ATROUS_LEVELS };
enum { LIGHT_PASSES = 5 + COIF_ATROUS_LEVELS + BAND_PASSES * BANDS, GUIDE_PASSES = 5 };

static void denoise_light(coif_denoiser *denoiser, work *all, coif_arena *arena)
{
    static const float widths[COIF_ATROUS_LEVELS] = {0.9f, 1.56f, 3.1f, 7.1f};
    static const int32_t steps[COIF_ATROUS_LEVELS] = {1, 1, 2, 4};
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    const size_t values = COIF_CHANNELS * (size_t)denoiser->width * (size_t)denoiser->height;
    all->calm = coif_arena_new(arena, values, float);
    memset(all->light, 0, values / 2 * sizeof *all->light);
    coif_denoise_rows(denoiser, split_row, all);
    coif_denoise_rows(denoiser, calm_row, all);
    coif_lines_desc lines = {.from = all->calm,
                             .sigmas = {1.5f, 4.0f, 10.0f},
                             .levels = COIF_LINE_LEVELS,
                             .channels = COIF_CHANNELS,
                             .guided = true};
    // The halves themselves are not needed any more.
    lines.to[0] = all->halves;
    lines.to[1] = coif_arena_new(arena, values, float);
    lines.to[2] = coif_arena_new(arena, values, float);
    coif_denoise_lines(denoiser, &lines);
    float *fine = all->calm;
    for (int l = 0; l < COIF_LINE_LEVELS; ++l) {
        coif_denoise_subband(denoiser, &(coif_subband_desc){fine, lines.to[l], all->light}, arena);
        fine = lines.to[l];
    }
    float *coarse = all->calm;
    for (int l = 0; l < COIF_ATROUS_LEVELS; ++l) {
        coif_denoise_atrous(denoiser, &(coif_atrous_desc){fine, coarse, widths[l], steps[l]});
        coif_denoise_subband(denoiser, &(coif_subband_desc){fine, coarse, all->light}, arena);
        float *const next = fine;
        fine = coarse;
        coarse = next;
    }
    coif_denoise_rows(denoiser, rest_row,
                      &(coif_subband_desc){.coarse = fine, .light = all->light});
    coif_denoise_rows(denoiser, exchange_row, all);
    coif_arena_rewind(arena, mark);
}

static bool has_halves(const coif_film *film, size_t pixels)
{
    for (size_t i = 0; i < pixels; ++i) {
        if (film->counts[i] <= COIF_HALF_RUN) {
            return false;
        }
    }
    return true;
}

static void develop(coif_film *film, size_t pixels, coif_arena *arena)
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
    coif_denoiser denoiser = {.width = region->x1 - region->x0,
                              .height = region->y1 - region->y0,
                              .jobs = jobs,
                              .progress = progress};
    const size_t pixels = (size_t)denoiser.width * (size_t)denoiser.height;
    develop(film, pixels, arena);
    if (!has_halves(film, pixels)) {
        coif_log(COIF_LOG_WARNING,
                 "not denoised: wanted more than %d samples in every pixel, 16 at least make sense",
                 COIF_HALF_RUN);
        return COIF_OK;
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "denoising");
    work all = {.film = film};
    all.halves = coif_arena_new(&scratch, pixels * COIF_CHANNELS, float);
    all.light = coif_arena_new(&scratch, 3 * pixels, float);
    coif_progress_begin(progress, "denoising",
                        (int64_t)(GUIDE_PASSES + 2 * LIGHT_PASSES) * denoiser.height, "rows");
    coif_denoise_guides(&denoiser, film, &scratch);
    static const coif_aov_kind kinds[2] = {COIF_AOV_DIRECT, COIF_AOV_INDIRECT};
    static const int32_t places[2] = {COIF_SUM_DIRECT, COIF_SUM_INDIRECT};
    for (int i = 0; i < 2; ++i) {
        all.kind = kinds[i];
        all.sums = places[i];
        denoise_light(&denoiser, &all, &scratch);
    }
    coif_progress_end(progress);
    coif_arena_free(&scratch);
    return atomic_load(&denoiser.stop) ? coif_fail(error, COIF_ERR_CANCELLED, "cancelled")
                                       : COIF_OK;
}
