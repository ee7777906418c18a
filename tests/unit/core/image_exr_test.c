// EXR features: types per channel, named parts, data windows.
#include "core/base/fs.h"
#include "core/image/image.h"
#include "tests/support/test.h"

#include <string.h>

TEST(an_exr_keeps_half_colour_and_float_depth)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    coif_image image = {0};
    static const char *const names[] = {"R", "G", "B", "A", "Z"};
    static const coif_image_type types[] = {COIF_IMAGE_HALF, COIF_IMAGE_HALF, COIF_IMAGE_HALF,
                                            COIF_IMAGE_HALF, COIF_IMAGE_FLOAT};
    static const float pixel[5] = {1.0f / 3.0f, 1e9f, -1e9f, 1.0f, 123456.789f};
    const coif_image_desc desc = {.width = 1,
                                  .height = 1,
                                  .channel_count = 5,
                                  .channel_names = names,
                                  .channel_types = types,
                                  .pixels = pixel,
                                  .compression = "piz"};
    CHECK_OK(coif_image_save(coif_test_path("z.exr"), &desc, &error), error);
    CHECK_OK(coif_image_load(&image, coif_test_path("z.exr"), &arena, &error), error);
    CHECK(image.channel_count == 5);
    CHECK_TEXT(image.channel_names[4], "Z");
    CHECK(image.pixels[0] != pixel[0]);
    CHECK_NEAR(image.pixels[0], pixel[0], 0.0003);
    CHECK_NEAR(image.pixels[1], 65504.0, 0.0);
    CHECK_NEAR(image.pixels[2], -65504.0, 0.0);
    CHECK_NEAR(image.pixels[4], pixel[4], 0.0);
    CHECK(image.integer_bits == 0);

    const coif_image_desc odd = {.width = 1,
                                 .height = 1,
                                 .channel_count = 5,
                                 .channel_names = names,
                                 .pixels = pixel,
                                 .compression = "lzw"};
    CHECK(coif_image_save(coif_test_path("z.exr"), &odd, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "unknown compression \"lzw\"");
}

TEST(an_exr_has_parts_with_names_windows_and_types)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    static const float colour[] = {0.1f, 0.2f, 0.3f, 1.0f, 2.0f, 3.0f}, depth[] = {1.1f, 70000.5f};
    static const char *const names[] = {"far.R", "far.G", "far.B"}, *const z[] = {"Z"};
    static const coif_image_type exact[] = {COIF_IMAGE_FLOAT};
    static const coif_image_attribute texts[] = {{"coif:scene", "1234"}};
    coif_image_desc parts[] = {{.width = 2,
                                .height = 1,
                                .channel_count = 3,
                                .channel_names = names,
                                .pixels = colour,
                                .texts = texts,
                                .text_count = 1,
                                .part = "far"},
                               {.width = 2,
                                .height = 1,
                                .channel_count = 1,
                                .channel_names = z,
                                .channel_types = exact,
                                .pixels = depth,
                                .part = "depth"}};
    for (int i = 0; i < 2; ++i) {
        parts[i].x = 5;
        parts[i].y = 3;
        parts[i].full_width = 20;
        parts[i].full_height = 10;
    }
    const char *path = coif_test_path("parts.exr");
    CHECK_OK(coif_image_save_parts(path, parts, 2, &error), error);
    coif_image first, second, third;
    CHECK_OK(coif_image_load(&first, path, &arena, &error), error);
    CHECK_OK(coif_image_load_part(&second, path, 1, &arena, &error), error);
    CHECK_TEXT(first.part, "far");
    CHECK_TEXT(first.channel_names[2], "far.B");
    CHECK(first.x == 5 && first.y == 3 && first.full_width == 20 && first.full_height == 10);
    CHECK_TEXT(second.part, "depth");
    CHECK(second.channel_count == 1 && memcmp(second.pixels, depth, sizeof depth) == 0);
    char *value = NULL;
    CHECK_OK(coif_image_read_attribute(&value, path, "coif:scene", &arena, &error), error);
    CHECK_TEXT(value, "1234");
    CHECK_OK(coif_image_read_header(&third, path, 1, &arena, &error), error);
    CHECK_TEXT(third.part, "depth");
    CHECK(third.pixels == NULL && third.channel_count == 1 && third.full_width == 20);
    CHECK(coif_image_read_header(&third, path, 2, &arena, &error) == COIF_ERR_ARGUMENT);
    CHECK(coif_image_load_part(&third, path, 2, &arena, &error) == COIF_ERR_ARGUMENT);
    parts[1].part = "far";
    CHECK(coif_image_save_parts(path, parts, 2, &error) == COIF_ERR_ARGUMENT);
    CHECK(coif_image_save_parts(coif_test_path("parts.png"), parts, 2, &error) ==
          COIF_ERR_ARGUMENT);
}

// Programs crop the data window to the content; as a texture it keeps its position.
TEST(a_data_window_is_expanded_to_the_display_window)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    const float values[6] = {1, 2, 3, 4, 5, 6};
    coif_image_desc desc = {.width = 3,
                            .height = 2,
                            .channel_count = 1,
                            .pixels = values,
                            .x = 1,
                            .y = 2,
                            .full_width = 5,
                            .full_height = 4};
    const char *path = coif_test_path("cut_out.exr");
    CHECK_OK(coif_image_save(path, &desc, &error), error);
    coif_image whole;
    CHECK_OK(coif_image_load_full(&whole, path, &arena, &error), error);
    CHECK(whole.width == 5 && whole.height == 4 && whole.x == 0 && whole.y == 0);
    const float wanted[20] = {[11] = 1, [12] = 2, [13] = 3, [16] = 4, [17] = 5, [18] = 6};
    CHECK(memcmp(whole.pixels, wanted, sizeof wanted) == 0);
    // Pixels beyond the display window are dropped.
    desc.x = -1;
    desc.y = 3;
    desc.full_width = 2;
    CHECK_OK(coif_image_save(path, &desc, &error), error);
    CHECK_OK(coif_image_load_full(&whole, path, &arena, &error), error);
    const float corner[8] = {[6] = 2, [7] = 3};
    CHECK(whole.width == 2 && whole.height == 4);
    CHECK(memcmp(whole.pixels, corner, sizeof corner) == 0);
}
