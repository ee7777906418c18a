// Frames from a scene and a hair cache: determinism, resuming, up-to-date checks, file formats.
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/image/image.h"
#include "render/driver/render_frames.h"
#include "render/output/film_checkpoint.h"
#include "render/output/image_output.h"
#include "render/output/tonemap.h"
#include "tests/support/render_cache.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static coif_arena arena;

// The scene, with one value changed unless set is NULL.
static coif_scene *load_scene(const char *set)
{
    return ball_scene(&set, set != NULL, &arena);
}

static coif_render_desc describe(const coif_scene *scene)
{
    return (coif_render_desc){.source.scene = scene,
                              .source.cache = coif_test_folder(),
                              .folder = coif_test_folder(),
                              .source.format = "exr",
                              .frames = {.first = 1, .last = 1, .step = 1},
                              .source.isa = "sse4.2"};
}

static coif_status render(const coif_render_desc *desc, int threads, coif_progress *progress,
                          coif_error *error)
{
    coif_jobs *jobs;
    CHECK_OK(coif_jobs_open(&jobs, threads, &arena, error), *error);
    const coif_status status = coif_render_frames(desc, jobs, progress, error);
    coif_jobs_close(jobs);
    return status;
}

static char *load_bytes(const char *name, size_t *size)
{
    char *data = "";
    coif_error error = {0};
    CHECK_OK(coif_file_load(&data, size, coif_test_path(name), &arena, &error), error);
    return data;
}

static bool same_as(const char *name, const char *wanted, size_t wanted_size)
{
    size_t size = 0;
    const char *data = load_bytes(name, &size);
    return size == wanted_size && memcmp(data, wanted, size) == 0;
}

TEST(images_do_not_depend_on_the_thread_count)
{
    ball_cache(&arena);
    coif_render_desc desc = describe(load_scene(NULL));
    coif_error error = {0};
    desc.overwrite = true;
    CHECK_OK(render(&desc, 1, NULL, &error), error);
    size_t size;
    const char *one = load_bytes("render0001.exr", &size);
    CHECK_OK(render(&desc, 3, NULL, &error), error);
    CHECK(same_as("render0001.exr", one, size));
}

// Copies an image to the folder COIF_NEW_GOLDEN, to update golden images.
static void copy_golden(const char *name)
{
    const char *path = getenv("COIF_NEW_GOLDEN");
    size_t size;
    coif_error error = {0};
    if (path != NULL) {
        const char *data = load_bytes(name, &size);
        CHECK_OK(coif_file_save(path, data, size, &error), error);
    }
}

// Against a golden image; the mean of (a - b)^2 / (b^2 + 0.01) may be a hundredth of the noise of
// 16 samples.
TEST(the_image_matches_the_golden_image)
{
    ball_cache(&arena);
    const coif_render_desc desc = describe(load_scene("image/write_aovs=false"));
    coif_error error = {0};
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    copy_golden("render0001.exr");
    coif_image made, wanted;
    CHECK_OK(coif_image_load(&made, coif_test_path("render0001.exr"), &arena, &error), error);
    CHECK_OK(
        coif_image_load(&wanted, coif_test_source("tests/data/golden/ball.exr"), &arena, &error),
        error);
    CHECK(made.width == wanted.width && made.channel_count == wanted.channel_count);
    double sum = 0.0;
    const int count = made.width * made.height;
    for (int i = 0; i < 4 * count && made.width == wanted.width; ++i) {
        const double difference = made.pixels[i] - wanted.pixels[i];
        sum += difference * difference / (wanted.pixels[i] * wanted.pixels[i] + 0.01) / (4 * count);
    }
    CHECK_NEAR(sum, 0.0, 3e-4);
}

static ino_t file_number(const char *name)
{
    struct stat info = {0};
    stat(coif_test_path(name), &info);
    return info.st_ino;
}

// BMP has no metadata; the statistics file of another image must not be used.
TEST(an_outdated_bmp_is_rendered_again)
{
    ball_cache(&arena);
    coif_error error = {0};
    size_t size, size_now;
    coif_render_desc desc = describe(load_scene(NULL));
    desc.source.format = "bmp";
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    const char *before = load_bytes("render0001.bmp", &size);
    desc.source.scene = load_scene("image/seed=5");
    desc.source.format = "png";
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    desc.source.format = "bmp";
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    const char *after = load_bytes("render0001.bmp", &size_now);
    CHECK(size == size_now && memcmp(before, after, size) != 0);
}

TEST(images_are_up_to_date_until_something_changes)
{
    ball_cache(&arena);
    coif_error error = {0};
    coif_render_desc desc = describe(load_scene(NULL));
    desc.source.format = "exr,bmp";
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    const ino_t exr = file_number("render0001.exr"), bmp = file_number("render0001.bmp");
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    CHECK(file_number("render0001.exr") == exr && file_number("render0001.bmp") == bmp);

    desc.source.scene = load_scene("image/seed=5");
    size_t size;
    const char *before = load_bytes("render0001.exr", &size);
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    CHECK(!same_as("render0001.exr", before, size));

    // A truncated image is rendered again.
    const char *whole = load_bytes("render0001.exr", &size);
    CHECK(truncate(coif_test_path("render0001.exr"), 500) == 0);
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    CHECK(same_as("render0001.exr", whole, size));
}

typedef struct canceller {
    coif_progress *progress;
    int32_t samples;
} canceller;

// Cancels when a pass of so many samples was shown; the next pass stops after the first tiles.
static void cancel_after_pass(void *context, const char *path, int32_t samples)
{
    (void)path;
    const canceller *cancel = context;
    if (samples >= cancel->samples) {
        coif_progress_cancel(cancel->progress);
    }
}

TEST(a_cancelled_image_is_resumed_to_the_same_bytes)
{
    ball_cache(&arena);
    coif_render_desc desc = describe(load_scene("image/samples=24"));
    coif_error error = {0};
    desc.overwrite = true;
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    size_t size;
    const char *unbroken = load_bytes("render0001.exr", &size);
    unlink(coif_test_path("render0001.exr"));

    desc.checkpoint_seconds = 1e6; // only when cancelled
    desc.progressive = true;
    desc.on_image = cancel_after_pass;
    for (int32_t samples = 1; samples < 12; samples += 5) {
        canceller cancel = {coif_progress_open(&arena), samples};
        desc.context = &cancel;
        coif_error why = {0};
        CHECK(render(&desc, 2, cancel.progress, &why) == COIF_ERR_CANCELLED);
        CHECK(coif_path_exists(coif_test_path("render0001.checkpoint")));
        CHECK(!coif_path_exists(coif_test_path("render0001.exr")));
    }
    desc.on_image = NULL;
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    CHECK(same_as("render0001.exr", unbroken, size));
    CHECK(!coif_path_exists(coif_test_path("render0001.checkpoint")));
}

TEST(a_damaged_checkpoint_is_ignored)
{
    ball_cache(&arena);
    coif_render_desc desc = describe(load_scene(NULL));
    coif_error error = {0};
    desc.overwrite = true;
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    size_t size;
    const char *good = load_bytes("render0001.exr", &size);
    const char junk[] = "COIFPACK and then nothing of use";
    CHECK_OK(coif_file_save(coif_test_path("render0001.checkpoint"), junk, sizeof junk, &error),
             error);
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    CHECK(same_as("render0001.exr", good, size));
}

TEST(a_checkpoint_of_other_settings_is_ignored)
{
    coif_film film, other;
    coif_error error = {0};
    const coif_film_desc size = {.width = 70, .height = 40};
    coif_film_init(&film, &size, &arena);
    coif_film_init(&other, &size, &arena);
    const size_t pixel = coif_film_index(&film, 3, 3);
    coif_film_sums(&film, pixel)[0] = 5.0;
    film.counts[pixel] = 2;
    const char *path = coif_test_path("film.checkpoint");
    CHECK_OK(coif_film_checkpoint_save(&film, 42, path, &error), error);
    CHECK(coif_film_checkpoint_load(&other, 43, path) == 0);
    CHECK(coif_film_sums(&other, pixel)[0] == 0.0);
    CHECK(coif_film_checkpoint_load(&other, 42, path) == 2);
    CHECK(coif_film_sums(&other, pixel)[0] == 5.0 && other.counts[pixel] == 2);
    coif_film small;
    coif_film_init(&small, &(coif_film_desc){.width = 40, .height = 70}, &arena);
    CHECK(coif_film_checkpoint_load(&small, 42, path) == 0);
}

TEST(damaged_and_missing_strands_are_errors_with_paths)
{
    ball_cache(&arena);
    coif_render_desc desc = describe(load_scene(NULL));
    coif_error error = {0};
    desc.overwrite = true;
    const char *path = coif_test_path("hair.0001.strands");
    size_t size;
    char *bytes = load_bytes("hair.0001.strands", &size);
    bytes[size / 2] ^= 0x10;
    CHECK_OK(coif_file_save(path, bytes, size, &error), error);
    CHECK(render(&desc, 1, NULL, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "hair.0001.strands");

    error = (coif_error){0};
    unlink(path);
    CHECK(render(&desc, 1, NULL, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "hair.0001.strands");

    // Rest pose and bodies only need no strands.
    error = (coif_error){0};
    desc.source.use_rest_pose = true;
    CHECK_OK(render(&desc, 1, NULL, &error), error);
    desc.source.use_rest_pose = false;
    desc.source.bodies_only = true;
    CHECK_OK(render(&desc, 1, NULL, &error), error);
}

// Formats without alpha are composited over black.
static void images_without_alpha_are_composited_over_black(const coif_image *exr)
{
    coif_image png, jpg;
    coif_error error = {0};
    CHECK_OK(coif_image_load(&png, coif_test_path("render0001.png"), &arena, &error), error);
    CHECK_OK(coif_image_load(&jpg, coif_test_path("render0001.jpg"), &arena, &error), error);
    CHECK(png.channel_count == 4 && jpg.channel_count == 3);
    int seen = 0;
    for (int i = 0; i < 64 * 64; ++i) {
        const float alpha = exr->pixels[(size_t)exr->channel_count * (size_t)i + 3];
        const float *a = png.pixels + 4 * (size_t)i, *b = jpg.pixels + 3 * (size_t)i;
        if (alpha > 0.1f && alpha < 0.5f && a[0] > 0.3f) {
            CHECK(b[0] < 0.9f * a[0]);
            ++seen;
        }
    }
    CHECK(seen > 20);
}

static void statistics_hold_the_bvh_build_time(void)
{
    double all = -1.0, embree = -1.0;
    FILE *file = fopen(coif_test_path("render0001.stats.json"), "r");
    CHECK(file != NULL);
    char text[4096] = "";
    CHECK(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    const char *statistics = strstr(text, "\"build_processor_seconds\"");
    CHECK(statistics != NULL &&
          sscanf(statistics,
                 "\"build_processor_seconds\": %lf, \"hierarchy_processor_seconds\": %lf", &all,
                 &embree) == 2);
    CHECK(embree >= 0.0 && all >= embree);
}

TEST(every_format_is_written_with_metadata)
{
    static const char *const names[] = {"png", "exr", "jpg", "tif", "bmp", "hdr"};
    ball_cache(&arena);
    coif_render_desc desc = describe(load_scene("image/film_transparent=true"));
    coif_error error = {0};
    desc.source.format = "png,exr,jpg,tif,bmp,hdr";
    CHECK_OK(render(&desc, 2, NULL, &error), error);
    for (size_t i = 0; i < COIF_COUNT_OF(names); ++i) {
        const char *path = coif_test_path(coif_arena_print(&arena, "render0001.%s", names[i]));
        coif_image image = {0};
        CHECK_OK(coif_image_load(&image, path, &arena, &error), error);
        CHECK(image.width == 64 && image.height == 64);
        char *value = NULL;
        if (i < 4) {
            CHECK_OK(coif_image_read_attribute(&value, path, "coif:isa", &arena, &error), error);
            CHECK_TEXT(value, "sse4.2");
        }
    }
    coif_image exr;
    CHECK_OK(coif_image_load(&exr, coif_test_path("render0001.exr"), &arena, &error), error);
    CHECK(exr.channel_count == 4);
    CHECK_TEXT(exr.channel_names[0], "R");
    CHECK(exr.pixels[3] == 0.0f); // the corner is empty
    const float *middle = exr.pixels + (size_t)exr.channel_count * (32 * 64 + 32);
    CHECK_NEAR(middle[3], 1.0, 1e-6);
    images_without_alpha_are_composited_over_black(&exr);
    statistics_hold_the_bvh_build_time();
    char *matrix = NULL;
    CHECK_OK(coif_image_read_attribute(&matrix, coif_test_path("render0001.exr"), "worldToCamera",
                                       &arena, &error),
             error);
    CHECK(matrix != NULL && strtod(strrchr(matrix, ',') + 1, NULL) == 1.0);

    desc.source.format = "gif";
    CHECK(render(&desc, 1, NULL, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "gif");
}

TEST(tiles_cover_every_pixel_once)
{
    coif_film film;
    coif_film_init(&film, &(coif_film_desc){.width = 70, .height = 33}, &arena);
    CHECK(film.tile_count == 6);
    for (int32_t i = 0; i < film.tile_count; ++i) {
        const coif_rect tile = coif_film_tile(&film, i);
        for (int32_t y = tile.y0; y < tile.y1; ++y) {
            for (int32_t x = tile.x0; x < tile.x1; ++x) {
                coif_film_sums(&film, coif_film_index(&film, x, y))[0] += 1.0;
            }
        }
    }
    for (int32_t i = 0; i < 70 * 33; ++i) {
        CHECK(coif_film_sums(&film, (size_t)i)[0] == 1.0);
    }
}

// Mean 0 and the variance of each filter; that of Blackman-Harris over a width L of 3 pixels is
// L^2 (1/12 + sum over k of (-1)^k a_k / (2 pi^2 k^2 a_0)).
TEST(pixel_filters_have_mean_0_and_their_variance)
{
    static const double variances[] = {0.1727, 1.0 / 6.0, 1.0 / 12.0};
    for (int kind = 0; kind < 3; ++kind) {
        coif_pixel_filter filter;
        coif_pixel_filter_init(&filter, (coif_pixel_filter_kind)kind);
        double mean = 0.0, square = 0.0;
        enum { STEPS = 100000 };
        for (int i = 0; i < STEPS; ++i) {
            const float x = coif_pixel_filter_sample(&filter, ((float)i + 0.5f) / STEPS);
            mean += x;
            square += (double)x * x;
        }
        CHECK_NEAR(mean / STEPS, 0.0, 1e-4);
        CHECK_NEAR(square / STEPS, variances[kind], 2e-3);
    }
}

static float grey(coif_view_transform view, float value)
{
    return coif_view_transform_apply(view, (coif_vec3){value, value, value}).y;
}

TEST(view_transforms_are_monotonic_and_below_one)
{
    for (int view = COIF_VIEW_FILMIC; view <= COIF_VIEW_ACES; ++view) {
        float before = 0.0f;
        for (int i = 1; i <= 1000; ++i) {
            const float value = grey((coif_view_transform)view, 0.005f * (float)i);
            CHECK(value > before && value <= 1.0f && value - before < 0.0075f);
            before = value;
        }
    }
    CHECK(grey(COIF_VIEW_FILMIC, 0.3f) == 0.3f);
    CHECK(grey(COIF_VIEW_SRGB, 3.0f) == 3.0f);
    // Values of the published fit: middle grey, and a saturated red that desaturates.
    CHECK_NEAR(grey(COIF_VIEW_ACES, 0.18f), 0.1056, 5e-4);
    const coif_vec3 red = coif_view_transform_apply(COIF_VIEW_ACES, (coif_vec3){8.0f, 0.1f, 0.1f});
    CHECK(red.x > 0.95f && red.y > 0.1f);
}
