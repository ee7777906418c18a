// block: a square of pixels while one worker has it.
//
// A film that does not share lends its sums to the block and gets them back with more samples in
// them. One that shares gets sums added, also for the pixels around; only layers that keep to a
// pixel's own samples are lent.
#ifndef COIF_RENDER_FILM_FILM_BLOCK_H
#define COIF_RENDER_FILM_FILM_BLOCK_H

#include "render/film/film.h"

typedef struct coif_film_block {
    coif_rect area;
    int32_t reach;     // pixels around the area that have sums here too; above 0 it shares
    int32_t count;     // samples of each pixel
    bool around[3][3]; // when it shares: which squares of pixels around it also get samples
    double *sums;      // of the area and what is in reach, row after row
    double *weights;   // likewise, as on the film
    double *sample;    // aovs.stride sums, of one sample on its way
} coif_film_block;

// Numbers that a block needs at most for its sums, weights and sample.
size_t coif_film_block_scratch_size(const coif_film *film);

// Takes a part of a film. Shares, on a film that does: what was gathered there stays there. All
// around is taken to get samples too.
void coif_film_block_open(coif_film_block *block, const coif_film *film, coif_rect area,
                          bool shares, double *room);

// Gives it back to the film, which then has count samples for its pixels.
void coif_film_block_close(const coif_film_block *block, const coif_film *film);

static inline size_t coif_film_block_index(const coif_film_block *block, int32_t x, int32_t y)
{
    const int32_t reach = block->reach, width = block->area.x1 - block->area.x0 + 2 * reach;
    return (size_t)((y - block->area.y0 + reach) * width + x - block->area.x0 + reach);
}

// Adds block->sample to the pixels around it.
void coif_film_block_splat(const coif_film_block *block, const coif_film *film,
                           const coif_filter_weights *across, const coif_filter_weights *down);

#endif
