#include "sim/roots_blue.h"

#include "core/arena.h"

#include <string.h>

// Points that are still there, the most crowded one on top of a heap.
typedef struct crowd {
    const coif_blue_pool *pool;
    double reach;   // points nearer than this crowd each other
    int32_t *next;  // of the cell: chained points, -1 ends
    int32_t *cells; // first point of each cell of a hash table
    uint32_t mask;
    float *weights; // per point of the pool
    int32_t *heap;  // points
    int32_t *at;    // where a point is in the heap, -1: taken out
    int32_t count;
} crowd;

double coif_blue_radius(double area, int32_t count)
{
    return sqrt(area / (2.0 * sqrt(3.0) * count));
}

static uint32_t cell_hash(const crowd *all, int64_t x, int64_t y, int64_t z)
{
    const uint64_t h = (uint64_t)x * 73856093u ^ (uint64_t)y * 19349663u ^ (uint64_t)z * 83492791u;
    return (uint32_t)(h ^ h >> 21) & all->mask;
}

static int64_t cell_of(const crowd *all, float x)
{
    return (int64_t)floor((double)x / all->reach);
}

static uint32_t cell_at(const crowd *all, coif_vec3 p)
{
    return cell_hash(all, cell_of(all, p.x), cell_of(all, p.y), cell_of(all, p.z));
}

// How much two points crowd each other: (1 - d / reach)^8.
static float crowding(const crowd *all, int32_t a, int32_t b)
{
    const coif_blue_pool *pool = all->pool;
    if (coif_dot(pool->normals[a], pool->normals[b]) < 0.0f) {
        return 0.0f;
    }
    const float near =
        1.0f - coif_length(coif_sub(pool->places[a], pool->places[b])) / (float)all->reach;
    const float square = near * near, fourth = square * square;
    return near > 0.0f ? fourth * fourth : 0.0f;
}

static bool is_above(const crowd *all, int32_t a, int32_t b)
{
    return all->weights[a] > all->weights[b] || (all->weights[a] == all->weights[b] && a > b);
}

static void put(crowd *all, int32_t slot, int32_t point)
{
    all->heap[slot] = point;
    all->at[point] = slot;
}

static void sink(crowd *all, int32_t slot)
{
    const int32_t point = all->heap[slot];
    for (;;) {
        int32_t child = 2 * slot + 1;
        if (child >= all->count) {
            break;
        }
        child += child + 1 < all->count && is_above(all, all->heap[child + 1], all->heap[child]);
        if (!is_above(all, all->heap[child], point)) {
            break;
        }
        put(all, slot, all->heap[child]);
        slot = child;
    }
    put(all, slot, point);
}

// The cells around a point, each once: two of them may share a place in the hash table.
static int32_t neighbour_cells(const crowd *all, int32_t point, uint32_t cells[27])
{
    const coif_vec3 p = all->pool->places[point];
    const int64_t x = cell_of(all, p.x), y = cell_of(all, p.y), z = cell_of(all, p.z);
    int32_t count = 0;
    for (int64_t i = 0; i < 27; ++i) {
        const uint32_t cell = cell_hash(all, x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1);
        if (all->cells[cell] < 0) {
            continue;
        }
        bool known = false;
        for (int32_t k = 0; k < count && !known; ++k) {
            known = cells[k] == cell;
        }
        cells[count] = cell;
        count += !known;
    }
    return count;
}

static float weight_of(const crowd *all, int32_t point)
{
    uint32_t cells[27];
    const int32_t count = neighbour_cells(all, point, cells);
    float sum = 0.0f;
    for (int32_t k = 0; k < count; ++k) {
        for (int32_t other = all->cells[cells[k]]; other >= 0; other = all->next[other]) {
            sum += other != point ? crowding(all, point, other) : 0.0f;
        }
    }
    return sum;
}

// Takes the most crowded point out; its neighbours have more room then.
static int32_t take_out(crowd *all)
{
    const int32_t top = all->heap[0];
    all->at[top] = -1;
    if (--all->count > 0) {
        put(all, 0, all->heap[all->count]);
        sink(all, 0);
    }
    uint32_t cells[27];
    const int32_t count = neighbour_cells(all, top, cells);
    for (int32_t k = 0; k < count; ++k) {
        for (int32_t other = all->cells[cells[k]]; other >= 0; other = all->next[other]) {
            const float less = all->at[other] >= 0 ? crowding(all, top, other) : 0.0f;
            if (less > 0.0f) {
                all->weights[other] -= less;
                sink(all, all->at[other]);
            }
        }
    }
    return top;
}

// All weights anew, for points that are to be as far apart as if only `goal` of them were left.
static void gather(crowd *all, int32_t goal)
{
    all->reach = 2.0 * coif_blue_radius(all->pool->area, goal > 0 ? goal : 1);
    memset(all->cells, 0xff, sizeof *all->cells * ((size_t)all->mask + 1));
    for (int32_t slot = all->count - 1; slot >= 0; --slot) {
        const int32_t point = all->heap[slot];
        const uint32_t cell = cell_at(all, all->pool->places[point]);
        all->next[point] = all->cells[cell];
        all->cells[cell] = point;
    }
    for (int32_t slot = 0; slot < all->count; ++slot) {
        all->weights[all->heap[slot]] = weight_of(all, all->heap[slot]);
    }
    for (int32_t slot = all->count / 2; slot >= 0 && all->count > 0; --slot) {
        sink(all, slot);
    }
}

void coif_blue_choose(int32_t *order, int32_t count, const coif_blue_pool *pool, coif_arena *arena)
{
    crowd all = {.pool = pool, .count = pool->count, .mask = 1023};
    while (all.mask < (uint32_t)pool->count) {
        all.mask = 2 * all.mask + 1;
    }
    all.next = coif_arena_new(arena, pool->count, int32_t);
    all.cells = coif_arena_new(arena, (int64_t)all.mask + 1, int32_t);
    all.weights = coif_arena_new(arena, pool->count, float);
    all.heap = coif_arena_new(arena, pool->count, int32_t);
    all.at = coif_arena_new(arena, pool->count, int32_t);
    for (int32_t i = 0; i < pool->count; ++i) {
        put(&all, i, i);
    }
    for (int32_t goal = count; all.count > 0; goal = all.count / 2) {
        gather(&all, goal);
        while (all.count > goal) {
            const int32_t left = all.count - 1;
            const int32_t point = take_out(&all);
            if (left < count) {
                order[left] = point;
            }
        }
        if (goal == 0) {
            break;
        }
    }
}
