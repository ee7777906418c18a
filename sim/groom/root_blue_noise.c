#include "sim/groom/root_blue_noise.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "sim/groom/neighbor_lists.h"

#include <string.h>

enum { QUEUES = 1 << 15, BLOCK = 4096 };

// Points that are still there.
typedef struct crowd {
    coif_neighbor_grid near; // by weight: how crowded each is
    float scale;             // 1 / reach
    int32_t left;
    int32_t *queues; // by weight: the first point of each, and next in its list; -1 ends
    int32_t top;     // none above has points
} crowd;

double coif_blue_noise_radius(double area, int32_t count)
{
    return sqrt(area / (2.0 * sqrt(3.0) * count));
}

// How much two neighbours crowd each other: (1 - d / reach)^8.
static float crowding(const crowd *all, coif_vec3 a, coif_vec3 b)
{
    const coif_vec3 between = coif_sub(a, b);
    const float near = 1.0f - sqrtf(coif_dot(between, between)) * all->scale;
    const float second = near * near, fourth = second * second;
    return near > 0.0f ? fourth * fourth : 0.0f;
}

static void weigh(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    crowd *all = context;
    coif_neighbor *points = all->near.of.points;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t *others = all->near.others + points[i].first;
        float sum = 0.0f;
        for (int32_t n = 0; n < points[i].length; ++n) {
            sum += crowding(all, points[i].place, points[others[n]].place);
        }
        points[i].weight = sum;
    }
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
    coif_neighbor *own = &all->near.of.points[number];
    const int32_t queue = queue_of(own->weight);
    own->next = all->queues[queue];
    all->queues[queue] = number;
    all->top = queue > all->top ? queue : all->top;
}

// Takes points that are gone out of the lists.
static void close_ranks(coif_neighbor_grid *near)
{
    coif_neighbor_points *of = &near->of;
    int32_t kept = 0;
    for (int32_t i = 0; i < near->count; ++i) {
        if (of->names[i] >= 0) {
            of->names[kept] = of->names[i];
            of->points[kept] = of->points[i];
            of->normals[kept++] = of->normals[i];
        }
    }
    near->count = kept;
}

// All weights anew, for points that are to be as far apart as if only `goal` of them were left.
static void gather(crowd *all, double area, int32_t goal, coif_arena *arena, coif_jobs *jobs)
{
    const double reach = 2.0 * coif_blue_noise_radius(area, goal > 0 ? goal : 1);
    close_ranks(&all->near);
    coif_neighbor_grid_find(&all->near, reach, arena, jobs);
    all->scale = (float)(1.0 / reach);
    coif_parallel_for(jobs, all->near.count, BLOCK, weigh, all);
    all->left = all->near.count;
    all->top = 0;
    memset(all->queues, 0xff, sizeof *all->queues * QUEUES);
    for (int32_t i = 0; i < all->near.count; ++i) {
        line_up(all, i);
    }
}

// Points wait far apart in memory: what the next two in a queue need is asked for early.
static void fetch_ahead(const crowd *all, int32_t next)
{
    const coif_neighbor *points = all->near.of.points;
    if (next >= 0) {
        __builtin_prefetch(all->near.others + points[next].first);
        if (points[next].next >= 0) {
            __builtin_prefetch(&points[points[next].next]);
        }
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
        const coif_neighbor *own = &all->near.of.points[number];
        all->queues[all->top] = own->next;
        fetch_ahead(all, own->next);
        if (queue_of(own->weight) >= all->top) {
            return number;
        }
        line_up(all, number);
    }
}

// Takes a point out; its neighbours have more room then.
static int32_t take_out(crowd *all)
{
    const int32_t number = most_crowded(all);
    coif_neighbor *points = all->near.of.points;
    const coif_neighbor own = points[number];
    const int32_t *others = all->near.others + own.first;
    for (int32_t n = 0; n < own.length; ++n) {
        coif_neighbor *other = &points[others[n]];
        other->weight -= crowding(all, own.place, other->place);
    }
    --all->left;
    const int32_t name = all->near.of.names[number];
    all->near.of.names[number] = -1;
    return name;
}

void coif_blue_noise_choose(int32_t *order, int32_t count, const coif_blue_noise_pool *pool,
                            coif_arena *arena, coif_jobs *jobs)
{
    crowd all = {.left = pool->count};
    coif_neighbor_grid_init(&all.near, pool->count, arena);
    all.queues = coif_arena_new(arena, QUEUES, int32_t);
    for (int32_t i = 0; i < pool->count; ++i) {
        all.near.of.points[i].place = pool->places[i];
        all.near.of.normals[i] = pool->normals[i];
        all.near.of.names[i] = i;
    }
    for (int32_t goal = count; all.left > 0; goal = all.left / 2) {
        gather(&all, pool->area, goal, arena, jobs);
        while (all.left > goal) {
            const int32_t taken = take_out(&all);
            if (all.left < count) {
                order[all.left] = taken;
            }
        }
    }
}
