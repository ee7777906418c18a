#include "render/bench/render_bench.h"

#include "core/base/arena.h"
#include "core/base/cpu_time.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/image/image.h"
#include "render/integrator/indirect_cache_fill.h"
#include "render/session/tile_scheduler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static coif_status render_once(coif_bench_render_result *result, coif_film *film,
                               const coif_hairball *ball, const coif_bench_render_desc *desc,
                               coif_jobs *jobs, coif_arena *arena, coif_progress *progress,
                               coif_error *error)
{
    const coif_sampling_params sampling = {
        .samples = desc->samples, .seed = desc->seed, .filter = desc->filter};
    const coif_film_desc film_desc = {
        .width = desc->size, .height = desc->size, .splat = desc->filter != COIF_FILTER_BOX};
    coif_film_init(film, &film_desc, arena);
    coif_accel_stats meter = {0};
    coif_accel_set_stats(ball->scene->accel, desc->metered ? &meter : NULL);
    const double start = coif_cpu_seconds(), wall = coif_clock_seconds();
    const uint64_t ticks = coif_accel_cycles();
    const coif_tile_pass tiles = {.scene = ball->scene, .sampling = &sampling};
    const coif_indirect_cache_desc cache = {.depth = desc->indirect_cache,
                                            .seed = desc->seed,
                                            .paths =
                                                coif_indirect_cache_paths(desc->size, desc->size),
                                            .jobs = jobs,
                                            .progress = progress};
    coif_status status = COIF_OK;
    ball->scene->indirect_cache = NULL;
    if (cache.depth > 0) {
        status = coif_indirect_cache_fill(ball->scene, &cache, error);
    }
    if (status == COIF_OK) {
        status = coif_tiles_render_pass(film, &tiles, jobs, progress, error);
    }
    const double passed = (double)(coif_accel_cycles() - ticks);
    result->seconds = fmin(result->seconds, coif_cpu_seconds() - start);
    result->wall = fmin(result->wall, coif_clock_seconds() - wall);
    result->samples = (double)desc->size * desc->size * desc->samples;
    result->nearest = (double)meter.intersect_rays / result->samples;
    result->shadow = (double)meter.occluded_rays / result->samples;
    result->embree_fraction = passed > 0.0 ? (double)meter.cycles / passed : 0.0;
    coif_accel_set_stats(ball->scene->accel, NULL);
    return status;
}

coif_status coif_hairball_render(coif_bench_render_result *result, coif_film *film,
                                 const coif_hairball *ball, const coif_bench_render_desc *desc,
                                 coif_arena *arena, coif_progress *progress, coif_error *error)
{
    coif_jobs *jobs;
    COIF_TRY(coif_jobs_open(&jobs, desc->metered ? 1 : desc->threads, arena, error));
    *result = (coif_bench_render_result){.seconds = INFINITY, .wall = INFINITY};
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    coif_status status = COIF_OK;
    for (int32_t i = 0; status == COIF_OK && i < desc->rounds; ++i) {
        coif_arena_rewind(arena, mark);
        status = render_once(result, film, ball, desc, jobs, arena, progress, error);
    }
    coif_jobs_close(jobs);
    return status;
}

coif_status coif_hairball_save(const coif_film *film, const char *path, coif_arena *arena,
                               coif_error *error)
{
    const size_t count = (size_t)film->width * (size_t)film->height;
    float *pixels = coif_arena_new(arena, 3 * count, float);
    for (size_t i = 0; i < count; ++i) {
        float values[COIF_MAX_AOV_CHANNELS];
        coif_film_value(film, i, &film->aovs.list[0], values);
        memcpy(pixels + 3 * i, values, 3 * sizeof(float));
    }
    static const coif_image_type types[] = {COIF_IMAGE_FLOAT, COIF_IMAGE_FLOAT, COIF_IMAGE_FLOAT};
    const size_t length = strlen(path);
    const bool exr = length > 4 && strcmp(path + length - 4, ".exr") == 0;
    const coif_image_desc desc = {.width = film->width,
                                  .height = film->height,
                                  .channel_count = 3,
                                  .channel_types = exr ? types : NULL,
                                  .pixels = pixels,
                                  .srgb = !exr};
    return coif_image_save(path, &desc, error);
}

double coif_hairball_bytes(void)
{
    long whole = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%ld %ld", &whole, &resident) != 2) {
            resident = 0;
        }
        fclose(file);
    }
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

double coif_hairball_peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}
