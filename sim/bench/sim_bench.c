#include "sim/bench/sim_bench.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/log.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_FRAMES = 64 };

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
    const double bytes_before = arena_bytes() - (double)arena->peak;
    const char *settings =
        coif_arena_print(arena, "fps=24 substeps=%d solver=%s%s %s", desc->substeps, desc->solver,
                         desc->interaction ? COIF_BENCH_INTERACTION : "",
                         desc->settings != NULL ? desc->settings : "");
    const coif_bench_head_desc head_desc = {.strands = desc->strands,
                                            .points = desc->points,
                                            .settings = settings,
                                            .collide = desc->collide,
                                            .kernels = desc->kernels};
    coif_bench_head head;
    COIF_TRY(coif_bench_head_open(&head, &head_desc, arena, jobs, error));
    double seconds[MAX_FRAMES];
    int32_t frames = desc->frames < MAX_FRAMES ? desc->frames : MAX_FRAMES;
    double total = 0.0;
    double cpu_total = 0.0;
    double best_cpu = INFINITY;
    for (int32_t f = -1; f < frames; ++f) {
        const double clock = coif_clock_seconds();
        const double cpu = process_seconds();
        if (coif_bench_head_step(&head, jobs, progress) != COIF_OK) {
            return coif_fail(error, COIF_ERR_CANCELLED, "cancelled");
        }
        if (f >= 0) {
            seconds[f] = coif_clock_seconds() - clock;
            cpu_total += process_seconds() - cpu;
            best_cpu = fmin(best_cpu, process_seconds() - cpu);
            total += seconds[f];
            frames = desc->max_seconds > 0.0 && total > desc->max_seconds ? f + 1 : frames;
        }
        coif_progress_step(progress, 1);
    }
    qsort(seconds, (size_t)frames, sizeof seconds[0], compare_doubles);
    const double points = (double)desc->strands * desc->points;
    *bench = (coif_bench_result){.seconds = seconds[frames / 2],
                                 .best_seconds = seconds[0],
                                 .cpu_seconds = cpu_total / frames,
                                 .per_second = points * desc->substeps / best_cpu,
                                 .bytes_per_point = (arena_bytes() - bytes_before) / points,
                                 .reset_count = head.reset_count};
    return COIF_OK;
}

coif_status coif_bench_full_sim(coif_bench_result *bench, const coif_bench_desc *desc,
                                coif_progress *progress, coif_error *error)
{
    coif_jobs *jobs = NULL;
    COIF_SCOPED_ARENA(arena, "bench");
    coif_status status = coif_jobs_open(&jobs, desc->threads, &arena, error);
    if (status == COIF_OK) {
        coif_progress_begin(progress, "head", desc->frames + 1, "frames");
        status = measure(bench, desc, &arena, jobs, progress, error);
        coif_progress_end(progress);
        coif_jobs_close(jobs);
    }
    return status;
}
