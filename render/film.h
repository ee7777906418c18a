// film: what was gathered for each pixel, in tiles of 32 x 32 anchored at pixel (0, 0).
//
// A tile is finished in one go and then marked done; a picture may be put together from tiles that
// were rendered by different runs. Samples are placed by the filter itself, so that each belongs to
// one pixel and counts fully, and tiles never share sums.
#ifndef COIF_RENDER_FILM_H
#define COIF_RENDER_FILM_H

#include "core/scene.h"
#include "core/vec.h"

#include <stdatomic.h>

#define COIF_TILE 32

// Values of a pixel: averages over its samples.
enum {
    COIF_FILM_RED = 0, // radiance, times coverage where the background is left out
    COIF_FILM_ALPHA = 3,
    COIF_FILM_ALBEDO = 4,
    COIF_FILM_NORMAL = 7,
    COIF_FILM_DEPTH = 10, // of the nearest sample; 0 where there is none
    COIF_FILM_VALUES = 11
};

typedef enum coif_filter_kind {
    COIF_FILTER_BLACKMAN = 0,
    COIF_FILTER_TENT = 1,
    COIF_FILTER_BOX = 2
} coif_filter_kind;

typedef struct coif_image_params {
    int32_t width, height;
    int32_t samples;
    int32_t seed;
    float exposure;
    int32_t format, view, filter, curves;
    int32_t max_depth;
    float clamp;
    float min_width; // pixels
    int32_t transparent;
    float background[3];
    int32_t layers;
} coif_image_params;

extern const coif_section COIF_IMAGE_SECTION;

typedef struct coif_film {
    int32_t width, height;
    int32_t tiles_x, tiles_y, tile_count;
    float *pixels;      // COIF_FILM_VALUES per pixel
    atomic_uchar *done; // per tile
} coif_film;

void coif_film_init(coif_film *film, int32_t width, int32_t height, coif_arena *arena);

// The pixels of a tile: [x0, x1) by [y0, y1).
typedef struct coif_tile {
    int32_t x0, y0, x1, y1;
} coif_tile;
coif_tile coif_film_tile(const coif_film *film, int32_t index);

static inline float *coif_film_at(const coif_film *film, int32_t x, int32_t y)
{
    return film->pixels + ((size_t)y * (size_t)film->width + (size_t)x) * COIF_FILM_VALUES;
}

// The filter as a table of its inverted cumulative shares, straight between entries.
enum { COIF_FILTER_STEPS = 1024 };
typedef struct coif_filter {
    float places[COIF_FILTER_STEPS + 1];
} coif_filter;
void coif_filter_init(coif_filter *filter, coif_filter_kind kind);

// Distance from a pixel's middle, in pixels, distributed as the filter; u uniform.
static inline float coif_filter_sample(const coif_filter *filter, float u)
{
    const float place = u * COIF_FILTER_STEPS;
    const int32_t i = (int32_t)place;
    return filter->places[i] + (place - (float)i) * (filter->places[i + 1] - filter->places[i]);
}

#endif
