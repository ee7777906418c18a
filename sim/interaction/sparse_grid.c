#include "sim/interaction/sparse_grid.h"

#include <string.h>

enum { FIRST_CAPACITY = 256 };

static uint32_t hash_coord(coif_tile_coord coord)
{
    uint32_t hash = (uint32_t)coord.x * 73856093u ^ (uint32_t)coord.y * 19349663u ^
                    (uint32_t)coord.z * 83492791u;
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6du;
    return hash ^ hash >> 13;
}

// Doubles the capacity; at most half of the slots are used. The old arrays are freed with the
// arena, and together they are smaller than the last ones.
static void rehash(coif_sparse_grid *grid)
{
    const int32_t capacity = grid->capacity > 0 ? 2 * grid->capacity : FIRST_CAPACITY;
    coif_tile_coord *coords = coif_arena_new(grid->arena, capacity, coif_tile_coord);
    if (grid->count > 0) {
        memcpy(coords, grid->coords, sizeof *coords * (size_t)grid->count);
    }
    grid->slots = coif_arena_new(grid->arena, 2 * (int64_t)capacity, int32_t);
    memset(grid->slots, 0xff, sizeof(int32_t) * 2 * (size_t)capacity);
    grid->slot_mask = 2 * (uint32_t)capacity - 1;
    grid->coords = coords;
    grid->capacity = capacity;
    for (int32_t i = 0; i < grid->count; ++i) {
        uint32_t slot = hash_coord(coords[i]) & grid->slot_mask;
        while (grid->slots[slot] >= 0) {
            slot = (slot + 1) & grid->slot_mask;
        }
        grid->slots[slot] = i;
    }
}

void coif_sparse_grid_init(coif_sparse_grid *grid, coif_arena *arena)
{
    *grid = (coif_sparse_grid){.arena = arena};
    rehash(grid);
}

static uint32_t find_slot(const coif_sparse_grid *grid, coif_tile_coord coord)
{
    uint32_t slot = hash_coord(coord) & grid->slot_mask;
    while (grid->slots[slot] >= 0 &&
           !coif_tile_coord_equal(grid->coords[grid->slots[slot]], coord)) {
        slot = (slot + 1) & grid->slot_mask;
    }
    return slot;
}

int32_t coif_sparse_grid_find(const coif_sparse_grid *grid, coif_tile_coord coord)
{
    return grid->slots[find_slot(grid, coord)];
}

int32_t coif_sparse_grid_add(coif_sparse_grid *grid, coif_tile_coord coord)
{
    uint32_t slot = find_slot(grid, coord);
    if (grid->slots[slot] >= 0) {
        return grid->slots[slot];
    }
    if (grid->count == grid->capacity) {
        rehash(grid);
        slot = find_slot(grid, coord);
    }
    grid->slots[slot] = grid->count;
    grid->coords[grid->count] = coord;
    return grid->count++;
}
