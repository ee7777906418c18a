// point_grid: nearest-neighbour queries among points, in a uniform grid.
//
// A query visits cubic shells of cells around its position until no closer point can follow.
#ifndef COIF_CORE_BASE_POINT_GRID_H
#define COIF_CORE_BASE_POINT_GRID_H

#include "core/base/base.h"
#include "core/base/vec.h"

typedef struct coif_point_grid {
    const coif_vec3 *points;
    int32_t count;
    coif_vec3 low;
    float cell;
    int32_t size[3];
    int32_t *first;   // per cell and one more: offset into indices
    int32_t *indices; // points by cell, ascending within a cell
} coif_point_grid;

typedef struct coif_point_grid_desc {
    const coif_vec3 *points; // they must outlive the grid
    int32_t count;
    const coif_vec3 *bounded; // points that lie in the grid; NULL: the points themselves
    int32_t bounded_count;
    float cells;   // along the longest axis
    int max_cells; // along any axis
} coif_point_grid_desc;

// Memory comes from the arena.
void coif_point_grid_init(coif_point_grid *grid, const coif_point_grid_desc *desc,
                          coif_arena *arena);

// Cell of a position, the nearest one for a position outside the grid.
void coif_point_grid_cell(const coif_point_grid *grid, coif_vec3 position, int32_t cell[3]);

// Calls visit with the points of every cell at Chebyshev distance `shell` from the centre.
typedef void (*coif_point_grid_visit)(void *context, const int32_t *points, int32_t count);
void coif_point_grid_visit_shell(const coif_point_grid *grid, const int32_t centre[3],
                                 int32_t shell, coif_point_grid_visit visit, void *context);

// Index of the point nearest to a position, the lowest of equally near ones; -1 without points.
int32_t coif_point_grid_nearest(const coif_point_grid *grid, coif_vec3 position);

#endif
