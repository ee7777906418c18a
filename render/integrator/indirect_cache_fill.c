#include "render/integrator/indirect_cache_fill.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "render/integrator/indirect_cache.h"
#include "render/integrator/path.h"
#include "render/integrator/path_guiding.h"

#include <string.h>

enum {
    DIRECTIONS = 4, // rays from one point
    PATHS_PER_CHECK = 256,
    MIN_PATHS = 1 << 15, // of an image
    MAX_PATHS = 1 << 20
};

typedef struct fill_job {
    const coif_render_scene *scene;
    coif_progress *progress;
    coif_cache_sample *samples; // DIRECTIONS per path
    bool *found;                // per path
    uint32_t seed;
    int32_t depth;
} fill_job;

static void fill_range(void *context, int64_t begin, int64_t end, int worker)
{
    const fill_job *job = context;
    (void)worker;
    if (coif_progress_cancelled(job->progress)) {
        return;
    }
    const unsigned int mode = coif_flush_denormals_begin();
    for (int64_t i = begin; i < end; ++i) {
        coif_cache_sample *samples = job->samples + i * DIRECTIONS;
        coif_sampler sampler = coif_sampler_at(job->seed, -1, -1, (uint32_t)i);
        coif_interaction isect;
        job->found[i] = coif_path_find_fibre(job->scene, job->depth, &sampler, &isect);
        coif_path_guide guide;
        if (job->found[i]) {
            coif_path_guide_at(&guide, &job->scene->lights, isect.position);
        }
        for (int k = 0; k < DIRECTIONS && job->found[i]; ++k) {
            coif_sampler own = coif_sampler_at(job->seed, -2 - k, -1, (uint32_t)i);
            const float choice = coif_sampler_next_2d(&own).x;
            const coif_vec3 direction =
                coif_path_guide_sample(&guide, choice, coif_sampler_next_2d(&own));
            samples[k] = (coif_cache_sample){
                isect.position, direction,
                coif_path_trace_indirect(job->scene, &isect, direction, job->depth, &own),
                1.0f / coif_path_guide_weight(&guide, direction)};
        }
    }
    coif_flush_denormals_end(mode);
    coif_progress_step(job->progress, end - begin);
}

int64_t coif_indirect_cache_paths(int32_t width, int32_t height)
{
    const int64_t pixels = (int64_t)width * height;
    return pixels < MIN_PATHS ? MIN_PATHS : pixels > MAX_PATHS ? MAX_PATHS : pixels;
}

coif_status coif_indirect_cache_fill(coif_render_scene *scene, const coif_indirect_cache_desc *desc,
                                     coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "indirect cache");
    fill_job job = {.scene = scene,
                    .progress = desc->progress,
                    .seed = (uint32_t)desc->seed,
                    .depth = desc->depth};
    scene->indirect_cache = NULL;
    job.samples = coif_arena_new(&scratch, desc->paths * DIRECTIONS, coif_cache_sample);
    job.found = coif_arena_new(&scratch, desc->paths, bool);
    coif_progress_begin(desc->progress, "indirect light", desc->paths, "paths");
    coif_parallel_for(desc->jobs, desc->paths, PATHS_PER_CHECK, fill_range, &job);
    coif_progress_end(desc->progress);
    if (coif_progress_cancelled(desc->progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "cancelled");
    }
    int64_t count = 0;
    for (int64_t i = 0; i < desc->paths; ++i) {
        if (job.found[i]) {
            memmove(job.samples + count, job.samples + i * DIRECTIONS,
                    DIRECTIONS * sizeof *job.samples);
            count += DIRECTIONS;
        }
    }
    if (count == 0) {
        return COIF_OK;
    }
    scene->indirect_cache = coif_indirect_cache_build(job.samples, count, scene->arena);
    scene->indirect_cache_depth = desc->depth;
    return COIF_OK;
}
