// roots_bench: seconds to scatter roots on a scalp.
//
// A sphere of 100,000 triangles, all of it scalp. Best of several rounds for each sequence: what
// passes on the clock, and what the first thread works.
//
//   roots_bench [roots] [rounds] [threads]
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "sim/groom/root_scatter.h"
#include "tests/support/mesh_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A painted map is evaluated likewise.
static coif_status density_of(void *context, int32_t count, const coif_surface_point *points,
                              float *value, coif_error *error)
{
    (void)context, (void)error;
    for (int32_t i = 0; i < count; ++i) {
        value[i] = points[i].position.y > -1.0f ? 1.0f : 0.0f;
    }
    return COIF_OK;
}

typedef struct seconds {
    double wall, thread;
} seconds;

static coif_status time_scatter(seconds *best, const coif_roots_desc *desc, int rounds,
                                coif_arena *arena, coif_jobs *jobs)
{
    *best = (seconds){1e30, 1e30};
    for (int r = 0; r < rounds; ++r) {
        const coif_arena_mark mark = coif_arena_mark_here(arena);
        coif_root_set roots;
        coif_error error = {.status = COIF_OK};
        const double wall = seconds_of(CLOCK_MONOTONIC);
        const double thread = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        if (coif_roots_scatter(&roots, desc, arena, jobs, &error) != COIF_OK) {
            fprintf(stderr, "%s\n", error.text);
            return error.status;
        }
        best->wall = fmin(best->wall, seconds_of(CLOCK_MONOTONIC) - wall);
        best->thread = fmin(best->thread, seconds_of(CLOCK_THREAD_CPUTIME_ID) - thread);
        coif_arena_rewind(arena, mark);
    }
    return COIF_OK;
}

int main(int argc, char **argv)
{
    const int32_t wanted = argc > 1 ? atoi(argv[1]) : 150000;
    const int rounds = argc > 2 ? atoi(argv[2]) : 3;
    COIF_SCOPED_ARENA(arena, "roots bench");
    coif_jobs *jobs;
    if (coif_jobs_open(&jobs, argc > 3 ? atoi(argv[3]) : 1, &arena, NULL) != COIF_OK) {
        return 1;
    }
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 91, &arena);
    coif_status status = COIF_OK;
    for (int k = COIF_SEQUENCE_HALTON; k <= COIF_SEQUENCE_BLUE_NOISE && status == COIF_OK; ++k) {
        const coif_roots_desc desc = {.mesh = &mesh,
                                      .candidates = wanted,
                                      .sequence = (coif_sequence_kind)k,
                                      .seed = 1,
                                      .density = density_of};
        seconds best;
        status = time_scatter(&best, &desc, rounds, &arena, jobs);
        printf("%s: %d roots on %d triangles in %.3f s, thread %.3f s\n", COIF_SEQUENCE_NAMES[k],
               wanted, mesh.triangle_count, best.wall, best.thread);
    }
    coif_jobs_close(jobs);
    return status != COIF_OK;
}
