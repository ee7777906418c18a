#include "render/tiles.h"

#include "core/arena.h"
#include "core/error.h"
#include "core/jobs.h"
#include "core/log.h"
#include "render/denoise.h"
#include "render/exposure.h"

#include <string.h>

typedef struct tiles_job {
    coif_film *film;
    const coif_tiles_desc *desc;
    coif_progress *progress;
    coif_filter filter;
    double *sums; // of one block per worker
    atomic_bool stop;
    atomic_flag saving;
    _Atomic double next_save;
} tiles_job;

// Cancel is asked for after about this many samples: a few hundredths of a second.
enum { SAMPLES_PER_ASK = 4096 };

// The camera a path starts from. Only where something moves do paths have a time of their own.
static const coif_camera *camera_of(coif_camera *between, const coif_stage *stage, float time)
{
    if (stage->camera_steps < 2) {
        return &stage->camera;
    }
    float t;
    const int32_t step = coif_step_before(stage->camera_steps, time, &t);
    *between = coif_camera_between(&stage->camera_path[step], &stage->camera_path[step + 1], t);
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

static void take_sample(double *sums, const tiles_job *job, int32_t x, int32_t y, int32_t index)
{
    const coif_stage *stage = job->desc->stage;
    const coif_film *film = job->film;
    coif_sampler sampler = coif_sampler_at((uint32_t)job->desc->image->seed, x, y, (uint32_t)index);
    const coif_vec2 u = coif_sampler_pair(&sampler);
    coif_vec2 lens = {0.0f, 0.0f};
    if (stage->camera.lens_radius > 0.0f || stage->camera_path != NULL) {
        lens = coif_sampler_pair(&sampler);
    }
    const float px = (float)x + 0.5f + coif_filter_sample(&job->filter, u.x);
    const float py = (float)y + 0.5f + coif_filter_sample(&job->filter, u.y);
    coif_vec2 extra = {0.0f, 0.0f};
    if (stage->moves || stage->widened) {
        extra = coif_sampler_pair(&sampler);
    }
    const float time = extra.x;
    coif_camera between;
    const coif_camera *camera = camera_of(&between, stage, time);
    coif_ray ray = coif_camera_ray(camera, px / (float)film->width, py / (float)film->height, lens);
    ray.time = time;
    ray.chance = (uint32_t)(extra.y * 16777216.0f) << 8;
    coif_path_first first;
    coif_path_split split;
    if (film->aovs.splits) {
        memset(&split, 0, sizeof split);
    }
    const coif_vec3 light =
        coif_path_trace(stage, ray, &sampler, &first, film->aovs.splits ? &split : NULL);
    const coif_exposure exposure = {
        .light = light,
        .alpha = job->desc->image->transparent ? first.alpha : 1.0f,
        .depth = first.distance * coif_dot(ray.direction, camera->forward),
        .course = film->aovs.place[COIF_AOV_DENOISED] >= 0 && first.hair
                      ? course_of(camera, &ray, first.tangent)
                      : (coif_vec2){0.0f, 0.0f},
        .second_half = coif_second_half(index),
        .first = &first,
        .split = film->aovs.splits ? &split : NULL,
    };
    coif_exposure_add(sums, film, stage, &exposure);
}

// One square of a tile on its way.
typedef struct block {
    coif_tile area;
    int32_t tile;
    double *sums;  // of its pixels, row after row
    int32_t count; // samples of each
} block;

// The pixel that stands for one, on one axis.
static int32_t stand_in(int32_t x, int32_t first, int32_t step)
{
    const int32_t even = x - x % step;
    return even < first ? first : even;
}

// The samples up to a number for every step-th pixel; false when cancelled.
static bool sample_block(const tiles_job *job, block *work, int32_t to, int32_t step,
                         int32_t *unasked)
{
    const coif_tile *area = &work->area;
    double *sums = work->sums;
    for (int32_t y = area->y0; y < area->y1; ++y) {
        for (int32_t x = area->x0; x < area->x1; ++x, sums += job->film->aovs.stride) {
            const bool own = x == stand_in(x, area->x0, step) && y == stand_in(y, area->y0, step);
            for (int32_t i = work->count; i < to && own; ++i) {
                take_sample(sums, job, x, y, i);
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
static void spread(const tiles_job *job, const block *work, int32_t step)
{
    const coif_tile *area = &work->area;
    const int32_t width = area->x1 - area->x0;
    const size_t stride = (size_t)job->film->aovs.stride;
    for (int32_t y = area->y0; y < area->y1; ++y) {
        for (int32_t x = area->x0; x < area->x1; ++x) {
            const int32_t from_x = stand_in(x, area->x0, step);
            const int32_t from_y = stand_in(y, area->y0, step);
            const double *from =
                work->sums + (size_t)((from_y - area->y0) * width + from_x - area->x0) * stride;
            double *to = work->sums + (size_t)((y - area->y0) * width + x - area->x0) * stride;
            if (to != from) {
                memcpy(to, from, stride * sizeof *to);
            }
        }
    }
}

// Copies the sums of a block between film and worker, row by row.
static void copy_block(const coif_film *film, const block *work, bool to_film)
{
    const coif_tile *area = &work->area;
    const size_t width = (size_t)(area->x1 - area->x0);
    const size_t values = width * (size_t)film->aovs.stride;
    coif_film_hold(film, work->tile);
    for (int32_t y = area->y0; y < area->y1; ++y) {
        const size_t pixel = coif_film_index(film, area->x0, y);
        double *here = work->sums + (size_t)(y - area->y0) * values;
        double *there = coif_film_sums(film, pixel);
        memcpy(to_film ? there : here, to_film ? here : there, values * sizeof *here);
        for (size_t i = 0; i < width && to_film; ++i) {
            film->counts[pixel + i] = work->count;
        }
    }
    coif_film_release(film, work->tile);
}

// Blocks are looked at when they have min_samples, and after every doubling.
static int32_t next_look(const coif_image_params *image, int32_t count)
{
    int32_t look = image->min_samples;
    while (look <= count && look < image->samples) {
        look *= 2;
    }
    return look;
}

static bool is_look(const coif_image_params *image, int32_t count)
{
    int32_t look = image->min_samples;
    while (look < count && look < image->samples) {
        look *= 2;
    }
    return look == count;
}

static double brightness(const double *c)
{
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

// The mean over the block of variance / (brightness^2 + 0.01) is at most noise^2. Where alpha is
// wanted its variance is added, which is at most a (1 - a): black hair has noise nowhere else. Only
// the block's own samples are asked, so the answer is the same whenever and wherever it is
// rendered.
static bool good_enough(const tiles_job *job, const block *work)
{
    const coif_aovs *aovs = &job->film->aovs;
    const double n = work->count, noise = (double)job->desc->image->noise;
    const size_t pixels =
        (size_t)(work->area.x1 - work->area.x0) * (size_t)(work->area.y1 - work->area.y0);
    double sum = 0.0;
    for (size_t i = 0; i < pixels; ++i) {
        const double *sums = work->sums + i * (size_t)aovs->stride;
        const double mean = brightness(sums) / n;
        const double spread = sums[aovs->place[COIF_AOV_VARIANCE] + 3] / n - mean * mean;
        const double alpha = sums[3] / n;
        sum += (spread > 0.0 ? spread : 0.0) / ((n - 1.0) * (mean * mean + 0.01));
        sum += alpha * (1.0 - alpha) / (n - 1.0);
        // The noise of a half shadow is nowhere in these sums.
        const double *caught = sums + aovs->place[COIF_AOV_CATCHER];
        if (aovs->place[COIF_AOV_CATCHER] >= 0 && caught[1] != caught[4]) {
            return false;
        }
    }
    return sum <= noise * noise * (double)pixels;
}

// False when cancelled.
static bool refine_block(const tiles_job *job, block *work, int32_t to, int32_t *unasked)
{
    const coif_image_params *image = job->desc->image;
    while (work->count < to && !(is_look(image, work->count) && good_enough(job, work))) {
        const int32_t look = next_look(image, work->count);
        if (!sample_block(job, work, look < to ? look : to, 1, unasked)) {
            return false;
        }
    }
    return true;
}

static bool render_block(const tiles_job *job, block *work, int32_t *unasked)
{
    const int32_t to = job->desc->image->samples;
    const int32_t step = job->desc->block > 1 ? job->desc->block : 1;
    if (work->count >= to) {
        return true;
    }
    copy_block(job->film, work, false);
    const bool refine = job->desc->image->noise > 0.0f && step == 1;
    if (refine ? !refine_block(job, work, to, unasked)
               : !sample_block(job, work, to, step, unasked)) {
        return false;
    }
    if (step > 1) {
        spread(job, work, step);
    }
    copy_block(job->film, work, true);
    return true;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static bool render_tile(const tiles_job *job, int32_t index, int worker)
{
    const coif_tile tile = coif_film_tile(job->film, index);
    const size_t values = COIF_BLOCK * COIF_BLOCK * (size_t)job->film->aovs.stride;
    int32_t unasked = 0;
    // Squares are anchored at pixel (0, 0) like tiles.
    for (int32_t y = tile.y0, next_y; y < tile.y1; y = next_y) {
        next_y = least(y - y % COIF_BLOCK + COIF_BLOCK, tile.y1);
        for (int32_t x = tile.x0, next_x; x < tile.x1; x = next_x) {
            next_x = least(x - x % COIF_BLOCK + COIF_BLOCK, tile.x1);
            block work = {.area = {x, y, next_x, next_y},
                          .tile = index,
                          .sums = job->sums + (size_t)worker * values,
                          .count = job->film->counts[coif_film_index(job->film, x, y)]};
            if (!render_block(job, &work, &unasked)) {
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
    const unsigned int mode = coif_fast_begin();
    for (int64_t i = begin; i < end && !atomic_load(&job->stop); ++i) {
        if (!render_tile(job, (int32_t)i, worker)) {
            atomic_store(&job->stop, true);
            break;
        }
        maybe_save(job);
    }
    coif_fast_end(mode);
}

int64_t coif_tiles_left(const coif_film *film, int32_t samples)
{
    const size_t pixels = coif_film_index(film, film->region.x1 - 1, film->region.y1 - 1) + 1;
    int64_t left = 0;
    for (size_t i = 0; i < pixels; ++i) {
        left += film->counts[i] < samples ? samples - film->counts[i] : 0;
    }
    return left;
}

coif_status coif_tiles_render(coif_film *film, const coif_tiles_desc *desc, coif_jobs *jobs,
                              coif_progress *progress, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "tiles");
    const size_t workers = jobs != NULL ? (size_t)coif_jobs_threads(jobs) : 1;
    tiles_job job = {.film = film, .desc = desc, .progress = progress};
    job.sums = coif_arena_new(
        &scratch, workers * COIF_BLOCK * COIF_BLOCK * (size_t)film->aovs.stride, double);
    atomic_flag_clear(&job.saving);
    atomic_store(&job.next_save, coif_clock_seconds() + desc->checkpoint_seconds);
    coif_filter_init(&job.filter, (coif_filter_kind)desc->image->filter);
    coif_parallel_for(jobs, film->tile_count, 1, render_tiles, &job);
    coif_arena_free(&scratch);
    if (atomic_load(&job.stop)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "cancelled");
    }
    return COIF_OK;
}
