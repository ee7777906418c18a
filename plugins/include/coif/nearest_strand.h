// coif/nearest_strand.h: nearest-neighbour queries among the first n strands of a groom.
//
// For clumping modifiers: built once in coif_plugin.prepare [main], queried by workers. Roots are
// binned into a uniform grid; a query visits shells of cells of increasing radius until no closer
// strand is possible. All functions are static inline.
#ifndef COIF_PLUGIN_NEAREST_STRAND_H
#define COIF_PLUGIN_NEAREST_STRAND_H

#include <coif/strand_cursor.h>

enum { COIF_KIT_CELLS = 64 };

// Uniform grid over strand roots. Arrays are allocated by the host and live as long as the
// instance; `strands` must stay valid as well.
typedef struct coif_kit_strand_grid {
    const coif_strand_view *strands;
    int32_t count; // only strands [0, count) are in the grid
    float low[3];  // minimum corner, m
    float cell;    // edge length of a cell, m
    int32_t size[3];
    int32_t *begin;   // offsets into indices, one per cell and one more
    int32_t *indices; // strands of each cell in ascending order
} coif_kit_strand_grid;

// Squared distance of two strands, m^2: that of the roots plus a quarter of that of the midpoints.
// Midpoints separate strands on the two sides of a parting, whose roots are close.
static inline float coif_kit_strand_grid_distance(const coif_strand_view *strands, int32_t a,
                                                  int32_t b)
{
    const int32_t *first = strands->first;
    const coif_kit_vec root = coif_kit_sub(coif_kit_view_point(strands, first[a]),
                                           coif_kit_view_point(strands, first[b]));
    const coif_kit_vec midpoint =
        coif_kit_sub(coif_kit_view_point(strands, first[a] + (first[a + 1] - first[a]) / 2),
                     coif_kit_view_point(strands, first[b] + (first[b + 1] - first[b]) / 2));
    return coif_kit_dot(root, root) + 0.25f * coif_kit_dot(midpoint, midpoint);
}

// Grid cell of the root of a strand, clamped to the grid.
static inline void coif_kit_strand_grid_cell(const coif_kit_strand_grid *grid, int32_t strand,
                                             int32_t cell[3])
{
    const int32_t root = grid->strands->first[strand];
    const float position[3] = {grid->strands->x[root], grid->strands->y[root],
                               grid->strands->z[root]};
    for (int axis = 0; axis < 3; ++axis) {
        cell[axis] =
            (int32_t)coif_kit_clamp(floorf((position[axis] - grid->low[axis]) / grid->cell), 0.0f,
                                    (float)(grid->size[axis] - 1));
    }
}

// Linear index of a cell.
static inline int32_t coif_kit_strand_grid_index(const coif_kit_strand_grid *grid,
                                                 const int32_t cell[3])
{
    return (cell[2] * grid->size[1] + cell[1]) * grid->size[0] + cell[0];
}

// Sets bounds, cell size and resolution from the roots of all strands.
static inline void coif_kit_strand_grid_size(coif_kit_strand_grid *grid)
{
    const coif_strand_view *strands = grid->strands;
    float high[3] = {-3e38f, -3e38f, -3e38f};
    grid->low[0] = grid->low[1] = grid->low[2] = 3e38f;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t root = strands->first[s];
        const float position[3] = {strands->x[root], strands->y[root], strands->z[root]};
        for (int axis = 0; axis < 3; ++axis) {
            grid->low[axis] = position[axis] < grid->low[axis] ? position[axis] : grid->low[axis];
            high[axis] = position[axis] > high[axis] ? position[axis] : high[axis];
        }
    }
    float widest = 1e-9f;
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = high[axis] - grid->low[axis];
        widest = extent > widest ? extent : widest;
    }
    // Roots lie on a surface: the spacing of n of them is about widest / sqrt(n).
    const float cells = coif_kit_clamp(sqrtf((float)grid->count), 1.0f, (float)COIF_KIT_CELLS);
    grid->cell = widest / cells;
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = high[axis] - grid->low[axis];
        grid->size[axis] =
            1 + (int32_t)coif_kit_clamp(floorf(extent / grid->cell), 0.0f, (float)COIF_KIT_CELLS);
    }
}

// Builds a grid over the first `count` strands. Two passes: count, then fill. [main]
static inline void coif_kit_strand_grid_build(coif_kit_strand_grid *grid, const coif_host *host,
                                              const coif_strand_view *strands, int32_t count)
{
    memset(grid, 0, sizeof *grid);
    grid->strands = strands;
    grid->count = count < strands->strand_count ? count : strands->strand_count;
    coif_kit_strand_grid_size(grid);
    const int32_t cells = grid->size[0] * grid->size[1] * grid->size[2];
    grid->begin = (int32_t *)host->alloc(host, sizeof(int32_t) * ((size_t)cells + 2));
    grid->indices = (int32_t *)host->alloc(host, sizeof(int32_t) * ((size_t)grid->count + 1));
    int32_t cell[3];
    for (int32_t s = 0; s < grid->count; ++s) {
        coif_kit_strand_grid_cell(grid, s, cell);
        ++grid->begin[coif_kit_strand_grid_index(grid, cell) + 2];
    }
    for (int32_t c = 2; c < cells + 2; ++c) {
        grid->begin[c] += grid->begin[c - 1];
    }
    for (int32_t s = 0; s < grid->count; ++s) {
        coif_kit_strand_grid_cell(grid, s, cell);
        grid->indices[grid->begin[coif_kit_strand_grid_index(grid, cell) + 1]++] = s;
    }
}

// Result of a query.
typedef struct coif_kit_nearest_strand {
    int32_t strand; // -1: none
    float distance; // squared, m^2
} coif_kit_nearest_strand;

// Tests the strands of one cell. Ties go to the lower index, so the order of cells is irrelevant.
static inline void coif_kit_strand_grid_search_cell(const coif_kit_strand_grid *grid,
                                                    const int32_t cell[3], int32_t strand,
                                                    coif_kit_nearest_strand *found)
{
    const int32_t *region = grid->strands->region;
    const int32_t index = coif_kit_strand_grid_index(grid, cell);
    for (int32_t k = grid->begin[index]; k < grid->begin[index + 1]; ++k) {
        const int32_t other = grid->indices[k];
        if (region != NULL && region[other] != region[strand]) {
            continue;
        }
        const float distance = coif_kit_strand_grid_distance(grid->strands, strand, other);
        if (found->strand < 0 || distance < found->distance ||
            (distance == found->distance && other < found->strand)) {
            found->strand = other;
            found->distance = distance;
        }
    }
}

// Nearest grid strand of the same region to any strand of the groom; the lowest index on a tie, -1
// when the region has none. [worker]
static inline int32_t coif_kit_strand_grid_nearest(const coif_kit_strand_grid *grid, int32_t strand)
{
    coif_kit_nearest_strand found = {-1, 0.0f};
    int32_t center[3], cell[3];
    coif_kit_strand_grid_cell(grid, strand, center);
    const int32_t shells = grid->size[0] > grid->size[1] ? grid->size[0] : grid->size[1];
    const int32_t last = shells > grid->size[2] ? shells : grid->size[2];
    for (int32_t shell = 0; shell <= last; ++shell) {
        const float reach = 0.999f * (float)(shell - 1) * grid->cell;
        if (found.strand >= 0 && shell > 0 && found.distance < reach * reach) {
            break;
        }
        for (cell[2] = center[2] - shell; cell[2] <= center[2] + shell; ++cell[2]) {
            for (cell[1] = center[1] - shell; cell[1] <= center[1] + shell; ++cell[1]) {
                const int edge = cell[2] == center[2] - shell || cell[2] == center[2] + shell ||
                                 cell[1] == center[1] - shell || cell[1] == center[1] + shell;
                const int32_t step = edge || shell == 0 ? 1 : 2 * shell;
                for (cell[0] = center[0] - shell; cell[0] <= center[0] + shell; cell[0] += step) {
                    if (cell[0] >= 0 && cell[1] >= 0 && cell[2] >= 0 && cell[0] < grid->size[0] &&
                        cell[1] < grid->size[1] && cell[2] < grid->size[2]) {
                        coif_kit_strand_grid_search_cell(grid, cell, strand, &found);
                    }
                }
            }
        }
    }
    return found.strand;
}

#endif
