#include "render/denoise/denoise_window.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "render/denoise/denoise.h"
#include "render/denoise/denoise_internal.h"
#include "render/math/fast_math.h"

#include <math.h>
#include <string.h>

enum { LANES = 32 }; // linear inputs of a pixel, padded

// ---- preparation of a frame

static float luma(const float *rgb)
{
    return 0.25f * rgb[0] + 0.5f * rgb[1] + 0.25f * rgb[2];
}

typedef struct preparation {
    coif_denoise_frame *frame;
    float *lumas;  // of direct light of both halves and of indirect light of both halves
    float *motion; // forward and backward
} preparation;

static void luma_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const preparation *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const float *inputs = coif_denoise_inputs(all->frame, pixel);
        for (size_t i = 0; i < 4; ++i) {
            all->lumas[4 * pixel + i] = luma(inputs + 3 * i);
        }
    }
}

// Limits a half as clamp_outliers of denoise.c does.
static void clamp_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    enum { RADIUS = 3 };
    const preparation *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        float *inputs = coif_denoise_inputs(all->frame, pixel);
        float max[4] = {0}, mean[2] = {0}, count = 0.0f;
        for (int32_t j = -RADIUS; j <= RADIUS; ++j) {
            for (int32_t i = -RADIUS; i <= RADIUS; ++i) {
                const int32_t qx = x + i, qy = y + j;
                if (qx < 0 || qy < 0 || qx >= denoiser->width || qy >= denoiser->height) {
                    continue;
                }
                const float *q =
                    all->lumas + 4 * ((size_t)qy * (size_t)denoiser->width + (size_t)qx);
                const bool near = i * i <= 1 && j * j <= 1;
                for (int k = 0; k < 4 && near; ++k) {
                    max[k] = coif_max(max[k], q[k]);
                }
                if (!near) { // a firefly is splatted into its neighbours
                    mean[0] += q[0] + q[1];
                    mean[1] += q[2] + q[3];
                    count += 2.0f;
                }
            }
        }
        const float *own = all->lumas + 4 * pixel;
        for (int k = 0; k < 4; ++k) {
            const float limit =
                coif_max(2.0f * max[k ^ 1], 30.0f * mean[k / 2] / coif_max(count, 1.0f));
            if (own[k] > limit) {
                for (int c = 0; c < 3; ++c) {
                    inputs[3 * k + c] *= limit / own[k];
                }
            }
        }
    }
}

// Mean motion of the surrounding pixels at a similar depth: that of the nearest sample alone is
// that of one strand.
static void motion_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    enum { RADIUS = 1 };
    const preparation *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const float depth = coif_denoise_inputs(all->frame, pixel)[COIF_INPUT_DEPTH];
        float sums[4] = {0}, weights = 0.0f;
        for (int32_t j = -RADIUS; j <= RADIUS && depth > 0.0f; ++j) {
            for (int32_t i = -RADIUS; i <= RADIUS; ++i) {
                const int32_t qx = x + i, qy = y + j;
                if (qx < 0 || qy < 0 || qx >= denoiser->width || qy >= denoiser->height) {
                    continue;
                }
                const float *q = coif_denoise_inputs(
                    all->frame, (size_t)qy * (size_t)denoiser->width + (size_t)qx);
                const float far = (q[COIF_INPUT_DEPTH] - depth) / (0.01f * depth);
                const float weight =
                    q[COIF_INPUT_DEPTH] > 0.0f ? coif_fast_exp(-0.5f * far * far) : 0.0f;
                weights += weight;
                for (int c = 0; c < 4; ++c) {
                    sums[c] += weight * q[COIF_INPUT_FORWARD + c];
                }
            }
        }
        for (size_t c = 0; c < 4; ++c) {
            all->motion[4 * pixel + c] = weights > 0.0f ? sums[c] / weights : 0.0f;
        }
    }
}

static coif_status finish(coif_denoiser *denoiser, coif_error *error)
{
    return atomic_load(&denoiser->stop) ? coif_fail(error, COIF_ERR_CANCELLED, "cancelled")
                                        : COIF_OK;
}

coif_status coif_denoise_frame_prepare(coif_denoise_frame *frame, coif_jobs *jobs,
                                       coif_progress *progress, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "denoiser");
    const size_t pixels = (size_t)frame->width * (size_t)frame->height;
    coif_denoiser denoiser = {
        .width = frame->width, .height = frame->height, .jobs = jobs, .progress = progress};
    preparation all = {frame, coif_arena_new(&scratch, 4 * pixels, float),
                       coif_arena_new(&scratch, 4 * pixels, float)};
    coif_denoise_rows(&denoiser, luma_row, &all);
    coif_denoise_rows(&denoiser, clamp_row, &all);
    coif_denoise_rows(&denoiser, motion_row, &all);
    for (size_t i = 0; i < pixels; ++i) {
        memcpy(coif_denoise_inputs(frame, i) + COIF_INPUT_FORWARD, all.motion + 4 * i,
               4 * sizeof(float));
    }
    return finish(&denoiser, error);
}

// ---- average over frames

// Measures are blurred by a Gaussian of this many pixels.
enum { BLUR_RADIUS = 5 };
static const float BLUR = 2.0f;

// Measured of a pixel and blurred: V_t, V_s, D^2, and the difference of features.
enum { VARIANCE, OTHER_VARIANCE, DIFFERENCE, FEATURES, MEASURES };

typedef struct window_pass {
    const coif_denoise_window *window;
    const coif_denoise_frame *middle, *other;
    int32_t offset;  // of the other frame, in frames
    float *warped;   // LANES per pixel
    float *measures; // MEASURES per pixel
    float *blurred;  // the same, blurred along rows
    float *sums;     // LANES per pixel
    float *weights;
    coif_lanczos kernel;
    float gaussian[2 * BLUR_RADIUS + 1];
} window_pass;

// Where a pixel is in the other frame: the motion vectors of the frames in between are added.
static bool follow(const window_pass *all, int32_t x, int32_t y, float to[2])
{
    const coif_denoise_window *window = all->window;
    const int32_t step = all->offset < 0 ? -1 : 1;
    const int channel = step < 0 ? COIF_INPUT_BACKWARD : COIF_INPUT_FORWARD;
    to[0] = (float)x;
    to[1] = (float)y;
    for (int32_t i = 0; i != all->offset; i += step) {
        const coif_denoise_frame *frame = window->frames[window->radius + i];
        const int32_t px = (int32_t)floorf(to[0] + 0.5f), py = (int32_t)floorf(to[1] + 0.5f);
        if (frame == NULL || px < 0 || py < 0 || px >= frame->width || py >= frame->height) {
            return false;
        }
        const float *motion =
            coif_denoise_inputs(frame, (size_t)py * (size_t)frame->width + (size_t)px) + channel;
        to[0] += motion[0];
        to[1] -= motion[1]; // upwards
    }
    return to[0] >= 0.0f && to[1] >= 0.0f && to[0] <= (float)(all->middle->width - 1) &&
           to[1] <= (float)(all->middle->height - 1);
}

static void warp_pixel(float *to, const coif_denoise_frame *from, const coif_lanczos *kernel,
                       const float at[2])
{
    const float whole_x = floorf(at[0]), whole_y = floorf(at[1]);
    const float *weights_x = coif_lanczos_at(kernel, at[0] - whole_x);
    const float *weights_y = coif_lanczos_at(kernel, at[1] - whole_y);
    float sums[LANES] = {0};
    for (int32_t j = 0; j < COIF_LANCZOS_TAPS; ++j) {
        const int32_t y = coif_clamp_index((int32_t)whole_y - 2 + j, from->height);
        for (int32_t i = 0; i < COIF_LANCZOS_TAPS; ++i) {
            const int32_t x = coif_clamp_index((int32_t)whole_x - 2 + i, from->width);
            const float weight = weights_y[j] * weights_x[i];
            const float *inputs =
                coif_denoise_inputs(from, (size_t)y * (size_t)from->width + (size_t)x);
            for (int c = 0; c < LANES; ++c) {
                sums[c] += weight * inputs[c];
            }
        }
    }
    memcpy(to, sums, sizeof sums);
}

static float half_luma(const float *inputs, int half)
{
    return luma(inputs + COIF_INPUT_DIRECT + 3 * half) +
           luma(inputs + COIF_INPUT_INDIRECT + 3 * half);
}

static float variance_of(const float *inputs, float a, float b)
{
    const float fraction = coif_clamp(inputs[COIF_INPUT_FIRST_HALF], 0.01f, 0.99f);
    return fraction * (1.0f - fraction) * (a - b) * (a - b);
}

// Squared difference of features: coverage, strand directions, and albedo and normals of meshes.
static float feature_distance(const float *own, const float *to)
{
    float sum = 0.0f;
    for (int i = 0; i < 2; ++i) {
        const float mask = own[COIF_INPUT_MASK + i] - to[COIF_INPUT_MASK + i];
        const float tensor = own[COIF_INPUT_TENSOR + i] - to[COIF_INPUT_TENSOR + i];
        sum += mask * mask + tensor * tensor;
    }
    for (int i = 0; i < 3; ++i) {
        const float albedo = own[COIF_INPUT_ALBEDO + i] - to[COIF_INPUT_ALBEDO + i];
        const float normal =
            own[COIF_INPUT_MASK + 1] * (own[COIF_INPUT_NORMAL + i] - to[COIF_INPUT_NORMAL + i]);
        sum += 4.0f * albedo * albedo + normal * normal;
    }
    return sum;
}

static void warp_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const window_pass *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        float *to = all->warped + LANES * pixel, *measures = all->measures + MEASURES * pixel;
        float at[2];
        const float *own = coif_denoise_inputs(all->middle, pixel);
        if (follow(all, x, y, at)) {
            warp_pixel(to, all->other, &all->kernel, at);
        } else {
            memset(to, 0, LANES * sizeof *to);
        }
        const float a = half_luma(own, 0), b = half_luma(own, 1);
        const float c = half_luma(to, 0), d = half_luma(to, 1);
        measures[VARIANCE] = variance_of(own, a, b);
        measures[OTHER_VARIANCE] = variance_of(to, c, d);
        measures[DIFFERENCE] = (a - c) * (b - d);
        measures[FEATURES] = feature_distance(own, to);
    }
}

// Gaussian mean on one axis.
static void blur(float to[MEASURES], const float *kernel, const float *from, int32_t at,
                 int32_t count, size_t step)
{
    float sums[MEASURES] = {0}, weights = 0.0f;
    for (int32_t i = -BLUR_RADIUS; i <= BLUR_RADIUS; ++i) {
        if (at + i < 0 || at + i >= count) {
            continue;
        }
        const float weight = kernel[i + BLUR_RADIUS];
        const float *q = from + (ptrdiff_t)step * (at + i);
        weights += weight;
        for (int c = 0; c < MEASURES; ++c) {
            sums[c] += weight * q[c];
        }
    }
    for (int c = 0; c < MEASURES; ++c) {
        to[c] = sums[c] / weights;
    }
}

static void blur_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const window_pass *all = context;
    const size_t row = MEASURES * (size_t)y * (size_t)denoiser->width;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        blur(all->blurred + row + MEASURES * (size_t)x, all->gaussian, all->measures + row, x,
             denoiser->width, MEASURES);
    }
}

static void average_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const float sharpness = 4.0f, most = 2.0f;
    const window_pass *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        float at[2];
        if (!follow(all, x, y, at)) {
            continue;
        }
        float m[MEASURES];
        blur(m, all->gaussian, all->blurred + MEASURES * (size_t)x, y, denoiser->height,
             MEASURES * (size_t)denoiser->width);
        const float bias = coif_max(m[DIFFERENCE], 0.0f), variance = m[OTHER_VARIANCE];
        const float error =
            variance > 0.0f ? variance + bias * (1.0f + 0.1f * bias / variance) : bias;
        const float weight = error > 0.0f ? coif_min(m[VARIANCE] / error, most) *
                                                coif_fast_exp(-sharpness * m[FEATURES])
                                          : 0.0f;
        const float *from = all->warped + LANES * pixel;
        float *sums = all->sums + LANES * pixel;
        for (int c = 0; c < LANES; ++c) {
            sums[c] += weight * from[c];
        }
        all->weights[pixel] += weight;
    }
}

static void begin_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const window_pass *all = context;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        memcpy(all->sums + LANES * pixel, coif_denoise_inputs(all->middle, pixel),
               LANES * sizeof(float));
        all->weights[pixel] = 1.0f;
    }
}

typedef struct average_result {
    const window_pass *all;
    coif_denoise_frame frame;
} average_result;

static void divide_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    average_result *result = context;
    const window_pass *all = result->all;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        float *to = coif_denoise_inputs(&result->frame, pixel);
        const float scale = 1.0f / all->weights[pixel];
        for (int c = 0; c < COIF_INPUT_LINEAR; ++c) {
            to[c] = scale * all->sums[LANES * pixel + (size_t)c];
        }
        to[COIF_INPUT_FIRST_HALF] = coif_clamp(to[COIF_INPUT_FIRST_HALF], 0.01f, 0.99f);
    }
}

coif_status coif_denoise_window_filter(float *rgba, const coif_denoise_window *window,
                                       coif_jobs *jobs, coif_progress *progress, coif_error *error)
{
    const coif_denoise_frame *middle = window->frames[window->radius];
    const size_t pixels = (size_t)middle->width * (size_t)middle->height;
    COIF_SCOPED_ARENA(arena, "denoiser");
    coif_denoiser denoiser = {
        .width = middle->width, .height = middle->height, .jobs = jobs, .progress = progress};
    window_pass all = {.window = window,
                       .middle = middle,
                       .warped = coif_arena_new(&arena, LANES * pixels, float),
                       .measures = coif_arena_new(&arena, MEASURES * pixels, float),
                       .blurred = coif_arena_new(&arena, MEASURES * pixels, float),
                       .sums = coif_arena_new(&arena, LANES * pixels, float),
                       .weights = coif_arena_new(&arena, pixels, float)};
    coif_lanczos_init(&all.kernel);
    for (int32_t i = 0; i <= 2 * BLUR_RADIUS; ++i) {
        const float far = (float)(i - BLUR_RADIUS) / BLUR;
        all.gaussian[i] = coif_fast_exp(-0.5f * far * far);
    }
    coif_denoise_rows(&denoiser, begin_row, &all);
    for (int32_t i = -window->radius; i <= window->radius; ++i) {
        all.other = window->frames[window->radius + i];
        all.offset = i;
        if (i != 0 && all.other != NULL) {
            coif_denoise_rows(&denoiser, warp_row, &all);
            coif_denoise_rows(&denoiser, blur_row, &all);
            coif_denoise_rows(&denoiser, average_row, &all);
        }
    }
    average_result result = {.all = &all};
    coif_denoise_frame_init(&result.frame, middle->width, middle->height, &arena);
    coif_denoise_rows(&denoiser, divide_row, &result);
    COIF_TRY(finish(&denoiser, error));
    float *rgb = coif_arena_new(&arena, 3 * pixels, float);
    COIF_TRY(coif_denoise_frame_filter(rgb, &result.frame, jobs, progress, error));
    for (size_t i = 0; i < pixels; ++i) {
        memcpy(rgba + 4 * i, rgb + 3 * i, 3 * sizeof *rgb);
        rgba[4 * i + 3] =
            coif_clamp(coif_denoise_inputs(&result.frame, i)[COIF_INPUT_ALPHA], 0.0f, 1.0f);
    }
    return COIF_OK;
}
