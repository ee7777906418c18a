// live_bench: what a frame of live motion costs, as the studio plays it.
//
// Median and largest over the frames, in processor time of one thread, so that other programs do
// not count: n threads need little more than an nth of it.
//
//   live_bench SCENE.json [strands] [frames] [substeps]
#include "core/base/jobs.h"
#include "sim/run/live_session.h"
#include "tools/cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static coif_status measure(const char *path, int32_t strands, int frames, int32_t substeps,
                           coif_arena *arena, coif_error *error)
{
    coif_plugins *plugins;
    coif_jobs *jobs;
    COIF_TRY(coif_plugins_open(&plugins, NULL, arena, error));
    COIF_TRY(coif_jobs_open(&jobs, 1, arena, error));
    const coif_plugin_lookup lookup = coif_plugins_lookup(plugins);
    const char *sets[] = {coif_arena_print(arena, "grooms/0/count=%d", strands),
                          "grooms/0/strands_per_cm2=0"};
    const coif_scene_desc desc = {.path = path,
                                  .sets = sets,
                                  .set_count = 2,
                                  .tree = coif_scene_tree(arena),
                                  .plugins = &lookup};
    coif_scene scene;
    COIF_TRY(coif_scene_load(&scene, &desc, arena, error));
    coif_live *live;
    COIF_TRY(coif_live_open(&live, &scene, 0, NULL, arena, jobs, error));
    coif_live_limit_substeps(live, substeps);
    double *seconds = coif_arena_new(arena, frames, double);
    coif_step_stats stats;
    for (int f = 0; f < frames; ++f) {
        const double begin = thread_seconds();
        COIF_TRY(coif_live_step(live, &stats, error));
        seconds[f] = thread_seconds() - begin;
    }
    coif_strands moved;
    COIF_TRY(coif_live_get_points(&moved, live, arena, error));
    qsort(seconds, (size_t)frames, sizeof *seconds, compare);
    printf("%d strands, %d points, %d frames: median %.1f ms, largest %.1f ms of one thread\n",
           moved.strand_count, moved.point_count, frames, 1e3 * seconds[frames / 2],
           1e3 * seconds[frames - 1]);
    coif_live_close(live);
    coif_jobs_close(jobs);
    return COIF_OK;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: live_bench SCENE.json [strands] [frames] [substeps]\n");
        return 2;
    }
    COIF_SCOPED_ARENA(arena, "live bench");
    coif_error error = {0};
    const int32_t strands = argc > 2 ? atoi(argv[2]) : 2000;
    const int frames = argc > 3 ? atoi(argv[3]) : 48;
    const int32_t substeps = argc > 4 ? atoi(argv[4]) : 0; // as the scene says
    if (strands < 1 || frames < 1 ||
        measure(argv[1], strands, frames, substeps, &arena, &error) != COIF_OK) {
        fprintf(stderr, "live_bench: %s\n", error.text);
        return 1;
    }
    return 0;
}
