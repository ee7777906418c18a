#include "render/driver/render_frames.h"

#include "core/base/claim.h"
#include "core/base/cpu_time.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/image/image_format.h"
#include "render/build/scene_build.h"
#include "render/driver/denoise_film.h"
#include "render/driver/film_tiles.h"
#include "render/driver/output_files.h"
#include "render/output/film_checkpoint.h"
#include "render/scene/render_scene.h"

#include <math.h>
#include <stdio.h>

// One frame while it is rendered.
typedef struct frame_job {
    const coif_render_desc *desc;
    coif_render_assets *assets;
    coif_progress *progress;
    coif_arena *arena;
    coif_frame_setup setup;
    coif_output_files out;
    coif_render_scene *scene;
    coif_render_session *session;
    int32_t target;     // samples per pixel
    bool keep_existing; // the checkpoint on disk has more samples than the target
    double start, built, rendered;
    double setup_processor,
        build_processor; // CPU seconds of the settings, and before the first ray
} frame_job;

static coif_film *film_of(const frame_job *job)
{
    return coif_render_session_film(job->session);
}

static bool joins_tiles(const frame_job *job)
{
    return job->setup.tile.columns > 0 && job->setup.tile.index == 0;
}

// ---- checkpoints

static bool has_checkpoints(const frame_job *job)
{
    return !job->desc->preview && job->out.checkpoint != NULL && !job->keep_existing &&
           !joins_tiles(job);
}

static bool write_checkpoint(const frame_job *job, const coif_film *film)
{
    coif_error error = {0};
    const bool written = coif_film_checkpoint_save(film, job->setup.film_digest,
                                                   job->out.checkpoint, &error) == COIF_OK;
    if (!written) {
        coif_log(COIF_LOG_WARNING, "no checkpoint: %s", error.text);
    }
    return written;
}

static void on_checkpoint(void *context, const coif_film *film)
{
    write_checkpoint(context, film);
}

static void count_samples(const coif_film *film, int32_t *fewest, int32_t *most, double *mean)
{
    const size_t pixels = coif_film_pixel_count(film);
    double sum = 0.0;
    *fewest = *most = film->counts[0];
    for (size_t i = 0; i < pixels; ++i) {
        *fewest = film->counts[i] < *fewest ? film->counts[i] : *fewest;
        *most = film->counts[i] > *most ? film->counts[i] : *most;
        sum += film->counts[i];
    }
    *mean = sum / (double)pixels;
}

// Restores the checkpoint; returns the samples that every pixel has.
static int32_t resume(frame_job *job)
{
    if (!has_checkpoints(job)) {
        return 0;
    }
    const int64_t samples =
        coif_film_checkpoint_load(film_of(job), job->setup.film_digest, job->out.checkpoint);
    int32_t fewest, most;
    double mean;
    count_samples(film_of(job), &fewest, &most, &mean);
    if (most > job->target) {
        coif_log(COIF_LOG_WARNING, "%s has up to %d samples, more than the %d requested: not used",
                 job->out.checkpoint, most, job->target);
        coif_film_clear(film_of(job));
        job->keep_existing = true;
        return 0;
    }
    if (samples > 0) {
        coif_log(COIF_LOG_INFO, "frame %.10g: resuming from %lld samples", job->setup.number,
                 (long long)samples);
    }
    return fewest;
}

static void finish_checkpoint(const frame_job *job)
{
    const bool out_of_time = job->setup.sampling.samples < job->target;
    if (out_of_time) {
        coif_log(
            COIF_LOG_WARNING,
            "frame %.10g: stopped by the time limit of %g s at %d of %d samples; the checkpoint "
            "is kept, render again for more",
            job->setup.number, job->desc->time_limit, job->setup.sampling.samples, job->target);
    }
    if (!has_checkpoints(job)) {
        return;
    }
    if (out_of_time || job->desc->keep_checkpoint) {
        write_checkpoint(job, film_of(job));
    } else {
        coif_file_remove(job->out.checkpoint);
    }
}

// Keeps the samples of an image that could not be finished.
static void save_after_failure(const frame_job *job)
{
    if (has_checkpoints(job) && job->desc->checkpoint_seconds > 0.0) {
        write_checkpoint(job, film_of(job));
    }
}

// ---- images

static coif_status write_image(const frame_job *job, const coif_film *film, const char *path,
                               coif_error *error)
{
    coif_image_attribute texts[COIF_MAX_ATTRIBUTES];
    const coif_image_params *image = &job->setup.image;
    const coif_camera camera = coif_camera_at(job->setup.camera, job->setup.frame, image->width,
                                              image->height, &job->assets->bounds);
    const coif_image_output_desc desc = {
        .output = &job->setup.output,
        .camera = job->desc->preview ? NULL : &camera,
        .window = job->setup.window,
        .texts = texts,
        .text_count =
            coif_output_metadata(texts, &job->setup, job->assets, job->desc->preview, job->arena),
        .manifests = {job->scene != NULL ? job->scene->manifests[0] : NULL,
                      job->scene != NULL ? job->scene->manifests[1] : NULL},
    };
    return coif_film_save(film, &desc, path, error);
}

static void notify(const frame_job *job, const char *path, int32_t samples)
{
    const coif_render_desc *desc = job->desc;
    const coif_hdr_snapshot_source source = {film_of(job), &job->setup.output, job->setup.window};
    if (desc->on_snapshot != NULL) {
        desc->on_snapshot(desc->context, &source);
    }
    if (desc->on_image != NULL) {
        desc->on_image(desc->context, path, samples);
    }
}

// Writes and announces the image of an intermediate pass.
static coif_status show_pass(const frame_job *job, int32_t samples, coif_error *error)
{
    if (job->out.preview != NULL) {
        COIF_TRY(write_image(job, film_of(job), job->out.preview, error));
    }
    notify(job, job->out.preview, samples);
    return COIF_OK;
}

static coif_status write_denoise_inputs(const frame_job *job, coif_error *error)
{
    coif_image_attribute texts[COIF_MAX_ATTRIBUTES];
    const int32_t count = coif_output_metadata(texts, &job->setup, job->assets, false, job->arena);
    return coif_output_files_save_inputs(&job->out, &job->setup, film_of(job), texts, count,
                                         job->assets->jobs, job->arena, error);
}

static coif_status write_images(const frame_job *job, coif_error *error)
{
    for (int32_t i = 0; i < job->out.count; ++i) {
        const coif_status status = write_image(job, film_of(job), job->out.paths[i], error);
        if (status != COIF_OK) {
            save_after_failure(job);
            return status;
        }
        notify(job, job->out.paths[i], job->setup.sampling.samples);
    }
    if (job->out.count == 0) {
        notify(job, NULL, job->setup.sampling.samples);
    }
    return job->out.inputs != NULL ? write_denoise_inputs(job, error) : COIF_OK;
}

// An empty preview at once: image viewers can open it, and the image library is loaded meanwhile.
static coif_status write_empty_preview(const frame_job *job, coif_error *error)
{
    if (!job->desc->preview || job->desc->on_image != NULL || job->out.preview == NULL) {
        return COIF_OK;
    }
    const coif_frame_setup *setup = &job->setup;
    coif_film film;
    const coif_film_desc desc = {setup->image.width, setup->image.height, setup->region,
                                 &setup->aovs, setup->splat};
    const coif_arena_mark mark = coif_arena_mark_here(job->arena);
    coif_film_init(&film, &desc, job->arena);
    const coif_status status = write_image(job, &film, job->out.preview, error);
    coif_arena_rewind(job->arena, mark);
    return status;
}

// ---- passes

static coif_status render_pass(frame_job *job, int32_t samples, int32_t pixel_step,
                               coif_error *error)
{
    char title[64];
    snprintf(title, sizeof title,
             samples < job->target ? "frame %.10g, to sample %d" : "frame %.10g", job->setup.number,
             samples);
    const bool checkpoints = has_checkpoints(job) && job->desc->checkpoint_seconds > 0.0;
    const coif_render_pass pass = {
        .samples = samples,
        .pixel_step = pixel_step,
        .title = title,
        .checkpoint_seconds = checkpoints ? job->desc->checkpoint_seconds : 0.0,
        .checkpoint = on_checkpoint,
        .context = job,
    };
    const coif_status status = coif_render_session_render(job->session, &pass, error);
    if (status == COIF_ERR_CANCELLED && checkpoints && write_checkpoint(job, film_of(job))) {
        coif_log(COIF_LOG_INFO,
                 "Interrupted. Progress saved to %s; run the same command to resume.",
                 job->out.checkpoint);
    }
    return status;
}

// Samples after the next pass: twice as many, as far as time allows. Resumed samples say nothing
// about time.
static int32_t next_target(const frame_job *job, int32_t resumed, int32_t done, double seconds)
{
    const double limit = job->desc->time_limit;
    const int32_t timed = limit > 0.0 ? done - resumed : done, left = job->target - done;
    int32_t more = timed == 0 ? 1 : timed;
    if (limit > 0.0 && timed > 0) {
        // Passes differ in cost: 5 % of the remaining time are left as a margin.
        const double fits = 0.95 * (limit - seconds) * timed / seconds;
        more = fits < more ? (int32_t)fmax(fits, 0.0) : more;
    }
    return done + (more < left ? more : left);
}

static coif_status render_coarse(frame_job *job, coif_error *error)
{
    static const int32_t pixel_steps[] = {4, 2};
    for (size_t i = 0; i < COIF_COUNT_OF(pixel_steps); ++i) {
        COIF_TRY(render_pass(job, 1, pixel_steps[i], error));
        COIF_TRY(show_pass(job, 0, error));
    }
    return COIF_OK;
}

static coif_status render_passes(frame_job *job, coif_error *error)
{
    const bool shows = job->desc->preview || job->desc->progressive;
    const int32_t resumed = resume(job);
    if (!shows && !(job->desc->time_limit > 0.0)) {
        return render_pass(job, job->target, 1, error);
    }
    const double start = coif_clock_seconds();
    if (job->desc->preview) {
        COIF_TRY(render_coarse(job, error));
    }
    int32_t done = resumed;
    while (done < job->target) {
        const int32_t next = next_target(job, resumed, done, coif_clock_seconds() - start);
        if (next == done) {
            break;
        }
        COIF_TRY(render_pass(job, next, 1, error));
        done = next;
        coif_log(COIF_LOG_INFO, "frame %.10g: %d of %d samples after %.1f s", job->setup.number,
                 done, job->target, coif_clock_seconds() - start);
        if (shows && done < job->target) {
            COIF_TRY(show_pass(job, done, error));
        }
    }
    coif_frame_setup_set_samples(&job->setup, done);
    return COIF_OK;
}

static coif_status denoise(const frame_job *job, coif_error *error)
{
    if (job->setup.aovs.offset[COIF_AOV_DENOISED] < 0 || job->setup.denoise_film) {
        return COIF_OK;
    }
    const double start = coif_clock_seconds();
    const coif_status status = coif_render_session_denoise(job->session, error);
    if (status != COIF_OK) {
        save_after_failure(job);
        return status;
    }
    coif_log(COIF_LOG_INFO, "frame %.10g: denoised in %.1f s", job->setup.number,
             coif_clock_seconds() - start);
    return COIF_OK;
}

// ---- frames

static coif_status finish(const frame_job *job, coif_error *error)
{
    if (!job->desc->preview && job->out.stats != NULL && job->out.film == NULL) {
        const coif_frame_timings timings = {
            job->built - job->start, job->rendered - job->built, job->build_processor,
            job->scene != NULL ? job->scene->bvh_build_seconds : 0.0};
        COIF_TRY(coif_output_files_save_stats(&job->out, &job->setup, &timings, job->arena, error));
        finish_checkpoint(job);
        if (job->desc->progressive) {
            coif_file_remove(job->out.preview);
        }
    }
    int32_t fewest, most;
    double mean;
    count_samples(film_of(job), &fewest, &most, &mean);
    const coif_rect *window = job->out.film != NULL ? &job->setup.region : &job->setup.window;
    coif_log(COIF_LOG_INFO, "%s: %d x %d, %.*f samples, %.1f s (%.1f s before the first ray)",
             job->out.film != NULL ? job->out.film
             : job->out.count > 0  ? job->out.paths[0]
                                   : "image",
             window->x1 - window->x0, window->y1 - window->y0,
             job->setup.sampling.adaptive_threshold > 0.0f ? 1 : 0, mean,
             job->rendered - job->start, job->built - job->start);
    return COIF_OK;
}

static coif_status create_session(frame_job *job, coif_error *error)
{
    const coif_frame_setup *setup = &job->setup;
    const coif_render_session_desc session = {
        .scene = job->scene,
        .width = setup->image.width,
        .height = setup->image.height,
        .region = setup->region,
        .sampling = setup->sampling,
        .splat = setup->splat,
        .aovs = &setup->aovs,
        .jobs = job->assets->jobs,
        .progress = job->progress,
    };
    job->target = setup->sampling.samples;
    job->built = coif_clock_seconds();
    return coif_render_session_create(&job->session, &session, job->arena, error);
}

// Samples of the film to files: the film of a tile, or denoised images.
static coif_status finish_film(frame_job *job, coif_error *error)
{
    job->rendered = coif_clock_seconds();
    if (job->out.film != NULL) {
        COIF_TRY(coif_film_tile_save(film_of(job), &job->setup, job->out.film, error));
        coif_file_remove(job->out.checkpoint);
        return finish(job, error);
    }
    COIF_TRY(denoise(job, error));
    COIF_TRY(write_images(job, error));
    return finish(job, error);
}

// Of the scene only the names for Cryptomatte are needed.
static coif_status join_tiles(frame_job *job, coif_error *error)
{
    const int32_t *offset = job->setup.aovs.offset;
    if (offset[COIF_AOV_CRYPTO_OBJECT] >= 0 || offset[COIF_AOV_CRYPTO_CLUMP] >= 0) {
        COIF_TRY(coif_scene_build(&job->scene, &job->setup, job->assets, job->progress, job->arena,
                                  error));
    }
    COIF_TRY(create_session(job, error));
    COIF_TRY(coif_film_tiles_join(film_of(job), &job->setup, job->out.stem, error));
    COIF_TRY(finish_film(job, error));
    coif_film_tiles_delete(&job->setup, job->out.stem);
    return COIF_OK;
}

static coif_status build_and_render(frame_job *job, coif_error *error)
{
    if (joins_tiles(job)) {
        return join_tiles(job, error);
    }
    const double processor = coif_cpu_seconds();
    COIF_TRY(coif_output_files_check(&job->out, error));
    COIF_TRY(write_empty_preview(job, error));
    COIF_TRY(
        coif_scene_build(&job->scene, &job->setup, job->assets, job->progress, job->arena, error));
    job->build_processor = job->setup_processor + coif_cpu_seconds() - processor;
    COIF_TRY(create_session(job, error));
    COIF_TRY(render_passes(job, error));
    return finish_film(job, error);
}

// Whether the frame needs no work.
static bool is_up_to_date(const frame_job *job)
{
    return !job->desc->overwrite &&
           (coif_output_files_up_to_date(&job->out, &job->setup) ||
            (job->out.film != NULL && coif_film_tile_is_current(&job->setup, job->out.film)));
}

// Renders a frame that no other process renders at the same time. *busy: another one does; with
// wait its end is awaited instead.
static coif_status render_claimed(frame_job *job, bool wait, bool *busy, coif_error *error)
{
    const char *path = job->out.film != NULL ? job->out.film : job->out.paths[0];
    if (is_up_to_date(job)) {
        coif_log(COIF_LOG_INFO, "%s is up to date", path);
        coif_claim_clean(path);
        if (job->out.stats != NULL) {
            coif_file_clean(job->out.stats); // killed after the images
        }
        return COIF_OK;
    }
    COIF_TRY(coif_output_files_check(&job->out, error));
    coif_claim claim;
    if (wait) {
        COIF_TRY(coif_claim_wait(&claim, path, job->progress, error));
    } else if (!coif_claim_try(&claim, path)) {
        *busy = true;
        return COIF_OK;
    }
    const coif_status status = is_up_to_date(job) ? COIF_OK : build_and_render(job, error);
    coif_claim_release(&claim);
    return status;
}

static coif_status render_frame(frame_job *job, double frame, bool wait, bool *busy,
                                coif_error *error)
{
    const coif_render_desc *desc = job->desc;
    const double processor = coif_cpu_seconds();
    job->start = coif_clock_seconds();
    *busy = false;
    COIF_TRY(coif_frame_setup_init(&job->setup, job->assets, frame, job->arena, error));
    const coif_output_files_desc files = {desc->folder, desc->source.format, desc->preview};
    COIF_TRY(coif_output_files_init(&job->out, &job->setup, &files, job->arena, error));
    job->setup_processor = coif_cpu_seconds() - processor;
    return desc->preview || job->out.count == 0 ? build_and_render(job, error)
                                                : render_claimed(job, wait, busy, error);
}

static coif_status render_one(const coif_render_desc *desc, coif_render_assets *assets,
                              coif_progress *progress, double frame, bool wait, bool *busy,
                              coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "frame");
    frame_job job = {.desc = desc, .assets = assets, .progress = progress, .arena = &arena};
    const coif_status status = render_frame(&job, frame, wait, busy, error);
    coif_render_session_destroy(job.session);
    coif_render_scene_destroy(job.scene);
    return status;
}

// Renders all frames; those that other processes render are left for later rounds, in case these
// processes fail. Without progress in a round the first of them is waited for.
static coif_status render_list(const coif_render_desc *desc, coif_render_assets *assets,
                               coif_progress *progress, coif_arena *arena, coif_error *error)
{
    double frame;
    int64_t count = 0;
    while (coif_frame_list_at(&frame, &desc->frames, count)) {
        ++count;
    }
    bool *done = coif_arena_new(arena, count, bool);
    bool wait = false;
    for (int64_t left = count; left > 0;) {
        const int64_t before = left;
        for (int64_t i = 0; i < count; ++i) {
            if (!done[i]) {
                bool busy;
                coif_frame_list_at(&frame, &desc->frames, i);
                COIF_TRY(render_one(desc, assets, progress, frame, wait, &busy, error));
                done[i] = !busy;
                left -= !busy;
                wait = false;
            }
        }
        wait = left == before;
    }
    return COIF_OK;
}

const char *coif_render_format(const coif_scene *scene)
{
    coif_image_params image;
    coif_node_read(coif_node_at(scene->root, "image"), 0.0, &image);
    return COIF_IMAGE_FORMATS[image.format];
}

// Denoises the frames of the folder over their neighbours.
static coif_status denoise_film(const coif_render_desc *desc, coif_jobs *jobs,
                                coif_progress *progress, coif_error *error)
{
    coif_image_params image;
    coif_node_read(coif_node_at(desc->source.scene->root, "image"), 0.0, &image);
    if (image.denoise_frames > 0 && image.denoise == 0) {
        coif_log(COIF_LOG_WARNING, "%s: image/denoise_frames: no effect without image/denoise",
                 desc->source.scene->path);
    }
    if (!desc->source.film || desc->defer_denoise || image.denoise_frames == 0 ||
        desc->folder == NULL) {
        return COIF_OK;
    }
    const coif_denoise_film_desc film = {
        .folder = desc->folder, .radius = image.denoise_frames, .optional = true};
    return coif_denoise_film(&film, jobs, progress, error);
}

coif_status coif_render_frames(const coif_render_desc *desc, coif_jobs *jobs,
                               coif_progress *progress, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "render");
    coif_render_assets assets;
    coif_status status = coif_render_assets_load(&assets, &desc->source, &arena, jobs, error);
    if (status == COIF_OK) {
        status = render_list(desc, &assets, progress, &arena, error);
    }
    coif_render_assets_close(&assets);
    return status == COIF_OK ? denoise_film(desc, jobs, progress, error) : status;
}
