// film: per-pixel sums of samples and AOVs, in tiles of 32 x 32 pixels anchored at pixel (0, 0).
//
// The film stores sums and sample counts, so rendering can stop at any time and continue later with
// the same bits as one uninterrupted run. Samples are distributed by the pixel filter (filter
// importance sampling), so all samples of a pixel have weight 1.
//
// With splatting, a sample also contributes to every neighbouring pixel whose filter covers it
// (pixel_filter.h). The expected image is the same and its variance drops below 50 %. Sums are then
// quantised (film_block.c), so that they do not depend on the order of addition. AOVs that store
// identifiers or counts take only the samples of the pixel itself.
//
// A film may cover only a region of the image. Coordinates are those of the whole image, so the
// value of a pixel does not depend on the region, except within COIF_FILTER_RADIUS pixels of the
// border of a region with splatting.
#ifndef COIF_RENDER_FILM_FILM_H
#define COIF_RENDER_FILM_FILM_H

#include "core/base/vec.h"
#include "render/film/aov.h"
#include "render/film/pixel_filter.h"

#include <stdatomic.h>

enum {
    COIF_TILE_SIZE = 32, // pixels; unit of work and of locking
    COIF_BLOCK_SIZE = 8  // pixels; unit of adaptive sampling
};

// A rectangle of pixels: [x0, x1) by [y0, y1).
typedef struct coif_rect {
    int32_t x0, y0, x1, y1;
} coif_rect;

static inline coif_rect coif_rect_intersect(coif_rect a, coif_rect b)
{
    return (coif_rect){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                       a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

typedef struct coif_film {
    int32_t width, height; // of the whole image
    coif_rect region;      // pixels stored here
    coif_aovs aovs;
    int32_t tiles_x, tiles_y, tile_count;
    double *sums;    // aovs.stride per pixel
    int32_t *counts; // samples per pixel
    double *weights; // with splatting: sum of weights and of squared weights per pixel; else NULL
    float *denoised; // RGB per pixel; NULL until coif_film_denoise
    atomic_flag *tile_locks;                      // one spin lock per tile
    struct coif_film_snapshot *_Atomic *snapshot; // NULL unless a snapshot is being taken
} coif_film;

typedef struct coif_film_desc {
    int32_t width, height;
    coif_rect region;      // empty: the whole image
    const coif_aovs *aovs; // NULL: beauty only
    bool splat;
} coif_film_desc;

void coif_film_init(coif_film *film, const coif_film_desc *desc, coif_arena *arena);

// Removes all samples.
void coif_film_clear(coif_film *film);

// The pixels of a tile, clipped to the region.
coif_rect coif_film_tile(const coif_film *film, int32_t index);

// Index of an image pixel on the film.
static inline size_t coif_film_index(const coif_film *film, int32_t x, int32_t y)
{
    return (size_t)(y - film->region.y0) * (size_t)(film->region.x1 - film->region.x0) +
           (size_t)(x - film->region.x0);
}

static inline size_t coif_film_pixel_count(const coif_film *film)
{
    return (size_t)(film->region.x1 - film->region.x0) *
           (size_t)(film->region.y1 - film->region.y0);
}

static inline double *coif_film_sums(const coif_film *film, size_t pixel)
{
    return film->sums + pixel * (size_t)film->aovs.stride;
}

// The divisor of a pixel's sums.
static inline double coif_film_weight(const coif_film *film, size_t pixel)
{
    return film->weights != NULL ? film->weights[2 * pixel] : (double)film->counts[pixel];
}

// Locks the tiles that overlap area, in index order; hold for a short copy only.
void coif_film_lock(const coif_film *film, coif_rect area);
void coif_film_unlock(const coif_film *film, coif_rect area);

// Copies the samples of a film as they are at one point in time, while other threads write it.
// Tiles are copied one at a time; a tile that is about to be written is copied first by its writer.
// So nobody waits for more than one tile, and a sample that was splatted into two tiles is in both
// copies or in none. Copy has the same size and AOVs. One snapshot at a time.
void coif_film_take_snapshot(coif_film *copy, const coif_film *film);

// The channel_count values of an AOV at a pixel.
void coif_film_value(const coif_film *film, size_t pixel, const coif_aov *aov, float *values);

#endif
