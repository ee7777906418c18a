// coif/noise_scale.h: noise in space whose size differs from strand to strand.
//
// Places divided by a size that changes over the scalp would tear neighbours apart, the more the
// farther the head is from the origin. So noise has a few sizes only, each twice the one before up
// to the largest, and strands between two of them have a blend of both. The smallest and the
// largest are what plain numbers give, bit for bit.
//
// Static, like coif/strand.h.
#ifndef COIF_PLUGIN_NOISE_SCALE_H
#define COIF_PLUGIN_NOISE_SCALE_H

#include <coif/strand.h>

// From the smallest to the largest of a groom; zeroed: there is one size only.
typedef struct coif_kit_noise_scales {
    float low, high;
} coif_kit_noise_scales;

// In `gather`, for a MAPPABLE row. [main]
static inline coif_kit_noise_scales coif_kit_noise_scales_range(const coif_groom_batch *whole,
                                                                int32_t row)
{
    coif_kit_noise_scales sizes = {0.0f, 0.0f};
    const float *own = whole->per_strand[row];
    for (int32_t s = 0; own != NULL && s < whole->strand_count; ++s) {
        sizes.low = s == 0 || own[s] < sizes.low ? own[s] : sizes.low;
        sizes.high = s == 0 || own[s] > sizes.high ? own[s] : sizes.high;
    }
    return sizes;
}

// One size, or a blend of two that keeps how far noise reaches.
typedef struct coif_kit_noise_scale {
    float first, second; // second 0: none
    float share[2];
} coif_kit_noise_scale;

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
    const float share = (size - below) / (above - below);
    const float both = sqrtf(share * share + (1.0f - share) * (1.0f - share));
    blend.first = below;
    blend.second = above;
    blend.share[0] = (1.0f - share) / both;
    blend.share[1] = share / both;
    return blend;
}

// Noise of the first size and of the second, which does not matter where there is none.
static inline float coif_kit_noise_scale_blend(const coif_kit_noise_scale *size, float first,
                                               float second)
{
    return size->second > 0.0f ? size->share[0] * first + size->share[1] * second : first;
}

#endif
