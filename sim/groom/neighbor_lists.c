#include "sim/groom/neighbor_lists.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"

#include <string.h>

enum {
    AXIS_BITS = 20,
    DIGIT_BITS = 11,
    ROWS = 9,
    BLOCK = 4096,
    USUAL = 13,
    SPARE = 1024,
    TRAY = 128
};

typedef struct coif_neighbor_grid_cell {
    uint64_t key;
    int32_t point;
} coif_neighbor_grid_cell;

static coif_neighbor_points room_for(int32_t count, coif_arena *arena)
{
    return (coif_neighbor_points){.points = coif_arena_new(arena, count, coif_neighbor),
                                  .normals = coif_arena_new(arena, count, coif_vec3),
                                  .names = coif_arena_new(arena, count, int32_t)};
}

void coif_neighbor_grid_init(coif_neighbor_grid *near, int32_t count, coif_arena *arena)
{
    *near = (coif_neighbor_grid){.count = count};
    near->of = room_for(count, arena);
    near->spare = room_for(count, arena);
    near->cells = coif_arena_new(arena, (int64_t)count + 1, coif_neighbor_grid_cell);
    near->spare_cells = coif_arena_new(arena, (int64_t)count + 1, coif_neighbor_grid_cell);
}

// The grid has a margin of one cell all around, so that every cell has neighbours.
typedef struct grid {
    coif_vec3 low;
    double cell;
} grid;

static uint64_t cell_along(const grid *all, float at, float low)
{
    return (uint64_t)(((double)at - (double)low) / all->cell) + 1;
}

static grid open_grid(coif_neighbor_grid *near, double reach)
{
    coif_vec3 low = near->of.points[0].place, high = low;
    for (int32_t i = 1; i < near->count; ++i) {
        const coif_vec3 p = near->of.points[i].place;
        low = coif_vec3_of(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = coif_vec3_of(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    const coif_vec3 wide = coif_sub(high, low);
    const double most = (double)fmaxf(wide.x, fmaxf(wide.y, wide.z));
    const double finest = 1.001 * most / (double)((int64_t)1 << AXIS_BITS);
    const grid all = {.low = low, .cell = fmax(reach, fmax(finest, 1e-30))};
    near->row = cell_along(&all, high.x, low.x) + 2;
    near->layer = near->row * (cell_along(&all, high.y, low.y) + 2);
    return all;
}

static void find_cells(coif_neighbor_grid *near, const grid *all)
{
    for (int32_t i = 0; i < near->count; ++i) {
        const coif_vec3 p = near->of.points[i].place;
        const uint64_t key = cell_along(all, p.x, all->low.x) +
                             near->row * cell_along(all, p.y, all->low.y) +
                             near->layer * cell_along(all, p.z, all->low.z);
        near->cells[i] = (coif_neighbor_grid_cell){key, i};
    }
}

// By digits from the last to the first, each time keeping the order of equal ones.
static void sort_cells(coif_neighbor_grid *near)
{
    uint64_t used = 0;
    for (int32_t i = 0; i < near->count; ++i) {
        used |= near->cells[i].key;
    }
    for (int shift = 0; shift < 64 && used >> shift != 0; shift += DIGIT_BITS) {
        int32_t places[1 << DIGIT_BITS] = {0};
        const uint64_t mask = (1u << DIGIT_BITS) - 1;
        for (int32_t i = 0; i < near->count; ++i) {
            ++places[near->cells[i].key >> shift & mask];
        }
        int32_t sum = 0;
        for (int digit = 0; digit < 1 << DIGIT_BITS; ++digit) {
            const int32_t many = places[digit];
            places[digit] = sum;
            sum += many;
        }
        for (int32_t i = 0; i < near->count; ++i) {
            const coif_neighbor_grid_cell cell = near->cells[i];
            near->spare_cells[places[cell.key >> shift & mask]++] = cell;
        }
        coif_neighbor_grid_cell *sorted = near->spare_cells;
        near->spare_cells = near->cells;
        near->cells = sorted;
    }
}

static void move_points(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const coif_neighbor_grid *near = context;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t from = near->cells[i].point;
        near->spare.points[i] = near->of.points[from];
        near->spare.normals[i] = near->of.normals[from];
        near->spare.names[i] = near->of.names[from];
    }
}

// From the cell of each point to each cell with its first point.
static void close_ranks(coif_neighbor_grid *near)
{
    near->cell_count = 0;
    for (int32_t i = 0; i < near->count; ++i) {
        const uint64_t key = near->cells[i].key;
        if (i == 0 || key != near->cells[near->cell_count - 1].key) {
            near->cells[near->cell_count++] = (coif_neighbor_grid_cell){key, i};
        }
    }
    near->cells[near->cell_count] = (coif_neighbor_grid_cell){UINT64_MAX, near->count};
}

// In and around a cell: nine runs of at most three cells.
typedef struct sweep {
    const coif_neighbor_grid *near;
    uint64_t low[ROWS]; // from the cell to the first of the three
    int32_t begin[ROWS], end[ROWS];
} sweep;

static sweep start_sweep(const coif_neighbor_grid *near, int64_t cell)
{
    sweep at = {.near = near};
    const uint64_t key = near->cells[cell].key;
    for (int r = 0; r < ROWS; ++r) {
        at.low[r] = ((uint64_t)(r % 3) - 1) * near->row + ((uint64_t)(r / 3) - 1) * near->layer - 1;
        int32_t low = 0, high = near->cell_count;
        while (low < high) {
            const int32_t middle = low + (high - low) / 2;
            if (near->cells[middle].key < key + at.low[r]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        at.begin[r] = at.end[r] = low;
    }
    return at;
}

static void advance(sweep *at, uint64_t key)
{
    const coif_neighbor_grid_cell *cells = at->near->cells;
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

// The lists of a block of cells share a part of the room, so much for each of their points. A block
// that needs more says how much, and all are written again.
typedef struct listing {
    coif_neighbor_grid *near;
    int64_t each;    // per point
    int64_t *needed; // per block, for each point, at most
} listing;

// What is left of the room of a block.
typedef struct lists_room {
    int64_t next, end;
} lists_room;

// Points side by side, for a loop that runs over several at once.
typedef struct tray {
    int32_t count;
    float x[TRAY], y[TRAY], z[TRAY];
    int32_t points[TRAY];
    int row; // where to go on when they did not all find room: a run, and how far in it
    int32_t past;
} tray;

// Lays out points of the runs from where it stopped; false while there are more.
static bool fill(tray *some, const sweep *at)
{
    const coif_neighbor_grid_cell *cells = at->near->cells;
    some->count = 0;
    for (; some->row < ROWS; ++some->row, some->past = 0) {
        const int32_t begin = cells[at->begin[some->row]].point + some->past;
        const int32_t most = cells[at->end[some->row]].point - begin;
        const int32_t fits = most < TRAY - some->count ? most : TRAY - some->count;
        for (int32_t i = 0; i < fits; ++i) {
            const coif_vec3 place = at->near->of.points[begin + i].place;
            some->x[some->count] = place.x;
            some->y[some->count] = place.y;
            some->z[some->count] = place.z;
            some->points[some->count++] = begin + i;
        }
        some->past += fits;
        if (fits < most) {
            return false;
        }
    }
    return true;
}

// Every point of the tray is written, and the next over it unless it is near: no branch to guess.
static int32_t write_near(int32_t *list, const coif_neighbor_grid *near, const tray *some,
                          int32_t point)
{
    const coif_vec3 p = near->of.points[point].place, normal = near->of.normals[point];
    const float square = near->reach * near->reach;
    int32_t found = 0, kept = 0;
    for (int32_t i = 0; i < some->count; ++i) {
        const float x = some->x[i] - p.x, y = some->y[i] - p.y, z = some->z[i] - p.z;
        list[found] = some->points[i];
        found += x * x + y * y + z * z < square;
    }
    for (int32_t i = 0; i < found; ++i) {
        list[kept] = list[i];
        kept += list[i] != point && coif_dot(near->of.normals[list[i]], normal) >= 0.0f;
    }
    return kept;
}

static int32_t count_candidates(const sweep *at)
{
    const coif_neighbor_grid_cell *cells = at->near->cells;
    int32_t sum = 0;
    for (int r = 0; r < ROWS; ++r) {
        sum += cells[at->end[r]].point - cells[at->begin[r]].point;
    }
    return sum;
}

// Lists of the points of a cell.
static void list_cell(lists_room *room, coif_neighbor_grid *near, const sweep *at, int64_t cell)
{
    const int32_t most = count_candidates(at);
    tray some;
    some.row = some.past = 0;
    const bool whole = fill(&some, at);
    for (int32_t i = near->cells[cell].point; i < near->cells[cell + 1].point; ++i) {
        coif_neighbor *own = &near->of.points[i];
        own->first = room->next;
        own->length = 0;
        if (room->next + most > room->end) {
            room->next += most;
            continue;
        }
        if (!whole) {
            some.row = some.past = 0;
        }
        for (bool done = false; !done;) {
            done = whole || fill(&some, at);
            own->length += write_near(near->others + own->first + own->length, near, &some, i);
        }
        room->next += own->length;
    }
}

static void list_block(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const listing *to = context;
    const coif_neighbor_grid_cell *cells = to->near->cells;
    const int64_t first = cells[begin].point, many = cells[end].point - first;
    const int64_t from = first * to->each + begin / BLOCK * SPARE;
    lists_room room = {from, from + many * to->each + SPARE};
    sweep at = start_sweep(to->near, begin);
    for (int64_t cell = begin; cell < end; ++cell) {
        advance(&at, cells[cell].key);
        list_cell(&room, to->near, &at, cell);
    }
    const bool fits = room.next <= room.end;
    to->needed[begin / BLOCK] = fits ? to->each : (room.next - from + many - 1) / many;
}

static void write_lists(coif_neighbor_grid *near, coif_arena *arena, coif_jobs *jobs)
{
    const int64_t blocks = (near->cell_count + (int64_t)BLOCK - 1) / BLOCK;
    listing to = {.near = near, .needed = coif_arena_new(arena, blocks, int64_t)};
    for (int64_t each = USUAL; each > to.each;) {
        to.each = each;
        if (near->count * each + blocks * SPARE > near->room) {
            near->room = near->count * each + blocks * SPARE;
            near->others = coif_arena_new(arena, near->room, int32_t);
        }
        coif_parallel_for(jobs, near->cell_count, BLOCK, list_block, &to);
        for (int64_t b = 0; b < blocks; ++b) {
            each = to.needed[b] > each ? to.needed[b] : each;
        }
    }
}

void coif_neighbor_grid_find(coif_neighbor_grid *near, double reach, coif_arena *arena,
                             coif_jobs *jobs)
{
    if (near->count == 0) {
        return;
    }
    const grid all = open_grid(near, reach);
    near->reach = (float)reach;
    find_cells(near, &all);
    sort_cells(near);
    coif_parallel_for(jobs, near->count, BLOCK, move_points, near);
    const coif_neighbor_points sorted = near->spare;
    near->spare = near->of;
    near->of = sorted;
    close_ranks(near);
    write_lists(near, arena, jobs);
}
