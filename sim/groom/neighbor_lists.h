// neighbor_lists: all pairs of surface points closer than a radius.
//
// Points are sorted by the cells of a uniform grid with cells of that radius, row by row: the 27
// cells around a cell are nine runs, and the runs advance monotonically with the cell, so that
// no cell has to be looked up.
#ifndef COIF_SIM_GROOM_NEIGHBOR_LISTS_H
#define COIF_SIM_GROOM_NEIGHBOR_LISTS_H

#include "core/base/base.h"
#include "core/base/vec.h"

// Attributes that are read together.
typedef struct coif_neighbor {
    coif_vec3 position;
    float weight;  // for the caller
    int64_t first; // offset of its neighbours in indices
    int32_t length;
    int32_t next; // for the caller
} coif_neighbor;

// Arrays permuted by the sort.
typedef struct coif_neighbor_points {
    coif_neighbor *points;
    coif_vec3 *normals; // points with opposed normals are not neighbours
    int32_t *ids;       // for the caller
} coif_neighbor_points;

typedef struct coif_neighbor_grid {
    int32_t count;
    coif_neighbor_points sorted, spare;
    float radius;
    int32_t *indices; // neighbours of all points
    int64_t capacity; // of indices

    int32_t cell_count;
    struct coif_neighbor_grid_cell *cells, *spare_cells; // and a sentinel
    uint64_t row, layer;                                 // key strides of y and z
} coif_neighbor_grid;

// Allocates count points; the caller fills in positions, normals and ids.
void coif_neighbor_grid_init(coif_neighbor_grid *grid, int32_t count, coif_arena *arena);

// Sorts the points and lists the neighbours within the radius. The count may have decreased
// since the last call. The sort is stable.
void coif_neighbor_grid_find(coif_neighbor_grid *grid, double radius, coif_arena *arena,
                             coif_jobs *jobs);

#endif
