#include "render/driver/render_frames.h"

#include "core/base/cpu_time.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "render/denoise/denoise.h"
#include "render/driver/output_files.h"
#include "render/driver/preview_render.h"
#include "render/output/film_checkpoint.h"
#include "render/output/hdr_snapshot.h"
#include "render/session/tile_scheduler.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

// One picture on its way.
typedef struct picture {
    const coif_render_assets *production;
    coif_frame_setup *shot;
    const coif_render_scene *stage;
    const coif_output_files *out;
    coif_film *film;
    coif_arena *arena;
    int32_t wanted;            // samples
    bool better_kept;          // the checkpoint that is there has more samples than that
    double start, built, done; // seconds, for the figures
    double worked;             // by processors, before the first ray
} picture;

static bool write_checkpoint(const picture *take, const coif_film *film)
{
    coif_error error = {0};
    const bool written = coif_checkpoint_save(film, take->shot->film_digest, take->out->checkpoint,
                                              &error) == COIF_OK;
    if (!written) {
        coif_log(COIF_LOG_WARNING, "no checkpoint: %s", error.text);
    }
    return written;
}

static void save_checkpoint(void *context, const coif_film *film)
{
    write_checkpoint(context, film);
}

static coif_status save_picture(const picture *take, const char *path, coif_error *error)
{
    coif_image_attribute texts[COIF_MAX_ATTRIBUTES];
    const coif_image_params *image = &take->shot->image;
    const coif_camera camera =
        coif_camera_at(coif_node_at(take->production->desc->scene->root, "camera"),
                       take->shot->frame, image->width, image->height, &take->production->bounds);
    const coif_image_output_desc desc = {
        .image = image,
        .camera = &camera,
        .window = take->shot->window,
        .texts = texts,
        .text_count = coif_output_metadata(texts, take->shot, take->production, take->arena),
        .manifests = {take->stage->manifests[0], take->stage->manifests[1]},
    };
    return coif_film_save(take->film, &desc, path, error);
}

// Samples that every pixel has, and those that some have.
static void count_samples(const coif_film *film, int32_t *fewest, int32_t *most)
{
    const size_t pixels = coif_film_index(film, film->region.x1 - 1, film->region.y1 - 1) + 1;
    *fewest = *most = film->counts[0];
    for (size_t i = 1; i < pixels; ++i) {
        *fewest = film->counts[i] < *fewest ? film->counts[i] : *fewest;
        *most = film->counts[i] > *most ? film->counts[i] : *most;
    }
}

static double mean_samples(const coif_film *film)
{
    const size_t pixels = coif_film_index(film, film->region.x1 - 1, film->region.y1 - 1) + 1;
    double sum = 0.0;
    for (size_t i = 0; i < pixels; ++i) {
        sum += film->counts[i];
    }
    return sum / (double)pixels;
}

static int32_t take_over(picture *take)
{
    int32_t fewest, most;
    const int64_t samples =
        coif_checkpoint_load(take->film, take->shot->film_digest, take->out->checkpoint);
    count_samples(take->film, &fewest, &most);
    if (most > take->wanted) {
        coif_log(COIF_LOG_WARNING, "%s has up to %d samples, more than the %d wanted: left alone",
                 take->out->checkpoint, most, take->wanted);
        coif_film_clear(take->film);
        take->better_kept = true;
        return 0;
    }
    if (samples > 0) {
        coif_log(COIF_LOG_INFO, "frame %d goes on with %lld samples that are there",
                 take->shot->frame, (long long)samples);
    }
    return fewest;
}

// Until every pixel has so many samples.
static coif_status expose(picture *take, int32_t samples, coif_error *error)
{
    const coif_render_assets *production = take->production;
    coif_image_params image = take->shot->image;
    image.samples = samples;
    const bool keeps = production->desc->checkpoint_seconds > 0.0 && !take->better_kept;
    const coif_tile_pass tiles = {
        .stage = take->stage,
        .image = &image,
        .checkpoint_seconds = keeps ? production->desc->checkpoint_seconds : 0.0,
        .save = save_checkpoint,
        .context = take,
    };
    char what[64];
    snprintf(what, sizeof what, samples < take->wanted ? "frame %d, to sample %d" : "frame %d",
             take->shot->frame, samples);
    coif_progress_begin(production->progress, what, coif_tiles_samples_left(take->film, samples),
                        "samples");
    const coif_status status =
        coif_tiles_render_pass(take->film, &tiles, production->jobs, production->progress, error);
    coif_progress_end(production->progress);
    if (status == COIF_ERR_CANCELLED && keeps && write_checkpoint(take, take->film)) {
        coif_log(COIF_LOG_INFO, "%s has what was gathered; the same command goes on from there",
                 take->out->checkpoint);
    }
    return status;
}

// How far the next pass goes: twice as many samples, as far as time allows. Those that were there
// before tell nothing about time.
static int32_t next_pass(const picture *take, int32_t from, int32_t done, double seconds)
{
    const double limit = take->production->desc->time_limit;
    const int32_t known = limit > 0.0 ? done - from : done, left = take->wanted - done;
    int32_t more = known == 0 ? 1 : known;
    if (limit > 0.0 && known > 0) {
        // A little less than would fit: passes are not all alike.
        const double fits = 0.95 * (limit - seconds) * known / seconds;
        more = fits < more ? (int32_t)fmax(fits, 0.0) : more;
    }
    return done + (more < left ? more : left);
}

static void show(const picture *take, const char *path, int32_t samples)
{
    const coif_hdr_snapshot_source source = {take->film, &take->shot->image, take->shot->window};
    coif_render_progress_image(take->production->desc, path, samples, &source);
}

static coif_status expose_in_passes(picture *take, coif_error *error)
{
    const coif_render_desc *desc = take->production->desc;
    const int32_t from = take_over(take);
    if (!desc->progressive && !(desc->time_limit > 0.0)) {
        return expose(take, take->wanted, error);
    }
    int32_t done = from;
    const double start = coif_clock_seconds();
    while (done < take->wanted) {
        const int32_t next = next_pass(take, from, done, coif_clock_seconds() - start);
        if (next == done) {
            break;
        }
        COIF_TRY(expose(take, next, error));
        done = next;
        coif_log(COIF_LOG_INFO, "frame %d: %d of %d samples after %.1f s", take->shot->frame, done,
                 take->wanted, coif_clock_seconds() - start);
        if (desc->progressive && done < take->wanted) {
            COIF_TRY(save_picture(take, take->out->preview, error));
            show(take, take->out->preview, done);
        }
    }
    coif_frame_setup_set_samples(take->shot, done);
    return COIF_OK;
}

// All files of the picture. When one cannot be written, what was gathered is kept.
static coif_status save_all(picture *take, coif_error *error)
{
    for (int32_t i = 0; i < take->out->count; ++i) {
        const coif_status status = save_picture(take, take->out->paths[i], error);
        if (status != COIF_OK) {
            if (!take->better_kept && take->production->desc->checkpoint_seconds > 0.0) {
                save_checkpoint(take, take->film);
            }
            return status;
        }
        show(take, take->out->paths[i], take->shot->image.samples);
    }
    return COIF_OK;
}

static coif_status denoise(picture *take, coif_error *error)
{
    const coif_render_assets *production = take->production;
    if (take->film->aovs.place[COIF_AOV_DENOISED] < 0) {
        return COIF_OK;
    }
    const double start = coif_clock_seconds();
    const coif_status status =
        coif_film_denoise(take->film, production->jobs, production->progress, take->arena, error);
    if (status != COIF_OK) {
        if (!take->better_kept && production->desc->checkpoint_seconds > 0.0) {
            save_checkpoint(take, take->film);
        }
        return status;
    }
    coif_log(COIF_LOG_INFO, "frame %d: denoised in %.1f s", take->shot->frame,
             coif_clock_seconds() - start);
    return COIF_OK;
}

static void put_away_checkpoint(picture *take)
{
    const bool cut_short = take->shot->image.samples < take->wanted;
    if (cut_short) {
        coif_log(COIF_LOG_WARNING,
                 "frame %d: the time limit of %g s left %d of %d samples; what was gathered is "
                 "kept, run it again for more",
                 take->shot->frame, take->production->desc->time_limit, take->shot->image.samples,
                 take->wanted);
    }
    if (take->better_kept) {
        return;
    }
    if (cut_short || take->production->desc->keep) {
        save_checkpoint(take, take->film);
    } else {
        unlink(take->out->checkpoint);
    }
}

static coif_status take_picture(picture *take, coif_error *error)
{
    const coif_image_params *image = &take->shot->image;
    coif_film film;
    const coif_film_desc desc = {image->width, image->height, take->shot->region, &take->shot->aovs,
                                 take->shot->splat};
    coif_film_init(&film, &desc, take->arena);
    take->film = &film;
    take->wanted = image->samples;
    take->built = coif_clock_seconds();
    COIF_TRY(expose_in_passes(take, error));
    take->done = coif_clock_seconds();
    COIF_TRY(denoise(take, error));
    COIF_TRY(save_all(take, error));
    const coif_frame_timings times = {take->built - take->start, take->done - take->built,
                                      take->worked, take->stage->bvh_build_seconds};
    COIF_TRY(coif_output_files_save_stats(take->out, take->shot, &times, take->arena, error));
    put_away_checkpoint(take);
    if (take->production->desc->progressive) {
        unlink(take->out->preview);
    }
    coif_log(COIF_LOG_INFO, "%s: %d x %d, %.*f samples, %.1f s (%.1f s before the first ray)",
             take->out->paths[0], take->shot->window.x1 - take->shot->window.x0,
             take->shot->window.y1 - take->shot->window.y0, image->noise > 0.0f ? 1 : 0,
             mean_samples(take->film), take->done - take->start, take->built - take->start);
    return COIF_OK;
}

static coif_status render_frame(coif_render_assets *production, int frame, coif_arena *arena,
                                coif_error *error)
{
    coif_frame_setup shot;
    coif_output_files out = {0};
    coif_render_scene stage = {0};
    picture take = {.production = production,
                    .shot = &shot,
                    .stage = &stage,
                    .out = &out,
                    .arena = arena,
                    .start = coif_clock_seconds()};
    const double start = coif_cpu_seconds();
    COIF_TRY(coif_frame_setup_init(&shot, production, frame, arena, error));
    COIF_TRY(coif_output_files_init(&out, &shot, production->desc, arena, error));
    if (!production->desc->redo && coif_output_files_up_to_date(&out, &shot)) {
        coif_log(COIF_LOG_INFO, "%s is there already", out.paths[0]);
        return COIF_OK;
    }
    COIF_TRY(coif_output_files_check(&out, error));
    coif_status status = coif_scene_build(&stage, &shot, production, arena, error);
    if (status == COIF_OK) {
        take.worked = coif_cpu_seconds() - start;
        status = take_picture(&take, error);
    }
    coif_accel_close(stage.accel);
    return status;
}

static coif_status render_all(const coif_render_desc *desc, coif_arena *arena, coif_jobs *jobs,
                              coif_progress *progress, coif_error *error)
{
    coif_render_assets production;
    coif_status status = coif_render_assets_load(&production, desc, arena, jobs, error);
    production.progress = progress;
    for (int frame = desc->frames.first; status == COIF_OK && frame <= desc->frames.last;
         frame += desc->frames.step) {
        coif_arena frame_arena;
        coif_arena_init(&frame_arena, "frame");
        status = desc->preview ? coif_preview_frame(&production, frame, &frame_arena, error)
                               : render_frame(&production, frame, &frame_arena, error);
        coif_arena_free(&frame_arena);
    }
    coif_render_assets_close(&production);
    return status;
}

const char *coif_render_format(const coif_scene *scene)
{
    coif_image_params image;
    coif_node_read(coif_node_at(scene->root, "image"), 0.0, &image);
    return coif_image_format_name(image.format);
}

coif_status coif_render(const coif_render_desc *desc, coif_jobs *jobs, coif_progress *progress,
                        coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "render");
    const coif_status status = render_all(desc, &arena, jobs, progress, error);
    coif_arena_free(&arena);
    return status;
}
