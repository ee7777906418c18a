// pixel_filter: reconstruction filters: importance sampling and splatting weights.
//
// Filter importance sampling: the samples of a pixel are distributed as its filter, so all of them
// have the same weight. Filters of neighbouring pixels overlap, so a sample also lies under their
// filters. With equally many samples per pixel the sample density is the sum of all filters, and a
// pixel's estimate from all samples weights each by its filter over that sum (balance heuristic,
// Veach and Guibas 1995). The weights of one sample over all pixels add up to 1.
#ifndef COIF_RENDER_FILM_PIXEL_FILTER_H
#define COIF_RENDER_FILM_PIXEL_FILTER_H

#include "core/base/base.h"

typedef enum coif_pixel_filter_kind {
    COIF_FILTER_BLACKMAN = 0,
    COIF_FILTER_TENT = 1,
    COIF_FILTER_BOX = 2
} coif_pixel_filter_kind;
extern const char *const COIF_PIXEL_FILTER_NAMES[]; // by kind, NULL-terminated

// No filter is wider than 1.5 pixels from its centre.
enum {
    COIF_FILTER_TAPS = 3,  // pixels on one axis whose filters may cover a position
    COIF_FILTER_RADIUS = 2 // from the pixel of a sample to the pixels it contributes to
};

// Tabulated inverse CDF, linear between entries.
enum { COIF_FILTER_STEPS = 1024 };
typedef struct coif_pixel_filter {
    coif_pixel_filter_kind kind;
    float inverse_cdf[COIF_FILTER_STEPS + 1];
} coif_pixel_filter;
void coif_pixel_filter_init(coif_pixel_filter *filter, coif_pixel_filter_kind kind);

// Offset from the pixel centre, in pixels, distributed as the filter; u uniform in [0, 1).
static inline float coif_pixel_filter_sample(const coif_pixel_filter *filter, float u)
{
    const float t = u * COIF_FILTER_STEPS;
    const int32_t i = (int32_t)t;
    const float *cdf = filter->inverse_cdf;
    return cdf[i] + (t - (float)i) * (cdf[i + 1] - cdf[i]);
}

// Filter values of the pixels first, first + 1, ... of one axis; 0 outside the image. The value of
// a pixel is the product of both axes.
typedef struct coif_filter_weights {
    int32_t first;
    float values[COIF_FILTER_TAPS];
} coif_filter_weights;

// Position: in pixels from the image border. Size: pixels of the image on that axis.
coif_filter_weights coif_pixel_filter_weights(const coif_pixel_filter *filter, float position,
                                              int32_t size);

// Factor by which splatting scales the variance of a pixel.
float coif_pixel_filter_variance_scale(coif_pixel_filter_kind kind);

#endif
