// hair_grid: density and momentum of hair on a grid, and the acceleration of hair from it (PIC).
//
// Samples of hair are scattered into several grids, one per group of strands, so that threads do
// not share memory; the grid then adds these up in a fixed order. Sums depend on the samples
// alone, not on threads. Positions are in units of cells in a frame of the caller; velocities
// are relative to that frame, in metres per second.
#ifndef COIF_SIM_INTERACTION_HAIR_GRID_H
#define COIF_SIM_INTERACTION_HAIR_GRID_H

#include "core/base/vec.h"
#include "sim/interaction/sparse_grid.h"

enum { COIF_GRID_SCATTER_PAGE = 32, COIF_TILE_OWNED_NODES = 64, COIF_TILE_NEIGHBOURS = 27 };

// Per node of a tile: momentum and mass of the samples in its cells.
typedef struct coif_grid_scatter_tile {
    simd_float4 sums[COIF_TILE_NODES];
    float rest[COIF_TILE_NODES]; // mass times rest density
    simd_float4 *coefficients;   // mass times coefficient; NULL when all are 1
} coif_grid_scatter_tile;

typedef struct coif_grid_scatter {
    coif_arena arena;
    coif_sparse_grid tiles;
    int32_t max_tiles; // samples beyond are dropped and counted
    int64_t dropped;
    coif_grid_scatter_tile **pages;
    int32_t page_count;
    bool varying;                         // samples have their own coefficients
    coif_grid_scatter_tile *current_tile; // of the last sample
    coif_tile_coord current_coord;
} coif_grid_scatter;

// Per-sample factors of friction, pressure and wind occlusion. Nodes hold the mass-weighted
// mean, so that both of two interacting hairs use the same coefficient.
enum { COIF_GRID_FRICTION, COIF_GRID_PRESSURE, COIF_GRID_OCCLUSION };

typedef struct coif_grid_sample {
    simd_float4 position;     // in cells; component 3: rest density, kg/m3
    simd_float4 sums;         // momentum, kg m/s, and mass, kg
    simd_float4 coefficients; // used when the scatter is varying
} coif_grid_sample;

void coif_grid_scatter_open(coif_grid_scatter *scatter, int32_t max_tiles);
void coif_grid_scatter_close(coif_grid_scatter *scatter);
void coif_grid_scatter_add(coif_grid_scatter *scatter, const coif_grid_sample *sample);

typedef struct coif_hair_grid {
    float cell;
    coif_sparse_grid tiles;
    int32_t (*neighbours)[COIF_TILE_NEIGHBOURS]; // the 27 tiles around each, -1: none
    // Of the nodes that a tile owns, 64 each.
    simd_float4 *sums; // momentum and mass
    float *density, *rest_density;
    float *pressure, *pressure_next, *source;
    float *open_faces;          // number of neighbours with hair
    simd_float4 *node_response; // acceleration, density
    simd_float4 *response;      // the same of all nodes of each tile
    // With varying coefficients, else NULL: means at owned nodes, and the friction rate at
    // all nodes of each tile.
    simd_float4 *coefficients;
    float *friction_rates;
} coif_hair_grid;

// Adds up the scatters. Memory comes from the arena.
void coif_hair_grid_build(coif_hair_grid *grid, const coif_grid_scatter *scatters, int32_t count,
                          float cell, coif_arena *arena, coif_jobs *jobs);

typedef struct coif_grid_coefficients {
    float seconds; // until the grid is rebuilt
    float rate;    // of friction, 1/s
    float speed;   // of sound in compressed hair, m/s; 0: no pressure
} coif_grid_coefficients;

// Response: friction towards the mean velocity, and pressure where hair is denser than at rest.
void coif_hair_grid_respond(coif_hair_grid *grid, const coif_grid_coefficients *coefficients,
                            coif_jobs *jobs);

// Effective friction rate of a constant acceleration over the interval t: (1 - exp(-rate t)) / t
float coif_hair_grid_rate(const coif_grid_coefficients *coefficients);

// Index of a node given by its coordinate in a tile, -1 to 4 on each axis; -1 without a tile.
static inline int64_t coif_hair_grid_node(const coif_hair_grid *grid, int32_t tile, int32_t x,
                                          int32_t y, int32_t z)
{
    const int32_t a = 1 + (x >> 2); // -1, 0 or 1 tiles away, plus one
    const int32_t b = 1 + (y >> 2);
    const int32_t c = 1 + (z >> 2);
    const int32_t other = grid->neighbours[tile][(c * 3 + b) * 3 + a];
    return other < 0
               ? -1
               : (int64_t)other * COIF_TILE_OWNED_NODES + ((z & 3) * 4 + (y & 3)) * 4 + (x & 3);
}

// The same of node n of a tile, its last planes included, which neighbours own.
static inline int64_t coif_hair_grid_tile_node(const coif_hair_grid *grid, int32_t tile, int32_t n)
{
    return coif_hair_grid_node(grid, tile, n % COIF_TILE_SIDE, n / COIF_TILE_SIDE % COIF_TILE_SIDE,
                               n / (COIF_TILE_SIDE * COIF_TILE_SIDE));
}

#endif
