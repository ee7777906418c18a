#include "render/driver/preview_render.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "render/build/frame_setup.h"
#include "render/denoise/denoise.h"
#include "render/output/hdr_snapshot.h"
#include "render/output/image_output.h"
#include "render/session/tile_scheduler.h"

#include <stdio.h>

// One picture on its way.
typedef struct preview {
    const coif_render_assets *production;
    const coif_frame_setup *shot;
    const coif_render_scene *stage;
    coif_film film;
    const char *path;
    double first_ray; // seconds
} preview;

// Pixels of one sample in the passes before every pixel has one.
static const int32_t BLOCKS[] = {4, 2};

static coif_status save(const preview *look, coif_error *error)
{
    const coif_image_attribute texts[] = {{"coif:version", COIF_VERSION}, {"coif:preview", "yes"}};
    const coif_image_output_desc desc = {
        .image = &look->shot->image,
        .window = look->shot->window,
        .texts = texts,
        .text_count = COIF_COUNT_OF(texts),
        .manifests = {look->stage->manifests[0], look->stage->manifests[1]},
    };
    return coif_film_save(&look->film, &desc, look->path, error);
}

static void show(const preview *look, int32_t samples)
{
    const coif_hdr_snapshot_source source = {&look->film, &look->shot->image, look->shot->window};
    coif_render_progress_image(look->production->desc, look->path, samples, &source);
}

// Adds samples to the film and shows it.
static coif_status pass(preview *look, int32_t block, int32_t to, coif_error *error)
{
    const coif_render_assets *production = look->production;
    coif_image_params image = look->shot->image;
    image.samples = to;
    const coif_tile_pass tiles = {.stage = look->stage, .image = &image, .block = block};
    char what[64];
    snprintf(what, sizeof what, "frame %d, sample %d of %d", look->shot->frame, to,
             look->shot->image.samples);
    coif_progress_begin(production->progress, what, coif_tiles_samples_left(&look->film, to),
                        "samples");
    const coif_status status =
        coif_tiles_render_pass(&look->film, &tiles, production->jobs, production->progress, error);
    coif_progress_end(production->progress);
    COIF_TRY(status);
    COIF_TRY(save(look, error));
    show(look, block > 1 ? 0 : to);
    coif_log(COIF_LOG_INFO, "%s: %d of %d samples%s, %.2f s after the first ray", look->path, to,
             look->shot->image.samples, block > 1 ? " for several pixels" : "",
             coif_clock_seconds() - look->first_ray);
    return COIF_OK;
}

// Without noise at last, where that is wanted: the same rays once more in a second picture.
static coif_status denoise(preview *look, coif_arena *arena, coif_error *error)
{
    const coif_render_assets *production = look->production;
    if (look->film.aovs.place[COIF_AOV_DENOISED] < 0) {
        return COIF_OK;
    }
    COIF_TRY(coif_film_denoise(&look->film, production->jobs, production->progress, arena, error));
    COIF_TRY(save(look, error));
    show(look, look->shot->image.samples);
    return COIF_OK;
}

static coif_status all_passes(preview *look, coif_error *error)
{
    const int32_t samples = look->shot->image.samples;
    look->first_ray = coif_clock_seconds();
    for (size_t i = 0; i < COIF_COUNT_OF(BLOCKS); ++i) {
        COIF_TRY(pass(look, BLOCKS[i], 1, error));
        coif_film_clear(&look->film);
    }
    int32_t done = 0;
    while (done < samples) {
        const int32_t next = done == 0 ? 1 : done <= samples / 2 ? 2 * done : samples;
        COIF_TRY(pass(look, 1, next, error));
        done = next;
    }
    return COIF_OK;
}

static coif_status find_path(const char **path, const coif_frame_setup *shot,
                             const coif_render_desc *desc, coif_arena *arena, coif_error *error)
{
    const bool given = desc->format != NULL && desc->format[0] != '\0';
    const char *format = given ? desc->format : coif_image_format_name(shot->image.format);
    if (!coif_image_format_is_known(format)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "preview format \"%s\": wanted one of png, exr, jpg, tif, bmp and hdr",
                         format);
    }
    const char *name = coif_arena_print(arena, "preview%04d.%s", shot->frame, format);
    *path = coif_path_join(desc->folder, name, arena);
    return COIF_OK;
}

coif_status coif_preview_frame(coif_render_assets *production, int frame, coif_arena *arena,
                               coif_error *error)
{
    coif_frame_setup shot;
    COIF_TRY(coif_frame_setup_init(&shot, production, frame, arena, error));
    coif_render_scene stage = {0};
    preview look = {
        .production = production,
        .shot = &shot,
        .stage = &stage,
    };
    COIF_TRY(find_path(&look.path, &shot, production->desc, arena, error));
    // An empty picture first: whoever shows the file can begin, and the image library is loaded by
    // the time the first rays come. Who is told of pictures waits for one with something in it.
    const coif_film_desc film = {shot.image.width, shot.image.height, shot.region, &shot.aovs,
                                 shot.splat};
    coif_film_init(&look.film, &film, arena);
    if (production->desc->shown == NULL) {
        COIF_TRY(save(&look, error));
    }
    coif_status status = coif_scene_build(&stage, &shot, production, arena, error);
    if (status == COIF_OK) {
        status = all_passes(&look, error);
    }
    if (status == COIF_OK) {
        status = denoise(&look, arena, error);
    }
    coif_accel_close(stage.accel);
    return status;
}
