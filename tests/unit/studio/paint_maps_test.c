// Paint maps: value ranges of channels, files of unsaved maps.
#include "tests/support/studio_scene.h"

// Colour and depth in one EXR file: each channel has its own value range.
TEST(channels_of_one_image_have_their_own_ranges)
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
    const char *image = coif_arena_copy_text(&arena, coif_test_path("depth.exr"));
    CHECK_OK(coif_image_save(image, &desc, &error), error);
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
    const coif_paint_map *red = coif_paint_maps_find(&studio->maps, image, 0);
    const coif_paint_map *green = coif_paint_maps_find(&studio->maps, image, 1);
    coif_paint_map *depth = coif_paint_maps_find(&studio->maps, image, 2);
    CHECK(red != NULL && green != NULL && depth != NULL);
    CHECK(red->low == 0.0f && red->high == 1.0f);
    CHECK(green->low == -2.0f && green->high == 1.0f);
    CHECK(depth->low == 0.0f && depth->high == 5.0f);

    // Painted values are the same after a crash and in the file.
    const coif_bytes half = uniform_tile(0, 0, 32768);
    CHECK_OK(coif_studio_paint(studio, depth, "s", &half, &error), error);
    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, path);
    bool modified;
    CHECK_OK(coif_studio_save(again, false, &modified, &error), error);
    coif_image after;
    CHECK_OK(coif_image_load(&after, image, &arena, &error), error);
    CHECK_NEAR(after.pixels[2], 2.5, 1e-4);
    CHECK(after.pixels[0] == pixels[0] && after.pixels[1] == pixels[1]);
    coif_studio_close(again);
    coif_studio_close(studio);
}

static void remove_map(coif_studio *studio)
{
    coif_error error = {0};
    const coif_edit edits[] = {{"/grooms/0/density", NULL}, {"/grooms/0/maps", NULL}};
    CHECK_OK(coif_studio_edit(studio, edits, 2, "", &error), error);
}

TEST(maps_that_were_never_saved_leave_no_files)
{
    const char *path = write_scene("unsaved.json");
    const char *map = coif_arena_copy_text(&arena, coif_test_path("maps/unsaved_density.png"));
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    coif_error error = {0};
    bool modified, done;
    open_studio(studio, path);
    new_density(studio);
    remove_map(studio);
    // Undo can restore it, so its file stays while the studio is open.
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(done && coif_path_exists(map));
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);
    coif_studio_close(studio);
    CHECK(!coif_path_exists(map));

    // Killed and opened again: it is in the journal.
    path = write_scene("unsaved.json");
    open_studio(studio, path);
    new_density(studio);
    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, path);
    CHECK(again->replayed > 0 && coif_path_exists(map));
    remove_map(again);
    CHECK_OK(coif_studio_save(again, true, &modified, &error), error);
    coif_studio_close(again);
    CHECK(!coif_path_exists(map));

    // Files of unsaved changes stay, and those that a saved scene has referenced.
    path = write_scene("unsaved.json");
    studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, path);
    new_density(studio);
    coif_studio_close(studio);
    CHECK(coif_path_exists(map));
    open_studio(studio, path);
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);
    remove_map(studio);
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);
    coif_studio_close(studio);
    CHECK(coif_path_exists(map));
}
