// film_block: working copy of an 8 x 8 pixel block while one worker samples it.
//
// Without splatting the block copies its pixels' sums from the film, adds samples, and copies them
// back. With splatting the block starts from zero, also holds a border of COIF_FILTER_RADIUS
// pixels, and its sums are added to the film; only AOVs without filtering are copied in and out.
#ifndef COIF_RENDER_FILM_FILM_BLOCK_H
#define COIF_RENDER_FILM_FILM_BLOCK_H

#include "render/film/film.h"

typedef struct coif_film_block {
    coif_rect area;
    int32_t border;       // pixels around the area that are stored too; above 0: splatting
    int32_t count;        // samples of each pixel
    bool neighbors[3][3]; // with splatting: which adjacent blocks are sampled too
    double *sums;         // of area and border, row by row
    double *weights;      // as on the film
    double *sample;       // aovs.stride values of the current sample
} coif_film_block;

// Doubles of scratch memory that a block needs.
size_t coif_film_block_scratch_size(const coif_film *film);

// Starts sampling an area. All neighbours are assumed to be sampled.
void coif_film_block_open(coif_film_block *block, const coif_film *film, coif_rect area, bool splat,
                          double *scratch);

// Writes the block to the film, whose pixels then have block->count samples.
void coif_film_block_close(const coif_film_block *block, const coif_film *film);

static inline size_t coif_film_block_index(const coif_film_block *block, int32_t x, int32_t y)
{
    const int32_t border = block->border, width = block->area.x1 - block->area.x0 + 2 * border;
    return (size_t)((y - block->area.y0 + border) * width + x - block->area.x0 + border);
}

// Adds block->sample to every pixel whose filter covers it.
void coif_film_block_splat(const coif_film_block *block, const coif_film *film,
                           const coif_filter_weights *weights_x,
                           const coif_filter_weights *weights_y);

#endif
