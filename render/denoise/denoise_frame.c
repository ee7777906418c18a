#include "render/denoise/denoise_frame.h"

#include "core/base/arena.h"
#include "render/math/fast_math.h"

void coif_denoise_frame_init(coif_denoise_frame *frame, int32_t width, int32_t height,
                             coif_arena *arena)
{
    *frame = (coif_denoise_frame){width, height, NULL};
    frame->channels = coif_arena_new(arena, (size_t)width * (size_t)height * COIF_INPUTS, float);
}

bool coif_film_has_halves(const coif_film *film)
{
    const size_t pixels = coif_film_pixel_count(film);
    for (size_t i = 0; i < pixels; ++i) {
        if (film->counts[i] <= film->aovs.half_run) {
            coif_log(COIF_LOG_WARNING,
                     "not denoised: every pixel needs more than %d samples; use at least %d",
                     film->aovs.half_run, 2 * film->aovs.half_run);
            return false;
        }
    }
    return true;
}

void coif_denoise_features(const coif_film *film, size_t pixel, float *inputs)
{
    const int32_t *offset = film->aovs.offset;
    const double *sums = coif_film_sums(film, pixel);
    const double *own = sums + offset[COIF_AOV_DENOISED];
    const double scale = 1.0 / coif_film_weight(film, pixel);
    inputs[COIF_INPUT_MASK] = (float)(sums[offset[COIF_AOV_MASK]] * scale);
    inputs[COIF_INPUT_MASK + 1] = (float)(sums[offset[COIF_AOV_MASK] + 1] * scale);
    for (int c = 0; c < 3; ++c) {
        inputs[COIF_INPUT_ALBEDO + c] = (float)(sums[offset[COIF_AOV_ALBEDO] + c] * scale);
        inputs[COIF_INPUT_NORMAL + c] = (float)(sums[offset[COIF_AOV_NORMAL] + c] * scale);
        inputs[COIF_INPUT_TENSOR + c] = (float)(own[COIF_SUM_TANGENT2 + c] * scale);
        inputs[COIF_INPUT_MESH_ALBEDO + c] = (float)(own[COIF_SUM_ALBEDO + c] * scale);
    }
    // Clamped: every pixel has samples of both halves.
    inputs[COIF_INPUT_FIRST_HALF] =
        coif_clamp(0.5f + 0.5f * (float)(own[COIF_SUM_HALF_COUNT] * scale), 0.01f, 0.99f);
}

void coif_denoise_light(const coif_film *film, size_t pixel, bool indirect, float fraction,
                        float a[3], float b[3], float mean[3])
{
    const double *sums = coif_film_sums(film, pixel);
    const double *light = sums + film->aovs.offset[indirect ? COIF_AOV_INDIRECT : COIF_AOV_DIRECT];
    const double *difference = sums + film->aovs.offset[COIF_AOV_DENOISED] +
                               (indirect ? COIF_SUM_INDIRECT : COIF_SUM_DIRECT);
    const double first = (double)fraction, weight = coif_film_weight(film, pixel),
                 half = 2.0 * weight;
    for (int c = 0; c < 3; ++c) {
        a[c] = (float)((light[c] + difference[c]) / (half * first));
        b[c] = (float)((light[c] - difference[c]) / (half * (1.0 - first)));
        mean[c] = (float)(light[c] / weight);
    }
}

// Light of both halves. What it lacks to beauty is the rest.
static void read_halves(const coif_film *film, size_t pixel, bool indirect, float *inputs)
{
    float *to = inputs + (indirect ? COIF_INPUT_INDIRECT : COIF_INPUT_DIRECT), mean[3];
    coif_denoise_light(film, pixel, indirect, inputs[COIF_INPUT_FIRST_HALF], to, to + 3, mean);
    for (int c = 0; c < 3; ++c) {
        inputs[COIF_INPUT_REST + c] -= mean[c];
    }
}

static void read_pixel(const coif_film *film, size_t pixel, float *inputs)
{
    static const coif_aov_kind motion[] = {COIF_AOV_FORWARD, COIF_AOV_BACKWARD};
    static const int32_t places[] = {COIF_INPUT_FORWARD, COIF_INPUT_BACKWARD};
    const double *sums = coif_film_sums(film, pixel);
    float beauty[COIF_MAX_AOV_CHANNELS];
    coif_film_value(film, pixel, &film->aovs.list[0], beauty);
    for (int c = 0; c < 3; ++c) {
        inputs[COIF_INPUT_REST + c] = beauty[c];
    }
    inputs[COIF_INPUT_ALPHA] = beauty[3];
    coif_denoise_features(film, pixel, inputs);
    read_halves(film, pixel, false, inputs);
    read_halves(film, pixel, true, inputs);
    inputs[COIF_INPUT_DEPTH] = (float)sums[film->aovs.offset[COIF_AOV_DEPTH]];
    for (int k = 0; k < 2; ++k) {
        inputs[places[k]] = (float)sums[film->aovs.offset[motion[k]]];
        inputs[places[k] + 1] = (float)sums[film->aovs.offset[motion[k]] + 1];
    }
}

bool coif_denoise_frame_read(coif_denoise_frame *frame, const coif_film *film, coif_rect window,
                             coif_arena *arena)
{
    if (!coif_film_has_halves(film)) {
        return false;
    }
    coif_denoise_frame_init(frame, window.x1 - window.x0, window.y1 - window.y0, arena);
    for (int32_t y = window.y0; y < window.y1; ++y) {
        for (int32_t x = window.x0; x < window.x1; ++x) {
            const size_t to =
                (size_t)(y - window.y0) * (size_t)frame->width + (size_t)(x - window.x0);
            read_pixel(film, coif_film_index(film, x, y), coif_denoise_inputs(frame, to));
        }
    }
    return true;
}
