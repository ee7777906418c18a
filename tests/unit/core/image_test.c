// Image files: round trips per format, metadata, reproducible bytes.
#include "core/base/jobs.h"
#include "core/image/srgb.h"
#include "tests/support/test_images.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

// The first test: the module is loaded once.
TEST(a_missing_module_is_an_error_and_may_be_loaded_later)
{
    coif_error error = {0};
    static const float pixel[1] = {0.5f};
    const coif_image_desc desc = {.width = 1, .height = 1, .channel_count = 1, .pixels = pixel};
    setenv("COIF_IMAGE_MODULE", "/no/such/module.so", 1);
    CHECK(coif_image_save(coif_test_path("late.png"), &desc, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "/no/such/module.so");
    CHECK(!coif_path_exists(coif_test_path("late.png")));
    unsetenv("COIF_IMAGE_MODULE");
    error = (coif_error){0};
    CHECK_OK(coif_image_save(coif_test_path("late.png"), &desc, &error), error);
}

TEST(every_format_keeps_the_image)
{
    COIF_SCOPED_ARENA(arena, "test");
    float pixels[WIDTH * HEIGHT * 3];
    fill(pixels, 3);
    for (size_t i = 0; i < COIF_COUNT_OF(KNOWN); ++i) {
        coif_error error = {0};
        coif_image image;
        const coif_image_desc desc = plain(pixels, 3);
        CHECK_OK(coif_image_save(coif_test_path(KNOWN[i]), &desc, &error), error);
        CHECK_OK(coif_image_load(&image, coif_test_path(KNOWN[i]), &arena, &error), error);
        CHECK(image.width == WIDTH && image.height == HEIGHT && image.channel_count == 3);
        if (error.status != COIF_OK) {
            continue;
        }
        float worst = 0.0f;
        for (int k = 0; k < WIDTH * HEIGHT * 3; ++k) {
            worst = fmaxf(worst, fabsf(image.pixels[k] - pixels[k]));
        }
        CHECK_NEAR(worst, 0.0, 0.02);
        CHECK_TEXT(image.channel_names[0], "R");
    }
}

TEST(alpha_and_grey_are_converted_for_every_format)
{
    COIF_SCOPED_ARENA(arena, "test");
    float pixels[WIDTH * HEIGHT * 4];
    for (int32_t channels = 1; channels <= 4; ++channels) {
        fill(pixels, channels);
        for (size_t i = 0; i < COIF_COUNT_OF(KNOWN); ++i) {
            coif_error error = {0};
            coif_image image;
            const coif_image_desc desc = plain(pixels, channels);
            CHECK_OK(coif_image_save(coif_test_path(KNOWN[i]), &desc, &error), error);
            CHECK_OK(coif_image_load(&image, coif_test_path(KNOWN[i]), &arena, &error), error);
            if (error.status == COIF_OK) {
                CHECK_NEAR(coif_image_sample(&image, 0, 0.5f, 0.5f), 0.5, 0.02);
                CHECK(image.channel_count <= 4 && image.channel_count >= (channels > 2 ? 3 : 1));
            }
        }
    }
}

TEST(colours_are_not_premultiplied)
{
    COIF_SCOPED_ARENA(arena, "test");
    static const float pixel[4] = {0.8f, 0.4f, 0.2f, 0.5f};
    static const char *const files[] = {"p.png", "p.tif", "p.exr"};
    for (int i = 0; i < 3; ++i) {
        coif_error error = {0};
        coif_image image = {0};
        const coif_image_desc desc = {.width = 1, .height = 1, .channel_count = 4, .pixels = pixel};
        CHECK_OK(coif_image_save(coif_test_path(files[i]), &desc, &error), error);
        CHECK_OK(coif_image_load(&image, coif_test_path(files[i]), &arena, &error), error);
        for (int c = 0; c < 4 && image.channel_count == 4; ++c) {
            CHECK_NEAR(image.pixels[c], pixel[c], 0.003);
        }
    }
}

// A film is multiplied by alpha; a PNG is not, and the curve belongs to the divided colour.
TEST(premultiplied_colours_become_a_correct_png)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    coif_image image;
    static const float pixels[8] = {0.25f, 0.1f, 0.0f, 0.5f, 0.0f, 0.0f, 0.0f, 0.0f};
    const coif_image_desc desc = {.width = 2,
                                  .height = 1,
                                  .channel_count = 4,
                                  .pixels = pixels,
                                  .srgb = true,
                                  .premultiplied = true};
    CHECK_OK(coif_image_save(coif_test_path("film.png"), &desc, &error), error);
    CHECK_OK(coif_image_load(&image, coif_test_path("film.png"), &arena, &error), error);
    CHECK_NEAR(image.pixels[0], coif_srgb_encode(0.5f), 0.003);
    CHECK_NEAR(image.pixels[1], coif_srgb_encode(0.2f), 0.003);
    CHECK_NEAR(image.pixels[3], 0.5, 0.003);
    CHECK_NEAR(image.pixels[4], 0.0, 0.0);

    // JPEG has no alpha: the image over black.
    CHECK_OK(coif_image_save(coif_test_path("film.hdr"), &desc, &error), error);
    CHECK_OK(coif_image_load(&image, coif_test_path("film.hdr"), &arena, &error), error);
    CHECK(image.channel_count == 3);
    CHECK_NEAR(image.pixels[0], coif_srgb_encode(0.25f), 0.01);
}

TEST(a_png_of_16_bits_keeps_its_precision)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    coif_image image = {0};
    static const coif_image_type types[] = {COIF_IMAGE_UINT16};
    const float pixels[4] = {1.0f / 65535.0f, 12345.0f / 65535.0f, 2.0f, NAN};
    const coif_image_desc desc = {
        .width = 4, .height = 1, .channel_count = 1, .pixels = pixels, .channel_types = types};
    CHECK_OK(coif_image_save(coif_test_path("fine.png"), &desc, &error), error);
    CHECK_OK(coif_image_load(&image, coif_test_path("fine.png"), &arena, &error), error);
    CHECK(image.integer_bits == 16);
    CHECK_NEAR(image.pixels[0] * 65535.0f, 1.0, 1e-3);
    CHECK_NEAR(image.pixels[1] * 65535.0f, 12345.0, 1e-2);
    CHECK_NEAR(image.pixels[2], 1.0, 0.0);
    CHECK_NEAR(image.pixels[3], 0.0, 0.0);
}

TEST(metadata_is_read_back)
{
    COIF_SCOPED_ARENA(arena, "test");
    float pixels[WIDTH * HEIGHT * 3];
    fill(pixels, 3);
    static const coif_image_attribute texts[] = {
        {"coif:scene", "bob.json 0123456789abcdef"},
        {"coif:plugins", "wind.gust 1.0.0, groom.curl 1.0.0"},
        {"coif:empty", ""}};
    static const char *const files[] = {"t.exr", "t.png", "t.tif", "t.jpg"};
    for (int i = 0; i < 4; ++i) {
        coif_error error = {0};
        coif_image_desc desc = plain(pixels, 3);
        desc.texts = texts;
        desc.text_count = 3;
        char *value = NULL;
        CHECK_OK(coif_image_save(coif_test_path(files[i]), &desc, &error), error);
        CHECK_OK(coif_image_read_attribute(&value, coif_test_path(files[i]), "coif:scene", &arena,
                                           &error),
                 error);
        CHECK_TEXT(value, texts[0].value);
        CHECK_OK(coif_image_read_attribute(&value, coif_test_path(files[i]), "coif:plugins", &arena,
                                           &error),
                 error);
        CHECK_TEXT(value, texts[1].value);
        CHECK_OK(
            coif_image_read_attribute(&value, coif_test_path(files[i]), "Software", &arena, &error),
            error);
        CHECK_TEXT(value, "coif " COIF_VERSION);
        CHECK_OK(
            coif_image_read_attribute(&value, coif_test_path(files[i]), "none", &arena, &error),
            error);
        CHECK(value == NULL);
    }
}

// A clock in a file would make two renders of one scene differ.
TEST(equal_images_give_equal_bytes)
{
    COIF_SCOPED_ARENA(arena, "test");
    float pixels[WIDTH * HEIGHT * 3];
    fill(pixels, 3);
    const coif_image_desc desc = plain(pixels, 3);
    char *bytes[COIF_COUNT_OF(KNOWN)];
    size_t sizes[COIF_COUNT_OF(KNOWN)];
    for (int round = 0; round < 2; ++round) {
        for (size_t i = 0; i < COIF_COUNT_OF(KNOWN); ++i) {
            coif_error error = {0};
            char *data = NULL;
            size_t size = 0;
            CHECK_OK(coif_image_save(coif_test_path(KNOWN[i]), &desc, &error), error);
            CHECK_OK(coif_file_load(&data, &size, coif_test_path(KNOWN[i]), &arena, &error), error);
            if (round == 0) {
                bytes[i] = data;
                sizes[i] = size;
            } else {
                CHECK(size == sizes[i] && memcmp(data, bytes[i], size) == 0);
            }
        }
        // Dates have a resolution of one second.
        usleep(round == 0 ? 1100000 : 0);
    }
}

// Encoding to memory equals the file; fast compression gives a larger file of the same pixels.
TEST(encoding_to_memory_equals_the_file)
{
    COIF_SCOPED_ARENA(arena, "test");
    float pixels[WIDTH * HEIGHT * 3];
    fill(pixels, 3);
    coif_image_desc desc = plain(pixels, 3);
    for (int hasty = 0; hasty < 2; ++hasty) {
        coif_error error = {0};
        char *bytes, *saved;
        size_t size, saved_size;
        const char *path = coif_test_path("sent.png");
        desc.fast = hasty == 1;
        CHECK_OK(coif_image_encode(&bytes, &size, "sent.png", &desc, &arena, &error), error);
        CHECK_OK(coif_image_save(path, &desc, &error), error);
        CHECK_OK(coif_file_load(&saved, &saved_size, path, &arena, &error), error);
        CHECK(size == saved_size && memcmp(bytes, saved, size) == 0);
        coif_image image = {0};
        CHECK_OK(coif_image_load(&image, path, &arena, &error), error);
        CHECK_NEAR(image.pixels[WIDTH * HEIGHT * 3 - 1], 1.0, 0.0);
    }
    coif_error error = {0};
    char *bytes;
    size_t size;
    CHECK(coif_image_encode(&bytes, &size, "sent.txt", &desc, &arena, &error) != COIF_OK);
}

TEST(source_date_epoch_is_the_only_time_stamp)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    static const float pixel[1] = {0.5f};
    const coif_image_desc desc = {.width = 1, .height = 1, .channel_count = 1, .pixels = pixel};
    char *value = NULL;
    setenv("SOURCE_DATE_EPOCH", "86400", 1);
    CHECK_OK(coif_image_save(coif_test_path("date.exr"), &desc, &error), error);
    CHECK_OK(
        coif_image_read_attribute(&value, coif_test_path("date.exr"), "DateTime", &arena, &error),
        error);
    CHECK_TEXT(value, "1970:01:02 00:00:00");
    setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
    CHECK_OK(coif_image_save(coif_test_path("date.exr"), &desc, &error), error);
    CHECK_OK(
        coif_image_read_attribute(&value, coif_test_path("date.exr"), "DateTime", &arena, &error),
        error);
    CHECK(value == NULL || value[0] == '\0');
    unsetenv("SOURCE_DATE_EPOCH");
}

typedef struct load_many {
    const char *path;
    int failures[16];
} load_many;

static void load_one(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    load_many *many = context;
    for (int64_t i = begin; i < end; ++i) {
        coif_image image;
        COIF_SCOPED_ARENA(arena, "load");
        many->failures[i] = coif_image_load(&image, many->path, &arena, NULL) != COIF_OK;
    }
}

TEST(images_may_be_loaded_by_many_threads)
{
    coif_error error = {0};
    float pixels[WIDTH * HEIGHT * 3];
    fill(pixels, 3);
    const coif_image_desc desc = plain(pixels, 3);
    load_many many = {.path = coif_test_path("many.png")};
    CHECK_OK(coif_image_save(many.path, &desc, &error), error);
    coif_arena arena;
    coif_arena_init(&arena, "test");
    coif_jobs *jobs;
    CHECK_OK(coif_jobs_open(&jobs, 4, &arena, &error), error);
    coif_parallel_for(jobs, 16, 1, load_one, &many);
    coif_jobs_close(jobs);
    coif_arena_free(&arena);
    for (int i = 0; i < 16; ++i) {
        CHECK(many.failures[i] == 0);
    }
}
