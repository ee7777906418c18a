// preview: rough at once, and the same picture in the end.
#include "core/base/jobs.h"
#include "core/image/image.h"
#include "render/driver/render_frames.h"
#include "render/session/tile_scheduler.h"
#include "tests/support/render_scene.h"

static coif_arena arena;

// The ball in clay: no cache is needed.
static coif_status take(bool preview, const char *format, const char *set, coif_error *error)
{
    coif_jobs *jobs;
    const coif_render_desc desc = {.source.scene = ball_scene(&set, 1, &arena),
                                   .source.cache = coif_test_folder(),
                                   .folder = coif_test_folder(),
                                   .source.format = format,
                                   .frames = {1, 1, 1},
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

// Passes of 1, 1, 2 and 2 samples add up to those of one go of 6.
static void all_passes_together_are_the_picture(void)
{
    coif_error error = {0};
    CHECK_OK(take(false, "exr", "image/samples=6", &error), error);
    CHECK_OK(take(true, "exr", "image/samples=6", &error), error);
    const coif_image whole = load("render0001.exr"), passes = load("preview0001.exr");
    CHECK(whole.width == passes.width && whole.channel_count == passes.channel_count);
    double worst = 0.0;
    for (int i = 0; i < whole.width * whole.height * whole.channel_count; ++i) {
        const double gap = fabs((double)whole.pixels[i] - (double)passes.pixels[i]);
        worst = fmax(worst, gap / (fabs((double)whole.pixels[i]) + 0.1));
    }
    CHECK_NEAR(worst, 0.0, 0.0);
}

// A picture of fewer samples than pixels: every block looks like its first pixel, also at the rims.
static void blocks_fill_the_picture(void)
{
    coif_error error = {0};
    coif_render_scene stage = {.background = {0.5f, 0.25f, 0.125f}};
    const coif_accel_desc accel = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&stage.accel, &accel, &arena, &error), error);
    CHECK_OK(coif_accel_build(stage.accel, NULL, &error), error);
    stage.camera.forward.z = -1.0f;
    stage.camera.half_height = stage.camera.half_width = 1.0f;
    coif_film film;
    coif_film_init(&film, &(coif_film_desc){.width = 70, .height = 33}, &arena);
    const coif_sampling_params sampling = {.samples = 1};
    const coif_tile_pass desc = {.scene = &stage, .sampling = &sampling, .pixel_step = 4};
    CHECK_OK(coif_tiles_render_pass(&film, &desc, NULL, NULL, &error), error);
    for (int i = 0; i < 70 * 33; ++i) {
        CHECK(film.sums[i * film.aovs.stride] == 0.5);
    }
    coif_accel_close(stage.accel);
}

static void a_preview_has_one_format(void)
{
    coif_error error = {0};
    CHECK(take(true, "exr,png", "image/samples=1", &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "exr,png");
}

TEST_MAIN(TEST(all_passes_together_are_the_picture), TEST(blocks_fill_the_picture),
          TEST(a_preview_has_one_format))
