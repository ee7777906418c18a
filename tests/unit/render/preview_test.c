// Previews: coarse passes, and the final image at the end.
#include "core/base/jobs.h"
#include "core/image/image.h"
#include "render/driver/render_frames.h"
#include "render/session/tile_scheduler.h"
#include "tests/support/render_scene.h"

static coif_arena arena;

// Bodies only: no cache is needed.
static coif_status render_image(bool preview, const char *format, const char *set,
                                coif_error *error)
{
    coif_jobs *jobs;
    const coif_render_desc desc = {.source.scene = ball_scene(&set, 1, &arena),
                                   .source.cache = coif_test_folder(),
                                   .folder = coif_test_folder(),
                                   .source.format = format,
                                   .frames = {.first = 1, .last = 1, .step = 1},
                                   .source.bodies_only = true,
                                   .preview = preview,
                                   .source.isa = "sse4.2"};
    CHECK_OK(coif_jobs_open(&jobs, 2, &arena, error), *error);
    const coif_status status = coif_render_frames(&desc, jobs, NULL, error);
    coif_jobs_close(jobs);
    return status;
}

static coif_image load(const char *name)
{
    coif_image image = {0};
    coif_error error = {0};
    CHECK_OK(coif_image_load(&image, coif_test_path(name), &arena, &error), error);
    return image;
}

// Passes of 1, 1, 2 and 2 samples equal one pass of 6.
TEST(a_preview_ends_with_the_final_image)
{
    coif_error error = {0};
    CHECK_OK(render_image(false, "exr", "image/samples=6", &error), error);
    CHECK_OK(render_image(true, "exr", "image/samples=6", &error), error);
    const coif_image whole = load("render0001.exr"), passes = load("preview0001.exr");
    CHECK(whole.width == passes.width && whole.channel_count == passes.channel_count);
    double worst = 0.0;
    for (int i = 0; i < whole.width * whole.height * whole.channel_count; ++i) {
        const double gap = fabs((double)whole.pixels[i] - (double)passes.pixels[i]);
        worst = fmax(worst, gap / (fabs((double)whole.pixels[i]) + 0.1));
    }
    CHECK_NEAR(worst, 0.0, 0.0);
}

// Every block of pixels is filled from its first pixel, also at the borders.
TEST(coarse_passes_fill_all_pixels)
{
    coif_error error = {0};
    coif_render_scene scene = {.background = {0.5f, 0.25f, 0.125f}};
    const coif_accel_desc accel = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&scene.accel, &accel, &arena, &error), error);
    CHECK_OK(coif_accel_build(scene.accel, NULL, &error), error);
    scene.camera.forward.z = -1.0f;
    scene.camera.half_height = scene.camera.half_width = 1.0f;
    coif_film film;
    coif_film_init(&film, &(coif_film_desc){.width = 70, .height = 33}, &arena);
    const coif_sampling_params sampling = {.samples = 1};
    const coif_tile_pass desc = {.scene = &scene, .sampling = &sampling, .pixel_step = 4};
    CHECK_OK(coif_tiles_render_pass(&film, &desc, NULL, NULL, &error), error);
    for (int i = 0; i < 70 * 33; ++i) {
        CHECK(film.sums[i * film.aovs.stride] == 0.5);
    }
    coif_accel_close(scene.accel);
}

TEST(a_preview_has_one_format)
{
    coif_error error = {0};
    CHECK(render_image(true, "exr,png", "image/samples=1", &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "exr,png");
}

typedef struct pass_log {
    int32_t count, last_samples;
    coif_hdr_snapshot last;
} pass_log;

static void keep_snapshot(void *context, const coif_hdr_snapshot_source *source)
{
    pass_log *log = context;
    coif_hdr_snapshot_capture(&log->last, source, &arena);
}

static void count_pass(void *context, const char *path, int32_t samples)
{
    pass_log *log = context;
    CHECK(path == NULL);
    ++log->count;
    log->last_samples = samples;
}

// Coarse passes of 4 x 4 and 2 x 2 pixels, then 1, 2 and 4 samples.
TEST(without_a_folder_pixels_come_by_callback)
{
    coif_error error = {0};
    const char *set = "image/samples=4";
    pass_log log = {0};
    const coif_render_desc desc = {.source.scene = ball_scene(&set, 1, &arena),
                                   .frames = {.first = 7, .last = 7, .step = 1},
                                   .source.bodies_only = true,
                                   .source.isa = "sse4.2",
                                   .preview = true,
                                   .on_snapshot = keep_snapshot,
                                   .on_image = count_pass,
                                   .context = &log};
    CHECK_OK(coif_render_frames(&desc, NULL, NULL, &error), error);
    CHECK(log.count == 5 && log.last_samples == 4);
    CHECK(log.last.width == 64 && log.last.height == 64);
    CHECK(!coif_path_exists(coif_test_path("preview0007.png")));

    // The pixels are those of a file.
    coif_render_desc file = desc;
    file.preview = false;
    file.on_image = NULL;
    file.on_snapshot = NULL;
    file.folder = coif_test_folder();
    file.source.format = "hdr";
    CHECK_OK(coif_render_frames(&file, NULL, NULL, &error), error);
    const coif_image image = load("render0007.hdr");
    for (int i = 0; i < 3 * 64 * 64; ++i) {
        const float value = log.last.pixels[i]; // RGBE has 8 bits per channel
        CHECK_NEAR(image.pixels[i], value, 0.02 * (double)value + 0.01);
    }
}
