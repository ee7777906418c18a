// film: what was gathered for each pixel, in tiles of 32 x 32 anchored at pixel (0, 0).
//
// Sums and numbers of samples: a picture can be put down at any time and get more samples later,
// and has the same bits as if it had got them at once. Samples are placed by the filter itself, so
// that those of a pixel count fully for it.
//
// On a film that shares, what a sample saw also counts for the pixels around it, as far as it lies
// under their filters (filter.h). The picture is the same in the mean, and of its noise less than
// half is left. Sums of such a film are whole numbers of grains, which add up to the same bits in
// any order. Layers that name or count keep to the pixel's own samples.
//
// A film may cover a part of its picture only. Places are those of the whole picture then, so what
// a pixel holds does not depend on what else is there, but for the COIF_FILTER_RADIUS pixels at the
// border of a film that shares.
#ifndef COIF_RENDER_FILM_FILM_H
#define COIF_RENDER_FILM_FILM_H

#include "core/base/vec.h"
#include "core/scene/scene.h"
#include "render/film/aov.h"
#include "render/film/pixel_filter.h"

#include <stdatomic.h>

enum {
    COIF_TILE_SIZE = 32,
    COIF_BLOCK_SIZE = 8 // side of the squares in a tile that are finished together
};

typedef struct coif_image_params {
    int32_t width, height;
    int32_t samples;
    int32_t seed;
    float exposure;
    int32_t format, view, filter, curves;
    int32_t max_depth;
    float clamp;
    float min_width; // pixels
    int32_t texture_size;
    int32_t transparent;
    int32_t denoise;
    int32_t share; // samples among pixels, where that can be
    float background[3];
    int32_t layers;
    const char *aovs;
    int32_t exr_layout, precision, compression, bits;
    float noise; // above 0: squares of pixels that are so good get no further samples
    int32_t min_samples;
} coif_image_params;

typedef enum coif_exr_layout {
    COIF_EXR_SPEC = 0,   // a part per layer, channels with the layer's name: as OpenEXR says
    COIF_EXR_NUKE = 1,   // a part per layer, channels without it: as Nuke shows them best
    COIF_EXR_SINGLE = 2, // one part
    COIF_EXR_FILES = 3   // a file per layer: render0001.N.exr
} coif_exr_layout;

extern const coif_section COIF_IMAGE_SECTION;

// A rectangle of pixels: [x0, x1) by [y0, y1).
typedef struct coif_rect {
    int32_t x0, y0, x1, y1;
} coif_rect;

// What two of them have in common.
static inline coif_rect coif_rect_intersect(coif_rect a, coif_rect b)
{
    return (coif_rect){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                       a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

typedef struct coif_film {
    int32_t width, height; // of the whole picture
    coif_rect region;      // what of it is here
    coif_aovs aovs;
    int32_t tiles_x, tiles_y, tile_count;
    double *sums;    // aovs.stride per pixel
    int32_t *counts; // samples per pixel
    double *weights; // two per pixel when it shares: of samples, and their squares; else NULL
    float *denoised; // three per pixel, NULL until coif_film_denoise
    atomic_flag *tile_locks; // one spin lock per tile
} coif_film;

typedef struct coif_film_desc {
    int32_t width, height;
    coif_rect region;      // empty: all of it
    const coif_aovs *aovs; // NULL: the picture alone
    bool splat;
} coif_film_desc;

// Whether samples are to be shared: a box has no others' under it.
bool coif_film_can_splat(const coif_image_params *image);

void coif_film_init(coif_film *film, const coif_film_desc *desc, coif_arena *arena);

// As if nothing had been gathered yet.
void coif_film_clear(coif_film *film);

// The pixels of a tile that lie in the region.
coif_rect coif_film_tile(const coif_film *film, int32_t index);

// Which of the film's pixels one of the picture is.
static inline size_t coif_film_index(const coif_film *film, int32_t x, int32_t y)
{
    return (size_t)(y - film->region.y0) * (size_t)(film->region.x1 - film->region.x0) +
           (size_t)(x - film->region.x0);
}

static inline double *coif_film_sums(const coif_film *film, size_t pixel)
{
    return film->sums + pixel * (size_t)film->aovs.stride;
}

// What the sums of a pixel have to be divided by.
static inline double coif_film_weight(const coif_film *film, size_t pixel)
{
    return film->weights != NULL ? film->weights[2 * pixel] : (double)film->counts[pixel];
}

// For as long as sums of the tiles under a rectangle are copied while others may write them.
void coif_film_lock(const coif_film *film, coif_rect area);
void coif_film_unlock(const coif_film *film, coif_rect area);

// What a layer of a pixel comes to: its channel_count values.
void coif_film_value(const coif_film *film, size_t pixel, const coif_aov *aov, float *values);

#endif
