// coif/noise_scale.h: spatial noise whose feature size varies from strand to strand.
//
// Dividing positions by a size that varies over the scalp would decorrelate neighbours, the more
// the farther the body is from the origin. Noise is therefore evaluated at octaves of the smallest
// size only, and strands between two octaves blend both. Strands of the smallest and the largest
// size get exactly the noise of an unmapped parameter.
//
// All functions are static inline.
#ifndef COIF_PLUGIN_NOISE_SCALE_H
#define COIF_PLUGIN_NOISE_SCALE_H

#include <coif/strand.h>

// Range of sizes in a groom, m; zero: one size for all strands.
typedef struct coif_kit_noise_scales {
    float low, high;
} coif_kit_noise_scales;

// Range of a MAPPABLE parameter, for coif_plugin.prepare. [main]
static inline coif_kit_noise_scales coif_kit_noise_scales_range(const coif_groom_batch *whole,
                                                                int32_t row)
{
    coif_kit_noise_scales sizes = {0.0f, 0.0f};
    const float *values = whole->per_strand[row];
    for (int32_t s = 0; values != NULL && s < whole->strand_count; ++s) {
        sizes.low = s == 0 || values[s] < sizes.low ? values[s] : sizes.low;
        sizes.high = s == 0 || values[s] > sizes.high ? values[s] : sizes.high;
    }
    return sizes;
}

// One size, or a blend of two whose weights preserve the variance of the noise.
typedef struct coif_kit_noise_scale {
    float first, second; // m; second 0: one size
    float weight[2];     // squares sum to 1
} coif_kit_noise_scale;

// Octaves and weights for a size within the range. [worker]
static inline coif_kit_noise_scale coif_kit_noise_scale_at(coif_kit_noise_scales sizes, float size)
{
    coif_kit_noise_scale blend = {size, 0.0f, {1.0f, 0.0f}};
    if (!(size > sizes.low) || !(size < sizes.high) || !(sizes.low > 0.0f)) {
        return blend;
    }
    float below = sizes.low;
    while (2.0f * below <= size) {
        below *= 2.0f;
    }
    const float above = 2.0f * below < sizes.high ? 2.0f * below : sizes.high;
    const float t = (size - below) / (above - below);
    const float norm = sqrtf(t * t + (1.0f - t) * (1.0f - t));
    blend.first = below;
    blend.second = above;
    blend.weight[0] = (1.0f - t) / norm;
    blend.weight[1] = t / norm;
    return blend;
}

// Blend of the noise at both sizes; `second` is ignored where there is one size. [worker]
static inline float coif_kit_noise_scale_blend(const coif_kit_noise_scale *size, float first,
                                               float second)
{
    return size->second > 0.0f ? size->weight[0] * first + size->weight[1] * second : first;
}

#endif
