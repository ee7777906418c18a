// root_scatter: candidates of a sequence, thinned by density.
//
// Dimension 0 selects the triangle by area, 1 and 2 the position in it, 3 is the threshold. A
// candidate is computed from its index alone, so candidates can be made in any order and on any
// thread; only blue noise is computed as a whole.
#include "sim/groom/root_scatter.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "sim/groom/root_blue_noise.h"
#include "sim/groom/root_surface.h"

#include <string.h>

enum { BLOCK = 2048, POOL_FACTOR = 3, MAX_ROOTS = 10000000 };

typedef struct scatter {
    const coif_roots_desc *desc;
    int32_t candidates;
    coif_root_surface surface;
    coif_low_discrepancy sequence;

    int32_t *triangle;   // per candidate
    float *barycentric;  // 2 per candidate
    uint8_t *grows;      // per candidate
    int32_t *counts;     // per block: candidates that grow
    coif_status *status; // per block
} scatter;

// Uniform in the triangle: 1 - sqrt(u) is the weight of the first corner.
static void sample_triangle(float barycentric[2], double u, double v)
{
    const double side = sqrt(u);
    barycentric[0] = (float)(side * (1.0 - v));
    barycentric[1] = (float)(side * v);
}

static void sample_candidate(scatter *ctx, int32_t candidate)
{
    const coif_low_discrepancy *sequence = &ctx->sequence;
    const double area_fraction = coif_low_discrepancy_at(sequence, candidate, 0);
    ctx->triangle[candidate] =
        ctx->surface.triangles[coif_root_surface_find(&ctx->surface, area_fraction)];
    sample_triangle(ctx->barycentric + 2 * (int64_t)candidate,
                    coif_low_discrepancy_at(sequence, candidate, 1),
                    coif_low_discrepancy_at(sequence, candidate, 2));
}

// Stratified pool for blue noise: one position in each of count equal fractions of the surface.
typedef struct candidate_pool {
    const scatter *ctx;
    int32_t count;
    int32_t *triangle;  // per position
    float *barycentric; // 2 per position
    coif_vec3 *positions, *normals;
} candidate_pool;

static double random_unit(const candidate_pool *pool, int64_t index, uint32_t dimension)
{
    return (double)coif_random_word(pool->ctx->desc->seed, (uint64_t)index, dimension) * 0x1p-32;
}

// R2 sequence: multiples of powers of the root of x^3 = x + 1 (M. Roberts 2018). It is a
// lattice, which must not show in the roots, so each position is jittered by the lattice
// spacing.
static double lattice_sample(const candidate_pool *pool, int64_t index, uint32_t dimension,
                             double spacing)
{
    static const double alpha[] = {0.7548776662466927, 0.5698402909980532};
    const double t =
        alpha[dimension] * (double)index + spacing * random_unit(pool, index, dimension);
    return t - floor(t);
}

static void fill_pool(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const candidate_pool *pool = context;
    const coif_root_surface *surface = &pool->ctx->surface;
    int32_t index = coif_root_surface_find(surface, (double)begin / pool->count);
    for (int64_t i = begin; i < end; ++i) {
        index = coif_root_surface_find_from(
            surface, ((double)i + random_unit(pool, i, 2)) / pool->count, index);
        const double area = surface->areas[index] - (index > 0 ? surface->areas[index - 1] : 0.0);
        const double spacing =
            1.0 / sqrt(fmax(1.0, area / coif_root_surface_area(surface) * (double)pool->count));
        float *b = pool->barycentric + 2 * i;
        sample_triangle(b, lattice_sample(pool, i, 0, spacing),
                        lattice_sample(pool, i, 1, spacing));
        pool->triangle[i] = surface->triangles[index];
        const coif_surface_point point =
            coif_mesh_at(pool->ctx->desc->mesh, pool->triangle[i], b[0], b[1]);
        pool->positions[i] = point.position;
        pool->normals[i] = point.normal;
    }
}

static void scatter_blue_noise(scatter *ctx, coif_arena *arena, coif_jobs *jobs)
{
    const int32_t count = POOL_FACTOR * ctx->candidates;
    candidate_pool pool = {.ctx = ctx,
                           .count = count,
                           .triangle = coif_arena_new(arena, count, int32_t),
                           .barycentric = coif_arena_new(arena, 2 * (int64_t)count, float),
                           .positions = coif_arena_new(arena, count, coif_vec3),
                           .normals = coif_arena_new(arena, count, coif_vec3)};
    coif_parallel_for(jobs, count, BLOCK, fill_pool, &pool);
    const coif_blue_noise_pool noise_pool = {.count = count,
                                             .positions = pool.positions,
                                             .normals = pool.normals,
                                             .area = coif_root_surface_area(&ctx->surface)};
    int32_t *order = coif_arena_new(arena, ctx->candidates, int32_t);
    coif_blue_noise_choose(order, ctx->candidates, &noise_pool, arena, jobs);
    for (int32_t i = 0; i < ctx->candidates; ++i) {
        ctx->triangle[i] = pool.triangle[order[i]];
        memcpy(ctx->barycentric + 2 * (int64_t)i, pool.barycentric + 2 * (int64_t)order[i],
               2 * sizeof(float));
    }
}

// Threshold of a candidate. With blue noise it is the rank, because every prefix of the order is
// blue noise.
static double threshold_of(const scatter *ctx, int32_t candidate)
{
    return ctx->desc->sequence == COIF_SEQUENCE_BLUE_NOISE
               ? (double)candidate / ctx->candidates
               : coif_low_discrepancy_at(&ctx->sequence, candidate, 3);
}

static coif_status eval_density(const scatter *ctx, int32_t begin, int32_t end, float *density,
                                coif_error *error)
{
    coif_surface_point points[BLOCK];
    for (int32_t i = begin; i < end; ++i) {
        const float *b = ctx->barycentric + 2 * (int64_t)i;
        points[i - begin] = coif_mesh_at(ctx->desc->mesh, ctx->triangle[i], b[0], b[1]);
        density[i - begin] = 0.0f;
    }
    return ctx->desc->density(ctx->desc->density_context, end - begin, points, density, error);
}

static int32_t block_end(const scatter *ctx, int64_t block)
{
    const int64_t end = (block + 1) * BLOCK;
    return end < ctx->candidates ? (int32_t)end : ctx->candidates;
}

// A threshold lies in [0, 1), so density 1 lets every candidate grow and density 0 none.
static void thin_block(scatter *ctx, int64_t block)
{
    const int32_t begin = (int32_t)(block * BLOCK);
    const int32_t end = block_end(ctx, block);
    float density[BLOCK];
    if (ctx->desc->density != NULL) {
        ctx->status[block] = eval_density(ctx, begin, end, density, NULL);
    }
    for (int32_t i = begin; i < end; ++i) {
        const bool grows =
            ctx->desc->density == NULL || threshold_of(ctx, i) < (double)density[i - begin];
        ctx->grows[i] = grows;
        ctx->counts[block] += grows;
    }
}

static void scatter_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    scatter *ctx = context;
    (void)worker;
    for (int64_t block = begin; block < end; ++block) {
        const bool blue_noise = ctx->desc->sequence == COIF_SEQUENCE_BLUE_NOISE;
        for (int32_t i = (int32_t)(block * BLOCK); i < block_end(ctx, block) && !blue_noise; ++i) {
            sample_candidate(ctx, i);
        }
        thin_block(ctx, block);
    }
}

// Workers cannot share one error object: the first failed block is evaluated again for its
// message.
static coif_status check_blocks(const scatter *ctx, int64_t block_count, coif_error *error)
{
    for (int64_t block = 0; block < block_count; ++block) {
        if (ctx->status[block] != COIF_OK) {
            float density[BLOCK];
            const coif_status status =
                eval_density(ctx, (int32_t)(block * BLOCK), block_end(ctx, block), density, error);
            return coif_fail(error, status == COIF_OK ? ctx->status[block] : status,
                             "the density could not be evaluated");
        }
    }
    return COIF_OK;
}

static void store_roots(coif_root_set *roots, const scatter *ctx, int64_t block_count,
                        coif_arena *arena)
{
    int32_t count = 0;
    for (int64_t block = 0; block < block_count; ++block) {
        count += ctx->counts[block];
    }
    roots->triangles = coif_arena_new(arena, count, int32_t);
    roots->barycentrics = coif_arena_new(arena, 2 * (int64_t)count, float);
    roots->candidates = coif_arena_new(arena, count, int32_t);
    roots->count = 0;
    for (int32_t i = 0; i < ctx->candidates; ++i) {
        if (ctx->grows[i]) {
            const int32_t root = roots->count++;
            roots->triangles[root] = ctx->triangle[i];
            memcpy(roots->barycentrics + 2 * (int64_t)root, ctx->barycentric + 2 * (int64_t)i,
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
    scatter ctx = {.desc = desc, .candidates = desc->candidates};
    COIF_TRY(coif_root_surface_init(&ctx.surface, desc->mesh, desc->group, arena, error));
    coif_low_discrepancy_init(&ctx.sequence, desc->sequence, desc->seed);
    if (desc->per_area > 0.0) {
        const double count = desc->per_area * coif_root_surface_area(&ctx.surface);
        if (!(count < MAX_ROOTS)) {
            return coif_fail(error, COIF_ERR_SCENE, "%.0f roots, more than %d", count, MAX_ROOTS);
        }
        ctx.candidates = (int32_t)(count + 0.5);
    }

    const int64_t block_count = (ctx.candidates + (int64_t)BLOCK - 1) / BLOCK;
    ctx.triangle = coif_arena_new(arena, ctx.candidates, int32_t);
    ctx.barycentric = coif_arena_new(arena, 2 * (int64_t)ctx.candidates, float);
    if (desc->sequence == COIF_SEQUENCE_BLUE_NOISE) {
        scatter_blue_noise(&ctx, arena, jobs);
    }
    ctx.grows = coif_arena_new(arena, ctx.candidates, uint8_t);
    ctx.counts = coif_arena_new(arena, block_count, int32_t);
    ctx.status = coif_arena_new(arena, block_count, coif_status);
    coif_parallel_for(jobs, block_count, 1, scatter_blocks, &ctx);
    COIF_TRY(check_blocks(&ctx, block_count, error));

    store_roots(roots, &ctx, block_count, arena);
    return COIF_OK;
}

void coif_roots_thresholds(double *thresholds, const coif_roots_desc *desc, int32_t count)
{
    scatter ctx = {.desc = desc, .candidates = count};
    coif_low_discrepancy_init(&ctx.sequence, desc->sequence, desc->seed);
    for (int32_t i = 0; i < count; ++i) {
        thresholds[i] = threshold_of(&ctx, i);
    }
}
