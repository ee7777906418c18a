// filter: how much of what lies around a pixel's middle belongs to it.
//
// Samples are placed by it: a pixel's samples are as dense as its filter is high, so that all of
// them count the same. Filters of neighbours overlap, so samples of one also lie under those of the
// others. With as many samples for every pixel their density at a place is the sum of all filters
// there, and a pixel's estimate from all of them weighs each by its filter over that sum (the
// balance heuristic of Veach and Guibas 1995). What one sample weighs in all pixels together is 1.
#ifndef COIF_RENDER_FILM_PIXEL_FILTER_H
#define COIF_RENDER_FILM_PIXEL_FILTER_H

#include "core/base/base.h"

typedef enum coif_pixel_filter_kind {
    COIF_FILTER_BLACKMAN = 0,
    COIF_FILTER_TENT = 1,
    COIF_FILTER_BOX = 2
} coif_pixel_filter_kind;

// No filter reaches further than 1.5 pixels from the middle of its own.
enum {
    COIF_FILTER_TAPS = 3,  // pixels on one axis whose filters a place may lie under
    COIF_FILTER_RADIUS = 2 // from the pixel a sample was made for to those that it counts for
};

// As a table of its inverted cumulative shares, straight between entries.
enum { COIF_FILTER_STEPS = 1024 };
typedef struct coif_pixel_filter {
    coif_pixel_filter_kind kind;
    float places[COIF_FILTER_STEPS + 1];
} coif_pixel_filter;
void coif_pixel_filter_init(coif_pixel_filter *filter, coif_pixel_filter_kind kind);

// Distance from a pixel's middle, in pixels, distributed as the filter; u uniform.
static inline float coif_pixel_filter_sample(const coif_pixel_filter *filter, float u)
{
    const float place = u * COIF_FILTER_STEPS;
    const int32_t i = (int32_t)place;
    return filter->places[i] + (place - (float)i) * (filter->places[i + 1] - filter->places[i]);
}

// Filters of pixels first, first + 1 and so on of one axis at a place, 0 for those that are not
// among the size of the picture. That of a pixel is the product of both axes; over the sum of all
// pixels that have samples it is what a sample weighs.
typedef struct coif_filter_weights {
    int32_t first;
    float heights[COIF_FILTER_TAPS];
} coif_filter_weights;

// Place: of the sample, in pixels from the picture's border.
coif_filter_weights coif_pixel_filter_weights(const coif_pixel_filter *filter, float place,
                                              int32_t size);

// What sharing leaves of the variance of a pixel among many.
float coif_pixel_filter_variance_scale(coif_pixel_filter_kind kind);

#endif
