// Modifier amounts between 0 and 1 blend shapes without shortening strands or losing their
// thickness.
#include "sim/groom/groom_generate.h"
#include "tests/support/sim_scene.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 200, POINTS = 12 };

static coif_groom grow(const char *rows)
{
    write_ball("ball.obj", true, &arena);
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"length_variation\": 0, "
        "\"clearance\": 0, \"length\": 0.2, \"group\": \"scalp\", \"count\": %d, \"points\": %d, "
        "\"maps\": [{\"name\": \"right\", \"plugin\": \"density.hairline\", \"normal\": [1, 0, 0], "
        "\"width\": 0.05, \"edge_noise\": 0}], %s}]}",
        STRANDS, POINTS, rows);
    const grown_scene result = grow_scene(text, &arena);
    CHECK_OK(result.status, result.error);
    CHECK(result.groom.rest.strand_count == STRANDS);
    return result.groom;
}

// A comb that turns hair by up to a right angle and more, all of it.
#define COMB                                                                                       \
    "\"modifiers\": [{\"plugin\": \"groom.comb\", \"direction\": [0, 0, 1], \"spread_angle\": 0, " \
    "\"lift_angle\": 40, \"head_radius\": 100, "

static coif_vec3 point_of(const coif_groom *groom, int32_t strand, int32_t k)
{
    return coif_vec4_xyz(groom->rest.points[groom->rest.first[strand] + k]);
}

static double longest_change(const coif_groom *groom)
{
    double worst = 0.0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int32_t k = 0; k + 1 < POINTS; ++k) {
            const double length =
                (double)coif_length(coif_sub(point_of(groom, s, k + 1), point_of(groom, s, k)));
            worst = fmax(worst, fabs(length / (0.2 / (POINTS - 1)) - 1.0));
        }
    }
    return worst;
}

static double farthest(const coif_groom *a, const coif_groom *b, int32_t strand)
{
    double most = 0.0;
    for (int32_t k = 0; k < POINTS; ++k) {
        most = fmax(most,
                    (double)coif_length(coif_sub(point_of(a, strand, k), point_of(b, strand, k))));
    }
    return most;
}

TEST(half_combed_hair_is_as_long_as_before)
{
    const coif_groom half = grow(COMB "\"amount\": 0.5}]");
    CHECK(longest_change(&half) < 1e-3);
    // Half of the amount is half of the comb's own strength.
    const coif_groom strength = grow(COMB "\"strength\": 0.5}]");
    const coif_groom ramped = grow(COMB "\"amount\": {\"value\": 1, \"ramp\": [[0, 0], [1, 1]]}}]");
    CHECK(longest_change(&ramped) < 1e-3);
    const coif_groom late =
        grow(COMB "\"amount\": {\"value\": 1, \"ramp\": [[0, 0], [0.5, 0], [1, 1]]}}]");
    const coif_groom none = grow(COMB "\"enabled\": false}]");
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int32_t k = 0; k <= POINTS / 2 - 1; ++k) {
            CHECK(coif_length(coif_sub(point_of(&late, s, k), point_of(&none, s, k))) == 0.0f);
        }
    }
    double most = 0.0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        most = fmax(most, farthest(&half, &strength, s));
    }
    CHECK(most < 0.02);
}

#define CURL                                                                                       \
    "\"max_points\": 12, \"modifiers\": [{\"plugin\": \"groom.curl\", \"radius\": 0.01, "          \
    "\"wavelength\": 0.5, \"flatness\": 0, "

// What winds a strand up makes it longer, and half of the curl is half as far from its axis.
TEST(half_an_amount_is_half_a_curl)
{
    const coif_groom none = grow(CURL "\"enabled\": false}]");
    const coif_groom half = grow(CURL "\"amount\": 0.5}]");
    const coif_groom full = grow(CURL "\"amount\": 1}]");
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK(farthest(&full, &none, s) > 5e-3);
        for (int32_t k = 0; k < POINTS; ++k) {
            const coif_vec3 middle = coif_lerp(point_of(&none, s, k), point_of(&full, s, k), 0.5f);
            CHECK(coif_length(coif_sub(point_of(&half, s, k), middle)) < 2e-5f);
        }
    }
}

TEST(a_mask_says_where_and_an_amount_how_much)
{
    const coif_groom none = grow(COMB "\"enabled\": false}]");
    const coif_groom half = grow(COMB "\"amount\": 0.5}]");
    const coif_groom masked = grow(COMB "\"amount\": 0.5, \"mask\": {\"map\": \"right\"}}]");
    int32_t left = 0, right = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const float x = point_of(&none, s, 0).x;
        if (x < 0.0f) {
            ++left;
            CHECK(farthest(&masked, &none, s) == 0.0);
        } else if (x > 0.05f) {
            ++right;
            CHECK(farthest(&masked, &half, s) == 0.0);
            CHECK(farthest(&masked, &none, s) > 0.0);
        }
    }
    CHECK(left > 20 && right > 20);
}

TEST(ramps_and_maps_stay_within_their_rows)
{
    const coif_groom below = grow("\"radius\": {\"value\": 4e-5, \"ramp\": [[0, 1], [1, -1]]}");
    const coif_groom above =
        grow("\"radius\": {\"map\": \"right\", \"range\": [0.01, 0.01], \"ramp\": [[0, 9]]}");
    for (int32_t i = 0; i < below.rest.point_count; ++i) {
        CHECK(below.rest.points[i].w >= 0.0f && below.rest.points[i].w <= 4e-5f);
        CHECK(above.rest.points[i].w == 0.01f);
    }
}

// The groom stores the clumps that groom.clump made: centres are in the region of their strands.
TEST(clumps_are_stored_in_the_groom)
{
    write_ball("ball.obj", true, &arena);
    const grown_scene result = grow_scene(
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\",\n"
        "   \"count\": 300, \"points\": 6, \"region\": {\"map\": \"right\", \"range\": [0, 1]},\n"
        "   \"modifiers\": [{\"plugin\": \"groom.clump\", \"count\": 20, \"stray_fraction\": 0}],\n"
        "   \"maps\": [{\"name\": \"right\", \"plugin\": \"density.slope\",\n"
        "     \"direction\": [1, 0, 0], \"angle\": 90, \"softness\": 0}]}]}",
        &arena);
    CHECK_OK(result.status, result.error);
    const coif_groom *groom = &result.groom;
    CHECK(groom->clump != NULL && groom->region != NULL);
    int32_t across = 0, regions[2] = {0};
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        CHECK(groom->clump[s] >= 0 && groom->clump[s] < 20);
        across += groom->region[s] != groom->region[groom->clump[s]];
        ++regions[groom->region[s]];
    }
    CHECK(across == 0 && regions[0] > 50 && regions[1] > 50);
}
