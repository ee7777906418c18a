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

enum { COIF_GRID_SCATTER_PAGE = 32, COIF_TILE_OWN = 64, COIF_TILES_NEAR = 27 };

// Per node of a tile: momentum and mass of the samples in the cells of this tile; and their mass
// times their density at rest.
typedef struct coif_grid_scatter_tile {
    simd_float4 sums[COIF_TILE_NODES];
    float rest[COIF_TILE_NODES];
    simd_float4 *laws; // their mass times their laws; NULL where all have the same
} coif_grid_scatter_tile;

typedef struct coif_grid_scatter {
    coif_arena arena;
    coif_sparse_grid tiles;
    int32_t most; // tiles; samples beyond are left out
    coif_grid_scatter_tile **pages;
    int32_t page_count;
    bool varied;                  // samples have laws of their own
    coif_grid_scatter_tile *here; // where the last sample went
    coif_tile_coord here_place;
} coif_grid_scatter;

// By what a law is multiplied for a sample: friction, pressure, shelter. What is between hairs has
// the mean of them, weighed by mass: so both of two hairs that rub feel the same.
enum { COIF_GRID_FRICTION, COIF_GRID_PRESSURE, COIF_GRID_SHELTER };

typedef struct coif_grid_sample {
    simd_float4 place; // in cells; and the density that does not press, kg/m3
    simd_float4 sums;  // momentum, kg m/s, and mass, kg
    simd_float4 laws;  // used where a splat is varied
} coif_grid_sample;

void coif_grid_scatter_open(coif_grid_scatter *splat, int32_t most);
void coif_grid_scatter_close(coif_grid_scatter *splat);
void coif_grid_scatter_add(coif_grid_scatter *splat, const coif_grid_sample *sample);

typedef struct coif_hair_grid {
    float cell;
    coif_sparse_grid tiles;
    int32_t (*near)[COIF_TILES_NEAR]; // numbers of the tiles around each, -1 where none
    // Of the nodes that a tile owns, 64 each: momentum and mass, density at rest, pressure.
    simd_float4 *sums;
    float *rest;
    float *pressure, *pressure_next, *source, *open;
    simd_float4 *felt; // of all nodes of each tile: acceleration, density
    // Where hairs have laws of their own, else NULL: means at the nodes a tile owns, and the rate
    // of friction at all nodes of each tile.
    simd_float4 *laws;
    float *rates;
} coif_hair_grid;

// Adds up the splats. Memory is taken from the arena.
void coif_hair_grid_build(coif_hair_grid *field, const coif_grid_scatter *splats, int32_t count,
                          float cell, coif_arena *arena, coif_jobs *jobs);

typedef struct coif_grid_coefficients {
    float seconds; // for which the field is to act
    float rate;    // of friction, 1/s
    float speed;   // of sound in hair pressed together, m/s; 0: no pressure
} coif_grid_coefficients;

// What hair feels: friction towards the mean velocity, and pressure where it is denser than at
// rest.
void coif_hair_grid_respond(coif_hair_grid *field, const coif_grid_coefficients *law,
                            coif_jobs *jobs);

// The share of the pull towards the mean velocity that is left when it acts for some seconds as a
// steady push:  (1 - exp(-rate t)) / t
float coif_hair_grid_rate(const coif_grid_coefficients *law);

// A value at a node given by its place in a tile, -1 to 4 each way; 0 where no tile is.
static inline int64_t coif_hair_grid_node(const coif_hair_grid *field, int32_t tile, int32_t x,
                                          int32_t y, int32_t z)
{
    const int32_t a = 1 + (x >> 2); // -1, 0 or 1 tiles away, plus one
    const int32_t b = 1 + (y >> 2);
    const int32_t c = 1 + (z >> 2);
    const int32_t other = field->near[tile][(c * 3 + b) * 3 + a];
    return other < 0 ? -1 : (int64_t)other * COIF_TILE_OWN + ((z & 3) * 4 + (y & 3)) * 4 + (x & 3);
}

#endif
