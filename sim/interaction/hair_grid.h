// field: how much hair is in each part of space and how it moves, and what single hairs feel of it.
//
// Samples of hair are strewn into splats, several of them so that threads do not meet; then the
// field adds these up in their order. Sums run in an order that depends on the samples alone, not
// on threads. Places are in units of cells, in a frame of the caller's; velocities are against that
// frame, in metres per second.
#ifndef COIF_SIM_INTERACTION_HAIR_GRID_H
#define COIF_SIM_INTERACTION_HAIR_GRID_H

#include "core/base/vec.h"
#include "sim/interaction/sparse_grid.h"

enum { COIF_SPLAT_PAGE = 32, COIF_TILE_OWN = 64, COIF_TILES_NEAR = 27 };

// Per node of a tile: momentum and mass of the samples in the cells of this tile; and their mass
// times their density at rest.
typedef struct coif_splat_tile {
    coif_four sums[COIF_TILE_NODES];
    float rest[COIF_TILE_NODES];
    coif_four *laws; // their mass times their laws; NULL where all have the same
} coif_splat_tile;

typedef struct coif_splat {
    coif_arena arena;
    coif_tiles tiles;
    int32_t most; // tiles; samples beyond are left out
    coif_splat_tile **pages;
    int32_t page_count;
    bool varied;           // samples have laws of their own
    coif_splat_tile *here; // where the last sample went
    coif_tile_place here_place;
} coif_splat;

// By what a law is multiplied for a sample: friction, pressure, shelter. What is between hairs has
// the mean of them, weighed by mass: so both of two hairs that rub feel the same.
enum { COIF_LAW_FRICTION, COIF_LAW_PRESSURE, COIF_LAW_SHELTER };

typedef struct coif_sample {
    coif_four place; // in cells; and the density that does not press, kg/m3
    coif_four sums;  // momentum, kg m/s, and mass, kg
    coif_four laws;  // used where a splat is varied
} coif_sample;

void coif_splat_open(coif_splat *splat, int32_t most);
void coif_splat_close(coif_splat *splat);
void coif_splat_add(coif_splat *splat, const coif_sample *sample);

typedef struct coif_field {
    float cell;
    coif_tiles tiles;
    int32_t (*near)[COIF_TILES_NEAR]; // numbers of the tiles around each, -1 where none
    // Of the nodes that a tile owns, 64 each: momentum and mass, density at rest, pressure.
    coif_four *sums;
    float *rest;
    float *pressure, *pressure_next, *source, *open;
    coif_four *felt; // of all nodes of each tile: acceleration, density
    // Where hairs have laws of their own, else NULL: means at the nodes a tile owns, and the rate
    // of friction at all nodes of each tile.
    coif_four *laws;
    float *rates;
} coif_field;

// Adds up the splats. Memory is taken from the arena.
void coif_field_build(coif_field *field, const coif_splat *splats, int32_t count, float cell,
                      coif_arena *arena, coif_jobs *jobs);

typedef struct coif_field_law {
    float seconds; // for which the field is to act
    float rate;    // of friction, 1/s
    float speed;   // of sound in hair pressed together, m/s; 0: no pressure
} coif_field_law;

// What hair feels: friction towards the mean velocity, and pressure where it is denser than at
// rest.
void coif_field_respond(coif_field *field, const coif_field_law *law, coif_jobs *jobs);

// The share of the pull towards the mean velocity that is left when it acts for some seconds as a
// steady push:  (1 - exp(-rate t)) / t
float coif_field_rate(const coif_field_law *law);

// A value at a node given by its place in a tile, -1 to 4 each way; 0 where no tile is.
static inline int64_t coif_field_node(const coif_field *field, int32_t tile, int32_t x, int32_t y,
                                      int32_t z)
{
    const int32_t a = 1 + (x >> 2); // -1, 0 or 1 tiles away, plus one
    const int32_t b = 1 + (y >> 2);
    const int32_t c = 1 + (z >> 2);
    const int32_t other = field->near[tile][(c * 3 + b) * 3 + a];
    return other < 0 ? -1 : (int64_t)other * COIF_TILE_OWN + ((z & 3) * 4 + (y & 3)) * 4 + (x & 3);
}

#endif
