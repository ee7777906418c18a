#include "render/tiles.h"

#include "core/error.h"
#include "core/jobs.h"
#include "core/log.h"
#include "render/path.h"

#include <string.h>

typedef struct tiles_job {
    coif_film *film;
    const coif_tiles_desc *desc;
    coif_progress *progress;
    coif_filter filter;
    atomic_bool stop;
    atomic_flag saving;
    _Atomic double next_save;
} tiles_job;

// Cancel is asked for after about this many samples: a few hundredths of a second.
enum { SAMPLES_PER_ASK = 4096 };

typedef struct pixel_sums {
    double values[COIF_FILM_VALUES];
    float nearest;
} pixel_sums;

// The camera a path starts from. Only where something moves do paths have a time of their own.
static coif_camera camera_of(const coif_stage *stage, float time)
{
    if (stage->camera_steps < 2) {
        return stage->camera;
    }
    float t;
    const int32_t step = coif_step_before(stage->camera_steps, time, &t);
    return coif_camera_between(&stage->camera_path[step], &stage->camera_path[step + 1], t);
}

static void take_sample(pixel_sums *sums, const tiles_job *job, int32_t x, int32_t y, int32_t index)
{
    const coif_tiles_desc *desc = job->desc;
    const coif_film *film = job->film;
    coif_sampler sampler = coif_sampler_at((uint32_t)desc->image->seed, x, y, (uint32_t)index);
    const coif_vec2 u = coif_sampler_pair(&sampler);
    const coif_vec2 lens = coif_sampler_pair(&sampler);
    const float px = (float)x + 0.5f + coif_filter_sample(&job->filter, u.x);
    const float py = (float)y + 0.5f + coif_filter_sample(&job->filter, u.y);
    coif_vec2 extra = {0.0f, 0.0f};
    if (desc->stage->moves || desc->stage->widened) {
        extra = coif_sampler_pair(&sampler);
    }
    const float time = extra.x;
    const coif_camera camera = camera_of(desc->stage, time);
    coif_ray ray =
        coif_camera_ray(&camera, px / (float)film->width, py / (float)film->height, lens);
    ray.time = time;
    ray.chance = (uint32_t)(extra.y * 16777216.0f) << 8;
    coif_path_first first;
    const coif_vec3 light = coif_path_trace(desc->stage, ray, &sampler, &first);
    const float values[COIF_FILM_DEPTH] = {
        light.x,        light.y,        light.z,        first.alpha,    first.albedo.x,
        first.albedo.y, first.albedo.z, first.normal.x, first.normal.y, first.normal.z,
    };
    for (int i = 0; i < COIF_FILM_DEPTH; ++i) {
        sums->values[i] += values[i];
    }
    const float depth = first.distance * coif_dot(ray.direction, camera.forward);
    if (first.alpha > 0.0f && (sums->nearest == 0.0f || depth < sums->nearest)) {
        sums->nearest = depth;
    }
}

static bool render_pixel(const tiles_job *job, int32_t x, int32_t y, int32_t *unasked)
{
    const int32_t samples = job->desc->image->samples;
    const int32_t before = job->desc->first_sample;
    float *pixel = coif_film_at(job->film, x, y);
    pixel_sums sums = {0};
    for (int i = 0; i < COIF_FILM_DEPTH && before > 0; ++i) {
        sums.values[i] = (double)pixel[i] * before;
    }
    sums.nearest = before > 0 ? pixel[COIF_FILM_DEPTH] : 0.0f;
    for (int32_t index = before; index < samples; ++index) {
        take_sample(&sums, job, x, y, index);
        if (++*unasked >= SAMPLES_PER_ASK) {
            if (!coif_progress_step(job->progress, *unasked)) {
                return false;
            }
            *unasked = 0;
        }
    }
    for (int i = 0; i < COIF_FILM_DEPTH; ++i) {
        pixel[i] = (float)(sums.values[i] / samples);
    }
    pixel[COIF_FILM_DEPTH] = sums.nearest;
    if (!job->desc->image->transparent) {
        pixel[COIF_FILM_ALPHA] = 1.0f;
    }
    return true;
}

// Pixels of a block look like its first one.
static void spread_blocks(const coif_film *film, const coif_tile *tile, int32_t block)
{
    for (int32_t y = tile->y0; y < tile->y1; ++y) {
        for (int32_t x = tile->x0; x < tile->x1; ++x) {
            const float *from = coif_film_at(film, x - x % block, y - y % block);
            float *to = coif_film_at(film, x, y);
            if (to != from) {
                memcpy(to, from, COIF_FILM_VALUES * sizeof *to);
            }
        }
    }
}

static bool render_tile(const tiles_job *job, int32_t index)
{
    const coif_tile tile = coif_film_tile(job->film, index);
    int32_t unasked = 0;
    const int32_t block = job->desc->block > 1 ? job->desc->block : 1;
    for (int32_t y = tile.y0; y < tile.y1; y += block) {
        for (int32_t x = tile.x0; x < tile.x1; x += block) {
            if (!render_pixel(job, x, y, &unasked)) {
                return false;
            }
        }
    }
    if (block > 1) {
        spread_blocks(job->film, &tile, block);
    }
    return coif_progress_step(job->progress, unasked);
}

static void maybe_save(tiles_job *job)
{
    const double seconds = job->desc->checkpoint_seconds;
    if (!(seconds > 0.0) || coif_clock_seconds() < atomic_load(&job->next_save) ||
        atomic_flag_test_and_set(&job->saving)) {
        return;
    }
    job->desc->save(job->desc->context, job->film);
    atomic_store(&job->next_save, coif_clock_seconds() + seconds);
    atomic_flag_clear(&job->saving);
}

static void render_tiles(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    tiles_job *job = context;
    const unsigned int mode = coif_fast_begin();
    for (int64_t i = begin; i < end && !atomic_load(&job->stop); ++i) {
        if (atomic_load(&job->film->done[i])) {
            continue;
        }
        if (!render_tile(job, (int32_t)i)) {
            atomic_store(&job->stop, true);
            break;
        }
        atomic_store(&job->film->done[i], 1);
        maybe_save(job);
    }
    coif_fast_end(mode);
}

int64_t coif_tiles_left(const coif_film *film, int32_t samples)
{
    int64_t pixels = 0;
    for (int32_t i = 0; i < film->tile_count; ++i) {
        const coif_tile tile = coif_film_tile(film, i);
        pixels += film->done[i] ? 0 : (int64_t)(tile.x1 - tile.x0) * (tile.y1 - tile.y0);
    }
    return pixels * samples;
}

coif_status coif_tiles_render(coif_film *film, const coif_tiles_desc *desc, coif_jobs *jobs,
                              coif_progress *progress, coif_error *error)
{
    tiles_job job = {.film = film, .desc = desc, .progress = progress};
    atomic_flag_clear(&job.saving);
    atomic_store(&job.next_save, coif_clock_seconds() + desc->checkpoint_seconds);
    coif_filter_init(&job.filter, (coif_filter_kind)desc->image->filter);
    coif_parallel_for(jobs, film->tile_count, 1, render_tiles, &job);
    if (atomic_load(&job.stop)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "cancelled");
    }
    return COIF_OK;
}
