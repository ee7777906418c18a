// Strand colours of the studio follow maps and ramps.
#include "tools/studio/server/live/strand_colors.h"

#include "core/base/fs.h"
#include "sim/groom/groom_generate.h"
#include "tests/support/test.h"
#include "tools/cli/command.h"
#include "tools/cli/map_callback.h"

static coif_arena arena = {.name = "test"};
static coif_groom groom;

// Hair on a square, with a map that is 1 for positive x.
static const uint8_t *colors_of(const char *hair)
{
    static const char square[] = "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nvt 0 0\nvt 1 0\nvt 1 1\n"
                                 "vt 0 1\nf 1/1 4/4 3/3 2/2\n";
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"square\", \"mesh\": \"square.obj\"}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"square\", \"count\": 40, \"points\": 4,\n"
        " \"hair\": {\"eumelanin\": 0, \"pheomelanin\": 0, \"dye_amount\": 1, %s},\n"
        " \"maps\": [{\"name\": \"right\", \"plugin\": \"density.hairline\", \"normal\": [1, 0, "
        "0], "
        "\"width\": 0, \"edge_noise\": 0}]}]}",
        hair);
    static coif_plugins *plugins;
    coif_error error = {0};
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    }
    const coif_plugin_lookup lookup = coif_plugins_lookup(plugins);
    CHECK_OK(coif_file_save(coif_test_path("square.obj"), square, strlen(square), &error), error);
    CHECK_OK(coif_file_save(coif_test_path("s.json"), text, strlen(text), &error), error);
    const coif_scene_desc desc = {.path = coif_arena_copy_text(&arena, coif_test_path("s.json")),
                                  .tree = coif_scene_tree(&arena),
                                  .plugins = &lookup};
    coif_scene *scene = coif_arena_new(&arena, 1, coif_scene);
    CHECK_OK(coif_scene_load(scene, &desc, &arena, &error), error);
    coif_body *bodies;
    int32_t count;
    CHECK_OK(coif_bodies_load(&bodies, &count, scene, &arena, &error), error);
    const coif_node *node = &coif_node_at(scene->root, "grooms")->children[0];
    const coif_groom_generate_desc grow = {
        .scene = scene, .node = node, .body = bodies, .frame = 1.0};
    CHECK_OK(coif_groom_generate(&groom, &grow, &arena, NULL, &error), error);
    uint8_t *colors;
    const coif_strand_colors_desc color_desc = {.scene = scene,
                                                .node = node,
                                                .groom = &groom,
                                                .body = bodies,
                                                .eval_map = coif_eval_hair_map,
                                                .frame = 1.0};
    CHECK_OK(coif_strand_colors(&colors, &color_desc, &arena, &error), error);
    return colors;
}

static const uint8_t *color_at(const uint8_t *colors, int32_t strand, int32_t index)
{
    return colors + COIF_STRAND_COLOR_BYTES * strand + 4 * index;
}

TEST(mapped_colours_reach_the_page)
{
    const uint8_t *colors =
        colors_of("\"dye\": {\"map\": \"right\", \"range\": [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]]}");
    int32_t sides[2] = {0};
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        const bool right = groom.rest.points[groom.rest.first[s]].x > 0.0f;
        const uint8_t *color = color_at(colors, s, 0);
        CHECK(right ? color[2] > color[0] + 60 : color[0] > color[2] + 60);
        sides[right] += 1;
    }
    CHECK(sides[0] > 5 && sides[1] > 5);
}

TEST(ramped_colours_reach_the_page)
{
    const uint8_t *plain = colors_of("\"dye\": [0.8, 0.4, 0.2]");
    const uint8_t *ramped =
        colors_of("\"dye\": {\"value\": [0.8, 0.4, 0.2], \"ramp\": [[0, 1], [1, 0.3]]}");
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        CHECK(memcmp(color_at(plain, s, 0), color_at(ramped, s, 0), 4) == 0);
        CHECK(color_at(ramped, s, 2)[0] + 40 < color_at(plain, s, 2)[0]);
    }
}
