#include "sim/bench/sim_bench.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/log.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { FRAMES_MOST = 64 };

static double process_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void add_peak(void *context, const char *name, size_t used, size_t peak)
{
    (void)name, (void)used;
    *(double *)context += (double)peak;
}

static double arena_bytes(void)
{
    double bytes = 0.0;
    coif_memory_table(add_peak, &bytes);
    return bytes;
}

static coif_status measure(coif_bench_result *bench, const coif_bench_desc *desc, coif_arena *arena,
                           coif_jobs *jobs, coif_progress *progress, coif_error *error)
{
    const double before = arena_bytes() - (double)arena->peak;
    const char *words = coif_arena_print(arena, "fps=24 substeps=%d solver=%s%s %s", desc->substeps,
                                         desc->solver, desc->crowd ? COIF_BENCH_CROWD : "",
                                         desc->words != NULL ? desc->words : "");
    const coif_bench_head_desc own = {.strands = desc->strands,
                                      .points = desc->points,
                                      .words = words,
                                      .touch = desc->touch,
                                      .kernels = desc->kernels};
    coif_bench_head head;
    COIF_TRY(coif_bench_head_open(&head, &own, arena, jobs, error));
    double seconds[FRAMES_MOST];
    int32_t frames = desc->frames < FRAMES_MOST ? desc->frames : FRAMES_MOST;
    double all = 0.0;
    double processor = 0.0;
    double quickest = INFINITY;
    for (int32_t f = -1; f < frames; ++f) {
        const double clock = coif_clock_seconds();
        const double cpu = process_seconds();
        if (coif_bench_head_step(&head, jobs, progress) != COIF_OK) {
            return coif_fail(error, COIF_ERR_CANCELLED, "cancelled");
        }
        if (f >= 0) {
            seconds[f] = coif_clock_seconds() - clock;
            processor += process_seconds() - cpu;
            quickest = fmin(quickest, process_seconds() - cpu);
            all += seconds[f];
            frames = desc->most_seconds > 0.0 && all > desc->most_seconds ? f + 1 : frames;
        }
        coif_progress_step(progress, 1);
    }
    qsort(seconds, (size_t)frames, sizeof seconds[0], compare_doubles);
    const double points = (double)desc->strands * desc->points;
    *bench = (coif_bench_result){.seconds = seconds[frames / 2],
                                 .least = seconds[0],
                                 .cpu_seconds = processor / frames,
                                 .per_second = points * desc->substeps / quickest,
                                 .bytes = (arena_bytes() - before) / points,
                                 .healed = head.healed};
    return COIF_OK;
}

coif_status coif_bench_full_sim(coif_bench_result *bench, const coif_bench_desc *desc,
                                coif_progress *progress, coif_error *error)
{
    coif_arena arena;
    coif_jobs *jobs = NULL;
    coif_arena_init(&arena, "bench");
    coif_status status = coif_jobs_open(&jobs, desc->threads, &arena, error);
    if (status == COIF_OK) {
        coif_progress_begin(progress, "head", desc->frames + 1, "frames");
        status = measure(bench, desc, &arena, jobs, progress, error);
        coif_progress_end(progress);
        coif_jobs_close(jobs);
    }
    coif_arena_free(&arena);
    return status;
}
