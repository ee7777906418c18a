#include "render/frame.h"

#include "core/arena.h"
#include "core/digest.h"
#include "core/error.h"
#include "core/log.h"
#include "render/checkpoint.h"
#include "render/develop.h"
#include "render/preview.h"
#include "render/shot.h"
#include "render/tiles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FORMATS = 6, MOST_TEXTS = 10 };

// Where one picture goes.
typedef struct outputs {
    const char *paths[MOST_FORMATS];
    int32_t count;
    const char *checkpoint;
    const char *stats;
} outputs;

static coif_status list_outputs(outputs *out, const coif_shot *shot, const coif_render_desc *desc,
                                coif_arena *arena, coif_error *error)
{
    const char *stem =
        coif_path_join(desc->folder, coif_arena_print(arena, "render%04d", shot->frame), arena);
    const char *given = desc->format != NULL && desc->format[0] != '\0'
                            ? desc->format
                            : coif_format_name(shot->image.format);
    char *list = coif_arena_copy_text(arena, given);
    char *rest = NULL;
    for (char *name = strtok_r(list, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        if (!coif_format_known(name) || out->count == MOST_FORMATS) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "picture format \"%s\": wanted png, exr, jpg, tif, bmp or hdr, or "
                             "several with commas",
                             given);
        }
        out->paths[out->count++] = coif_arena_print(arena, "%s.%s", stem, name);
    }
    out->checkpoint = coif_arena_print(arena, "%s.checkpoint", stem);
    out->stats = coif_arena_print(arena, "%s.stats.json", stem);
    return COIF_OK;
}

static const char *digest_name(uint64_t digest, coif_arena *arena)
{
    return coif_arena_print(arena, "%016" PRIx64, digest);
}

// BMP and HDR files cannot say what they were made from. The file of figures beside them does so,
// by the digest of their bytes: figures of a later picture in another format know nothing of them.
static const char *picture_digest(const char *path, coif_arena *arena)
{
    char *data;
    size_t size;
    coif_error ignored = {0};
    return coif_file_load(&data, &size, path, arena, &ignored) == COIF_OK
               ? digest_name(coif_digest(data, size), arena)
               : "none";
}

static bool figures_know(const char *path, const outputs *out, const char *settings,
                         coif_arena *arena)
{
    char *found;
    size_t size;
    coif_error ignored = {0};
    return coif_path_exists(out->stats) &&
           coif_file_load(&found, &size, out->stats, arena, &ignored) == COIF_OK &&
           strstr(found, settings) != NULL && strstr(found, picture_digest(path, arena)) != NULL;
}

// Whether a file is whole and was made from these settings.
static bool is_done(const char *path, const outputs *out, const char *settings, coif_arena *arena)
{
    coif_error ignored = {0};
    char *found = NULL;
    coif_image image;
    if (!coif_path_exists(path)) {
        return false;
    }
    if (coif_path_has_extension(path, "bmp") || coif_path_has_extension(path, "hdr")) {
        if (!figures_know(path, out, settings, arena)) {
            return false;
        }
    } else if (coif_image_read_text(&found, path, COIF_SETTINGS_KEY, arena, &ignored) != COIF_OK ||
               found == NULL || strcmp(found, settings) != 0) {
        return false;
    }
    return coif_image_load(&image, path, arena, &ignored) == COIF_OK;
}

static bool all_done(const outputs *out, const char *settings)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "pictures");
    bool done = true;
    for (int32_t i = 0; i < out->count && done; ++i) {
        done = is_done(out->paths[i], out, settings, &scratch);
    }
    coif_arena_free(&scratch);
    return done;
}

static const char *list_grooms(const coif_production *production, coif_arena *arena)
{
    const char *list = "";
    for (int32_t i = 0; i < production->groom_count; ++i) {
        const coif_production_groom *groom = &production->grooms[i];
        list = coif_arena_print(arena, "%s%s%s=%016" PRIx64, list, i > 0 ? " " : "", groom->name,
                                groom->digest);
    }
    return list;
}

static int32_t list_texts(coif_image_text texts[MOST_TEXTS], const coif_shot *shot,
                          const coif_production *production, coif_arena *arena)
{
    const coif_image_text list[] = {
        {"coif:version", COIF_VERSION},
        {"coif:scene", digest_name(production->desc->scene->digest, arena)},
        {"coif:grooms", list_grooms(production, arena)},
        {COIF_SETTINGS_KEY, digest_name(shot->settings, arena)},
        {"coif:frame", coif_arena_print(arena, "%d", shot->frame)},
        {"coif:samples", coif_arena_print(arena, "%d", shot->image.samples)},
        {"coif:seed", coif_arena_print(arena, "%d", shot->image.seed)},
        {"coif:isa", production->isa},
    };
    memcpy(texts, list, sizeof list);
    return COIF_COUNT_OF(list);
}

typedef struct checkpoint_context {
    const char *path;
    uint64_t settings;
} checkpoint_context;

static void save_checkpoint(void *context, const coif_film *film)
{
    const checkpoint_context *checkpoint = context;
    coif_error error = {0};
    if (coif_checkpoint_save(film, checkpoint->settings, checkpoint->path, &error) != COIF_OK) {
        coif_log(COIF_LOG_WARNING, "no checkpoint: %s", error.text);
    }
}

// One picture on its way.
typedef struct picture {
    const coif_production *production;
    const coif_shot *shot;
    const outputs *out;
    coif_arena *arena;
    double start, built, done; // seconds, for the figures
} picture;

static coif_status save_pictures(const picture *take, const coif_film *film, coif_error *error)
{
    coif_image_text texts[MOST_TEXTS];
    const coif_develop_desc desc = {
        .image = &take->shot->image,
        .texts = texts,
        .text_count = list_texts(texts, take->shot, take->production, take->arena),
    };
    for (int32_t i = 0; i < take->out->count; ++i) {
        COIF_TRY(coif_film_save(film, &desc, take->out->paths[i], error));
    }
    return COIF_OK;
}

// Figures of how it went; the only file here that knows a clock.
static coif_status save_stats(const picture *take, coif_error *error)
{
    const coif_image_params *image = &take->shot->image;
    const char *digests = "";
    for (int32_t i = 0; i < take->out->count; ++i) {
        digests = coif_arena_print(take->arena, "%s%s\"%s\"", digests, i == 0 ? "" : ", ",
                                   picture_digest(take->out->paths[i], take->arena));
    }
    const char *text = coif_arena_print(
        take->arena,
        "{\"frame\": %d, \"settings\": \"%016" PRIx64 "\", \"width\": %d, \"height\": %d, "
        "\"samples\": %d, \"pictures\": [%s], \"build_seconds\": %.3f, \"render_seconds\": %.3f}\n",
        take->shot->frame, take->shot->settings, image->width, image->height, image->samples,
        digests, take->built - take->start, take->done - take->built);
    return coif_file_save(take->out->stats, text, strlen(text), error);
}

static coif_status expose(coif_film *film, const coif_stage *stage, const picture *take,
                          coif_error *error)
{
    const coif_production *production = take->production;
    const coif_shot *shot = take->shot;
    checkpoint_context context = {take->out->checkpoint, shot->settings};
    const coif_tiles_desc tiles = {
        .stage = stage,
        .image = &shot->image,
        .checkpoint_seconds = production->desc->checkpoint_seconds,
        .save = save_checkpoint,
        .context = &context,
    };
    const int32_t resumed = coif_checkpoint_load(film, shot->settings, context.path);
    if (resumed > 0) {
        coif_log(COIF_LOG_INFO, "frame %d goes on after %d of %d tiles", shot->frame, resumed,
                 film->tile_count);
    }
    char what[64];
    snprintf(what, sizeof what, "frame %d", shot->frame);
    coif_progress_begin(production->progress, what, coif_tiles_left(film, shot->image.samples),
                        "samples");
    const coif_status status =
        coif_tiles_render(film, &tiles, production->jobs, production->progress, error);
    coif_progress_end(production->progress);
    if (status == COIF_ERR_CANCELLED && production->desc->checkpoint_seconds > 0.0) {
        save_checkpoint(&context, film);
    }
    return status;
}

static coif_status take_picture(picture *take, const coif_stage *stage, coif_error *error)
{
    const coif_image_params *image = &take->shot->image;
    coif_film film;
    coif_film_init(&film, image->width, image->height, take->arena);
    take->built = coif_clock_seconds();
    COIF_TRY(expose(&film, stage, take, error));
    take->done = coif_clock_seconds();
    COIF_TRY(save_pictures(take, &film, error));
    COIF_TRY(save_stats(take, error));
    unlink(take->out->checkpoint);
    coif_log(COIF_LOG_INFO, "%s: %d x %d, %d samples, %.1f s (%.1f s before the first ray)",
             take->out->paths[0], image->width, image->height, image->samples,
             take->done - take->start, take->built - take->start);
    return COIF_OK;
}

static coif_status render_frame(coif_production *production, int frame, coif_arena *arena,
                                coif_error *error)
{
    coif_shot shot;
    outputs out = {0};
    picture take = {production, &shot, &out, arena, coif_clock_seconds(), 0.0, 0.0};
    COIF_TRY(coif_shot_init(&shot, production, frame, arena, error));
    COIF_TRY(list_outputs(&out, &shot, production->desc, arena, error));
    if (!production->desc->redo && all_done(&out, digest_name(shot.settings, arena))) {
        coif_log(COIF_LOG_INFO, "%s is there already", out.paths[0]);
        return COIF_OK;
    }
    coif_stage stage = {0};
    coif_status status = coif_shot_stage(&stage, &shot, production, arena, error);
    if (status == COIF_OK) {
        status = take_picture(&take, &stage, error);
    }
    coif_accel_close(stage.accel);
    return status;
}

static coif_status render_all(const coif_render_desc *desc, coif_arena *arena, coif_jobs *jobs,
                              coif_progress *progress, coif_error *error)
{
    coif_production production;
    coif_status status = coif_production_init(&production, desc, arena, jobs, error);
    production.progress = progress;
    const int step = desc->frames.step > 0 ? desc->frames.step : 1;
    for (int frame = desc->frames.first; status == COIF_OK && frame <= desc->frames.last;
         frame += step) {
        coif_arena frame_arena;
        coif_arena_init(&frame_arena, "frame");
        status = desc->preview ? coif_preview_frame(&production, frame, &frame_arena, error)
                               : render_frame(&production, frame, &frame_arena, error);
        coif_arena_free(&frame_arena);
    }
    coif_production_close(&production);
    return status;
}

const char *coif_render_format(const coif_scene *scene)
{
    coif_image_params image;
    coif_node_read(coif_node_at(scene->root, "image"), 0.0, &image);
    return coif_format_name(image.format);
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
