// studio: layers as what they hold and what they leave behind.
#include "tests/studio_scene.h"

// Colour and depth in one EXR: each is painted and shown between its own least and most.
static void channels_of_one_picture_have_ranges_of_their_own(void)
{
    enum { SIDE = 80 };
    float *pixels = coif_arena_new(&arena, 3 * SIDE * SIDE, float);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        pixels[3 * i] = (float)(i % 11) / 11.0f;
        pixels[3 * i + 1] = -2.0f + 0.01f * (float)(i % 100);
        pixels[3 * i + 2] = 5.0f * (float)(i % 7) / 6.0f;
    }
    const coif_image_type types[] = {COIF_IMAGE_FLOAT, COIF_IMAGE_FLOAT, COIF_IMAGE_FLOAT};
    const coif_image_desc desc = {.width = SIDE,
                                  .height = SIDE,
                                  .channel_count = 3,
                                  .channel_types = types,
                                  .pixels = pixels};
    coif_error error = {0};
    const char *picture = coif_arena_copy_text(&arena, coif_test_path("depth.exr"));
    CHECK_OK(coif_image_save(picture, &desc, &error), error);
    const char *path = write_scene("ranges.json");
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    const coif_edit edit = {
        "/grooms/0/maps",
        "[{\"name\": \"z\", \"plugin\": \"density.texture\", \"path\": \"depth.exr\", "
        "\"channel\": \"blue\"}, {\"name\": \"r\", \"plugin\": \"density.texture\", \"path\": "
        "\"depth.exr\"}, {\"name\": \"g\", \"plugin\": \"density.texture\", \"path\": "
        "\"depth.exr\", \"channel\": \"green\"}]"};
    CHECK_OK(coif_studio_edit(studio, &edit, 1, "", &error), error);
    const coif_layer *red = coif_layers_find(studio, picture, 0);
    const coif_layer *green = coif_layers_find(studio, picture, 1);
    coif_layer *depth = coif_layers_find(studio, picture, 2);
    CHECK(red != NULL && green != NULL && depth != NULL);
    CHECK(red->low == 0.0f && red->high == 1.0f);
    CHECK(green->low == -2.0f && green->high == 1.0f);
    CHECK(depth->low == 0.0f && depth->high == 5.0f);

    // What is painted means the same after a crash, and in the file.
    const coif_bytes half = even_tile(0, 0, 32768);
    CHECK_OK(coif_studio_paint(studio, depth, "s", &half, &error), error);
    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, path);
    bool foreign;
    CHECK_OK(coif_studio_save(again, false, &foreign, &error), error);
    coif_image after;
    CHECK_OK(coif_image_load(&after, picture, &arena, &error), error);
    CHECK_NEAR(after.pixels[2], 2.5, 1e-4);
    CHECK(after.pixels[0] == pixels[0] && after.pixels[1] == pixels[1]);
    coif_studio_close(again);
    coif_studio_close(studio);
}

TEST_MAIN(TEST(channels_of_one_picture_have_ranges_of_their_own))
