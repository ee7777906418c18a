// tiles: a voxel grid without borders, kept only where something is.
//
// Space is cut into cells, 4 x 4 x 4 of them to a tile; a table finds the number of a tile by its
// place. A tile has the 5 x 5 x 5 nodes at the corners of its cells, those it shares with others
// included, so that whatever happens in a cell needs one tile only. A hair that flies ten metres
// away costs a few tiles.
#ifndef COIF_SIM_INTERACTION_SPARSE_GRID_H
#define COIF_SIM_INTERACTION_SPARSE_GRID_H

#include "core/base/arena.h"

#include <string.h>

enum {
    COIF_TILE_CELLS = 4,
    COIF_TILE_SIDE = COIF_TILE_CELLS + 1,
    COIF_TILE_NODES = COIF_TILE_SIDE * COIF_TILE_SIDE * COIF_TILE_SIDE
};

typedef struct coif_tile_place {
    int32_t x, y, z;
} coif_tile_place;

typedef struct coif_tiles {
    coif_arena *arena;
    int32_t count, capacity;
    coif_tile_place *places; // by number
    int32_t *slots;          // numbers, -1 where none; a power of two of them
    uint32_t slot_mask;
} coif_tiles;

void coif_tiles_init(coif_tiles *tiles, coif_arena *arena);

// The number of a tile, -1 for one that is not there.
int32_t coif_tiles_find(const coif_tiles *tiles, coif_tile_place place);

// The same, and it is there afterwards. Numbers are given in order.
int32_t coif_tiles_add(coif_tiles *tiles, coif_tile_place place);

typedef float coif_four __attribute__((vector_size(16)));
typedef int32_t coif_four_ints __attribute__((vector_size(16)));

// A place in units of cells: its tile, the node at the low corner of its cell, and the trilinear
// weights of the corners, in the order of COIF_TILE_CORNERS.
typedef struct coif_tile_spot {
    coif_tile_place tile;
    int32_t node;
    float weights[8];
} coif_tile_spot;

// Counted from the node at the low corner.
static const int32_t COIF_TILE_CORNERS[8] = {0, 1, 5, 6, 25, 26, 30, 31};

// False where a place is not a number or farther away than any hair goes. The fourth is ignored.
static inline bool coif_tile_spot_of(coif_tile_spot *spot, coif_four place)
{
    static const float FARTHEST = 1e6f;
    const coif_four_ints near = (place > -FARTHEST) & (place < FARTHEST);
    if ((near[0] & near[1] & near[2]) == 0) {
        return false;
    }
    place[3] = 0.0f;
    coif_four_ints cell = __builtin_convertvector(place, coif_four_ints);
    cell += __builtin_convertvector(cell, coif_four) > place; // true is -1
    const coif_four high = place - __builtin_convertvector(cell, coif_four);
    const coif_four low = 1.0f - high;
    const coif_four_ints tile = cell >> 2;
    const coif_four_ints local = cell & 3;
    spot->tile = (coif_tile_place){tile[0], tile[1], tile[2]};
    spot->node = (local[2] * COIF_TILE_SIDE + local[1]) * COIF_TILE_SIDE + local[0];
    const coif_four across = {low[0], high[0], low[0], high[0]};
    const coif_four up = {low[1], low[1], high[1], high[1]};
    const coif_four flat = across * up;
    const coif_four below = flat * low[2];
    const coif_four above = flat * high[2];
    memcpy(spot->weights, &below, sizeof below);
    memcpy(spot->weights + 4, &above, sizeof above);
    return true;
}

static inline bool coif_tile_place_same(coif_tile_place a, coif_tile_place b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

#endif
