// rod_bench: vertex-substeps per second of the rod solver on one thread.
//
// Wavy strands of 32 points, 10 cm long, fall from their rest shape, 10 substeps of 1/240 s per
// block at a time, as the solver runs them. Best of several rounds, in thread time.
//
//   rod_bench [wide4|wide8] [strands] [points] [rounds]
#include "tests/sim_rod.h"

#include <stdlib.h>
#include <time.h>

static coif_vec3 wave(int32_t lane, int32_t k, const void *context)
{
    const int32_t last = *(const int32_t *)context;
    const double s = 0.1 * k / last;
    return coif_vec3_of((float)(0.004 * sin(120.0 * s + lane)), (float)(0.004 * cos(120.0 * s)),
                        (float)s);
}

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    const char *kernel = argc > 1 ? argv[1] : "auto";
    const int32_t strands = argc > 2 ? atoi(argv[2]) : 8000;
    const int32_t points = argc > 3 ? atoi(argv[3]) : 32;
    const int rounds = argc > 4 ? atoi(argv[4]) : 5;
    const int32_t last = points - 1;
    coif_arena arena;
    coif_arena_init(&arena, "rod bench");
    const rods_desc desc = {.length = points,
                            .kernel = kernel,
                            .shape = wave,
                            .context = &last,
                            .materials = &HAIR,
                            .one_material = true};
    rods first;
    rods_open(&first, &desc, &arena);
    const int32_t count = strands / first.kernels->lanes;
    rods *blocks = coif_arena_new(&arena, count, rods);
    for (int32_t b = 0; b < count; ++b) {
        rods_open(&blocks[b], &desc, &arena);
        blocks[b].work = first.work;
        blocks[b].step.drag = 3.0f;
    }
    double best = INFINITY;
    for (int round = 0; round < rounds; ++round) {
        const double begin = thread_seconds();
        for (int32_t b = 0; b < count; ++b) {
            rods_step(&blocks[b], 10);
        }
        best = fmin(best, thread_seconds() - begin);
    }
    const double vertices = (double)count * first.kernels->lanes * points;
    printf("%s: %.1f M vertex-substeps/s, %.0f strands of %d points, tip %g\n", first.kernels->name,
           1e-6 * 10.0 * vertices / best, vertices / points, points,
           (double)rods_tip(&blocks[0], 0).y);
    coif_arena_free(&arena);
    return 0;
}
