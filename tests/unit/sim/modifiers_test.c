// Maps, stacks of maps, amounts and ramps of groom generation and its modifiers.
#include "tests/support/groom_fixture.h"

TEST(maps_scale_density_and_length)
{
    const grown hair = grow("\"group\": \"scalp\", \"count\": 400, \"points\": 4,\n"
                            "\"density\": {\"map\": \"u\"},\n"
                            "\"length\": {\"map\": \"u\", \"range\": [0.1, 0.2]},\n"
                            "\"radius\": {\"value\": 1e-4, \"ramp\": [[0, 1], [1, 0]]},\n"
                            "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"}]");
    const coif_strands *rest = &hair.groom.rest;
    CHECK(rest->strand_count > 100 && rest->strand_count < 300);
    int32_t left = 0;
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        const coif_vec4 *p = rest->points + rest->first[s];
        CHECK_NEAR(strand_length(rest, s), 0.1 + 0.1 * rest->root_uv[2 * s], 1e-5);
        CHECK_NEAR(p[0].w, 1e-4, 1e-9);
        CHECK_NEAR(p[1].w, 1e-4 * 2.0 / 3.0, 1e-9);
        CHECK_NEAR(p[3].w, 0.0, 1e-9);
        left += rest->root_uv[2 * s] < 0.5f;
    }
    CHECK(left < rest->strand_count / 2);
}

// Without a modifier, with it whole, halved by amount, ramped and mapped.
static int32_t count_with_stack(const char *combine, double amount)
{
    char text[400];
    snprintf(
        text, sizeof text,
        "\"group\": \"scalp\", \"count\": 400, \"points\": 4, \"density\": {\"map\": \"both\"},\n"
        "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"},\n"
        "{\"name\": \"both\", \"plugin\": \"test.u\", \"base\": \"u\", \"blend_mode\": \"%s\", "
        "\"amount\": %g}]",
        combine, amount);
    return grow(text).groom.rest.strand_count;
}

TEST(maps_stack)
{
    const int32_t alone = count_with_stack("max", 1.0);
    CHECK(alone > 100 && alone < 300);
    CHECK(count_with_stack("min", 1.0) == alone);
    CHECK(count_with_stack("subtract", 1.0) == 0);
    CHECK(count_with_stack("subtract", 0.0) == alone);
    CHECK(count_with_stack("add", 1.0) > alone + 50);
    // u squared has a mean of a third where u has a half.
    const int32_t squared = count_with_stack("multiply", 1.0);
    CHECK(squared > 90 && squared < alone - 30);
}

// Straight hair of 30 mm on a ball of 10 cm, with points every 10 mm: the first is moved, those
// farther than the queried distance are not.
TEST(modifiers_query_the_body)
{
    const grown hair =
        grow("\"group\": \"scalp\", \"count\": 200, \"points\": 4, \"length\": 0.03,\n"
             "\"clearance\": 0,\n"
             "\"modifiers\": [{\"plugin\": \"test.project\"}]");
    const coif_strands *rest = &hair.groom.rest;
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        const coif_vec4 *p = rest->points + rest->first[s];
        const float root = coif_length(coif_vec4_xyz(p[0]));
        CHECK_NEAR(coif_length(coif_vec4_xyz(p[1])) - root, 0.008, 2e-4);
        CHECK_NEAR(coif_length(coif_vec4_xyz(p[2])) - root, 0.02, 2e-4);
    }
}

TEST(modifiers_get_amounts_maps_and_ramps)
{
    static const char BASE[] = "\"group\": \"scalp\", \"count\": 600, \"points\": 5, "
                               "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"}],"
                               "\"modifiers\": [{\"plugin\": \"test.push\", %s}]";
    static const char *const CASES[] = {
        "\"enabled\": false",
        "\"push\": 0.02",
        "\"push\": 0.02, \"amount\": 0.5",
        "\"push\": {\"value\": 0.02, \"ramp\": [[0, 0], [1, 1]]}",
        "\"push\": {\"map\": \"u\", \"range\": [0, 0.04], \"ramp\": [[0, 0], [1, 1]]}",
        "\"push\": 0.02, \"amount\": {\"map\": \"u\", \"range\": [0, 0.5]}"};
    grown cases[6];
    for (int c = 0; c < 6; ++c) {
        char rows[1024];
        snprintf(rows, sizeof rows, BASE, CASES[c]);
        cases[c] = grow(rows);
    }
    const coif_strands *before = &cases[0].groom.rest;
    for (int32_t i = 0; i < before->point_count; ++i) {
        const int32_t s = i / 5;
        const double position = (i % 5) / 4.0;
        const double u = before->root_uv[2 * s];
        const double wanted[6] = {0.0, 0.02, 0.01, 0.02 * position, 0.04 * u * position, 0.01 * u};
        for (int c = 1; c < 6; ++c) {
            // Strands near the edge may have been laid on the ball afterwards.
            const double moved =
                (double)cases[c].groom.rest.points[i].x - (double)before->points[i].x;
            if (before->points[i - i % 5].y > 0.08f && i % 5 > 1) {
                CHECK_NEAR(moved, wanted[c], 2e-4);
            }
        }
    }
    CHECK_CONTAINS(cases[1].groom.metadata, "plugin=test.push 1.2.3");
}

TEST(a_modifier_may_have_as_many_parameters_as_a_plugin)
{
    const grown hair = grow("\"count\": 10, \"modifiers\": [{\"plugin\": \"test.many\"}]");
    CHECK(hair.groom.rest.strand_count == 10);
}
