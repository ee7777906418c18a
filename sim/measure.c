#include "sim/measure.h"

#include "core/arena.h"
#include "sim/pbd.h"

#include <time.h>

static const float LENGTH = 0.3f;

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void open_block(coif_block *block, const coif_measure_desc *desc, coif_arena *arena)
{
    const int32_t lanes = desc->kernels->lanes;
    const coif_pairs pairs = {.count = 1, .spans = {2}, .shares = {1.0f}};
    const float segment = LENGTH / (float)(desc->points - 1);
    coif_block_init(block, desc->points, lanes, arena);
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

static void step_block(const coif_measure_desc *desc, coif_block *block, coif_work *work)
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

double coif_measure_pbd(const coif_measure_desc *desc, coif_arena *arena)
{
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    const int32_t lanes = desc->kernels->lanes;
    const int32_t count = desc->strands < lanes ? 1 : desc->strands / lanes;
    coif_block *blocks = coif_arena_new(arena, count, coif_block);
    coif_work work;
    coif_work_init(&work, desc->points, lanes, arena);
    for (int32_t b = 0; b < count; ++b) {
        open_block(&blocks[b], desc, arena);
    }
    double best = 0.0;
    for (int32_t round = 0; round < desc->rounds; ++round) {
        const double begin = thread_seconds();
        for (int32_t b = 0; b < count; ++b) {
            step_block(desc, &blocks[b], &work);
        }
        const double seconds = thread_seconds() - begin;
        best = round == 0 || seconds < best ? seconds : best;
    }
    coif_arena_rewind(arena, mark);
    const double particles = (double)count * lanes * desc->points;
    return best > 0.0 ? particles * desc->substeps * desc->iterations / best : 0.0;
}
