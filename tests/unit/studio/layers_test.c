// Layers of painted maps, and strokes of several maps and pages.
#include "tests/support/studio_scene.h"

#include <unistd.h>

static void edit_scene(coif_studio *studio, const char *pointer, const char *value)
{
    coif_error error = {0};
    const coif_edit edit = {pointer, value};
    CHECK_OK(coif_studio_edit(studio, &edit, 1, "", &error), error);
}

static coif_status add_layer(coif_studio *studio, const char *name, coif_error *error)
{
    const coif_new_layer desc = {.name = name, .stroke = name, .copy = -1};
    return coif_studio_add_layer(studio, &desc, error);
}

static void paint_map(coif_studio *studio, coif_paint_map *map, const char *stroke, int column,
                      uint16_t value)
{
    coif_error error = {0};
    const coif_bytes tile = uniform_tile((uint16_t)column, 0, value);
    CHECK_OK(coif_studio_paint(studio, map, stroke, &tile, &error), error);
}

// The layer of a map in value and coverage.
static void paint_layer(coif_studio *studio, int32_t layer, const char *stroke, int column,
                        uint16_t value, uint16_t coverage)
{
    const coif_map_layer *at = &studio->stacks.items[0].layers[layer];
    paint_map(studio, at->image, stroke, column, value);
    paint_map(studio, at->mask, stroke, column, coverage);
}

static coif_studio *open_with_layer(const char *name)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene(name));
    new_density(studio);
    paint(studio, "ground", uniform_tile(0, 0, 20000));
    coif_error error = {0};
    CHECK_OK(add_layer(studio, "stubble", &error), error);
    return studio;
}

static uint16_t texel16(const coif_studio *studio, int x)
{
    return (uint16_t)(texel(studio, x, 0) * 65535.0f + 0.5f);
}

TEST(the_first_layer_changes_nothing_and_is_one_step_of_undo)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("first.json"));
    new_density(studio);
    paint(studio, "ground", uniform_tile(0, 0, 20000));
    const int64_t steps = studio->history.done;
    coif_error error = {0};
    CHECK_OK(add_layer(studio, "stubble", &error), error);
    CHECK(studio->stacks.count == 1 && studio->stacks.items[0].count == 2);
    CHECK(studio->history.done == steps + 1);
    CHECK(texel16(studio, 0) == 20000 && texel16(studio, 64) == 65535);
    bool done;
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(studio->stacks.count == 0 && texel16(studio, 0) == 20000);
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK(studio->stacks.count == 1 && texel16(studio, 0) == 20000);
    coif_studio_close(studio);
}

TEST(layers_are_composed_by_coverage_opacity_blend_mode_and_order)
{
    coif_studio *studio = open_with_layer("compose.json");
    paint_layer(studio, 1, "s", 0, 60000, 65535);
    CHECK(texel16(studio, 0) == 60000 && texel16(studio, 64) == 65535);
    paint_layer(studio, 1, "t", 0, 60000, 32768);
    CHECK_NEAR(texel16(studio, 0), 40000, 1);
    edit_scene(studio, "/grooms/0/maps/0/layers/1/opacity", "0.5");
    CHECK_NEAR(texel16(studio, 0), 30000, 1);
    edit_scene(studio, "/grooms/0/maps/0/layers/1/visible", "false");
    CHECK(texel16(studio, 0) == 20000);
    edit_scene(
        studio, "/grooms/0/maps/0/layers/1",
        "{\"name\": \"stubble\", \"path\": \"maps/compose_density_stubble.png\", "
        "\"mask\": \"maps/compose_density_stubble_mask.png\", \"blend_mode\": \"multiply\"}");
    paint_layer(studio, 1, "u", 0, 32768, 65535);
    CHECK_NEAR(texel16(studio, 0), 10000, 1);
    coif_error error = {0};
    const coif_bytes tile = uniform_tile(0, 0, 1);
    CHECK(coif_studio_paint(studio, &studio->maps.items[0], "x", &tile, &error) ==
          COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "composed of layers");
    coif_studio_close(studio);
}

static float value_at(const coif_paint_map *map, int column)
{
    double values[COIF_TILE_TEXELS];
    coif_paint_map_read_values(map, column, 0, values);
    return (float)values[7];
}

// A map of a float file with values that 16-bit texels round off, and values above 1.
TEST(layers_of_float_files_are_composed_without_rounding)
{
    enum { SIDE = 128 };
    static float pixels[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) {
        pixels[i] = i % SIDE < SIDE / 2 ? 0.123456f : 1.7654321f;
    }
    const coif_image_type type = COIF_IMAGE_FLOAT;
    const coif_image_desc image = {.width = SIDE,
                                   .height = SIDE,
                                   .channel_count = 1,
                                   .channel_types = &type,
                                   .pixels = pixels};
    coif_error error = {0};
    CHECK_OK(coif_image_save(coif_test_path("ground.exr"), &image, &error), error);
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("float.json"));
    new_density(studio);
    edit_scene(studio, "/grooms/0/maps/0/path", "\"ground.exr\"");
    CHECK_OK(add_layer(studio, "stubble", &error), error);
    const coif_map_stack *stack = &studio->stacks.items[0];
    CHECK(stack->target->is_float);
    CHECK(value_at(stack->target, 0) == 0.123456f && value_at(stack->target, 1) == 1.7654321f);
    edit_scene(studio, "/grooms/0/maps/0/layers/0/opacity", "0.5");
    stack = &studio->stacks.items[0];
    CHECK(value_at(stack->target, 0) == 0.5f * 0.123456f);
    CHECK(value_at(stack->target, 1) == 0.5f * 1.7654321f);
    coif_studio_close(studio);
}

TEST(a_stroke_on_a_layer_is_one_step_over_image_and_mask)
{
    coif_studio *studio = open_with_layer("step.json");
    const int64_t steps = studio->history.done;
    paint_layer(studio, 1, "s", 0, 60000, 65535);
    paint_layer(studio, 1, "s", 1, 50000, 65535);
    CHECK(studio->history.done == steps + 1);
    coif_error error = {0};
    bool done;
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(texel16(studio, 0) == 20000 && texel16(studio, 64) == 65535);
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK(texel16(studio, 0) == 60000 && texel16(studio, 64) == 50000);
    coif_studio_close(studio);
}

TEST(layers_survive_a_save_and_a_crash)
{
    const char *path = coif_arena_copy_text(&arena, write_scene("kept.json"));
    coif_studio *studio = open_with_layer("kept.json");
    paint_layer(studio, 1, "s", 0, 60000, 32768);
    coif_error error = {0};
    bool modified, done;
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);
    paint_layer(studio, 1, "t", 1, 30000, 65535);
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK_OK(coif_studio_undo(studio, &done, &error), error); // of what was saved
    paint_layer(studio, 1, "u", 2, 10000, 65535);
    close(studio->journal.descriptor);

    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, path);
    CHECK(!again->journal.quarantined && again->stacks.count == 1);
    CHECK(texel16(again, 0) == 20000 && texel16(again, 64) == 65535 &&
          texel16(again, 128) == 10000);
    CHECK_OK(coif_studio_undo(again, &done, &error), error);
    CHECK(texel16(again, 128) == 65535);
    CHECK_OK(coif_studio_undo(again, &done, &error), error); // the undo of the saved stroke
    CHECK_NEAR(texel16(again, 0), 40000, 1);
    CHECK_OK(coif_studio_save(again, false, &modified, &error), error);
    coif_studio_close(again);

    coif_studio *saved = coif_arena_new(&arena, 1, coif_studio);
    open_studio(saved, path);
    CHECK(!coif_studio_dirty(saved) && saved->stacks.items[0].count == 2);
    CHECK_NEAR(texel16(saved, 0), 40000, 1);
    edit_scene(saved, "/grooms/0/maps/0/layers/1/visible", "false");
    CHECK(texel16(saved, 0) == 20000);
    coif_studio_close(saved);
}

TEST(layers_of_another_size_are_an_error)
{
    coif_studio *studio = open_with_layer("size.json");
    coif_error error = {0};
    const coif_new_paint_map large = {.name = "large", .size = 512, .value = 65535};
    CHECK_OK(coif_studio_add_map(studio, &large, &error), error);
    const coif_edit edit = {"/grooms/0/maps/0/layers/1/path", "\"maps/size_large.png\""};
    CHECK(coif_studio_edit(studio, &edit, 1, "", &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "/grooms/0/maps/0/layers/1");
    CHECK_CONTAINS(error.text, "found 512 x 512");
    CHECK(studio->stacks.items[0].count == 2);
    coif_studio_close(studio);
}

TEST(strokes_of_two_pages_at_once_are_two_steps)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("two.json"));
    new_density(studio);
    const int64_t steps = studio->history.done;
    for (int i = 0; i < 4; ++i) {
        paint(studio, "one", uniform_tile((uint16_t)(i % 2), 0, (uint16_t)(100 + i)));
        paint(studio, "two", uniform_tile((uint16_t)(i % 2), 1, (uint16_t)(200 + i)));
    }
    CHECK(studio->history.done == steps + 2);
    coif_error error = {0};
    bool done;
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(texel(studio, 0, 64) == 1.0f && texel(studio, 64, 64) == 1.0f);
    CHECK(texel16(studio, 0) == 102 && texel16(studio, 64) == 103);
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(texel(studio, 0, 0) == 1.0f && texel(studio, 64, 0) == 1.0f);
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK(texel16(studio, 64) == 103);
    CHECK((int)(texel(studio, 64, 64) * 65535.0f + 0.5f) == 203);
    coif_studio_close(studio);
}

// Two strokes paint the same texels in turns: the later one of the texel stays until it is undone.
TEST(interleaved_strokes_on_one_texel_are_undone_in_their_order)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("turns.json"));
    new_density(studio);
    paint(studio, "one", uniform_tile(0, 0, 1));
    paint(studio, "two", uniform_tile(0, 0, 2));
    paint(studio, "one", uniform_tile(0, 0, 3));
    coif_error error = {0};
    bool done;
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(texel16(studio, 0) == 3);
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(texel16(studio, 0) == 65535);
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK(texel16(studio, 0) == 3);
    coif_studio_close(studio);
}
