// render_tile: the image as a grid of tiles that different processes render.
//
// Borders lie on blocks of adaptive sampling, so that the blocks are those of the whole image.
#ifndef COIF_RENDER_FILM_RENDER_TILE_H
#define COIF_RENDER_FILM_RENDER_TILE_H

#include "render/film/film.h"

typedef struct coif_render_tile {
    int32_t index;         // from 1, row by row; 0: all of them are joined
    int32_t columns, rows; // 0: the image is one piece
} coif_render_tile;

static inline int32_t coif_render_tile_border(int32_t size, int32_t at, int32_t count)
{
    const int32_t border = (int32_t)((int64_t)size * at / count);
    return at < count ? border / COIF_BLOCK_SIZE * COIF_BLOCK_SIZE : size;
}

// The pixels of a tile; empty where the image has too few.
static inline coif_rect coif_render_tile_pixels(coif_render_tile tile, int32_t width,
                                                int32_t height)
{
    const int32_t column = (tile.index - 1) % tile.columns;
    const int32_t row = (tile.index - 1) / tile.columns;
    return (coif_rect){coif_render_tile_border(width, column, tile.columns),
                       coif_render_tile_border(height, row, tile.rows),
                       coif_render_tile_border(width, column + 1, tile.columns),
                       coif_render_tile_border(height, row + 1, tile.rows)};
}

#endif
