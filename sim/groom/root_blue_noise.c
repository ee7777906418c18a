#include "sim/groom/root_blue_noise.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "sim/groom/neighbor_lists.h"

#include <string.h>

enum { BUCKETS = 1 << 15, BLOCK = 4096 };

// State of the elimination.
typedef struct elimination {
    coif_neighbor_grid grid; // by weight: how crowded each is
    float scale;             // 1 / reach
    int32_t remaining;
    int32_t *buckets; // by weight: the first point of each, and next in its list; -1 ends
    int32_t largest;  // none above has points
} elimination;

double coif_blue_noise_radius(double area, int32_t count)
{
    return sqrt(area / (2.0 * sqrt(3.0) * count));
}

// Weight of a pair of neighbours: (1 - d / radius)^8.
static float pair_weight(const elimination *ctx, coif_vec3 a, coif_vec3 b)
{
    const coif_vec3 offset = coif_sub(a, b);
    const float grid = 1.0f - sqrtf(coif_dot(offset, offset)) * ctx->scale;
    const float squared = grid * grid, quartic = squared * squared;
    return grid > 0.0f ? quartic * quartic : 0.0f;
}

static void compute_weights(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    elimination *ctx = context;
    coif_neighbor *points = ctx->grid.sorted.points;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t *others = ctx->grid.indices + points[i].first;
        float sum = 0.0f;
        for (int32_t n = 0; n < points[i].length; ++n) {
            sum += pair_weight(ctx, points[i].position, points[others[n]].position);
        }
        points[i].weight = sum;
    }
}

// Buckets of weights that differ by less than a percent: the upper half of the bits of the
// float.
static int32_t bucket_index(float weight)
{
    uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return weight > 0.0f ? (int32_t)(bits >> 16) : 0;
}

static void enqueue(elimination *ctx, int32_t point)
{
    coif_neighbor *own = &ctx->grid.sorted.points[point];
    const int32_t bucket = bucket_index(own->weight);
    own->next = ctx->buckets[bucket];
    ctx->buckets[bucket] = point;
    ctx->largest = bucket > ctx->largest ? bucket : ctx->largest;
}

// Compacts the arrays after eliminations.
static void remove_eliminated(coif_neighbor_grid *grid)
{
    coif_neighbor_points *of = &grid->sorted;
    int32_t count = 0;
    for (int32_t i = 0; i < grid->count; ++i) {
        if (of->ids[i] >= 0) {
            of->ids[count] = of->ids[i];
            of->points[count] = of->points[i];
            of->normals[count++] = of->normals[i];
        }
    }
    grid->count = count;
}

// Recomputes all weights with the radius for `goal` remaining points.
static void restart(elimination *ctx, double area, int32_t goal, coif_arena *arena, coif_jobs *jobs)
{
    const double radius = 2.0 * coif_blue_noise_radius(area, goal > 0 ? goal : 1);
    remove_eliminated(&ctx->grid);
    coif_neighbor_grid_find(&ctx->grid, radius, arena, jobs);
    ctx->scale = (float)(1.0 / radius);
    coif_parallel_for(jobs, ctx->grid.count, BLOCK, compute_weights, ctx);
    ctx->remaining = ctx->grid.count;
    ctx->largest = 0;
    memset(ctx->buckets, 0xff, sizeof *ctx->buckets * BUCKETS);
    for (int32_t i = 0; i < ctx->grid.count; ++i) {
        enqueue(ctx, i);
    }
}

// Points of a bucket are scattered in memory: prefetch the next two.
static void prefetch_next(const elimination *ctx, int32_t next)
{
    const coif_neighbor *points = ctx->grid.sorted.points;
    if (next >= 0) {
        __builtin_prefetch(ctx->grid.indices + points[next].first);
        if (points[next].next >= 0) {
            __builtin_prefetch(&points[points[next].next]);
        }
    }
}

// A point of the largest bucket. Weights only decrease; points whose weight has decreased are
// moved to their bucket when they are popped.
static int32_t pop_largest(elimination *ctx)
{
    for (;;) {
        const int32_t point = ctx->buckets[ctx->largest];
        if (point < 0) {
            --ctx->largest;
            continue;
        }
        const coif_neighbor *own = &ctx->grid.sorted.points[point];
        ctx->buckets[ctx->largest] = own->next;
        prefetch_next(ctx, own->next);
        if (bucket_index(own->weight) >= ctx->largest) {
            return point;
        }
        enqueue(ctx, point);
    }
}

// Removes a point and updates the weights of its neighbours.
static int32_t eliminate(elimination *ctx)
{
    const int32_t point = pop_largest(ctx);
    coif_neighbor *points = ctx->grid.sorted.points;
    const coif_neighbor own = points[point];
    const int32_t *others = ctx->grid.indices + own.first;
    for (int32_t n = 0; n < own.length; ++n) {
        coif_neighbor *other = &points[others[n]];
        other->weight -= pair_weight(ctx, own.position, other->position);
    }
    --ctx->remaining;
    const int32_t name = ctx->grid.sorted.ids[point];
    ctx->grid.sorted.ids[point] = -1;
    return name;
}

void coif_blue_noise_choose(int32_t *order, int32_t count, const coif_blue_noise_pool *pool,
                            coif_arena *arena, coif_jobs *jobs)
{
    elimination ctx = {.remaining = pool->count};
    coif_neighbor_grid_init(&ctx.grid, pool->count, arena);
    ctx.buckets = coif_arena_new(arena, BUCKETS, int32_t);
    for (int32_t i = 0; i < pool->count; ++i) {
        ctx.grid.sorted.points[i].position = pool->positions[i];
        ctx.grid.sorted.normals[i] = pool->normals[i];
        ctx.grid.sorted.ids[i] = i;
    }
    for (int32_t goal = count; ctx.remaining > 0; goal = ctx.remaining / 2) {
        restart(&ctx, pool->area, goal, arena, jobs);
        while (ctx.remaining > goal) {
            const int32_t taken = eliminate(&ctx);
            if (ctx.remaining < count) {
                order[ctx.remaining] = taken;
            }
        }
    }
}
