#include "render/session/tile_scheduler.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "render/denoise/denoise.h"
#include "render/film/adaptive_sampling.h"
#include "render/film/film_block.h"
#include "render/session/sample_accumulate.h"

#include <string.h>

typedef struct tiles_job {
    coif_film *film;
    const coif_tile_pass *desc;
    coif_progress *progress;
    coif_pixel_filter filter;
    double *room; // of one block per worker
    coif_adaptive_state refinement;
    int32_t to; // samples of squares that go on, for now
    atomic_bool stop;
    atomic_flag saving;
    _Atomic double next_save;
} tiles_job;

// Of a sample: its pixel, and where in the picture it lies.
typedef struct sample_place {
    int32_t x, y;
    float px, py;
} sample_place;

// Cancel is asked for after about this many samples: a few hundredths of a second.
enum { SAMPLES_PER_ASK = 4096 };

// The camera a path starts from. Only where something moves do paths have a time of their own.
static const coif_camera *camera_of(coif_camera *between, const coif_render_scene *stage,
                                    float time)
{
    if (stage->camera_steps < 2) {
        return &stage->camera;
    }
    float t;
    const int32_t step = coif_motion_step_at(stage->camera_steps, time, &t);
    *between = coif_camera_lerp(&stage->camera_path[step], &stage->camera_path[step + 1], t);
    return between;
}

// The direction of a strand as it is seen: that of its picture, right and down.
static coif_vec2 course_of(const coif_camera *camera, const coif_ray *ray, coif_vec3 tangent)
{
    const float along =
        coif_dot(tangent, camera->forward) / coif_dot(ray->direction, camera->forward);
    return (coif_vec2){
        coif_dot(tangent, camera->right) - along * coif_dot(ray->direction, camera->right),
        along * coif_dot(ray->direction, camera->up) - coif_dot(tangent, camera->up)};
}

// The sums of one pixel get what a sample of it saw, and those around their shares.
static void add_sample(const coif_film_block *work, const tiles_job *job, sample_place at,
                       const coif_sample_record *exposure)
{
    const coif_film *film = job->film;
    double *own = work->sums + coif_film_block_index(work, at.x, at.y) * (size_t)film->aovs.stride;
    if (work->reach > 0) {
        memset(work->sample, 0, (size_t)film->aovs.sum_count * sizeof *work->sample);
        coif_sample_add_filtered(work->sample, film, exposure);
        const coif_filter_weights across =
            coif_pixel_filter_weights(&job->filter, at.px, film->width);
        const coif_filter_weights down =
            coif_pixel_filter_weights(&job->filter, at.py, film->height);
        coif_film_block_splat(work, film, &across, &down);
    } else {
        coif_sample_add_filtered(own, film, exposure);
    }
    coif_sample_add_unfiltered(own, film, job->desc->stage, exposure);
}

static void take_sample(const coif_film_block *work, const tiles_job *job, int32_t x, int32_t y,
                        int32_t index)
{
    const coif_render_scene *stage = job->desc->stage;
    const coif_film *film = job->film;
    coif_sampler sampler = coif_sampler_at((uint32_t)job->desc->image->seed, x, y, (uint32_t)index);
    const coif_vec2 u = coif_sampler_next_2d(&sampler);
    coif_vec2 lens = {0.0f, 0.0f};
    if (stage->camera.lens_radius > 0.0f || stage->camera_path != NULL) {
        lens = coif_sampler_next_2d(&sampler);
    }
    const float px = (float)x + 0.5f + coif_pixel_filter_sample(&job->filter, u.x);
    const float py = (float)y + 0.5f + coif_pixel_filter_sample(&job->filter, u.y);
    coif_vec2 extra = {0.0f, 0.0f};
    if (stage->has_motion || stage->has_transparency) {
        extra = coif_sampler_next_2d(&sampler);
    }
    const float time = extra.x;
    coif_camera between;
    const coif_camera *camera = camera_of(&between, stage, time);
    coif_ray ray = coif_camera_ray(camera, px / (float)film->width, py / (float)film->height, lens);
    ray.time = time;
    ray.alpha_seed = (uint32_t)(extra.y * 16777216.0f) << 8;
    coif_primary_hit first;
    coif_light_aovs split;
    if (film->aovs.needs_light_split) {
        memset(&split, 0, sizeof split);
    }
    const coif_vec3 light =
        coif_path_trace(stage, ray, &sampler, &first, film->aovs.needs_light_split ? &split : NULL);
    const coif_sample_record exposure = {
        .light = light,
        .alpha = job->desc->image->transparent ? first.alpha : 1.0f,
        .depth = first.distance * coif_dot(ray.direction, camera->forward),
        .course = film->aovs.place[COIF_AOV_DENOISED] >= 0 && first.hair
                      ? course_of(camera, &ray, first.tangent)
                      : (coif_vec2){0.0f, 0.0f},
        .second_half = coif_second_half(index),
        .first = &first,
        .split = film->aovs.needs_light_split ? &split : NULL,
    };
    add_sample(work, job, (sample_place){x, y, px, py}, &exposure);
}

// The pixel that stands for one, on one axis.
static int32_t stand_in(int32_t x, int32_t first, int32_t step)
{
    const int32_t even = x - x % step;
    return even < first ? first : even;
}

// The samples up to a number for every step-th pixel; false when cancelled.
static bool sample_block(const tiles_job *job, coif_film_block *work, int32_t to, int32_t step,
                         int32_t *unasked)
{
    const coif_rect *area = &work->area;
    for (int32_t y = area->y0; y < area->y1; ++y) {
        for (int32_t x = area->x0; x < area->x1; ++x) {
            const bool own = x == stand_in(x, area->x0, step) && y == stand_in(y, area->y0, step);
            for (int32_t i = work->count; i < to && own; ++i) {
                take_sample(work, job, x, y, i);
                if (++*unasked >= SAMPLES_PER_ASK) {
                    if (!coif_progress_step(job->progress, *unasked)) {
                        return false;
                    }
                    *unasked = 0;
                }
            }
        }
    }
    work->count = to;
    return true;
}

// Pixels look like the one that stands for them.
static void spread(const tiles_job *job, const coif_film_block *work, int32_t step)
{
    const coif_rect *area = &work->area;
    const size_t stride = (size_t)job->film->aovs.stride;
    for (int32_t y = area->y0; y < area->y1; ++y) {
        for (int32_t x = area->x0; x < area->x1; ++x) {
            const int32_t from_x = stand_in(x, area->x0, step);
            const int32_t from_y = stand_in(y, area->y0, step);
            const double *from = work->sums + coif_film_block_index(work, from_x, from_y) * stride;
            double *to = work->sums + coif_film_block_index(work, x, y) * stride;
            if (to != from) {
                memcpy(to, from, stride * sizeof *to);
            }
        }
    }
}

// Which squares around one get samples as it does.
static void look_around(coif_film_block *work, const tiles_job *job)
{
    const coif_rect *area = &work->area;
    const int32_t x[3] = {area->x0 - 1, area->x0, area->x1};
    const int32_t y[3] = {area->y0 - 1, area->y0, area->y1};
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            work->around[j][i] =
                coif_adaptive_state_needs_samples(&job->refinement, job->film, x[i], y[j]);
        }
    }
}

static bool render_block(const tiles_job *job, coif_rect area, double *room, int32_t *unasked)
{
    const coif_film *film = job->film;
    const int32_t step = job->desc->block > 1 ? job->desc->block : 1;
    if (film->counts[coif_film_index(film, area.x0, area.y0)] >= job->to ||
        !coif_adaptive_state_needs_samples(&job->refinement, film, area.x0, area.y0)) {
        return true;
    }
    coif_film_block work;
    coif_film_block_open(&work, film, area, film->weights != NULL && step == 1, room);
    look_around(&work, job);
    if (!sample_block(job, &work, job->to, step, unasked)) {
        return false;
    }
    if (step > 1) {
        spread(job, &work, step);
    }
    coif_film_block_close(&work, film);
    return true;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static bool render_tile(const tiles_job *job, int32_t index, int worker)
{
    const coif_rect tile = coif_film_tile(job->film, index);
    double *room = job->room + (size_t)worker * coif_film_block_scratch_size(job->film);
    int32_t unasked = 0;
    // Squares are anchored at pixel (0, 0) like tiles.
    for (int32_t y = tile.y0, next_y; y < tile.y1; y = next_y) {
        next_y = least(y - y % COIF_BLOCK_SIZE + COIF_BLOCK_SIZE, tile.y1);
        for (int32_t x = tile.x0, next_x; x < tile.x1; x = next_x) {
            next_x = least(x - x % COIF_BLOCK_SIZE + COIF_BLOCK_SIZE, tile.x1);
            if (!render_block(job, (coif_rect){x, y, next_x, next_y}, room, &unasked)) {
                return false;
            }
        }
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
    tiles_job *job = context;
    const unsigned int mode = coif_flush_denormals_begin();
    for (int64_t i = begin; i < end && !atomic_load(&job->stop); ++i) {
        if (!render_tile(job, (int32_t)i, worker)) {
            atomic_store(&job->stop, true);
            break;
        }
        maybe_save(job);
    }
    coif_flush_denormals_end(mode);
}

int64_t coif_tiles_samples_left(const coif_film *film, int32_t samples)
{
    const size_t pixels = coif_film_index(film, film->region.x1 - 1, film->region.y1 - 1) + 1;
    int64_t left = 0;
    for (size_t i = 0; i < pixels; ++i) {
        left += film->counts[i] < samples ? samples - film->counts[i] : 0;
    }
    return left;
}

coif_status coif_tiles_render_pass(coif_film *film, const coif_tile_pass *desc, coif_jobs *jobs,
                                   coif_progress *progress, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "tiles");
    const size_t workers = jobs != NULL ? (size_t)coif_jobs_threads(jobs) : 1;
    tiles_job job = {.film = film, .desc = desc, .progress = progress};
    job.room = coif_arena_new(&scratch, workers * coif_film_block_scratch_size(film), double);
    atomic_flag_clear(&job.saving);
    atomic_store(&job.next_save, coif_clock_seconds() + desc->checkpoint_seconds);
    coif_pixel_filter_init(&job.filter, (coif_pixel_filter_kind)desc->image->filter);
    coif_adaptive_state_init(&job.refinement, film, &scratch);
    for (int32_t look = 0; look < desc->image->samples && !atomic_load(&job.stop); look = job.to) {
        job.to = coif_adaptive_next_check(desc->image, look);
        coif_adaptive_state_update(&job.refinement, film, desc->image, look);
        coif_parallel_for(jobs, film->tile_count, 1, render_tiles, &job);
    }
    coif_arena_free(&scratch);
    if (atomic_load(&job.stop)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "cancelled");
    }
    return COIF_OK;
}
