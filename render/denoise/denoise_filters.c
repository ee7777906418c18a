// denoise_filters: line filters along strands and a-trous filters.
#include "render/denoise/denoise_internal.h"
#include "render/math/fast_math.h"

#include <math.h>
#include <string.h>

typedef struct rows_job {
    coif_denoiser *denoiser;
    coif_denoise_row row;
    void *context;
} rows_job;

static void run_rows(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    rows_job *job = context;
    coif_denoiser *denoiser = job->denoiser;
    const unsigned int mode = coif_flush_denormals_begin();
    for (int64_t y = begin; y < end && !atomic_load(&denoiser->stop); ++y) {
        job->row(denoiser, job->context, (int32_t)y);
        if (!coif_progress_step(denoiser->progress, 1)) {
            atomic_store(&denoiser->stop, true);
        }
    }
    coif_flush_denormals_end(mode);
}

void coif_denoise_rows(coif_denoiser *denoiser, coif_denoise_row row, void *context)
{
    rows_job job = {denoiser, row, context};
    coif_parallel_for(denoiser->jobs, denoiser->height, 1, run_rows, &job);
}

// Squared distance of the guides of two pixels, as an exponent.
static float guide_distance(const coif_denoiser *denoiser, size_t a, size_t b)
{
    const float *p = denoiser->guides + a * COIF_GUIDES, *q = denoiser->guides + b * COIF_GUIDES;
    float sum = 0.0f;
    for (int c = 0; c < COIF_GUIDES; ++c) {
        sum += (p[c] - q[c]) * (p[c] - q[c]);
    }
    return 0.5f * sum;
}

enum { MAX_EXPONENT = 9 }; // weights below exp(-9) are skipped

// Traces a line along strands, one pixel at a time on its major axis, so that only the minor
// coordinate lies between pixels.
typedef struct line_trace {
    float x, y, dx, dy;
    float length;
    bool y_major;
    float step;
} line_trace;

static bool trace_step(line_trace *at, const coif_denoiser *denoiser)
{
    at->y_major = fabsf(at->dy) > fabsf(at->dx);
    at->step = 1.0f / (at->y_major ? fabsf(at->dy) : fabsf(at->dx));
    at->x += at->dx * at->step;
    at->y += at->dy * at->step;
    at->length += at->step;
    if (at->y_major) {
        at->y = floorf(at->y + 0.5f);
    } else {
        at->x = floorf(at->x + 0.5f);
    }
    return at->x >= 0.0f && at->y >= 0.0f && at->x <= (float)(denoiser->width - 1) &&
           at->y <= (float)(denoiser->height - 1);
}

static size_t trace_pixel(const line_trace *at, const coif_denoiser *denoiser)
{
    const size_t x = (size_t)(at->x + 0.5f), y = (size_t)(at->y + 0.5f);
    return y * (size_t)denoiser->width + x;
}

// Follows the strand direction; false where strands end or turn away.
static bool trace_turn(line_trace *at, const coif_strand_direction *direction)
{
    const float along = direction->x * at->dx + direction->y * at->dy;
    if (fabsf(along) < 0.8f || direction->coherence < 0.3f) {
        return false;
    }
    const float sign = along < 0.0f ? -1.0f : 1.0f;
    at->dx = sign * direction->x;
    at->dy = sign * direction->y;
    return true;
}

static float sinc(float x)
{
    float sine, cosine;
    coif_fast_sincos_turns(0.5f * x, &sine, &cosine);
    return fabsf(x) < 1e-4f ? 1.0f : sine / (0.5f * COIF_TWO_PI * x);
}

void coif_lanczos_init(coif_lanczos *to)
{
    for (int32_t i = 0; i <= COIF_LANCZOS_OFFSETS; ++i) {
        float *weights = to->weights[i], sum = 0.0f;
        for (int32_t k = 0; k < COIF_LANCZOS_TAPS; ++k) {
            const float x = (float)(k - 2) - (float)i / COIF_LANCZOS_OFFSETS;
            weights[k] = fabsf(x) < 3.0f ? sinc(x) * sinc(x * (1.0f / 3.0f)) : 0.0f;
            sum += weights[k];
        }
        for (int32_t k = 0; k < COIF_LANCZOS_TAPS; ++k) {
            weights[k] /= sum;
        }
    }
}

typedef struct lines {
    const coif_lines_desc *desc;
    coif_lanczos kernel;
} lines;

static void sample_line(float *to, const line_trace *at, const coif_denoiser *denoiser,
                        const lines *all)
{
    const float t = at->y_major ? at->x : at->y, whole = floorf(t);
    const float *weights = coif_lanczos_at(&all->kernel, t - whole);
    const int32_t channels = all->desc->channels;
    memset(to, 0, (size_t)channels * sizeof *to);
    for (int32_t k = 0; k < COIF_LANCZOS_TAPS; ++k) {
        const int32_t i = (int32_t)whole - 2 + k;
        const int32_t x = at->y_major ? coif_clamp_index(i, denoiser->width) : (int32_t)at->x;
        const int32_t y = at->y_major ? (int32_t)at->y : coif_clamp_index(i, denoiser->height);
        const float *from =
            all->desc->from + (size_t)channels * ((size_t)y * (size_t)denoiser->width + (size_t)x);
        for (int32_t c = 0; c < channels; ++c) {
            to[c] += weights[k] * from[c];
        }
    }
}

enum { MAX_CHANNELS = 8 };

typedef struct line_sums {
    float values[COIF_LINE_LEVELS][MAX_CHANNELS];
    float weights[COIF_LINE_LEVELS];
} line_sums;

static void filter_side(line_sums *sums, const coif_denoiser *denoiser, const lines *all,
                        line_trace at, size_t start)
{
    const coif_lines_desc *desc = all->desc;
    const float coherence = denoiser->directions[start].coherence;
    const float end = 2.3f * coherence * desc->sigmas[desc->levels - 1];
    while (at.length < end && trace_step(&at, denoiser)) {
        const size_t pixel = trace_pixel(&at, denoiser);
        const float other = desc->guided ? guide_distance(denoiser, start, pixel) : 0.0f;
        if (other > MAX_EXPONENT || !trace_turn(&at, &denoiser->directions[pixel])) {
            return;
        }
        float values[MAX_CHANNELS];
        sample_line(values, &at, denoiser, all);
        for (int32_t l = 0; l < desc->levels; ++l) {
            const float far = at.length / (desc->sigmas[l] * coherence);
            if (far > 2.4f) {
                continue;
            }
            const float weight = coif_fast_exp(-0.5f * far * far - other) * at.step;
            sums->weights[l] += weight;
            for (int32_t c = 0; c < desc->channels; ++c) {
                sums->values[l][c] += weight * values[c];
            }
        }
    }
}

static void line_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const lines *all = context;
    const coif_lines_desc *desc = all->desc;
    const size_t channels = (size_t)desc->channels;
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        const coif_strand_direction *direction = &denoiser->directions[pixel];
        line_sums sums;
        for (int32_t l = 0; l < desc->levels; ++l) {
            memcpy(sums.values[l], desc->from + channels * pixel, channels * sizeof(float));
            sums.weights[l] = 1.0f;
        }
        line_trace at = {.x = (float)x, .y = (float)y, .dx = direction->x, .dy = direction->y};
        filter_side(&sums, denoiser, all, at, pixel);
        at.dx = -at.dx;
        at.dy = -at.dy;
        filter_side(&sums, denoiser, all, at, pixel);
        for (int32_t l = 0; l < desc->levels; ++l) {
            for (size_t c = 0; c < channels; ++c) {
                desc->to[l][channels * pixel + c] = sums.values[l][c] / sums.weights[l];
            }
        }
    }
}

void coif_denoise_lines(coif_denoiser *denoiser, const coif_lines_desc *desc)
{
    lines all = {.desc = desc};
    coif_lanczos_init(&all.kernel);
    coif_denoise_rows(denoiser, line_row, &all);
}

static void atrous_row(const coif_denoiser *denoiser, void *context, int32_t y)
{
    const coif_atrous_desc *desc = context;
    const int32_t radius = (int32_t)(2.5f * desc->sigma / (float)desc->step);
    const float spatial = 0.5f * (float)(desc->step * desc->step) / (desc->sigma * desc->sigma);
    for (int32_t x = 0; x < denoiser->width; ++x) {
        const size_t pixel = (size_t)y * (size_t)denoiser->width + (size_t)x;
        float values[COIF_LIGHTS][COIF_CHANNELS] = {{0}}, weights = 0.0f;
        for (int32_t j = -radius; j <= radius; ++j) {
            for (int32_t i = -radius; i <= radius; ++i) {
                const int32_t qx = x + i * desc->step, qy = y + j * desc->step;
                if (qx < 0 || qy < 0 || qx >= denoiser->width || qy >= denoiser->height) {
                    continue;
                }
                const size_t q = (size_t)qy * (size_t)denoiser->width + (size_t)qx;
                const float other =
                    (float)(i * i + j * j) * spatial + guide_distance(denoiser, pixel, q);
                if (other > MAX_EXPONENT) {
                    continue;
                }
                const float weight = coif_fast_exp(-other);
                weights += weight;
                for (int light = 0; light < COIF_LIGHTS; ++light) {
                    const float *from = desc->from[light] + q * COIF_CHANNELS;
                    for (int c = 0; c < COIF_CHANNELS; ++c) {
                        values[light][c] += weight * from[c];
                    }
                }
            }
        }
        for (int light = 0; light < COIF_LIGHTS; ++light) {
            for (size_t c = 0; c < COIF_CHANNELS; ++c) {
                desc->to[light][pixel * COIF_CHANNELS + c] = values[light][c] / weights;
            }
        }
    }
}

void coif_denoise_atrous(coif_denoiser *denoiser, const coif_atrous_desc *desc)
{
    coif_atrous_desc copy = *desc;
    coif_denoise_rows(denoiser, atrous_row, &copy);
}
