// point_grid: nearest point queries in a uniform grid.
#ifndef COIF_SIM_GROOM_POINT_GRID_H
#define COIF_SIM_GROOM_POINT_GRID_H

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

// The points must outlive the grid, which lives in arena.
void coif_point_grid_init(coif_point_grid *grid, const coif_vec3 *points, int32_t count,
                          coif_arena *arena);

// Index of the point nearest to a position, the lowest of equally near ones; -1 without points.
int32_t coif_point_grid_nearest(const coif_point_grid *grid, coif_vec3 position);

#endif
