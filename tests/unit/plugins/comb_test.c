// groom.comb: direction and flatness of combed hair.
#include "tests/support/head_groom_fixture.h"

TEST(combed_hair_points_where_it_is_combed_to)
{
    plant_all();
    static const plugin_value values[] = {
        {"direction", {0.2, -1, -0.4}, NULL}, {"spread_angle", {0}, NULL}, {0}};
    apply("groom.comb", values);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    const coif_vec3 goal = coif_normalize((coif_vec3){0.2f, -1.0f, -0.4f});
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 tip = coif_normalize(segment_at(s, POINTS - 2));
        const coif_vec3 start = coif_normalize(segment_at(s, 0));
        CHECK(coif_dot(tip, goal) > 0.94f);
        // It leaves the skin outwards.
        CHECK(coif_dot(start, head.normals[s]) > 0.5f);
    }
    CHECK_NEAR(sharpest_turn(), 20.0, 20.0);
}

// On flat skin, combed along it: what is left between hair and skin is `lift`, whether the hair
// would go around a small head or around none, and nothing of it is inside.
TEST(lift_is_the_angle_that_is_left)
{
    static const double lifts[] = {0, 3, 25}, overs[] = {0.1, 100};
    for (int i = 0; i < 6; ++i) {
        plant_all();
        for (int32_t s = 0; s < STRANDS; ++s) {
            plant(s, (coif_vec3){0.0f, 1.0f, 0.0f});
        }
        const plugin_value values[] = {{"direction", {1, 0, 0.5}, NULL},
                                       {"lift_angle", {lifts[i / 2]}, NULL},
                                       {"head_radius", {overs[i % 2]}, NULL},
                                       {"bend_length", {0.004}, NULL},
                                       {0}};
        apply("groom.comb", values);
        for (int32_t s = 0; s < STRANDS; ++s) {
            double height = 0.0, left = 90.0;
            for (int k = 0; k < POINTS - 1; ++k) {
                const coif_vec3 ahead = coif_normalize(segment_at(s, k));
                height += ahead.y;
                CHECK(height > 0.0);
                left = asin((double)ahead.y) * 180.0 / 3.141592653589793;
            }
            CHECK(left > -0.05 && left < lifts[i / 2] + 0.5);
        }
    }
}

// The radius `over` is what lets hair of the crown reach the neck without crossing the skull.
TEST(combed_hair_goes_around_the_head)
{
    plant_all();
    static const plugin_value values[] = {{"direction", {0, -1, -0.3}, NULL},
                                          {"head_radius", {0.095}, NULL},
                                          {"part_strength", {0.8}, NULL},
                                          {0}};
    apply("groom.comb", values);
    float nearest = 1.0f, farthest = 0.0f;
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 1; k < POINTS; ++k) {
            const coif_vec3 p = point_at(s, k);
            nearest = fminf(nearest, coif_length(p));
            if (p.y > 0.0f) {
                farthest = fmaxf(farthest, coif_length(p));
            }
        }
    }
    CHECK(nearest > 0.97f * HEAD);
    CHECK(farthest < 1.6f * HEAD);
}

TEST(a_parting_sends_hair_to_both_sides)
{
    plant_all();
    const coif_vec3 left = coif_normalize((coif_vec3){-0.15f, 1.0f, 0.1f});
    plant(0, left);
    plant(1, (coif_vec3){-left.x, left.y, left.z});
    static const plugin_value values[] = {
        {"part_strength", {1}, NULL}, {"spread_angle", {0}, NULL}, {0}};
    apply("groom.comb", values);
    CHECK(point_at(0, POINTS - 1).x < -0.05f);
    CHECK(point_at(1, POINTS - 1).x > 0.05f);
    CHECK_NEAR(point_at(0, POINTS - 1).x, -point_at(1, POINTS - 1).x, 1e-5);
    // In the end it hangs and does not stand out.
    CHECK(coif_normalize(segment_at(0, POINTS - 2)).y < -0.9f);
}

// Combed to the back, it follows the head to the back and then falls.
TEST(combed_hair_hangs_with_gravity_on)
{
    plant_all();
    plant(0, coif_normalize((coif_vec3){0.0f, 1.0f, 0.1f}));
    static const plugin_value values[] = {
        {"direction", {0, 0, -1}, NULL}, {"hang", {1}, NULL}, {"spread_angle", {0}, NULL}, {0}};
    apply("groom.comb", values);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    CHECK(coif_normalize(segment_at(0, 5)).z < -0.7f);
    CHECK(point_at(0, POINTS - 1).z < -0.8f * HEAD);
    CHECK(coif_normalize(segment_at(0, POINTS - 2)).y < -0.95f);
}

// Around where hair springs from it goes to the right, seen from outside, and nowhere else; by how
// much says how far it has gone sideways and how far away from the middle.
TEST(a_whorl_goes_around_where_hair_springs_from)
{
    for (int turn = -1; turn <= 1; ++turn) {
        plant_all();
        for (int32_t s = 0; s < STRANDS; ++s) {
            const double angle = 6.283185307179586 * s / STRANDS;
            plant(s, coif_normalize(
                         (coif_vec3){0.2f * (float)cos(angle), 1.0f, 0.2f * (float)sin(angle)}));
        }
        plant(0, (coif_vec3){1.0f, 0.0f, 0.0f}); // far from it
        const plugin_value values[] = {{"direction", {0, -1, 0}, NULL},
                                       {"spread_angle", {0}, NULL},
                                       {"whorl_angle", {80.0 * turn}, NULL},
                                       {"whorl_radius", {0.1}, NULL},
                                       {0}};
        apply("groom.comb", values);
        CHECK(fabsf(point_at(0, POINTS - 1).z) < 1e-5f);
        for (int32_t s = 1; s < STRANDS; ++s) {
            const coif_vec3 root = point_at(s, 0), ahead = segment_at(s, 4);
            // Seen from above with x to the right, z comes down: to the right is with the clock.
            const float clockwise = root.x * ahead.z - root.z * ahead.x;
            const float outward = root.x * ahead.x + root.z * ahead.z;
            CHECK(outward > 0.0f);
            CHECK(turn == 0 ? fabsf(clockwise) < 0.01f * outward
                            : (float)turn * clockwise > outward);
        }
    }
}

TEST(a_zero_comb_amount_has_no_effect)
{
    plant_all();
    static const plugin_value values[] = {{"strength", {0}, NULL}, {0}};
    apply("groom.comb", values);
    CHECK_NEAR(farthest_move(), 0.0, 1e-6);
}

TEST(a_mapped_strength_combs_strand_by_strand)
{
    plant_all();
    static float strengths[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        strengths[s] = s % 2 == 0 ? 0.0f : 1.0f;
    }
    head.per_strand[1] = strengths;
    apply("groom.comb", NULL);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const float moved =
            coif_length(coif_sub(point_at(s, POINTS - 1), before_at(s, POINTS - 1)));
        CHECK(s % 2 == 0 ? moved < 1e-6f : moved > 0.01f);
    }
}
