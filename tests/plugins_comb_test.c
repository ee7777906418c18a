// groom.comb along guide curves and along a painted flow.
#include "core/image.h"
#include "tests/groom_head.h"

static void write_flow(const char *name, float red, float green, int32_t channels)
{
    float pixels[4 * 4 * 3];
    for (int32_t i = 0; i < 16; ++i) {
        pixels[channels * i] = red;
        if (channels == 3) {
            pixels[3 * i + 1] = green;
            pixels[3 * i + 2] = 0.0f;
        }
    }
    coif_error error = {0};
    const coif_image_desc desc = {
        .width = 4, .height = 4, .channel_count = channels, .pixels = pixels};
    CHECK_OK(coif_image_save(coif_test_path(name), &desc, &error), error);
}

// The part of a strand's way along the scalp, as a unit vector.
static coif_vec3 heading(int32_t strand)
{
    const coif_vec3 way = coif_sub(point_at(strand, 8), point_at(strand, 0));
    const coif_vec3 normal = head.normals[strand];
    return coif_normalize(coif_mad(way, -coif_dot(way, normal), normal));
}

static void hair_follows_a_painted_flow(void)
{
    write_flow("flow.exr", 0.5f, 1.0f, 3); // along v
    write_flow("none.exr", 0.5f, 0.5f, 3);
    const plugin_value along[] = {
        {"flow", {0}, coif_arena_copy_text(&arena, coif_test_path("flow.exr"))},
        {"spread", {0}, NULL},
        {0}};
    const plugin_value none[] = {
        {"flow", {0}, coif_arena_copy_text(&arena, coif_test_path("none.exr"))},
        {"spread", {0}, NULL},
        {0}};
    plant_all();
    apply("groom.comb", along);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const float *b = head.frames + 9 * s + 3;
        CHECK(coif_dot(heading(s), coif_vec3_of(b[0], b[1], b[2])) > 0.99f);
    }
    // Grey says nothing: as without a picture.
    plant_all();
    apply("groom.comb", none);
    static float with[TOTAL];
    memcpy(with, head.x, sizeof with);
    plant_all();
    static const plugin_value plain[] = {{"spread", {0}, NULL}, {0}};
    apply("groom.comb", plain);
    CHECK(memcmp(with, head.x, sizeof with) == 0);
}

static void a_grey_flow_is_refused(void)
{
    plant_all();
    write_flow("grey.png", 0.5f, 0.0f, 1);
    const plugin_value values[] = {
        {"flow", {0}, coif_arena_copy_text(&arena, coif_test_path("grey.png"))}, {0}};
    coif_instance *instance;
    coif_error error = {0};
    const coif_plugin *comb = coif_plugins_find(head.plugins, "groom.comb");
    CHECK(coif_instance_open(&instance, plugin_node(comb, values, &arena), 1.0, &arena, &error) ==
          COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "wanted red and green, the image is grey");
}

static void hair_follows_guide_curves(void)
{
    plant_all();
    static float flow[3 * STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 around = coif_cross(coif_vec3_of(0.0f, 1.0f, 0.0f), head.normals[s]);
        const coif_vec3 way = coif_normalize(around);
        memcpy(flow + 3 * s, &way, sizeof way);
    }
    static const plugin_value values[] = {{"guides", {1}, NULL}, {"spread", {0}, NULL}, {0}};
    coif_groom_batch batch = whole_head();
    batch.flow = flow;
    CHECK(coif_instance_groom(plugin_instance(head.plugins, "groom.comb", values, &arena), &batch));
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK(coif_dot(heading(s), coif_vec3_of(flow[3 * s], flow[3 * s + 1], flow[3 * s + 2])) >
              0.99f);
    }
}

TEST_MAIN(TEST(hair_follows_a_painted_flow), TEST(a_grey_flow_is_refused),
          TEST(hair_follows_guide_curves))
