#include "sim/groom/neighbor_lists.h"

#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/jobs.h"

#include <string.h>

enum {
    AXIS_BITS = 20,
    DIGIT_BITS = 11,
    ROWS = 9,
    BLOCK = 4096,
    INITIAL_PER_POINT = 13,
    SLACK = 1024,
    BATCH = 128
};

typedef struct coif_neighbor_grid_cell {
    uint64_t key;
    int32_t point;
} coif_neighbor_grid_cell;

static coif_neighbor_points allocate_points(int32_t count, coif_arena *arena)
{
    return (coif_neighbor_points){.points = coif_arena_new(arena, count, coif_neighbor),
                                  .normals = coif_arena_new(arena, count, coif_vec3),
                                  .ids = coif_arena_new(arena, count, int32_t)};
}

void coif_neighbor_grid_init(coif_neighbor_grid *grid, int32_t count, coif_arena *arena)
{
    *grid = (coif_neighbor_grid){.count = count};
    grid->sorted = allocate_points(count, arena);
    grid->spare = allocate_points(count, arena);
    grid->cells = coif_arena_new(arena, (int64_t)count + 1, coif_neighbor_grid_cell);
    grid->spare_cells = coif_arena_new(arena, (int64_t)count + 1, coif_neighbor_grid_cell);
}

// Cells with a margin of one cell on all sides, so that every cell has neighbours.
typedef struct cell_grid {
    coif_vec3 low;
    double cell;
} cell_grid;

static uint64_t cell_coordinate(const cell_grid *layout, float at, float low)
{
    return (uint64_t)(((double)at - (double)low) / layout->cell) + 1;
}

static cell_grid choose_cells(coif_neighbor_grid *grid, double radius)
{
    coif_bounds bounds = coif_bounds_empty();
    for (int32_t i = 0; i < grid->count; ++i) {
        coif_bounds_add(&bounds, grid->sorted.points[i].position);
    }
    const coif_vec3 low = bounds.low, high = bounds.high;
    const double largest = (double)coif_bounds_extent(&bounds);
    const double min_cell = 1.001 * largest / (double)((int64_t)1 << AXIS_BITS);
    const cell_grid layout = {.low = low, .cell = fmax(radius, fmax(min_cell, 1e-30))};
    grid->row = cell_coordinate(&layout, high.x, low.x) + 2;
    grid->layer = grid->row * (cell_coordinate(&layout, high.y, low.y) + 2);
    return layout;
}

static void assign_cells(coif_neighbor_grid *grid, const cell_grid *layout)
{
    for (int32_t i = 0; i < grid->count; ++i) {
        const coif_vec3 p = grid->sorted.points[i].position;
        const uint64_t key = cell_coordinate(layout, p.x, layout->low.x) +
                             grid->row * cell_coordinate(layout, p.y, layout->low.y) +
                             grid->layer * cell_coordinate(layout, p.z, layout->low.z);
        grid->cells[i] = (coif_neighbor_grid_cell){key, i};
    }
}

// LSD radix sort, stable.
static void radix_sort(coif_neighbor_grid *grid)
{
    uint64_t used = 0;
    for (int32_t i = 0; i < grid->count; ++i) {
        used |= grid->cells[i].key;
    }
    for (int shift = 0; shift < 64 && used >> shift != 0; shift += DIGIT_BITS) {
        int32_t counts[1 << DIGIT_BITS] = {0};
        const uint64_t mask = (1u << DIGIT_BITS) - 1;
        for (int32_t i = 0; i < grid->count; ++i) {
            ++counts[grid->cells[i].key >> shift & mask];
        }
        int32_t sum = 0;
        for (int digit = 0; digit < 1 << DIGIT_BITS; ++digit) {
            const int32_t count = counts[digit];
            counts[digit] = sum;
            sum += count;
        }
        for (int32_t i = 0; i < grid->count; ++i) {
            const coif_neighbor_grid_cell cell = grid->cells[i];
            grid->spare_cells[counts[cell.key >> shift & mask]++] = cell;
        }
        coif_neighbor_grid_cell *sorted = grid->spare_cells;
        grid->spare_cells = grid->cells;
        grid->cells = sorted;
    }
}

static void move_points(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const coif_neighbor_grid *grid = context;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t from = grid->cells[i].point;
        grid->spare.points[i] = grid->sorted.points[from];
        grid->spare.normals[i] = grid->sorted.normals[from];
        grid->spare.ids[i] = grid->sorted.ids[from];
    }
}

// Compacts the cell of each point to each cell with its first point.
static void compact_cells(coif_neighbor_grid *grid)
{
    grid->cell_count = 0;
    for (int32_t i = 0; i < grid->count; ++i) {
        const uint64_t key = grid->cells[i].key;
        if (i == 0 || key != grid->cells[grid->cell_count - 1].key) {
            grid->cells[grid->cell_count++] = (coif_neighbor_grid_cell){key, i};
        }
    }
    grid->cells[grid->cell_count] = (coif_neighbor_grid_cell){UINT64_MAX, grid->count};
}

// The 27 cells around a cell: nine runs of at most three cells.
typedef struct cell_sweep {
    const coif_neighbor_grid *grid;
    uint64_t low[ROWS]; // from the cell to the first of the three
    int32_t begin[ROWS], end[ROWS];
} cell_sweep;

static cell_sweep start_sweep(const coif_neighbor_grid *grid, int64_t cell)
{
    cell_sweep at = {.grid = grid};
    const uint64_t key = grid->cells[cell].key;
    for (int r = 0; r < ROWS; ++r) {
        at.low[r] = ((uint64_t)(r % 3) - 1) * grid->row + ((uint64_t)(r / 3) - 1) * grid->layer - 1;
        int32_t low = 0, high = grid->cell_count;
        while (low < high) {
            const int32_t middle = low + (high - low) / 2;
            if (grid->cells[middle].key < key + at.low[r]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        at.begin[r] = at.end[r] = low;
    }
    return at;
}

static void advance(cell_sweep *at, uint64_t key)
{
    const coif_neighbor_grid_cell *cells = at->grid->cells;
    for (int r = 0; r < ROWS; ++r) {
        while (cells[at->begin[r]].key < key + at->low[r]) {
            ++at->begin[r];
        }
        at->end[r] = at->end[r] < at->begin[r] ? at->begin[r] : at->end[r];
        while (cells[at->end[r]].key <= key + at->low[r] + 2) {
            ++at->end[r];
        }
    }
}

// The lists of a block of cells use one range of indices, sized per point. A block that needs
// more reports how much, and all lists are written again.
typedef struct list_job {
    coif_neighbor_grid *grid;
    int64_t per_point;
    int64_t *needed; // per block, per point
} list_job;

// Remaining range of a block.
typedef struct list_range {
    int64_t next, end;
} list_range;

// Candidates in SoA layout, for a vectorised distance test.
typedef struct candidates {
    int32_t count;
    float x[BATCH], y[BATCH], z[BATCH];
    int32_t points[BATCH];
    int row; // run and offset in it where the next batch starts
    int32_t offset;
} candidates;

// Loads candidates from where the last call stopped; false while there are more.
static bool load_candidates(candidates *batch, const cell_sweep *at)
{
    const coif_neighbor_grid_cell *cells = at->grid->cells;
    batch->count = 0;
    for (; batch->row < ROWS; ++batch->row, batch->offset = 0) {
        const int32_t begin = cells[at->begin[batch->row]].point + batch->offset;
        const int32_t max_count = cells[at->end[batch->row]].point - begin;
        const int32_t fits = max_count < BATCH - batch->count ? max_count : BATCH - batch->count;
        for (int32_t i = 0; i < fits; ++i) {
            const coif_vec3 position = at->grid->sorted.points[begin + i].position;
            batch->x[batch->count] = position.x;
            batch->y[batch->count] = position.y;
            batch->z[batch->count] = position.z;
            batch->points[batch->count++] = begin + i;
        }
        batch->offset += fits;
        if (fits < max_count) {
            return false;
        }
    }
    return true;
}

// Branchless compaction: each index is written, and overwritten by the next unless it is a
// neighbour.
static int32_t append_neighbours(int32_t *list, const coif_neighbor_grid *grid,
                                 const candidates *batch, int32_t point)
{
    const coif_vec3 p = grid->sorted.points[point].position, normal = grid->sorted.normals[point];
    const float radius2 = grid->radius * grid->radius;
    int32_t found = 0, count = 0;
    for (int32_t i = 0; i < batch->count; ++i) {
        const float x = batch->x[i] - p.x, y = batch->y[i] - p.y, z = batch->z[i] - p.z;
        list[found] = batch->points[i];
        found += x * x + y * y + z * z < radius2;
    }
    for (int32_t i = 0; i < found; ++i) {
        list[count] = list[i];
        count += list[i] != point && coif_dot(grid->sorted.normals[list[i]], normal) >= 0.0f;
    }
    return count;
}

static int32_t count_candidates(const cell_sweep *at)
{
    const coif_neighbor_grid_cell *cells = at->grid->cells;
    int32_t sum = 0;
    for (int r = 0; r < ROWS; ++r) {
        sum += cells[at->end[r]].point - cells[at->begin[r]].point;
    }
    return sum;
}

// Lists of all points of a cell.
static void list_cell(list_range *range, coif_neighbor_grid *grid, const cell_sweep *at,
                      int64_t cell)
{
    const int32_t max_count = count_candidates(at);
    candidates batch;
    batch.row = batch.offset = 0;
    const bool whole = load_candidates(&batch, at);
    for (int32_t i = grid->cells[cell].point; i < grid->cells[cell + 1].point; ++i) {
        coif_neighbor *self = &grid->sorted.points[i];
        self->first = range->next;
        self->length = 0;
        if (range->next + max_count > range->end) {
            range->next += max_count;
            continue;
        }
        if (!whole) {
            batch.row = batch.offset = 0;
        }
        for (bool done = false; !done;) {
            done = whole || load_candidates(&batch, at);
            self->length +=
                append_neighbours(grid->indices + self->first + self->length, grid, &batch, i);
        }
        range->next += self->length;
    }
}

static void list_block(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const list_job *job = context;
    const coif_neighbor_grid_cell *cells = job->grid->cells;
    const int64_t first = cells[begin].point, count = cells[end].point - first;
    const int64_t from = first * job->per_point + begin / BLOCK * SLACK;
    list_range range = {from, from + count * job->per_point + SLACK};
    cell_sweep at = start_sweep(job->grid, begin);
    for (int64_t cell = begin; cell < end; ++cell) {
        advance(&at, cells[cell].key);
        list_cell(&range, job->grid, &at, cell);
    }
    const bool fits = range.next <= range.end;
    job->needed[begin / BLOCK] = fits ? job->per_point : (range.next - from + count - 1) / count;
}

static void write_lists(coif_neighbor_grid *grid, coif_arena *arena, coif_jobs *jobs)
{
    const int64_t blocks = (grid->cell_count + (int64_t)BLOCK - 1) / BLOCK;
    list_job job = {.grid = grid, .needed = coif_arena_new(arena, blocks, int64_t)};
    for (int64_t per_point = INITIAL_PER_POINT; per_point > job.per_point;) {
        job.per_point = per_point;
        if (grid->count * per_point + blocks * SLACK > grid->capacity) {
            grid->capacity = grid->count * per_point + blocks * SLACK;
            grid->indices = coif_arena_new(arena, grid->capacity, int32_t);
        }
        coif_parallel_for(jobs, grid->cell_count, BLOCK, list_block, &job);
        for (int64_t b = 0; b < blocks; ++b) {
            per_point = job.needed[b] > per_point ? job.needed[b] : per_point;
        }
    }
}

void coif_neighbor_grid_find(coif_neighbor_grid *grid, double radius, coif_arena *arena,
                             coif_jobs *jobs)
{
    if (grid->count == 0) {
        return;
    }
    const cell_grid layout = choose_cells(grid, radius);
    grid->radius = (float)radius;
    assign_cells(grid, &layout);
    radix_sort(grid);
    coif_parallel_for(jobs, grid->count, BLOCK, move_points, grid);
    const coif_neighbor_points sorted = grid->spare;
    grid->spare = grid->sorted;
    grid->sorted = sorted;
    compact_cells(grid);
    write_lists(grid, arena, jobs);
}
