// roots: candidates of a sequence, thinned by density.
//
// Dimension 0 chooses the triangle by area, 1 and 2 the place in it, 3 is the threshold. Everything
// is computed from the candidate's number alone, so candidates may be made in any order and on any
// thread; only blue noise is made all at once.
#include "sim/roots.h"

#include "core/arena.h"
#include "core/error.h"
#include "core/jobs.h"
#include "sim/roots_blue.h"
#include "sim/roots_ground.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 2048, POOL = 3, MOST_ROOTS = 10000000 };

typedef struct scatter {
    const coif_roots_desc *desc;
    int32_t candidates;
    coif_ground ground;
    coif_sequence sequence;

    int32_t *triangle;   // per candidate
    float *barycentric;  // 2 per candidate
    uint8_t *grows;      // per candidate
    int32_t *counts;     // per block: candidates that grow
    coif_status *status; // per block
} scatter;

// Uniform in the triangle: 1 - sqrt(u) is the weight of the first corner.
static void place(const scatter *all, int64_t index, int32_t *triangle, float barycentric[2])
{
    const double side = sqrt(coif_sequence_at(&all->sequence, index, 1));
    const double along = coif_sequence_at(&all->sequence, index, 2);
    *triangle = coif_ground_triangle(&all->ground, coif_sequence_at(&all->sequence, index, 0));
    barycentric[0] = (float)(side * (1.0 - along));
    barycentric[1] = (float)(side * along);
}

static int compare_words(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

typedef struct pooling {
    const scatter *all;
    const uint64_t *keys; // candidates of the pool, in the order of the ground
    coif_vec3 *places, *normals;
} pooling;

static void place_pool(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const pooling *to = context;
    for (int64_t i = begin; i < end; ++i) {
        int32_t triangle;
        float b[2];
        place(to->all, (uint32_t)to->keys[i], &triangle, b);
        const coif_surface_point point = coif_mesh_at(to->all->desc->mesh, triangle, b[0], b[1]);
        to->places[i] = point.position;
        to->normals[i] = point.normal;
    }
}

// Blue noise: the candidates are chosen from a pool of places, all at once. They are looked up in
// the order of the ground, so that triangles are read once.
static void place_blue(scatter *all, coif_arena *arena, coif_jobs *jobs)
{
    const int32_t count = POOL * all->candidates;
    uint64_t *keys = coif_arena_new(arena, count, uint64_t);
    for (int32_t i = 0; i < count; ++i) {
        const double along = coif_sequence_at(&all->sequence, i, 0);
        keys[i] = (uint64_t)(along * 0x1p32) << 32 | (uint32_t)i;
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_words);
    pooling to = {.all = all,
                  .keys = keys,
                  .places = coif_arena_new(arena, count, coif_vec3),
                  .normals = coif_arena_new(arena, count, coif_vec3)};
    coif_parallel_for(jobs, count, BLOCK, place_pool, &to);
    const coif_blue_pool pool = {.count = count,
                                 .places = to.places,
                                 .normals = to.normals,
                                 .area = coif_ground_area(&all->ground)};
    int32_t *order = coif_arena_new(arena, all->candidates, int32_t);
    coif_blue_choose(order, all->candidates, &pool, arena);
    for (int32_t i = 0; i < all->candidates; ++i) {
        place(all, (uint32_t)keys[order[i]], &all->triangle[i], all->barycentric + 2 * (int64_t)i);
    }
}

// Which density lets a candidate grow. In blue noise it is the rank of the candidate, because each
// beginning of the order is blue noise too.
static double threshold_of(const scatter *all, int32_t candidate)
{
    return all->desc->sequence == COIF_SEQUENCE_BLUE
               ? (double)candidate / all->candidates
               : coif_sequence_at(&all->sequence, candidate, 3);
}

static coif_status ask_density(const scatter *all, int32_t begin, int32_t end, float *density,
                               coif_error *error)
{
    coif_surface_point points[BLOCK];
    for (int32_t i = begin; i < end; ++i) {
        const float *b = all->barycentric + 2 * (int64_t)i;
        points[i - begin] = coif_mesh_at(all->desc->mesh, all->triangle[i], b[0], b[1]);
        density[i - begin] = 0.0f;
    }
    return all->desc->density(all->desc->density_context, end - begin, points, density, error);
}

static int32_t block_end(const scatter *all, int64_t block)
{
    const int64_t end = (block + 1) * BLOCK;
    return end < all->candidates ? (int32_t)end : all->candidates;
}

// A threshold lies in [0, 1), so density 1 lets every candidate grow and density 0 none.
static void thin_block(scatter *all, int64_t block)
{
    const int32_t begin = (int32_t)(block * BLOCK);
    const int32_t end = block_end(all, block);
    float density[BLOCK];
    if (all->desc->density != NULL) {
        all->status[block] = ask_density(all, begin, end, density, NULL);
    }
    for (int32_t i = begin; i < end; ++i) {
        const bool grows =
            all->desc->density == NULL || threshold_of(all, i) < (double)density[i - begin];
        all->grows[i] = grows;
        all->counts[block] += grows;
    }
}

static void scatter_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    scatter *all = context;
    (void)worker;
    for (int64_t block = begin; block < end; ++block) {
        const bool placed = all->desc->sequence == COIF_SEQUENCE_BLUE;
        for (int32_t i = (int32_t)(block * BLOCK); i < block_end(all, block) && !placed; ++i) {
            place(all, i, &all->triangle[i], all->barycentric + 2 * (int64_t)i);
        }
        thin_block(all, block);
    }
}

// Workers cannot share one error, so the first block that failed is asked again for its reason.
static coif_status check_blocks(const scatter *all, int64_t block_count, coif_error *error)
{
    for (int64_t block = 0; block < block_count; ++block) {
        if (all->status[block] != COIF_OK) {
            float density[BLOCK];
            const coif_status status =
                ask_density(all, (int32_t)(block * BLOCK), block_end(all, block), density, error);
            return coif_fail(error, status == COIF_OK ? all->status[block] : status,
                             "the density could not be evaluated");
        }
    }
    return COIF_OK;
}

static void keep_grown(coif_roots *roots, const scatter *all, int64_t block_count,
                       coif_arena *arena)
{
    int32_t count = 0;
    for (int64_t block = 0; block < block_count; ++block) {
        count += all->counts[block];
    }
    roots->triangles = coif_arena_new(arena, count, int32_t);
    roots->barycentrics = coif_arena_new(arena, 2 * (int64_t)count, float);
    roots->candidates = coif_arena_new(arena, count, int32_t);
    roots->count = 0;
    for (int32_t i = 0; i < all->candidates; ++i) {
        if (all->grows[i]) {
            const int32_t root = roots->count++;
            roots->triangles[root] = all->triangle[i];
            memcpy(roots->barycentrics + 2 * (int64_t)root, all->barycentric + 2 * (int64_t)i,
                   2 * sizeof(float));
            roots->candidates[root] = i;
        }
    }
}

coif_status coif_roots_scatter(coif_roots *roots, const coif_roots_desc *desc, coif_arena *arena,
                               coif_jobs *jobs, coif_error *error)
{
    if (desc->candidates < 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%d roots cannot be scattered",
                         desc->candidates);
    }
    scatter all = {.desc = desc, .candidates = desc->candidates};
    COIF_TRY(coif_ground_init(&all.ground, desc->mesh, desc->group, arena, error));
    coif_sequence_init(&all.sequence, desc->sequence, desc->seed);
    if (desc->per_area > 0.0) {
        const double wanted = desc->per_area * coif_ground_area(&all.ground);
        if (!(wanted < MOST_ROOTS)) {
            return coif_fail(error, COIF_ERR_SCENE, "%.0f roots, more than %d", wanted, MOST_ROOTS);
        }
        all.candidates = (int32_t)(wanted + 0.5);
    }

    const int64_t block_count = (all.candidates + (int64_t)BLOCK - 1) / BLOCK;
    all.triangle = coif_arena_new(arena, all.candidates, int32_t);
    all.barycentric = coif_arena_new(arena, 2 * (int64_t)all.candidates, float);
    if (desc->sequence == COIF_SEQUENCE_BLUE) {
        place_blue(&all, arena, jobs);
    }
    all.grows = coif_arena_new(arena, all.candidates, uint8_t);
    all.counts = coif_arena_new(arena, block_count, int32_t);
    all.status = coif_arena_new(arena, block_count, coif_status);
    coif_parallel_for(jobs, block_count, 1, scatter_blocks, &all);
    COIF_TRY(check_blocks(&all, block_count, error));

    keep_grown(roots, &all, block_count, arena);
    return COIF_OK;
}

void coif_roots_thresholds(double *thresholds, const coif_roots_desc *desc, int32_t count)
{
    scatter all = {.desc = desc, .candidates = count};
    coif_sequence_init(&all.sequence, desc->sequence, desc->seed);
    for (int32_t i = 0; i < count; ++i) {
        thresholds[i] = threshold_of(&all, i);
    }
}
