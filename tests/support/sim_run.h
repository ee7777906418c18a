// Simulation of a scene given as text, and the strands of a groom at its last frame.
#ifndef COIF_TESTS_SUPPORT_SIM_RUN_H
#define COIF_TESTS_SUPPORT_SIM_RUN_H

#include "core/base/jobs.h"
#include "core/hair/frame_cache.h"
#include "sim/run/simulate.h"
#include "tests/support/sim_scene.h"

// Simulates on threads of its own.
static inline coif_status simulate_with_threads(const coif_simulate_desc *desc, int threads,
                                                coif_arena *arena, coif_error *error)
{
    coif_jobs *jobs;
    COIF_TRY(coif_jobs_open(&jobs, threads, arena, error));
    const coif_status status = coif_simulate(desc, jobs, NULL, error);
    coif_jobs_close(jobs);
    return status;
}

typedef struct sim_run {
    const char *scene;
    const char *set;    // argument of --set, or NULL
    const char *kernel; // NULL: "auto"
    int threads;        // 0: 1
} sim_run;

static inline coif_status try_simulate(const sim_run *run, coif_arena *arena, coif_error *error)
{
    coif_scene scene = {0};
    COIF_TRY(load_ball_scene(&scene, run->scene, run->set, arena, error));
    const coif_simulate_desc desc = {.scene = &scene,
                                     .folder = coif_test_folder(),
                                     .kernel = run->kernel != NULL ? run->kernel : "auto",
                                     .redo = true};
    return simulate_with_threads(&desc, run->threads > 0 ? run->threads : 1, arena, error);
}

// A groom of a cache, and its strands at a frame.
static inline coif_strands load_strands(coif_groom *groom, const char *folder, const char *name,
                                        int frame, coif_arena *arena)
{
    coif_strands strands = {0};
    coif_error error = {0};
    CHECK_OK(coif_groom_load(groom, coif_groom_file_path(folder, name, arena), arena, &error),
             error);
    CHECK_OK(coif_frame_cache_load(&strands, NULL, groom,
                                   coif_frame_file_path(folder, name, frame, arena), arena, &error),
             error);
    return strands;
}

static inline coif_strands strands_of(const char *groom_name, int frame, coif_arena *arena)
{
    coif_groom groom;
    return load_strands(&groom, coif_test_folder(), groom_name, frame, arena);
}

static inline coif_strands simulate_scene(const sim_run *run, const char *groom, int frame,
                                          coif_arena *arena)
{
    coif_error error = {0};
    CHECK_OK(try_simulate(run, arena, &error), error);
    return strands_of(groom, frame, arena);
}

static inline bool strands_are_equal(const coif_strands *a, const coif_strands *b, int32_t strand)
{
    const int32_t first = a->first[strand];
    const size_t count = (size_t)(a->first[strand + 1] - first);
    return memcmp(a->points + first, b->points + first, count * sizeof *a->points) == 0;
}

#endif
