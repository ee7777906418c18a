#include "render/session/tile_scheduler.h"

// Determinism: the random numbers of a sample depend on seed, pixel and sample index alone, sums of
// a block are made by one worker, and sums over blocks do not depend on their order (film_block.c).
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "render/denoise/denoise.h"
#include "render/film/adaptive_sampling.h"
#include "render/film/film_block.h"
#include "render/integrator/camera_ray.h"
#include "render/session/sample_accumulate.h"

#include <string.h>

typedef struct tiles_job {
    coif_film *film;
    const coif_tile_pass *pass;
    coif_progress *progress;
    coif_pixel_filter filter;
    double *scratch; // of one block per worker
    coif_adaptive_state adaptive;
    int32_t target; // sample count of this round between two adaptive checks
    atomic_bool stop;
    atomic_flag saving;
    _Atomic double next_checkpoint;
} tiles_job;

typedef struct sample_position {
    int32_t x, y; // pixel that the sample belongs to
    float px, py; // image position, in pixels
} sample_position;

// Samples between two checks for cancellation: a few hundredths of a second.
enum { SAMPLES_PER_CHECK = 4096 };

// Screen-space tangent of a strand, right and down.
static coif_vec2 screen_tangent(const coif_camera *camera, const coif_ray *ray, coif_vec3 tangent)
{
    const float along =
        coif_dot(tangent, camera->forward) / coif_dot(ray->direction, camera->forward);
    return (coif_vec2){
        coif_dot(tangent, camera->right) - along * coif_dot(ray->direction, camera->right),
        along * coif_dot(ray->direction, camera->up) - coif_dot(tangent, camera->up)};
}

static void add_sample(const coif_film_block *work, const tiles_job *job, sample_position at,
                       const coif_sample_record *record)
{
    const coif_film *film = job->film;
    double *own = work->sums + coif_film_block_index(work, at.x, at.y) * (size_t)film->aovs.stride;
    if (work->border > 0) {
        memset(work->sample, 0, (size_t)film->aovs.sum_count * sizeof *work->sample);
        coif_sample_add_filtered(work->sample, film, record);
        const coif_filter_weights weights_x =
            coif_pixel_filter_weights(&job->filter, at.px, film->width);
        const coif_filter_weights weights_y =
            coif_pixel_filter_weights(&job->filter, at.py, film->height);
        coif_film_block_splat(work, film, &weights_x, &weights_y);
    } else {
        coif_sample_add_filtered(own, film, record);
    }
    coif_sample_add_unfiltered(own, film, job->pass->scene, record);
}

static void take_sample(const coif_film_block *work, const tiles_job *job, int32_t x, int32_t y,
                        int32_t index)
{
    const coif_render_scene *scene = job->pass->scene;
    const coif_film *film = job->film;
    coif_sampler sampler =
        coif_sampler_at((uint32_t)job->pass->sampling->seed, x, y, (uint32_t)index);
    const coif_vec2 u = coif_sampler_next_2d(&sampler);
    const float px = (float)x + 0.5f + coif_pixel_filter_sample(&job->filter, u.x);
    const float py = (float)y + 0.5f + coif_pixel_filter_sample(&job->filter, u.y);
    coif_camera mixed;
    const coif_camera *camera;
    const coif_vec2 position = {px / (float)film->width, py / (float)film->height};
    const coif_ray ray = coif_camera_ray_sample(scene, position, &sampler, &mixed, &camera);
    coif_primary_hit hit;
    coif_light_aovs split;
    if (film->aovs.needs_light_split) {
        memset(&split, 0, sizeof split);
    }
    const coif_vec3 radiance =
        coif_path_trace(scene, ray, &sampler, &hit, film->aovs.needs_light_split ? &split : NULL);
    const coif_sample_record record = {
        .radiance = radiance,
        .alpha = job->pass->transparent ? hit.alpha : 1.0f,
        .depth = hit.distance * coif_dot(ray.direction, camera->forward),
        .screen_tangent = film->aovs.offset[COIF_AOV_DENOISED] >= 0 && hit.hair
                              ? screen_tangent(camera, &ray, hit.tangent)
                              : (coif_vec2){0.0f, 0.0f},
        .second_half = coif_second_half(&film->aovs, index),
        .hit = &hit,
        .split = film->aovs.needs_light_split ? &split : NULL,
    };
    add_sample(work, job, (sample_position){x, y, px, py}, &record);
}

// The sampled pixel that stands for pixel x, on one axis.
static int32_t sampled_pixel(int32_t x, int32_t first, int32_t step)
{
    const int32_t aligned = x - x % step;
    return aligned < first ? first : aligned;
}

// Samples every step-th pixel up to a count; false when cancelled.
static bool sample_block(const tiles_job *job, coif_film_block *work, int32_t target, int32_t step,
                         int32_t *unreported)
{
    const coif_rect *area = &work->area;
    for (int32_t y = area->y0; y < area->y1; ++y) {
        for (int32_t x = area->x0; x < area->x1; ++x) {
            const bool own =
                x == sampled_pixel(x, area->x0, step) && y == sampled_pixel(y, area->y0, step);
            for (int32_t i = work->count; i < target && own; ++i) {
                take_sample(work, job, x, y, i);
                if (++*unreported >= SAMPLES_PER_CHECK) {
                    if (!coif_progress_step(job->progress, *unreported)) {
                        return false;
                    }
                    *unreported = 0;
                }
            }
        }
    }
    work->count = target;
    return true;
}

// Copies sampled pixels to those they stand for.
static void replicate(const tiles_job *job, const coif_film_block *work, int32_t step)
{
    const coif_rect *area = &work->area;
    const size_t stride = (size_t)job->film->aovs.stride;
    for (int32_t y = area->y0; y < area->y1; ++y) {
        for (int32_t x = area->x0; x < area->x1; ++x) {
            const int32_t from_x = sampled_pixel(x, area->x0, step);
            const int32_t from_y = sampled_pixel(y, area->y0, step);
            const double *from = work->sums + coif_film_block_index(work, from_x, from_y) * stride;
            double *to = work->sums + coif_film_block_index(work, x, y) * stride;
            if (to != from) {
                memcpy(to, from, stride * sizeof *to);
            }
        }
    }
}

// Which adjacent blocks are sampled too.
static void find_neighbors(coif_film_block *work, const tiles_job *job)
{
    const coif_rect *area = &work->area;
    const int32_t x[3] = {area->x0 - 1, area->x0, area->x1};
    const int32_t y[3] = {area->y0 - 1, area->y0, area->y1};
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            work->neighbors[j][i] =
                coif_adaptive_state_needs_samples(&job->adaptive, job->film, x[i], y[j]);
        }
    }
}

static bool render_block(const tiles_job *job, coif_rect area, double *scratch, int32_t *unreported)
{
    const coif_film *film = job->film;
    const int32_t step = job->pass->pixel_step > 1 ? job->pass->pixel_step : 1;
    if (film->counts[coif_film_index(film, area.x0, area.y0)] >= job->target ||
        !coif_adaptive_state_needs_samples(&job->adaptive, film, area.x0, area.y0)) {
        return true;
    }
    coif_film_block work;
    coif_film_block_open(&work, film, area, film->weights != NULL && step == 1, scratch);
    find_neighbors(&work, job);
    if (!sample_block(job, &work, job->target, step, unreported)) {
        return false;
    }
    if (step > 1) {
        replicate(job, &work, step);
    }
    coif_film_block_close(&work, film);
    return true;
}

static int32_t min_int(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static bool render_tile(const tiles_job *job, int32_t index, int worker)
{
    const coif_rect tile = coif_film_tile(job->film, index);
    double *scratch = job->scratch + (size_t)worker * coif_film_block_scratch_size(job->film);
    int32_t unreported = 0;
    // Blocks are anchored at pixel (0, 0), like tiles.
    for (int32_t y = tile.y0, next_y; y < tile.y1; y = next_y) {
        next_y = min_int(y - y % COIF_BLOCK_SIZE + COIF_BLOCK_SIZE, tile.y1);
        for (int32_t x = tile.x0, next_x; x < tile.x1; x = next_x) {
            next_x = min_int(x - x % COIF_BLOCK_SIZE + COIF_BLOCK_SIZE, tile.x1);
            if (!render_block(job, (coif_rect){x, y, next_x, next_y}, scratch, &unreported)) {
                return false;
            }
        }
    }
    return coif_progress_step(job->progress, unreported);
}

static void checkpoint_if_due(tiles_job *job)
{
    const double seconds = job->pass->checkpoint_seconds;
    if (!(seconds > 0.0) || coif_clock_seconds() < atomic_load(&job->next_checkpoint) ||
        atomic_flag_test_and_set(&job->saving)) {
        return;
    }
    job->pass->checkpoint(job->pass->context, job->film);
    atomic_store(&job->next_checkpoint, coif_clock_seconds() + seconds);
    atomic_flag_clear(&job->saving);
}

static void render_tiles(void *context, int64_t begin, int64_t end, int worker)
{
    tiles_job *job = context;
    const unsigned int mode = coif_flush_denormals_begin();
    for (int64_t i = begin; i < end && !atomic_load(&job->stop); ++i) {
        if (!render_tile(job, (int32_t)i, worker)) {
            atomic_store(&job->stop, true);
            break;
        }
        checkpoint_if_due(job);
    }
    coif_flush_denormals_end(mode);
}

int64_t coif_tiles_samples_left(const coif_film *film, int32_t samples)
{
    const size_t pixels = coif_film_pixel_count(film);
    int64_t left = 0;
    for (size_t i = 0; i < pixels; ++i) {
        left += film->counts[i] < samples ? samples - film->counts[i] : 0;
    }
    return left;
}

coif_status coif_tiles_render_pass(coif_film *film, const coif_tile_pass *pass, coif_jobs *jobs,
                                   coif_progress *progress, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "tiles");
    const size_t workers = jobs != NULL ? (size_t)coif_jobs_threads(jobs) : 1;
    tiles_job job = {.film = film, .pass = pass, .progress = progress};
    job.scratch = coif_arena_new(&scratch, workers * coif_film_block_scratch_size(film), double);
    atomic_flag_clear(&job.saving);
    atomic_store(&job.next_checkpoint, coif_clock_seconds() + pass->checkpoint_seconds);
    coif_pixel_filter_init(&job.filter, pass->sampling->filter);
    coif_adaptive_state_init(&job.adaptive, film, &scratch);
    for (int32_t check = 0; check < pass->sampling->samples && !atomic_load(&job.stop);
         check = job.target) {
        job.target = coif_adaptive_next_check(pass->sampling, check);
        coif_adaptive_state_update(&job.adaptive, film, pass->sampling, check);
        coif_parallel_for(jobs, film->tile_count, 1, render_tiles, &job);
    }
    return atomic_load(&job.stop) ? coif_fail(error, COIF_ERR_CANCELLED, "cancelled") : COIF_OK;
}
