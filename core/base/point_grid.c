#include "core/base/point_grid.h"

#include "core/base/arena.h"
#include "core/base/bounds.h"

#include <math.h>
#include <stdlib.h>

static int32_t cell_on_axis(const coif_point_grid *grid, float position, float low, int axis)
{
    const float at = floorf((position - low) / grid->cell);
    return (int32_t)coif_clamp(at, 0.0f, (float)(grid->size[axis] - 1));
}

void coif_point_grid_cell(const coif_point_grid *grid, coif_vec3 p, int32_t cell[3])
{
    cell[0] = cell_on_axis(grid, p.x, grid->low.x, 0);
    cell[1] = cell_on_axis(grid, p.y, grid->low.y, 1);
    cell[2] = cell_on_axis(grid, p.z, grid->low.z, 2);
}

static int64_t cell_index(const coif_point_grid *grid, const int32_t cell[3])
{
    return ((int64_t)cell[2] * grid->size[1] + cell[1]) * grid->size[0] + cell[0];
}

static void choose_cells(coif_point_grid *grid, const coif_point_grid_desc *desc)
{
    const coif_vec3 *points = desc->bounded != NULL ? desc->bounded : desc->points;
    const int32_t count = desc->bounded != NULL ? desc->bounded_count : desc->count;
    coif_bounds bounds = coif_bounds_empty();
    for (int32_t i = 0; i < count; ++i) {
        coif_bounds_add(&bounds, points[i]);
    }
    const coif_vec3 extent = coif_sub(bounds.high, bounds.low);
    const float largest = coif_bounds_extent(&bounds);
    const float extents[3] = {extent.x, extent.y, extent.z};
    grid->low = bounds.low;
    grid->cell = fmaxf(largest / coif_clamp(desc->cells, 1.0f, (float)desc->max_cells), 1e-12f);
    for (int axis = 0; axis < 3; ++axis) {
        const float cells = floorf(extents[axis] / grid->cell) + 1.0f;
        grid->size[axis] = (int32_t)coif_clamp(cells, 1.0f, (float)(desc->max_cells + 1));
    }
}

// Counting sort of the points by cell.
void coif_point_grid_init(coif_point_grid *grid, const coif_point_grid_desc *desc,
                          coif_arena *arena)
{
    *grid = (coif_point_grid){.points = desc->points, .count = desc->count};
    if (desc->count == 0) {
        return;
    }
    choose_cells(grid, desc);
    const int64_t cells = (int64_t)grid->size[0] * grid->size[1] * grid->size[2];
    grid->first = coif_arena_new(arena, cells + 2, int32_t);
    grid->indices = coif_arena_new(arena, desc->count, int32_t);
    int32_t cell[3];
    for (int32_t i = 0; i < desc->count; ++i) {
        coif_point_grid_cell(grid, desc->points[i], cell);
        ++grid->first[cell_index(grid, cell) + 2];
    }
    for (int64_t c = 2; c < cells + 2; ++c) {
        grid->first[c] += grid->first[c - 1];
    }
    for (int32_t i = 0; i < desc->count; ++i) {
        coif_point_grid_cell(grid, desc->points[i], cell);
        grid->indices[grid->first[cell_index(grid, cell) + 1]++] = i;
    }
}

void coif_point_grid_visit_shell(const coif_point_grid *grid, const int32_t centre[3],
                                 int32_t shell, coif_point_grid_visit visit, void *context)
{
    int32_t from[3], to[3], cell[3];
    for (int axis = 0; axis < 3; ++axis) {
        from[axis] = centre[axis] > shell ? centre[axis] - shell : 0;
        const int32_t last = grid->size[axis] - 1;
        to[axis] = centre[axis] + shell < last ? centre[axis] + shell : last;
    }
    for (cell[2] = from[2]; cell[2] <= to[2]; ++cell[2]) {
        for (cell[1] = from[1]; cell[1] <= to[1]; ++cell[1]) {
            const bool edge =
                abs(cell[2] - centre[2]) == shell || abs(cell[1] - centre[1]) == shell;
            const int32_t step = edge ? 1 : 2 * shell;
            for (cell[0] = edge ? from[0] : centre[0] - shell; cell[0] <= to[0]; cell[0] += step) {
                if (cell[0] >= 0) {
                    const int32_t *first = grid->first + cell_index(grid, cell);
                    visit(context, grid->indices + first[0], first[1] - first[0]);
                }
            }
        }
    }
}

typedef struct nearest_point {
    const coif_point_grid *grid;
    coif_vec3 position;
    int32_t index;
    float distance2;
} nearest_point;

static void visit_points(void *context, const int32_t *points, int32_t count)
{
    nearest_point *found = context;
    for (int32_t k = 0; k < count; ++k) {
        const coif_vec3 offset = coif_sub(found->grid->points[points[k]], found->position);
        const float distance2 = coif_dot(offset, offset);
        if (distance2 < found->distance2 ||
            (distance2 == found->distance2 && points[k] < found->index)) {
            found->index = points[k];
            found->distance2 = distance2;
        }
    }
}

int32_t coif_point_grid_nearest(const coif_point_grid *grid, coif_vec3 position)
{
    nearest_point found = {grid, position, -1, INFINITY};
    if (grid->count == 0) {
        return -1;
    }
    int32_t centre[3];
    coif_point_grid_cell(grid, position, centre);
    const int32_t shells = grid->size[0] + grid->size[1] + grid->size[2];
    for (int32_t shell = 0; shell < shells; ++shell) {
        // Points in further shells are at least this far away; one cell of slack covers positions
        // outside the grid and rounding.
        const float outside = (float)(shell - 2) * grid->cell;
        if (found.index >= 0 && outside > 0.0f && outside * outside > found.distance2) {
            break;
        }
        coif_point_grid_visit_shell(grid, centre, shell, visit_points, &found);
    }
    return found.index;
}
