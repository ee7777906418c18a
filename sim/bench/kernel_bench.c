#include "sim/bench/kernel_bench.h"

#include "core/base/arena.h"
#include "sim/solver/methods/der/der.h"
#include "sim/solver/methods/pbd/pbd.h"

#include <math.h>
#include <time.h>

static const float LENGTH = 0.3f;

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void open_pbd(coif_strand_block *block, coif_solver_scratch *scratch,
                     const coif_kernel_bench_desc *desc, coif_arena *arena)
{
    (void)scratch;
    const int32_t lanes = desc->kernels->lanes;
    const coif_bend_spans spans = COIF_BEND_SPANS_DEFAULT;
    const float segment = LENGTH / (float)(desc->points - 1);
    coif_strand_block_init(block, desc->points, lanes, arena);
    coif_pbd_init(block, &spans, COIF_BEND_DISTANCE, arena);
    for (int32_t i = 0; i < desc->points * lanes; ++i) {
        const int32_t k = i / lanes;
        block->pos.x[i] = block->rest_local.x[i] = segment * (float)k;
        block->pos.z[i] = block->rest_local.z[i] = 0.001f * (float)(i % lanes);
        block->rest_length[i] = segment;
        block->inv_mass[i] = k == 0 ? 0.0f : 1.0f;
    }
    for (int32_t lane = 0; lane < lanes; ++lane) {
        block->mass_scale[lane] = 1.0f;
    }
    desc->kernels->pbd->precompute_rest(block);
}

static void step_pbd(const coif_kernel_bench_desc *desc, coif_strand_block *block,
                     coif_solver_scratch *scratch)
{
    const coif_pbd_kernels *pbd = desc->kernels->pbd;
    const coif_substep step = {.h = 1.0f / 240.0f,
                               .gravity = {0.0f, -9.81f, 0.0f},
                               .velocity_retention = 1.0f,
                               .stretch_stiffness = 1.0f,
                               .bend_stiffness = 0.3f};
    const int32_t lanes = desc->kernels->lanes;
    for (int32_t s = 0; s < desc->substeps; ++s) {
        desc->kernels->predict(block, scratch, &step);
        for (int32_t lane = 0; lane < lanes; ++lane) {
            scratch->predicted.x[lane] = block->pos.x[lane];
            scratch->predicted.y[lane] = block->pos.y[lane];
            scratch->predicted.z[lane] = block->pos.z[lane];
        }
        for (int32_t i = 0; i < desc->iterations; ++i) {
            coif_pbd_iterate(pbd, block, scratch, &step);
        }
        desc->kernels->integrate_velocity(block, scratch, &step, false);
    }
}

static const float ROD_LENGTH = 0.1f;

static void open_der(coif_strand_block *block, coif_solver_scratch *scratch,
                     const coif_kernel_bench_desc *desc, coif_arena *arena)
{
    const coif_strand_material hair = {.youngs_modulus = 3.9e9f,
                                       .poisson_ratio = 0.4f,
                                       .density = 1320.0f,
                                       .radius = 40e-6f,
                                       .stiffness = 1.0f,
                                       .clamped = true};
    const int32_t lanes = desc->kernels->lanes;
    const int32_t last = desc->points - 1;
    coif_strand_block_init(block, desc->points, lanes, arena);
    coif_strand_block_add_method_rows(block, COIF_DER_STATE_ROWS, COIF_DER_ROWS, COIF_DER_LANE_ROWS,
                                      arena);
    for (int32_t i = 0; i < desc->points * lanes; ++i) {
        const int32_t k = i / lanes;
        const float s = ROD_LENGTH * (float)k / (float)last;
        block->pos.x[i] = block->rest_local.x[i] = 0.004f * sinf(120.0f * s + (float)(i % lanes));
        block->pos.y[i] = block->rest_local.y[i] = 0.004f * cosf(120.0f * s);
        block->pos.z[i] = block->rest_local.z[i] = s;
        block->inv_mass[i] = k == 0 ? 0.0f : k == last ? 2.0f : 1.0f;
    }
    for (int32_t i = 0; i < last * lanes; ++i) {
        const int32_t j = i + lanes;
        block->rest_length[i] = coif_length(coif_vec3_of(block->pos.x[j] - block->pos.x[i],
                                                         block->pos.y[j] - block->pos.y[i],
                                                         block->pos.z[j] - block->pos.z[i]));
    }
    for (int32_t lane = 0; lane < lanes; ++lane) {
        for (int axis = 3; axis < COIF_ROOT_ROWS; axis += 4) {
            block->root_begin[axis * lanes + lane] = block->root_end[axis * lanes + lane] = 1.0f;
        }
        block->mass_scale[lane] = 1.0f;
        coif_der_fill(block, lane, &hair);
    }
    desc->kernels->der->precompute_rest(block, scratch);
    desc->kernels->der->reset_to_rest(block);
}

static void step_der(const coif_kernel_bench_desc *desc, coif_strand_block *block,
                     coif_solver_scratch *scratch)
{
    const coif_substep step = {.h = 1.0f / 240.0f,
                               .end = 1.0f,
                               .gravity = {0.0f, -9.81f, 0.0f},
                               .velocity_retention = 1.0f,
                               .drag = 3.0f};
    for (int32_t s = 0; s < desc->substeps; ++s) {
        desc->kernels->update_targets(block, scratch, &step);
        desc->kernels->predict(block, scratch, &step);
        desc->kernels->der->step(block, scratch, &step);
        desc->kernels->integrate_velocity(block, scratch, &step, false);
    }
}

// One benchmark.
typedef struct bench_case {
    void (*open)(coif_strand_block *block, coif_solver_scratch *scratch,
                 const coif_kernel_bench_desc *desc, coif_arena *arena);
    void (*step)(const coif_kernel_bench_desc *desc, coif_strand_block *block,
                 coif_solver_scratch *scratch);
    int32_t scratch_rows;
} bench_case;

// Point-substeps per second: the best repeat.
static double run_case(const bench_case *bench, const coif_kernel_bench_desc *desc,
                       coif_arena *arena)
{
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    const int32_t lanes = desc->kernels->lanes;
    const int32_t count = desc->strands < lanes ? 1 : desc->strands / lanes;
    coif_strand_block *blocks = coif_arena_new(arena, count, coif_strand_block);
    coif_solver_scratch scratch;
    coif_solver_scratch_init(&scratch, desc->points, lanes, arena);
    scratch.method_rows =
        coif_arena_new(arena, (int64_t)bench->scratch_rows * desc->points * lanes, float);
    for (int32_t b = 0; b < count; ++b) {
        bench->open(&blocks[b], &scratch, desc, arena);
    }
    double best = 0.0;
    for (int32_t repeat = 0; repeat < desc->rounds; ++repeat) {
        const double begin = thread_seconds();
        for (int32_t b = 0; b < count; ++b) {
            bench->step(desc, &blocks[b], &scratch);
        }
        const double seconds = thread_seconds() - begin;
        best = repeat == 0 || seconds < best ? seconds : best;
    }
    coif_arena_rewind(arena, mark);
    const double particles = (double)count * lanes * desc->points;
    return best > 0.0 ? particles * desc->substeps / best : 0.0;
}

double coif_kernel_bench_pbd(const coif_kernel_bench_desc *desc, coif_arena *arena)
{
    const bench_case bench = {open_pbd, step_pbd, 0};
    return run_case(&bench, desc, arena) * desc->iterations;
}

double coif_kernel_bench_der(const coif_kernel_bench_desc *desc, coif_arena *arena)
{
    const bench_case bench = {open_der, step_der, COIF_DER_SCRATCH_ROWS};
    return run_case(&bench, desc, arena);
}
