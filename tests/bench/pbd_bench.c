// pbd_bench: particle-iterations per second of plain Position Based Dynamics on one thread: one
// distance and one bending constraint per particle and iteration. See sim/measure.h.
//
//   pbd_bench [wide4|wide8] [strands] [points] [iterations] [rounds]
#include "core/arena.h"
#include "core/error.h"
#include "sim/measure.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    coif_error error = {0};
    coif_measure_desc desc = {.strands = argc > 2 ? atoi(argv[2]) : 8000,
                              .points = argc > 3 ? atoi(argv[3]) : 32,
                              .substeps = 10,
                              .iterations = argc > 4 ? atoi(argv[4]) : 4,
                              .rounds = argc > 5 ? atoi(argv[5]) : 9};
    if (coif_kernels_find(&desc.kernels, argc > 1 ? argv[1] : "auto", &error) != COIF_OK) {
        fprintf(stderr, "pbd_bench: %s\n", error.text);
        return 2;
    }
    coif_arena arena;
    coif_arena_init(&arena, "pbd bench");
    printf("%s: %.1f M particle-iterations/s, %d strands of %d points, %d iterations\n",
           desc.kernels->name, 1e-6 * coif_measure_pbd(&desc, &arena), desc.strands, desc.points,
           desc.iterations);
    coif_arena_free(&arena);
    return 0;
}
