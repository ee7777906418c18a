// groom.part and density.parting: hair is combed away from a line, and none grows on it.
#include "tests/support/head_groom_fixture.h"

static const char ZIGZAG[] = "0.02 0.1 0.08, -0.02 0.1 0.04, 0.02 0.1 0, -0.02 0.1 -0.04";

// Combed straight back.
static void comb_back(void)
{
    plant_all();
    static const plugin_value comb[] = {{"direction", {0, 0, -1}, NULL},
                                        {"spread_angle", {0}, NULL},
                                        {"bend_length", {0.002}, NULL},
                                        {0}};
    apply("groom.comb", comb);
}

static coif_vec3 heading(int32_t strand)
{
    const coif_vec3 direction = coif_sub(point_at(strand, POINTS / 4), point_at(strand, 0));
    return coif_normalize(
        coif_mad(direction, -coif_dot(direction, head.normals[strand]), head.normals[strand]));
}

TEST(hair_is_combed_away_from_both_sides_of_the_parting)
{
    comb_back();
    static const plugin_value part[] = {{"start", {0, 0.1, 1}, NULL},
                                        {"end", {0, 0.1, -1}, NULL},
                                        {"strength", {1}, NULL},
                                        {"radius", {0.05}, NULL},
                                        {"falloff_length", {100}, NULL},
                                        {"edge_noise", {0}, NULL},
                                        {0}};
    apply("groom.part", part);
    CHECK(length_change() < 1e-4f);
    int32_t near = 0, far = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 root = point_at(s, 0);
        if (fabsf(root.x) < 0.005f) {
            ++near;
            CHECK((root.x < 0.0f ? -1.0f : 1.0f) * heading(s).x > 0.9f);
        } else if (fabsf(root.x) > 0.05f) {
            ++far;
            for (int k = 0; k < POINTS; ++k) {
                CHECK(coif_length(coif_sub(point_at(s, k), before_at(s, k))) == 0.0f);
            }
        }
    }
    CHECK(near > 5 && far > 50);
}

// Beyond its length hair has its original direction.
TEST(hair_beyond_the_parting_length_is_unchanged)
{
    comb_back();
    static const plugin_value part[] = {{"start", {0, 0.1, 1}, NULL},
                                        {"end", {0, 0.1, -1}, NULL},
                                        {"strength", {1}, NULL},
                                        {"falloff_length", {0.02}, NULL},
                                        {0}};
    apply("groom.part", part);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 was = coif_sub(before_at(s, POINTS - 1), before_at(s, POINTS - 2));
        CHECK(coif_dot(coif_normalize(was), coif_normalize(segment_at(s, POINTS - 2))) > 0.999f);
    }
}

static float bare_at(const coif_plugin_instance *map, float x, float z)
{
    const float y = 0.0f, zero = 0.0f;
    float value;
    const coif_map_batch batch = {.struct_size = sizeof batch,
                                  .count = 1,
                                  .u = &zero,
                                  .v = &zero,
                                  .x = &x,
                                  .y = &y,
                                  .z = &z,
                                  .nx = &zero,
                                  .ny = &zero,
                                  .nz = &zero,
                                  .value = &value};
    CHECK(coif_plugin_eval_map((coif_plugin_instance *)map, &batch));
    return value;
}

TEST(partings_may_have_corners)
{
    comb_back();
    static const plugin_value bare[] = {
        {"line", {0}, ZIGZAG}, {"edge_noise", {0}, NULL}, {"width", {0.004}, NULL}, {0}};
    coif_plugin_instance *map = plugin_instance(head.plugins, "density.parting", bare, &arena);
    // On its pieces and corners, beside them, before and behind.
    CHECK(bare_at(map, 0.0f, 0.06f) == 0.0f && bare_at(map, 0.0f, 0.02f) == 0.0f);
    CHECK(bare_at(map, -0.02f, 0.04f) == 0.0f && bare_at(map, 0.02f, 0.0f) == 0.0f);
    CHECK(bare_at(map, 0.0f, 0.04f) == 1.0f && bare_at(map, 0.0f, 0.0f) == 1.0f);
    CHECK(bare_at(map, 0.03f, 0.09f) == 1.0f && bare_at(map, -0.03f, -0.05f) == 1.0f);

    static const plugin_value part[] = {{"line", {0}, ZIGZAG},           {"strength", {1}, NULL},
                                        {"radius", {0.03}, NULL},        {"edge_noise", {0}, NULL},
                                        {"falloff_length", {100}, NULL}, {0}};
    apply("groom.part", part);
    // Between its corners at x = 0 the line has hair on its left and on its right.
    int32_t left = 0, right = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 root = point_at(s, 0);
        const float line = root.z > 0.04f ? root.z - 0.06f : 0.02f - root.z;
        if (root.z > 0.005f && root.z < 0.075f && fabsf(root.z - 0.04f) > 0.01f &&
            fabsf(root.x - line) < 0.014f) {
            left += root.x < line;
            right += root.x > line;
            CHECK((root.x < line ? -1.0f : 1.0f) * heading(s).x > 0.1f);
        }
    }
    CHECK(left > 0 && right > 0);
}

TEST(a_line_of_words_is_explained)
{
    static const char *const plugins[] = {"groom.part", "density.parting", "density.hairline"};
    plant_all();
    for (int i = 0; i < 3; ++i) {
        static const plugin_value words[] = {{"line", {0}, "0 0 0, here"}, {0}};
        const coif_plugin *plugin = coif_plugins_find(head.plugins, plugins[i]);
        coif_plugin_instance *instance;
        coif_error error = {0};
        CHECK(coif_plugin_instance_open(&instance, plugin_node(plugin, words, &arena), 1.0, &arena,
                                        &error) == COIF_ERR_SCENE);
        CHECK_CONTAINS(error.text, "line: point 2 is not three numbers");
    }
}
