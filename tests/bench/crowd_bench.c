// crowd_bench: seconds of one evaluation of strand interaction, on one thread.
//
// A head of long hair: strands of 30 cm hang from a hemisphere of 9 cm. Best of several rounds, in
// thread time.
//
//   crowd_bench [strands] [points] [rounds] [cell]
#include "core/base/rng.h"
#include "sim/solver/solver_internal.h"
#include "tests/support/hair_fixture.h"

#include <stdlib.h>
#include <time.h>

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    const int32_t strands = argc > 1 ? atoi(argv[1]) : 20000;
    const int32_t points = argc > 2 ? atoi(argv[2]) : 32;
    const int rounds = argc > 3 ? atoi(argv[3]) : 3;
    COIF_SCOPED_ARENA(arena, "crowd bench");
    coif_vec3 *shape = coif_arena_new(&arena, points, coif_vec3);
    coif_vec3 *offsets = coif_arena_new(&arena, strands, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        const float s = 0.3f * (float)k / (float)(points - 1);
        shape[k] = coif_vec3_of(0.004f * sinf(90.0f * s), -s, 0.004f * cosf(90.0f * s));
    }
    for (int32_t s = 0; s < strands; ++s) {
        // In patches of a few dozen, as triangles of a scalp have them.
        const float z = 1.0f - ((float)(s / 32) * 32.0f + 0.5f) / (float)strands;
        const float angle = 2.4f * (float)(s / 32) + 0.1f * coif_random_unit(1, (uint64_t)s, 0);
        const float r = 0.09f * sqrtf(1.0f - z * z);
        offsets[s] = coif_vec3_of(r * cosf(angle), 0.09f * z, r * sinf(angle));
    }
    coif_sim_params params = bare_params();
    params.hair_radius = 4e-5f;
    params.hair_density = 1320.0f;
    params.interaction_friction = 5.0f;
    params.interaction_stiffness = 1.0f;
    params.interaction_cell_size = argc > 4 ? (float)atof(argv[4]) : 0.0f;
    const hair_fixture_desc desc = {.shape = shape,
                                    .length = points,
                                    .strand_count = strands,
                                    .params = params,
                                    .pinned = 1,
                                    .offsets = offsets};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    double begin = thread_seconds();
    fixture_measure_rest(&hair, &params);
    const double prepare = thread_seconds() - begin;
    // Pressed together a little, so that pressure has work to do.
    for (int32_t b = 0; b < hair.solver.core->block_count; ++b) {
        coif_strand_block *block = &hair.solver.core->blocks[b];
        for (int32_t i = 0; i < block->length * block->lanes; ++i) {
            block->pos.x[i] *= 0.9f;
            block->vel.x[i] = -block->pos.x[i];
        }
    }
    double best = INFINITY;
    for (int round = 0; round < rounds; ++round) {
        begin = thread_seconds();
        fixture_interact(&hair, &params, &hair.scalp, &hair.scalp, 0.5f, 1.0 / 48.0);
        best = fmin(best, thread_seconds() - begin);
    }
    printf("%d strands of %d points, cell %.4g m: %.3f s to measure at rest, %.4f s per update, "
           "%.1f ns per point\n",
           strands, points, (double)hair.solver.interaction.cell, prepare, best,
           1e9 * best / ((double)strands * points));
    return 0;
}
