// sparse_grid: unbounded voxel grid that stores only occupied tiles (hashed, as in VDB leaves).
//
// Space is divided into cells, 4 x 4 x 4 to a tile; a hash table maps the coordinate of a tile
// to its index. A tile has the 5 x 5 x 5 nodes at the corners of its cells, those shared with
// neighbours included, so that a cell needs one tile only.
#ifndef COIF_SIM_INTERACTION_SPARSE_GRID_H
#define COIF_SIM_INTERACTION_SPARSE_GRID_H

#include "core/base/arena.h"
#include "core/simd/simd_float4.h"

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
    coif_tile_coord *coords; // per tile
    int32_t *slots;          // open addressing: tile index or -1; a power of two
    uint32_t slot_mask;
} coif_sparse_grid;

void coif_sparse_grid_init(coif_sparse_grid *grid, coif_arena *arena);

// Index of a tile, -1 when it does not exist.
int32_t coif_sparse_grid_find(const coif_sparse_grid *grid, coif_tile_coord coord);

// The same, adding the tile if needed. Indices are assigned in order of insertion.
int32_t coif_sparse_grid_add(coif_sparse_grid *grid, coif_tile_coord coord);

// A position in units of cells: its tile, the node at the low corner of its cell, and the
// trilinear weights of the corners in the order of COIF_TILE_CORNERS.
typedef struct coif_tile_sample {
    coif_tile_coord tile;
    int32_t node;
    float weights[8];
} coif_tile_sample;

// Offsets from the node at the low corner.
static const int32_t COIF_TILE_CORNERS[8] = {0, 1, 5, 6, 25, 26, 30, 31};

// False when the position is not finite or out of range. Component 3 is ignored.
static inline bool coif_tile_sample_at(coif_tile_sample *sample, simd_float4 position)
{
    static const float MAX_COORDINATE = 1e6f;
    const simd_int4 in_range = (position > -MAX_COORDINATE) & (position < MAX_COORDINATE);
    if ((in_range[0] & in_range[1] & in_range[2]) == 0) {
        return false;
    }
    position[3] = 0.0f;
    simd_int4 cell = __builtin_convertvector(position, simd_int4);
    cell += __builtin_convertvector(cell, simd_float4) > position; // true is -1
    const simd_float4 high = position - __builtin_convertvector(cell, simd_float4);
    const simd_float4 low = 1.0f - high;
    const simd_int4 tile = cell >> 2;
    const simd_int4 local = cell & 3;
    sample->tile = (coif_tile_coord){tile[0], tile[1], tile[2]};
    sample->node = (local[2] * COIF_TILE_SIDE + local[1]) * COIF_TILE_SIDE + local[0];
    const simd_float4 x = {low[0], high[0], low[0], high[0]};
    const simd_float4 y = {low[1], low[1], high[1], high[1]};
    const simd_float4 xy = x * y;
    const simd_float4 below = xy * low[2];
    const simd_float4 above = xy * high[2];
    memcpy(sample->weights, &below, sizeof below);
    memcpy(sample->weights + 4, &above, sizeof above);
    return true;
}

static inline bool coif_tile_coord_equal(coif_tile_coord a, coif_tile_coord b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

#endif
