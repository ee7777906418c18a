// Crops, checkpoints, time limits, progressive passes and adaptive sampling.
#include "core/base/fs.h"
#include "core/image/image.h"
#include "tests/support/render_cache.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static coif_arena arena;

static const char *const IMAGE = "render0001.exr", *const CHECKPOINT = "render0001.checkpoint";

static coif_render_desc describe(const char *first, const char *second)
{
    const char *sets[] = {"image/aovs=all", "image/exr_pixel_type=float",
                          "image/adaptive_min_samples=8", first, second};
    return ball_render_desc(ball_scene(sets, 3 + (first != NULL) + (second != NULL), &arena));
}

static void render(const coif_render_desc *desc)
{
    coif_error error = {0};
    CHECK_OK(ball_render(desc, 2, &arena, &error), error);
}

static coif_image load(int32_t part)
{
    coif_image image = {0};
    coif_error error = {0};
    CHECK_OK(coif_image_load_part(&image, coif_test_path(IMAGE), part, &arena, &error), error);
    return image;
}

enum { MOST_PARTS = 40 };
typedef struct parts {
    coif_image list[MOST_PARTS];
    int count;
} parts;

static parts load_all(void)
{
    parts all = {.count = 0};
    coif_error error = {0};
    while (all.count < MOST_PARTS &&
           coif_image_load_part(&all.list[all.count], coif_test_path(IMAGE), all.count, &arena,
                                &error) == COIF_OK) {
        ++all.count;
    }
    CHECK(all.count > 20);
    return all;
}

static bool same_pixels(const parts *a, const parts *b)
{
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; ++i) {
        const coif_image *left = &a->list[i], *right = &b->list[i];
        const size_t bytes = (size_t)left->width * (size_t)left->height *
                             (size_t)left->channel_count * sizeof(float);
        same = left->channel_count == right->channel_count && left->width == right->width &&
               memcmp(left->pixels, right->pixels, bytes) == 0;
    }
    return same;
}

static void remove_files(void)
{
    unlink(coif_test_path(IMAGE));
    unlink(coif_test_path(CHECKPOINT));
}

TEST(a_crop_has_the_pixels_of_the_whole_image)
{
    ball_cache(&arena);
    coif_render_desc desc = describe(NULL, NULL);
    render(&desc);
    const coif_image whole = load(0);
    remove_files();
    memcpy(desc.source.crop, (int32_t[]){13, 27, 30, 9}, sizeof desc.source.crop);
    render(&desc);
    const coif_image crop = load(0);
    CHECK(crop.width == 30 && crop.height == 9 && crop.x == 13 && crop.y == 27);
    CHECK(crop.full_width == 64 && crop.full_height == 64);
    for (int y = 0; y < 9; ++y) {
        CHECK(memcmp(crop.pixels + (size_t)(y * 30 * 4),
                     whole.pixels + (size_t)(((y + 27) * 64 + 13) * 4),
                     30 * 4 * sizeof(float)) == 0);
    }
    desc.source.crop[0] = 40;
    coif_error error = {0};
    CHECK(ball_render(&desc, 1, &arena, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "crop 40,27,30,9");
}

TEST(samples_added_later_give_the_same_bits)
{
    ball_cache(&arena);
    remove_files();
    coif_render_desc desc = describe("image/samples=12", NULL);
    render(&desc);
    const parts at_once = load_all();
    remove_files();
    desc = describe("image/samples=5", NULL);
    desc.keep_checkpoint = true;
    render(&desc);
    CHECK(coif_path_exists(coif_test_path(CHECKPOINT)));
    desc = describe("image/samples=12", NULL);
    render(&desc);
    const parts later = load_all();
    CHECK(same_pixels(&at_once, &later));
    CHECK(!coif_path_exists(coif_test_path(CHECKPOINT)));
}

// Another exposure needs no further samples; a checkpoint with too many samples is not used.
TEST(a_kept_checkpoint_is_written_again_or_ignored)
{
    ball_cache(&arena);
    remove_files();
    coif_render_desc desc = describe("image/samples=4", NULL);
    render(&desc);
    const parts four = load_all();
    remove_files();
    desc = describe("image/samples=8", NULL);
    desc.keep_checkpoint = true;
    render(&desc);
    desc = describe("image/samples=4", NULL);
    render(&desc);
    const parts again = load_all();
    CHECK(same_pixels(&four, &again));
    CHECK(coif_path_exists(coif_test_path(CHECKPOINT)));
}

static int32_t samples_in_file(void)
{
    coif_error error = {0};
    char *samples = NULL;
    CHECK_OK(
        coif_image_read_attribute(&samples, coif_test_path(IMAGE), "coif:samples", &arena, &error),
        error);
    return samples != NULL ? atoi(samples) : 0;
}

TEST(a_time_limit_counts_new_samples_only)
{
    ball_cache(&arena);
    remove_files();
    coif_render_desc desc = describe("image/samples=24", "image/aovs=Z");
    desc.keep_checkpoint = true;
    render(&desc);
    desc = describe("image/samples=100000", "image/aovs=Z");
    desc.time_limit = 1e-4;
    render(&desc);
    CHECK(samples_in_file() == 25);
}

// Creates a folder at the path of the image after the first pass.
static void block_output_path(void *context, const char *path, int32_t samples)
{
    (void)context;
    (void)path;
    (void)samples;
    mkdir(coif_test_path(IMAGE), 0700);
}

// Samples are kept when the image cannot be written; if that is known before, none are taken.
TEST(an_image_that_cannot_be_written_keeps_its_samples)
{
    ball_cache(&arena);
    remove_files();
    coif_render_desc desc = describe("image/samples=3", NULL);
    render(&desc);
    const parts whole = load_all();
    remove_files();
    desc.checkpoint_seconds = 1000.0;
    desc.progressive = true;
    desc.on_image = block_output_path;
    coif_error error = {0};
    CHECK(ball_render(&desc, 1, &arena, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, IMAGE);
    CHECK(coif_path_exists(coif_test_path(CHECKPOINT)));
    desc.on_image = NULL;
    error = (coif_error){0};
    unlink(coif_test_path(CHECKPOINT));
    CHECK(ball_render(&desc, 1, &arena, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, IMAGE);
    CHECK(!coif_path_exists(coif_test_path(CHECKPOINT)));
    CHECK(rmdir(coif_test_path(IMAGE)) == 0);
    desc.on_image = block_output_path;
    CHECK(ball_render(&desc, 1, &arena, &error) == COIF_ERR_IO);
    desc.on_image = NULL;
    CHECK(rmdir(coif_test_path(IMAGE)) == 0);
    render(&desc);
    const parts again = load_all();
    CHECK(same_pixels(&whole, &again));
    CHECK(!coif_path_exists(coif_test_path(CHECKPOINT)));
}

TEST(an_image_out_of_time_equals_one_of_fewer_samples)
{
    ball_cache(&arena);
    remove_files();
    coif_render_desc desc = describe("image/samples=100000", NULL);
    desc.time_limit = 0.2;
    render(&desc);
    const parts limited = load_all();
    const int32_t samples = samples_in_file();
    CHECK(coif_path_exists(coif_test_path(CHECKPOINT)));
    remove_files();
    desc = describe(coif_arena_print(&arena, "image/samples=%d", samples), NULL);
    render(&desc);
    const parts plain = load_all();
    CHECK(same_pixels(&limited, &plain));
}

TEST(progressive_passes_give_the_same_image)
{
    ball_cache(&arena);
    remove_files();
    coif_render_desc desc = describe("image/samples=7", NULL);
    render(&desc);
    const parts plain = load_all();
    remove_files();
    desc.progressive = true;
    render(&desc);
    const parts passes = load_all();
    CHECK(same_pixels(&plain, &passes));
    CHECK(!coif_path_exists(coif_test_path("preview0001.exr")));
}

TEST(png_bit_depth_and_exr_compression_are_respected)
{
    ball_cache(&arena);
    remove_files();
    coif_render_desc desc = describe("image/bit_depth=16", "image/exr_compression=dwaa");
    desc.source.format = "png,exr";
    render(&desc);
    coif_image png;
    coif_error error = {0};
    CHECK_OK(coif_image_load(&png, coif_test_path("render0001.png"), &arena, &error), error);
    CHECK(png.integer_bits == 16);
    // Depth is exact although colours are lossy.
    const parts lossy = load_all();
    remove_files();
    desc = describe(NULL, NULL);
    render(&desc);
    const parts exact = load_all();
    for (int i = 0; i < exact.count && i < lossy.count; ++i) {
        const coif_image *a = &lossy.list[i], *b = &exact.list[i];
        const bool same =
            memcmp(a->pixels, b->pixels, sizeof(float) * 64 * 64 * (size_t)a->channel_count) == 0;
        const bool ids = strncmp(a->part, "crypto", 6) == 0 || strcmp(a->part, "P") == 0;
        CHECK(ids ? same : i > 0 || !same);
    }
}

static const coif_image *part_named(const parts *all, const char *name)
{
    for (int i = 0; i < all->count; ++i) {
        if (strcmp(all->list[i].part, name) == 0) {
            return &all->list[i];
        }
    }
    coif_test_failed(__FILE__, __LINE__, "no part %s", name);
    return &all->list[0];
}

// Mean of (a - b)^2 / (b^2 + 0.01) against a reference, over pixels of converged blocks.
static double error_of_converged(const parts *found, const coif_image *reference, float most)
{
    const coif_image *counts = part_named(found, "samples");
    double sum = 0.0, count = 0.0;
    for (int i = 0; i < 64 * 64; ++i) {
        const float *a = found->list[0].pixels + 4 * (size_t)i,
                    *b = reference->pixels + 4 * (size_t)i;
        const double x = 0.2126 * a[0] + 0.7152 * a[1] + 0.0722 * a[2];
        const double y = 0.2126 * b[0] + 0.7152 * b[1] + 0.0722 * b[2];
        sum += counts->pixels[i] < most ? (x - y) * (x - y) / (y * y + 0.01) : 0.0;
        count += counts->pixels[i] < most;
    }
    CHECK(count > 500.0 && count < 64 * 64);
    return sqrt(sum / count);
}

TEST(adaptive_sampling_spends_samples_on_noise)
{
    ball_cache(&arena);
    remove_files();
    coif_render_desc desc = describe("image/samples=64", "image/seed=1");
    desc.source.aovs = "Z";
    render(&desc);
    const coif_image reference = load(0);
    remove_files();
    desc = describe("image/samples=32", "image/adaptive_threshold=0.17");
    render(&desc);
    const parts found = load_all();
    const coif_image *counts = part_named(&found, "samples");
    for (int i = 0; i < 64 * 64; ++i) {
        const float n = counts->pixels[i];
        CHECK(n == 8.0f || n == 16.0f || n == 32.0f);
    }
    CHECK(error_of_converged(&found, &reference, 32.0f) < 0.17);
}

// Unlit hair is noisy in alpha.
TEST(adaptive_sampling_sees_noise_in_alpha)
{
    ball_cache(&arena);
    remove_files();
    const char *sets[] = {"image/aovs=samples",
                          "image/adaptive_min_samples=8",
                          "image/samples=64",
                          "image/adaptive_threshold=0.06",
                          "image/film_transparent=true",
                          "lights=[{\"type\": \"point\", \"intensity\": 0}]"};
    const coif_render_desc desc = ball_render_desc(ball_scene(sets, COIF_COUNT_OF(sets), &arena));
    render(&desc);
    const coif_image image = load(0), counts = load(1);
    CHECK(image.pixels[0] == 0.0f && image.pixels[3] == 0.0f && counts.pixels[0] == 8.0f);
    double squares = 0.0;
    for (int i = 0; i < 64 * 64; ++i) {
        const double alpha = image.pixels[4 * i + 3];
        squares += alpha * (1.0 - alpha) / (counts.pixels[i] - 1.0);
    }
    // Splatting leaves 4/9 of the variance.
    CHECK(squares > 0.0 && squares * 4.0 / 9.0 < 0.06 * 0.06 * 64 * 64);
    CHECK(counts.pixels[64 * 32 + 8] > 8.0f || counts.pixels[64 * 8 + 32] > 8.0f);
}

// Blocks are judged by their own samples only.
TEST(adaptive_images_do_not_depend_on_crop_passes_and_threads)
{
    ball_cache(&arena);
    remove_files();
    const char *noise = "image/adaptive_threshold=0.15";
    coif_render_desc desc = describe("image/samples=32", noise);
    coif_error error = {0};
    CHECK_OK(ball_render(&desc, 1, &arena, &error), error);
    const parts whole = load_all();
    remove_files();
    desc.progressive = true;
    render(&desc);
    const parts passes = load_all();
    CHECK(same_pixels(&whole, &passes));
    remove_files();
    desc = describe("image/samples=10", noise);
    desc.keep_checkpoint = true;
    render(&desc);
    desc = describe("image/samples=32", noise);
    render(&desc);
    const parts later = load_all();
    CHECK(same_pixels(&whole, &later));
    remove_files();
    memcpy(desc.source.crop, (int32_t[]){21, 27, 30, 9}, sizeof desc.source.crop);
    render(&desc);
    const coif_image crop = load(0);
    for (int y = 0; y < 9 && crop.width == 30; ++y) {
        CHECK(memcmp(crop.pixels + (size_t)(y * 30 * 4),
                     whole.list[0].pixels + (size_t)(((y + 27) * 64 + 21) * 4),
                     30 * 4 * sizeof(float)) == 0);
    }
    CHECK(crop.width == 30 && crop.height == 9);
}
