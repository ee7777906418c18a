// tiles: a voxel grid without borders, kept only where something is.
//
// Space is cut into cells, 4 x 4 x 4 of them to a tile; a table finds the number of a tile by its
// place. A tile has the 5 x 5 x 5 nodes at the corners of its cells, those it shares with others
// included, so that whatever happens in a cell needs one tile only. A hair that flies ten metres
// away costs a few tiles.
#ifndef COIF_SIM_INTERACTION_SPARSE_GRID_H
#define COIF_SIM_INTERACTION_SPARSE_GRID_H

#include "core/base/arena.h"
#include "sim/solver/simd/simd_float4.h"

#include <string.h>

enum {
    COIF_TILE_CELLS = 4,
    COIF_TILE_SIDE = COIF_TILE_CELLS + 1,
    COIF_TILE_NODES = COIF_TILE_SIDE * COIF_TILE_SIDE * COIF_TILE_SIDE
};

typedef struct coif_tile_coord {
    int32_t x, y, z;
} coif_tile_coord;

typedef struct coif_sparse_grid {
    coif_arena *arena;
    int32_t count, capacity;
    coif_tile_coord *places; // by number
    int32_t *slots;          // numbers, -1 where none; a power of two of them
    uint32_t slot_mask;
} coif_sparse_grid;

void coif_sparse_grid_init(coif_sparse_grid *tiles, coif_arena *arena);

// The number of a tile, -1 for one that is not there.
int32_t coif_sparse_grid_find(const coif_sparse_grid *tiles, coif_tile_coord place);

// The same, and it is there afterwards. Numbers are given in order.
int32_t coif_sparse_grid_add(coif_sparse_grid *tiles, coif_tile_coord place);

// A place in units of cells: its tile, the node at the low corner of its cell, and the trilinear
// weights of the corners, in the order of COIF_TILE_CORNERS.
typedef struct coif_tile_sample {
    coif_tile_coord tile;
    int32_t node;
    float weights[8];
} coif_tile_sample;

// Counted from the node at the low corner.
static const int32_t COIF_TILE_CORNERS[8] = {0, 1, 5, 6, 25, 26, 30, 31};

// False where a place is not a number or farther away than any hair goes. The fourth is ignored.
static inline bool coif_tile_sample_at(coif_tile_sample *spot, simd_float4 place)
{
    static const float FARTHEST = 1e6f;
    const simd_int4 near = (place > -FARTHEST) & (place < FARTHEST);
    if ((near[0] & near[1] & near[2]) == 0) {
        return false;
    }
    place[3] = 0.0f;
    simd_int4 cell = __builtin_convertvector(place, simd_int4);
    cell += __builtin_convertvector(cell, simd_float4) > place; // true is -1
    const simd_float4 high = place - __builtin_convertvector(cell, simd_float4);
    const simd_float4 low = 1.0f - high;
    const simd_int4 tile = cell >> 2;
    const simd_int4 local = cell & 3;
    spot->tile = (coif_tile_coord){tile[0], tile[1], tile[2]};
    spot->node = (local[2] * COIF_TILE_SIDE + local[1]) * COIF_TILE_SIDE + local[0];
    const simd_float4 across = {low[0], high[0], low[0], high[0]};
    const simd_float4 up = {low[1], low[1], high[1], high[1]};
    const simd_float4 flat = across * up;
    const simd_float4 below = flat * low[2];
    const simd_float4 above = flat * high[2];
    memcpy(spot->weights, &below, sizeof below);
    memcpy(spot->weights + 4, &above, sizeof above);
    return true;
}

static inline bool coif_tile_coord_equal(coif_tile_coord a, coif_tile_coord b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

#endif
