// roots: candidates of a sequence, thinned by density.
//
// Dimension 0 chooses the triangle by area, 1 and 2 the place in it, 3 is the threshold. Everything
// is computed from the candidate's number alone, so candidates may be made in any order and on any
// thread; only blue noise is made all at once.
#include "sim/groom/root_scatter.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "sim/groom/root_blue_noise.h"
#include "sim/groom/root_surface.h"

#include <string.h>

enum { BLOCK = 2048, POOL = 3, MOST_ROOTS = 10000000 };

typedef struct scatter {
    const coif_roots_desc *desc;
    int32_t candidates;
    coif_root_surface ground;
    coif_low_discrepancy sequence;

    int32_t *triangle;   // per candidate
    float *barycentric;  // 2 per candidate
    uint8_t *grows;      // per candidate
    int32_t *counts;     // per block: candidates that grow
    coif_status *status; // per block
} scatter;

// Uniform in the triangle: 1 - sqrt(u) is the weight of the first corner.
static void place_in_triangle(float barycentric[2], double u, double v)
{
    const double side = sqrt(u);
    barycentric[0] = (float)(side * (1.0 - v));
    barycentric[1] = (float)(side * v);
}

static void place(scatter *all, int32_t candidate)
{
    const coif_low_discrepancy *sequence = &all->sequence;
    const double along = coif_low_discrepancy_at(sequence, candidate, 0);
    all->triangle[candidate] = all->ground.triangles[coif_root_surface_find(&all->ground, along)];
    place_in_triangle(all->barycentric + 2 * (int64_t)candidate,
                      coif_low_discrepancy_at(sequence, candidate, 1),
                      coif_low_discrepancy_at(sequence, candidate, 2));
}

// Places to choose blue noise from: one in each of so many equal shares of the ground, in its
// order.
typedef struct pool {
    const scatter *all;
    int32_t count;
    int32_t *triangle;  // per place
    float *barycentric; // 2 per place
    coif_vec3 *places, *normals;
} pool;

static double random_unit(const pool *to, int64_t index, uint32_t dimension)
{
    return (double)coif_random_word(to->all->desc->seed, (uint64_t)index, dimension) * 0x1p-32;
}

// Steps that fill the unit square evenly however many of them are taken, from wherever: powers of
// the root of x^3 = x + 1 (M. Roberts 2018, as R2). They make a lattice, which must not be seen in
// the roots, so each place is moved by chance as far as it is to the next.
static double step_in_triangle(const pool *to, int64_t index, uint32_t dimension, double apart)
{
    static const double steps[] = {0.7548776662466927, 0.5698402909980532};
    const double at = steps[dimension] * (double)index + apart * random_unit(to, index, dimension);
    return at - floor(at);
}

static void place_pool(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const pool *to = context;
    const coif_root_surface *ground = &to->all->ground;
    int32_t at = coif_root_surface_find(ground, (double)begin / to->count);
    for (int64_t i = begin; i < end; ++i) {
        at = coif_root_surface_find_from(ground, ((double)i + random_unit(to, i, 2)) / to->count,
                                         at);
        const double area = ground->areas[at] - (at > 0 ? ground->areas[at - 1] : 0.0);
        const double apart =
            1.0 / sqrt(fmax(1.0, area / coif_root_surface_area(ground) * (double)to->count));
        float *b = to->barycentric + 2 * i;
        place_in_triangle(b, step_in_triangle(to, i, 0, apart), step_in_triangle(to, i, 1, apart));
        to->triangle[i] = ground->triangles[at];
        const coif_surface_point point =
            coif_mesh_at(to->all->desc->mesh, to->triangle[i], b[0], b[1]);
        to->places[i] = point.position;
        to->normals[i] = point.normal;
    }
}

static void place_blue(scatter *all, coif_arena *arena, coif_jobs *jobs)
{
    const int32_t count = POOL * all->candidates;
    pool to = {.all = all,
               .count = count,
               .triangle = coif_arena_new(arena, count, int32_t),
               .barycentric = coif_arena_new(arena, 2 * (int64_t)count, float),
               .places = coif_arena_new(arena, count, coif_vec3),
               .normals = coif_arena_new(arena, count, coif_vec3)};
    coif_parallel_for(jobs, count, BLOCK, place_pool, &to);
    const coif_blue_noise_pool blue = {.count = count,
                                       .places = to.places,
                                       .normals = to.normals,
                                       .area = coif_root_surface_area(&all->ground)};
    int32_t *order = coif_arena_new(arena, all->candidates, int32_t);
    coif_blue_noise_choose(order, all->candidates, &blue, arena, jobs);
    for (int32_t i = 0; i < all->candidates; ++i) {
        all->triangle[i] = to.triangle[order[i]];
        memcpy(all->barycentric + 2 * (int64_t)i, to.barycentric + 2 * (int64_t)order[i],
               2 * sizeof(float));
    }
}

// Which density lets a candidate grow. In blue noise it is the rank of the candidate, because each
// beginning of the order is blue noise too.
static double threshold_of(const scatter *all, int32_t candidate)
{
    return all->desc->sequence == COIF_SEQUENCE_BLUE_NOISE
               ? (double)candidate / all->candidates
               : coif_low_discrepancy_at(&all->sequence, candidate, 3);
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
        const bool placed = all->desc->sequence == COIF_SEQUENCE_BLUE_NOISE;
        for (int32_t i = (int32_t)(block * BLOCK); i < block_end(all, block) && !placed; ++i) {
            place(all, i);
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

static void keep_grown(coif_root_set *roots, const scatter *all, int64_t block_count,
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

coif_status coif_roots_scatter(coif_root_set *roots, const coif_roots_desc *desc, coif_arena *arena,
                               coif_jobs *jobs, coif_error *error)
{
    if (desc->candidates < 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%d roots cannot be scattered",
                         desc->candidates);
    }
    scatter all = {.desc = desc, .candidates = desc->candidates};
    COIF_TRY(coif_root_surface_init(&all.ground, desc->mesh, desc->group, arena, error));
    coif_low_discrepancy_init(&all.sequence, desc->sequence, desc->seed);
    if (desc->per_area > 0.0) {
        const double wanted = desc->per_area * coif_root_surface_area(&all.ground);
        if (!(wanted < MOST_ROOTS)) {
            return coif_fail(error, COIF_ERR_SCENE, "%.0f roots, more than %d", wanted, MOST_ROOTS);
        }
        all.candidates = (int32_t)(wanted + 0.5);
    }

    const int64_t block_count = (all.candidates + (int64_t)BLOCK - 1) / BLOCK;
    all.triangle = coif_arena_new(arena, all.candidates, int32_t);
    all.barycentric = coif_arena_new(arena, 2 * (int64_t)all.candidates, float);
    if (desc->sequence == COIF_SEQUENCE_BLUE_NOISE) {
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
    coif_low_discrepancy_init(&all.sequence, desc->sequence, desc->seed);
    for (int32_t i = 0; i < count; ++i) {
        thresholds[i] = threshold_of(&all, i);
    }
}
