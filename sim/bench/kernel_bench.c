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

static void open_pbd(coif_strand_block *block, coif_solver_scratch *work,
                     const coif_kernel_bench_desc *desc, coif_arena *arena)
{
    (void)work;
    const int32_t lanes = desc->kernels->lanes;
    const coif_bend_spans pairs = {.count = 1, .spans = {2}, .shares = {1.0f}};
    const float segment = LENGTH / (float)(desc->points - 1);
    coif_strand_block_init(block, desc->points, lanes, arena);
    coif_pbd_init(block, &pairs, COIF_BEND_DISTANCE, arena);
    for (int32_t i = 0; i < desc->points * lanes; ++i) {
        const int32_t k = i / lanes;
        block->x[i] = block->lx[i] = segment * (float)k;
        block->z[i] = block->lz[i] = 0.001f * (float)(i % lanes);
        block->rest[i] = segment;
        block->w[i] = k == 0 ? 0.0f : 1.0f;
    }
    for (int32_t lane = 0; lane < lanes; ++lane) {
        block->mass[lane] = 1.0f;
    }
    coif_pbd_kernels_of(lanes)->rest(block);
}

static void step_pbd(const coif_kernel_bench_desc *desc, coif_strand_block *block,
                     coif_solver_scratch *work)
{
    const coif_pbd_kernels *pbd = coif_pbd_kernels_of(desc->kernels->lanes);
    const coif_substep step = {.h = 1.0f / 240.0f,
                               .gravity = {0.0f, -9.81f, 0.0f},
                               .keep = 1.0f,
                               .stretch = 1.0f,
                               .bend = 0.3f};
    const int32_t lanes = desc->kernels->lanes;
    for (int32_t s = 0; s < desc->substeps; ++s) {
        desc->kernels->predict(block, work, &step);
        for (int32_t lane = 0; lane < lanes; ++lane) {
            work->px[lane] = block->x[lane];
            work->py[lane] = block->y[lane];
            work->pz[lane] = block->z[lane];
        }
        for (int32_t i = 0; i < desc->iterations; ++i) {
            coif_pbd_round(pbd, block, work, &step);
        }
        desc->kernels->arrive(block, work, &step);
    }
}

static const float ROD_LENGTH = 0.1f;

static void open_rod(coif_strand_block *block, coif_solver_scratch *work,
                     const coif_kernel_bench_desc *desc, coif_arena *arena)
{
    const coif_rod_material hair = {.young = 3.9e9f,
                                    .poisson = 0.4f,
                                    .density = 1320.0f,
                                    .radius = 40e-6f,
                                    .stiffness = 1.0f,
                                    .clamped = true};
    const int32_t lanes = desc->kernels->lanes;
    const int32_t last = desc->points - 1;
    coif_strand_block_init(block, desc->points, lanes, arena);
    coif_der_init(block, arena);
    for (int32_t i = 0; i < desc->points * lanes; ++i) {
        const int32_t k = i / lanes;
        const float s = ROD_LENGTH * (float)k / (float)last;
        block->x[i] = block->lx[i] = 0.004f * sinf(120.0f * s + (float)(i % lanes));
        block->y[i] = block->ly[i] = 0.004f * cosf(120.0f * s);
        block->z[i] = block->lz[i] = s;
        block->w[i] = k == 0 ? 0.0f : k == last ? 2.0f : 1.0f;
    }
    for (int32_t i = 0; i < last * lanes; ++i) {
        const int32_t j = i + lanes;
        block->rest[i] = coif_length(coif_vec3_of(
            block->x[j] - block->x[i], block->y[j] - block->y[i], block->z[j] - block->z[i]));
    }
    for (int32_t lane = 0; lane < lanes; ++lane) {
        for (int axis = 3; axis < COIF_ROOT_ROWS; axis += 4) {
            block->root[axis * lanes + lane] = block->root_end[axis * lanes + lane] = 1.0f;
        }
        block->mass[lane] = 1.0f;
        coif_der_fill(block, lane, &hair);
    }
    coif_der_kernels_of(lanes)->rest(block, work);
    coif_der_kernels_of(lanes)->place(block);
}

static void step_rod(const coif_kernel_bench_desc *desc, coif_strand_block *block,
                     coif_solver_scratch *work)
{
    const coif_substep step = {.h = 1.0f / 240.0f,
                               .end = 1.0f,
                               .gravity = {0.0f, -9.81f, 0.0f},
                               .keep = 1.0f,
                               .drag = 3.0f};
    for (int32_t s = 0; s < desc->substeps; ++s) {
        desc->kernels->pose(block, work, &step);
        desc->kernels->predict(block, work, &step);
        coif_der_kernels_of(desc->kernels->lanes)->step(block, work, &step);
        desc->kernels->arrive(block, work, &step);
    }
}

// A kind of strand to measure.
typedef struct measured {
    void (*open)(coif_strand_block *block, coif_solver_scratch *work,
                 const coif_kernel_bench_desc *desc, coif_arena *arena);
    void (*step)(const coif_kernel_bench_desc *desc, coif_strand_block *block,
                 coif_solver_scratch *work);
    int32_t scratch_rows;
} measured;

// Point-substeps per second: the best round.
static double measure(const measured *kind, const coif_kernel_bench_desc *desc, coif_arena *arena)
{
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    const int32_t lanes = desc->kernels->lanes;
    const int32_t count = desc->strands < lanes ? 1 : desc->strands / lanes;
    coif_strand_block *blocks = coif_arena_new(arena, count, coif_strand_block);
    coif_solver_scratch work;
    coif_solver_scratch_init(&work, desc->points, lanes, arena);
    work.scratch = coif_arena_new(arena, (int64_t)kind->scratch_rows * desc->points * lanes, float);
    for (int32_t b = 0; b < count; ++b) {
        kind->open(&blocks[b], &work, desc, arena);
    }
    double best = 0.0;
    for (int32_t round = 0; round < desc->rounds; ++round) {
        const double begin = thread_seconds();
        for (int32_t b = 0; b < count; ++b) {
            kind->step(desc, &blocks[b], &work);
        }
        const double seconds = thread_seconds() - begin;
        best = round == 0 || seconds < best ? seconds : best;
    }
    coif_arena_rewind(arena, mark);
    const double particles = (double)count * lanes * desc->points;
    return best > 0.0 ? particles * desc->substeps / best : 0.0;
}

double coif_kernel_bench_pbd(const coif_kernel_bench_desc *desc, coif_arena *arena)
{
    const measured kind = {open_pbd, step_pbd, 0};
    return measure(&kind, desc, arena) * desc->iterations;
}

double coif_kernel_bench_der(const coif_kernel_bench_desc *desc, coif_arena *arena)
{
    const measured kind = {open_rod, step_rod, COIF_DER_SCRATCH_ROWS};
    return measure(&kind, desc, arena);
}
