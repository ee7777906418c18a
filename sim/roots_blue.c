// Points lie in memory along a curve that fills space (Morton order), so those of a cell, and of
// every coarser cell, are next to each other: rounds with twice as wide a reach find theirs without
// sorting again.
#include "sim/roots_blue.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

enum { CELL_BITS = 20, AROUND = 27, QUEUES = 1 << 15 };

// More than any code.
static const uint64_t NOWHERE = (uint64_t)1 << 63;

typedef struct point {
    coif_vec3 place;
    float weight; // how crowded it is
    coif_vec3 normal;
    int32_t cell; // of the round
} point;

typedef struct run {
    int32_t begin, end; // points
} run;

// Points that are still there in a round.
typedef struct crowd {
    const coif_blue_pool *pool;
    coif_vec3 low; // corner of the finest grid
    double cell;   // side of its cells
    float reach;   // points nearer than this crowd each other
    int32_t point_count;
    point *points;   // in Morton order
    uint64_t *codes; // their cells in the finest grid
    int32_t *names;  // their numbers in the pool, -1: taken out
    int32_t left;    // of the points
    int32_t *queues; // by weight: the first point of each, -1 ends
    int32_t *next;   // per point, in its queue
    int32_t top;     // none above has points
    // Cells of the round: the points [first[c], first[c + 1]); and, as few runs, all points in it
    // and in the cells around.
    int32_t cell_count;
    int32_t *first;
    int64_t *near_first;
    run *near;
    int32_t *table; // hashed codes of cells, -1: free
    uint32_t mask;
} crowd;

double coif_blue_radius(double area, int32_t count)
{
    return sqrt(area / (2.0 * sqrt(3.0) * count));
}

// Every third bit from the twenty of a number.
static uint64_t spread_bits(uint64_t x)
{
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

static void cell_at(const crowd *all, coif_vec3 p, int64_t at[3])
{
    const double away[3] = {(double)p.x - (double)all->low.x, (double)p.y - (double)all->low.y,
                            (double)p.z - (double)all->low.z};
    for (int axis = 0; axis < 3; ++axis) {
        const int64_t cell = (int64_t)(away[axis] / all->cell);
        const int64_t last = ((int64_t)1 << CELL_BITS) - 1;
        at[axis] = cell < 0 ? 0 : cell > last ? last : cell;
    }
}

// How much two points crowd each other: (1 - d / reach)^8.
static float crowding(const crowd *all, const point *a, const point *b)
{
    const coif_vec3 between = coif_sub(a->place, b->place);
    const float square = coif_dot(between, between);
    if (!(square < all->reach * all->reach) || coif_dot(a->normal, b->normal) < 0.0f) {
        return 0.0f;
    }
    const float near = 1.0f - sqrtf(square) / all->reach;
    const float second = near * near, fourth = second * second;
    return near > 0.0f ? fourth * fourth : 0.0f;
}

// Queues of weights that differ by less than a percent: the upper half of the number's bits.
static int32_t queue_of(float weight)
{
    uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return weight > 0.0f ? (int32_t)(bits >> 16) : 0;
}

static void line_up(crowd *all, int32_t number)
{
    const int32_t queue = queue_of(all->points[number].weight);
    all->next[number] = all->queues[queue];
    all->queues[queue] = number;
    all->top = queue > all->top ? queue : all->top;
}

static uint32_t slot_of(const crowd *all, uint64_t code)
{
    return (uint32_t)(code * 0x9e3779b97f4a7c15u >> 32) & all->mask;
}

static int32_t find_cell(const crowd *all, uint64_t code, int shift)
{
    for (uint32_t slot = slot_of(all, code);; slot = (slot + 1) & all->mask) {
        const int32_t cell = all->table[slot];
        if (cell < 0 || all->codes[all->first[cell]] >> shift == code) {
            return cell;
        }
    }
}

static void list_cells(crowd *all, int shift)
{
    all->cell_count = 0;
    for (int32_t i = 0; i < all->point_count; ++i) {
        if (i == 0 || all->codes[i] >> shift != all->codes[i - 1] >> shift) {
            all->first[all->cell_count++] = i;
        }
        all->points[i].cell = all->cell_count - 1;
    }
    all->first[all->cell_count] = all->point_count;
    all->mask = 15;
    while (all->mask < 2 * (uint32_t)all->cell_count) {
        all->mask = 2 * all->mask + 1;
    }
    memset(all->table, 0xff, sizeof *all->table * ((size_t)all->mask + 1));
    for (int32_t c = 0; c < all->cell_count; ++c) {
        uint32_t slot = slot_of(all, all->codes[all->first[c]] >> shift);
        while (all->table[slot] >= 0) {
            slot = (slot + 1) & all->mask;
        }
        all->table[slot] = c;
    }
}

// The cells around a cell that have points, itself among them, in their order.
static int32_t cells_around(const crowd *all, int32_t cell, int level, int32_t around[AROUND])
{
    int64_t middle[3];
    uint64_t parts[3][3]; // of codes, by axis; beyond the grid there is nothing
    cell_at(all, all->points[all->first[cell]].place, middle);
    const int64_t last = (((int64_t)1 << CELL_BITS) - 1) >> level;
    for (int i = 0; i < 9; ++i) {
        const int64_t at = (middle[i / 3] >> level) + i % 3 - 1;
        parts[i / 3][i % 3] = at < 0 || at > last ? NOWHERE : spread_bits((uint64_t)at) << i / 3;
    }
    int32_t count = 0;
    for (int i = 0; i < AROUND; ++i) {
        const uint64_t code = parts[0][i % 3] | parts[1][i / 3 % 3] | parts[2][i / 9];
        const int32_t other = code < NOWHERE ? find_cell(all, code, 3 * level) : -1;
        int32_t slot = count;
        for (; other >= 0 && slot > 0 && around[slot - 1] > other; --slot) {
            around[slot] = around[slot - 1];
        }
        if (other >= 0) {
            around[slot] = other;
            ++count;
        }
    }
    return count;
}

static int32_t runs_around(const crowd *all, int32_t cell, int level, run runs[AROUND])
{
    int32_t around[AROUND];
    const int32_t cells = cells_around(all, cell, level, around);
    int32_t count = 0;
    for (int32_t i = 0; i < cells; ++i) {
        const run own = {all->first[around[i]], all->first[around[i] + 1]};
        if (count > 0 && runs[count - 1].end == own.begin) {
            runs[count - 1].end = own.end;
        } else {
            runs[count++] = own;
        }
    }
    return count;
}

static void meet_cells(crowd *all, int level, coif_arena *arena)
{
    int64_t room = 8 * (int64_t)all->cell_count + AROUND;
    all->near = coif_arena_new(arena, room, run);
    all->near_first[0] = 0;
    for (int32_t c = 0; c < all->cell_count; ++c) {
        const int64_t used = all->near_first[c];
        if (used + AROUND > room) {
            run *more = coif_arena_new(arena, 2 * room, run);
            memcpy(more, all->near, sizeof *more * (size_t)used);
            all->near = more;
            room *= 2;
        }
        all->near_first[c + 1] = used + runs_around(all, c, level, all->near + used);
    }
}

// Takes points that are gone out of the lists.
static void close_ranks(crowd *all)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < all->point_count; ++i) {
        if (all->names[i] >= 0) {
            all->names[kept] = all->names[i];
            all->codes[kept] = all->codes[i];
            all->points[kept] = all->points[i];
            all->points[kept++].weight = 0.0f;
        }
    }
    all->point_count = kept;
}

// What those after it crowd a point, and it them: each pair once.
static void weigh(crowd *all, int32_t number)
{
    point *own = &all->points[number];
    float sum = own->weight;
    for (int64_t n = all->near_first[own->cell]; n < all->near_first[own->cell + 1]; ++n) {
        const run near = all->near[n];
        for (int32_t i = near.begin > number ? near.begin : number + 1; i < near.end; ++i) {
            const float more = crowding(all, own, &all->points[i]);
            sum += more;
            all->points[i].weight += more;
        }
    }
    own->weight = sum;
}

// All weights anew, for points that are to be as far apart as if only `goal` of them were left.
static void gather(crowd *all, int32_t goal, coif_arena *arena)
{
    close_ranks(all);
    const double reach = 2.0 * coif_blue_radius(all->pool->area, goal > 0 ? goal : 1);
    int level = 0;
    while (level < CELL_BITS && all->cell * (double)((int64_t)1 << level) < reach) {
        ++level;
    }
    all->reach = (float)reach;
    list_cells(all, 3 * level);
    meet_cells(all, level, arena);
    for (int32_t i = 0; i < all->point_count; ++i) {
        weigh(all, i);
    }
    all->left = all->point_count;
    all->top = 0;
    memset(all->queues, 0xff, sizeof *all->queues * QUEUES);
    for (int32_t i = 0; i < all->point_count; ++i) {
        line_up(all, i);
    }
}

// One of the most crowded points. Weights only fall, and those whose has fallen are sent on to the
// queue they belong to when it is their turn.
static int32_t most_crowded(crowd *all)
{
    for (;;) {
        const int32_t number = all->queues[all->top];
        if (number < 0) {
            --all->top;
            continue;
        }
        all->queues[all->top] = all->next[number];
        if (queue_of(all->points[number].weight) >= all->top) {
            return number;
        }
        line_up(all, number);
    }
}

// Takes a point out; its neighbours have more room then.
static int32_t take_out(crowd *all)
{
    const int32_t number = most_crowded(all);
    const point own = all->points[number];
    --all->left;
    for (int64_t n = all->near_first[own.cell]; n < all->near_first[own.cell + 1]; ++n) {
        for (int32_t i = all->near[n].begin; i < all->near[n].end; ++i) {
            all->points[i].weight -= crowding(all, &own, &all->points[i]);
        }
    }
    const int32_t name = all->names[number];
    all->names[number] = -1;
    return name;
}

static uint64_t code_of(const int64_t at[3])
{
    return spread_bits((uint64_t)at[0]) | spread_bits((uint64_t)at[1]) << 1 |
           spread_bits((uint64_t)at[2]) << 2;
}

typedef struct coded {
    uint64_t code;
    int32_t point;
} coded;

static int compare_codes(const void *a, const void *b)
{
    const coded *left = a, *right = b;
    return left->code != right->code ? (left->code > right->code ? 1 : -1)
                                     : (left->point > right->point) - (left->point < right->point);
}

static void open_grid(crowd *all, int32_t count)
{
    const coif_blue_pool *pool = all->pool;
    coif_vec3 low = pool->places[0], high = pool->places[0];
    for (int32_t i = 1; i < pool->count; ++i) {
        const coif_vec3 p = pool->places[i];
        low = coif_vec3_of(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = coif_vec3_of(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    const coif_vec3 wide = coif_sub(high, low);
    const double most = (double)fmaxf(wide.x, fmaxf(wide.y, wide.z));
    const double finest = 1.001 * most / (double)((int64_t)1 << CELL_BITS);
    all->low = low;
    all->cell = fmax(2.0 * coif_blue_radius(pool->area, count), fmax(finest, 1e-30));
}

static void sort(crowd *all, coif_arena *arena)
{
    const coif_blue_pool *pool = all->pool;
    coded *order = coif_arena_new(arena, pool->count, coded);
    for (int32_t i = 0; i < pool->count; ++i) {
        int64_t at[3];
        cell_at(all, pool->places[i], at);
        order[i] = (coded){code_of(at), i};
    }
    qsort(order, (size_t)pool->count, sizeof *order, compare_codes);
    for (int32_t i = 0; i < pool->count; ++i) {
        all->names[i] = order[i].point;
        all->codes[i] = order[i].code;
        all->points[i] =
            (point){.place = pool->places[order[i].point], .normal = pool->normals[order[i].point]};
    }
}

void coif_blue_choose(int32_t *order, int32_t count, const coif_blue_pool *pool, coif_arena *arena)
{
    if (pool->count == 0) {
        return;
    }
    crowd all = {.pool = pool, .point_count = pool->count, .mask = 15};
    while (all.mask < 2 * (uint32_t)pool->count) {
        all.mask = 2 * all.mask + 1;
    }
    all.names = coif_arena_new(arena, pool->count, int32_t);
    all.codes = coif_arena_new(arena, pool->count, uint64_t);
    all.points = coif_arena_new(arena, pool->count, point);
    all.next = coif_arena_new(arena, pool->count, int32_t);
    all.queues = coif_arena_new(arena, QUEUES, int32_t);
    all.first = coif_arena_new(arena, (int64_t)pool->count + 1, int32_t);
    all.near_first = coif_arena_new(arena, (int64_t)pool->count + 1, int64_t);
    all.table = coif_arena_new(arena, (int64_t)all.mask + 1, int32_t);
    open_grid(&all, count);
    sort(&all, arena);
    all.left = pool->count;
    for (int32_t goal = count; all.left > 0; goal = all.left / 2) {
        gather(&all, goal, arena);
        while (all.left > goal) {
            const int32_t left = all.left - 1;
            const int32_t taken = take_out(&all);
            if (left < count) {
                order[left] = taken;
            }
        }
        if (goal == 0) {
            break;
        }
    }
}
