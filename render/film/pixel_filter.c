#include "render/film/pixel_filter.h"

#include "render/math/fast_math.h"

#include <math.h>

const char *const COIF_PIXEL_FILTER_NAMES[] = {"blackman", "tent", "box", NULL};

// Coefficients of the four-term Blackman-Harris window (Harris 1978), over +-1.5 pixels.
static const float HARRIS[4] = {0.35875f, 0.48829f, 0.14128f, 0.01168f};

// The CDF in closed form; inverted by bisection.
static float blackman_cdf(float x)
{
    const float t = x * (1.0f / 3.0f) + 0.5f; // 0 to 1 over the width
    float sum = HARRIS[0] * t;
    for (int k = 1; k < 4; ++k) {
        float sine, cosine;
        coif_fast_sincos_turns((float)k * t, &sine, &cosine);
        sum += (k & 1 ? -1.0f : 1.0f) * HARRIS[k] * sine / ((float)k * COIF_TWO_PI);
    }
    return sum / HARRIS[0];
}

static float invert_blackman(float u)
{
    float low = -1.5f, high = 1.5f;
    for (int i = 0; i < 24; ++i) {
        const float middle = 0.5f * (low + high);
        if (blackman_cdf(middle) < u) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5f * (low + high);
}

static float invert_filter(coif_pixel_filter_kind kind, float u)
{
    switch (kind) {
    case COIF_FILTER_BLACKMAN:
        return invert_blackman(u);
    case COIF_FILTER_TENT:
        return u < 0.5f ? sqrtf(2.0f * u) - 1.0f : 1.0f - sqrtf(2.0f - 2.0f * u);
    default:
        return u - 0.5f;
    }
}

void coif_pixel_filter_init(coif_pixel_filter *filter, coif_pixel_filter_kind kind)
{
    filter->kind = kind;
    for (int i = 0; i <= COIF_FILTER_STEPS; ++i) {
        filter->inverse_cdf[i] = invert_filter(kind, (float)i / COIF_FILTER_STEPS);
    }
}

// Blackman-Harris at three adjacent pixel centres, which are a third of its width apart.
static void blackman_values(float offset, float values[COIF_FILTER_TAPS])
{
    static const float half_root = 0.866025404f;
    float sine, cosine;
    coif_fast_sincos_turns(offset * (1.0f / 3.0f) + 0.5f, &sine, &cosine);
    const float rotated[COIF_FILTER_TAPS] = {-0.5f * cosine - half_root * sine, cosine,
                                             -0.5f * cosine + half_root * sine};
    for (int i = 0; i < COIF_FILTER_TAPS; ++i) {
        const float c = rotated[i], square = c * c;
        values[i] = coif_max(0.0f, HARRIS[0] - HARRIS[1] * c + HARRIS[2] * (2.0f * square - 1.0f) -
                                       HARRIS[3] * c * (4.0f * square - 3.0f));
    }
}

static void tent_values(float offset, float values[COIF_FILTER_TAPS])
{
    for (int i = 0; i < COIF_FILTER_TAPS; ++i) {
        values[i] = coif_max(0.0f, 1.0f - fabsf(offset - (float)(i - 1)));
    }
}

coif_filter_weights coif_pixel_filter_weights(const coif_pixel_filter *filter, float position,
                                              int32_t size)
{
    const float pixel = floorf(position), offset = position - pixel - 0.5f;
    coif_filter_weights weights = {(int32_t)pixel - 1, {0.0f, 1.0f, 0.0f}};
    if (filter->kind == COIF_FILTER_BLACKMAN) {
        blackman_values(offset, weights.values);
    } else if (filter->kind == COIF_FILTER_TENT) {
        tent_values(offset, weights.values);
    }
    for (int i = 0; i < COIF_FILTER_TAPS; ++i) {
        const int32_t x = weights.first + i;
        weights.values[i] = x < 0 || x >= size ? 0.0f : weights.values[i];
    }
    return weights;
}

// Per axis: integral of the squared filter over the squared sum of all filters; 2/3 for both.
float coif_pixel_filter_variance_scale(coif_pixel_filter_kind kind)
{
    return kind == COIF_FILTER_BOX ? 1.0f : 4.0f / 9.0f;
}
