// point_grid: cells are visited in cubic shells around the position until no closer point can
// follow.
#include "sim/groom/point_grid.h"

#include "core/base/arena.h"

#include <math.h>

enum { MAX_CELLS_PER_AXIS = 64 };

static int32_t cell_on_axis(const coif_point_grid *grid, float position, float low, int axis)
{
    const float at = floorf((position - low) / grid->cell);
    return (int32_t)coif_clamp(at, 0.0f, (float)(grid->size[axis] - 1));
}

static void cell_of(const coif_point_grid *grid, coif_vec3 p, int32_t cell[3])
{
    cell[0] = cell_on_axis(grid, p.x, grid->low.x, 0);
    cell[1] = cell_on_axis(grid, p.y, grid->low.y, 1);
    cell[2] = cell_on_axis(grid, p.z, grid->low.z, 2);
}

static int64_t cell_index(const coif_point_grid *grid, const int32_t cell[3])
{
    return ((int64_t)cell[2] * grid->size[1] + cell[1]) * grid->size[0] + cell[0];
}

// Points lie on a surface: n of them occupy about n of n^(3/2) cells.
static void choose_cells(coif_point_grid *grid)
{
    coif_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < grid->count; ++i) {
        const coif_vec3 p = grid->points[i];
        low = coif_vec3_of(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = coif_vec3_of(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    const coif_vec3 extent = coif_sub(high, low);
    const float largest = fmaxf(extent.x, fmaxf(extent.y, extent.z));
    const float per_axis = coif_clamp(sqrtf((float)grid->count), 1.0f, MAX_CELLS_PER_AXIS);
    const float extents[3] = {extent.x, extent.y, extent.z};
    grid->low = low;
    grid->cell = fmaxf(largest / per_axis, 1e-12f);
    for (int axis = 0; axis < 3; ++axis) {
        const float cells = floorf(extents[axis] / grid->cell) + 1.0f;
        grid->size[axis] = (int32_t)coif_clamp(cells, 1.0f, MAX_CELLS_PER_AXIS + 1);
    }
}

void coif_point_grid_init(coif_point_grid *grid, const coif_vec3 *points, int32_t count,
                          coif_arena *arena)
{
    *grid = (coif_point_grid){.points = points, .count = count};
    if (count == 0) {
        return;
    }
    choose_cells(grid);
    const int64_t cells = (int64_t)grid->size[0] * grid->size[1] * grid->size[2];
    grid->first = coif_arena_new(arena, cells + 2, int32_t);
    grid->indices = coif_arena_new(arena, count, int32_t);
    int32_t cell[3];
    for (int32_t i = 0; i < count; ++i) {
        cell_of(grid, points[i], cell);
        ++grid->first[cell_index(grid, cell) + 2];
    }
    for (int64_t c = 2; c < cells + 2; ++c) {
        grid->first[c] += grid->first[c - 1];
    }
    for (int32_t i = 0; i < count; ++i) {
        cell_of(grid, points[i], cell);
        grid->indices[grid->first[cell_index(grid, cell) + 1]++] = i;
    }
}

typedef struct nearest_point {
    int32_t index;
    float distance2;
} nearest_point;

static void visit_cell(nearest_point *found, const coif_point_grid *grid, const int32_t cell[3],
                       coif_vec3 position)
{
    const int64_t c = cell_index(grid, cell);
    for (int32_t k = grid->first[c]; k < grid->first[c + 1]; ++k) {
        const int32_t i = grid->indices[k];
        const coif_vec3 offset = coif_sub(grid->points[i], position);
        const float distance2 = coif_dot(offset, offset);
        if (distance2 < found->distance2 || (distance2 == found->distance2 && i < found->index)) {
            *found = (nearest_point){i, distance2};
        }
    }
}

// Cells at exactly `radius` cells from the centre, in the largest of the axes.
static void visit_shell(nearest_point *found, const coif_point_grid *grid, const int32_t centre[3],
                        int32_t radius, coif_vec3 position)
{
    for (int32_t z = -radius; z <= radius; ++z) {
        for (int32_t y = -radius; y <= radius; ++y) {
            const bool face = z == -radius || z == radius || y == -radius || y == radius;
            for (int32_t x = -radius; x <= radius; x += face || radius == 0 ? 1 : 2 * radius) {
                const int32_t cell[3] = {centre[0] + x, centre[1] + y, centre[2] + z};
                if (cell[0] >= 0 && cell[0] < grid->size[0] && cell[1] >= 0 &&
                    cell[1] < grid->size[1] && cell[2] >= 0 && cell[2] < grid->size[2]) {
                    visit_cell(found, grid, cell, position);
                }
            }
        }
    }
}

int32_t coif_point_grid_nearest(const coif_point_grid *grid, coif_vec3 position)
{
    nearest_point found = {-1, INFINITY};
    if (grid->count == 0) {
        return -1;
    }
    int32_t centre[3];
    cell_of(grid, position, centre);
    for (int32_t radius = 0; radius <= MAX_CELLS_PER_AXIS + 1; ++radius) {
        // Points outside the shells so far are at least this far away; one cell of slack covers
        // positions outside the grid and rounding.
        const float outside = (float)(radius - 2) * grid->cell;
        if (found.index >= 0 && outside > 0.0f && outside * outside > found.distance2) {
            break;
        }
        visit_shell(&found, grid, centre, radius, position);
    }
    return found.index;
}
