// Images of maps, tile by tile.
#include "plugins/host/plugin_images.h"

#include "core/image/image.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static void save_tile(const char *name, float value, int32_t channels)
{
    coif_error error = {0};
    const float pixels[3] = {value, value, value};
    const coif_image_desc desc = {
        .width = 1, .height = 1, .channel_count = channels, .pixels = pixels};
    CHECK_OK(coif_image_save(coif_test_path(name), &desc, &error), error);
}

TEST(udim_tiles_are_found_by_the_whole_part_of_uv)
{
    save_tile("skin.1001.exr", 0.25f, 1);
    save_tile("skin.1002.exr", 0.5f, 1);
    save_tile("skin.1011.exr", 0.75f, 1);
    coif_udim_image tiles;
    coif_error error = {0};
    CHECK_OK(coif_udim_image_load(&tiles, coif_test_path("skin.<UDIM>.exr"), NULL, &arena, &error),
             error);
    CHECK(tiles.channel_count == 1);
    CHECK_NEAR(coif_udim_image_sample(&tiles, 0, 0.5f, 0.5f), 0.25, 0.0);
    CHECK_NEAR(coif_udim_image_sample(&tiles, 0, 1.5f, 0.5f), 0.5, 0.0);
    CHECK_NEAR(coif_udim_image_sample(&tiles, 0, 0.5f, 1.5f), 0.75, 0.0);
    CHECK_NEAR(coif_udim_image_sample(&tiles, 0, 1.5f, 1.5f), 0.0, 0.0);
    CHECK_NEAR(coif_udim_image_sample(&tiles, 0, 1.0f, 0.5f), 0.5, 0.0);
    CHECK_NEAR(coif_udim_image_sample(&tiles, 0, 2.0f, 1.0f), 0.5, 0.0);
    CHECK_NEAR(coif_udim_image_sample(&tiles, 0, -0.5f, 0.5f), 0.0, 0.0);
    CHECK_NEAR(coif_udim_image_sample(&tiles, 0, NAN, INFINITY), 0.0, 0.0);
    CHECK_NEAR(coif_udim_image_sample(&tiles, 0, 9.5f, 99.5f), 0.0, 0.0);

    CHECK(coif_udim_image_load(&tiles, coif_test_path("none.<UDIM>.exr"), NULL, &arena, &error) ==
          COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "no tile from 1001 to 1999 exists");
    save_tile("skin.1003.exr", 0.5f, 3);
    error = (coif_error){0};
    CHECK(coif_udim_image_load(&tiles, coif_test_path("skin.<UDIM>.exr"), NULL, &arena, &error) ==
          COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "skin.1003.exr: 3 channels, previous tiles have 1");
}
