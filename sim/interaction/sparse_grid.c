#include "sim/interaction/sparse_grid.h"

#include <string.h>

enum { FIRST_CAPACITY = 256 };

static uint32_t hash_of(coif_tile_coord place)
{
    uint32_t hash = (uint32_t)place.x * 73856093u ^ (uint32_t)place.y * 19349663u ^
                    (uint32_t)place.z * 83492791u;
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6du;
    return hash ^ hash >> 13;
}

// Room for twice as many; half of the slots at most are taken. Memory of the smaller table is given
// back with the arena, and together they are no more than the last one.
static void grow(coif_sparse_grid *tiles)
{
    const int32_t capacity = tiles->capacity > 0 ? 2 * tiles->capacity : FIRST_CAPACITY;
    coif_tile_coord *places = coif_arena_new(tiles->arena, capacity, coif_tile_coord);
    if (tiles->count > 0) {
        memcpy(places, tiles->places, sizeof *places * (size_t)tiles->count);
    }
    tiles->slots = coif_arena_new(tiles->arena, 2 * (int64_t)capacity, int32_t);
    memset(tiles->slots, 0xff, sizeof(int32_t) * 2 * (size_t)capacity);
    tiles->slot_mask = 2 * (uint32_t)capacity - 1;
    tiles->places = places;
    tiles->capacity = capacity;
    for (int32_t i = 0; i < tiles->count; ++i) {
        uint32_t slot = hash_of(places[i]) & tiles->slot_mask;
        while (tiles->slots[slot] >= 0) {
            slot = (slot + 1) & tiles->slot_mask;
        }
        tiles->slots[slot] = i;
    }
}

void coif_sparse_grid_init(coif_sparse_grid *tiles, coif_arena *arena)
{
    *tiles = (coif_sparse_grid){.arena = arena};
    grow(tiles);
}

static uint32_t slot_of(const coif_sparse_grid *tiles, coif_tile_coord place)
{
    uint32_t slot = hash_of(place) & tiles->slot_mask;
    while (tiles->slots[slot] >= 0 &&
           !coif_tile_coord_equal(tiles->places[tiles->slots[slot]], place)) {
        slot = (slot + 1) & tiles->slot_mask;
    }
    return slot;
}

int32_t coif_sparse_grid_find(const coif_sparse_grid *tiles, coif_tile_coord place)
{
    return tiles->slots[slot_of(tiles, place)];
}

int32_t coif_sparse_grid_add(coif_sparse_grid *tiles, coif_tile_coord place)
{
    uint32_t slot = slot_of(tiles, place);
    if (tiles->slots[slot] >= 0) {
        return tiles->slots[slot];
    }
    if (tiles->count == tiles->capacity) {
        grow(tiles);
        slot = slot_of(tiles, place);
    }
    tiles->slots[slot] = tiles->count;
    tiles->places[tiles->count] = place;
    return tiles->count++;
}
