// roots_near: which points of a surface lie nearer to each other than a reach.
//
// Points are sorted by the cells of a grid as wide as the reach, row by row: those in and around a
// cell are then nine runs, and the runs of the next cell are a little further on, so that no cell
// has to be looked up.
#ifndef COIF_SIM_GROOM_NEIGHBOR_LISTS_H
#define COIF_SIM_GROOM_NEIGHBOR_LISTS_H

#include "core/base/base.h"
#include "core/base/vec.h"

// In one place all that is read together.
typedef struct coif_neighbor {
    coif_vec3 place;
    float weight;  // the caller's
    int64_t first; // its neighbours: so many of others from here on
    int32_t length;
    int32_t next; // the caller's
} coif_neighbor;

// What moves when points are sorted.
typedef struct coif_neighbor_points {
    coif_neighbor *points;
    coif_vec3 *normals; // points that look away from each other are not near
    int32_t *names;     // the caller's
} coif_neighbor_points;

typedef struct coif_neighbor_grid {
    int32_t count;
    coif_neighbor_points of, spare;
    float reach;
    int32_t *others; // neighbours of all points
    int64_t room;    // of others

    int32_t cell_count;
    struct coif_neighbor_grid_cell *cells, *spare_cells; // one above all is behind them
    uint64_t row, layer; // from a cell to the next row, the next layer
} coif_neighbor_grid;

// Room for count points, which the caller fills in: places, normals and names.
void coif_neighbor_grid_init(coif_neighbor_grid *near, int32_t count, coif_arena *arena);

// Sorts the points and lists who is nearer than reach to whom. There may be fewer of them than last
// time, not more. Points of one cell stay in the order they had.
void coif_neighbor_grid_find(coif_neighbor_grid *near, double reach, coif_arena *arena,
                             coif_jobs *jobs);

#endif
