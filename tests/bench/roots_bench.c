// roots_bench: seconds that it takes to scatter roots on a scalp, on one thread.
//
// A sphere of 100,000 triangles, all of it scalp. Best of several rounds, in thread time, for each
// sequence.
//
//   roots_bench [roots] [rounds]
#include "core/error.h"
#include "sim/roots.h"
#include "tests/sim_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A painted map would be asked the same way.
static coif_status density_of(void *context, int32_t count, const coif_surface_point *points,
                              float *value, coif_error *error)
{
    (void)context, (void)error;
    for (int32_t i = 0; i < count; ++i) {
        value[i] = points[i].position.y > -1.0f ? 1.0f : 0.0f;
    }
    return COIF_OK;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"halton", "sobol", "blue"};
    static const coif_sequence_kind kinds[] = {COIF_SEQUENCE_HALTON, COIF_SEQUENCE_SOBOL,
                                               COIF_SEQUENCE_BLUE};
    const int32_t wanted = argc > 1 ? atoi(argv[1]) : 150000;
    const int rounds = argc > 2 ? atoi(argv[2]) : 3;
    coif_arena arena;
    coif_arena_init(&arena, "roots bench");
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 91, &arena);
    for (int k = 0; k < 3; ++k) {
        double best = 1e30;
        int32_t count = 0;
        for (int r = 0; r < rounds; ++r) {
            const coif_arena_mark mark = coif_arena_mark_here(&arena);
            const coif_roots_desc desc = {.mesh = &mesh,
                                          .candidates = wanted,
                                          .sequence = kinds[k],
                                          .seed = 1,
                                          .density = density_of};
            coif_roots roots;
            coif_error error = {.status = COIF_OK};
            const double begin = thread_seconds();
            if (coif_roots_scatter(&roots, &desc, &arena, NULL, &error) != COIF_OK) {
                fprintf(stderr, "%s\n", error.text);
                return 1;
            }
            const double seconds = thread_seconds() - begin;
            best = seconds < best ? seconds : best;
            count = roots.count;
            coif_arena_rewind(&arena, mark);
        }
        printf("%s: %d roots on %d triangles in %.3f s\n", names[k], count, mesh.triangle_count,
               best);
    }
    coif_arena_free(&arena);
    return 0;
}
