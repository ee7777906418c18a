// Groom modifiers that finish a hairstyle: cuts along surfaces, flyaways, lift, noise, taper,
// smooth.
#include "tests/support/head_groom_fixture.h"

static int moved_strands(void)
{
    int count = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        count += coif_length(coif_sub(point_at(s, POINTS - 1), before_at(s, POINTS - 1))) > 1e-5f;
    }
    return count;
}

TEST(hair_is_cut_along_a_plane)
{
    plant_all();
    static const plugin_value values[] = {{"variation", {0}, NULL},     {"surface", {1}, NULL},
                                          {"point", {0, 0.2, 0}, NULL}, {"normal", {0, 2, 0}, NULL},
                                          {"randomness", {0}, NULL},    {0}};
    apply("groom.length", values);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const float grown = before_at(s, POINTS - 1).y, tip = point_at(s, POINTS - 1).y;
        // What would have grown through the plane ends on it; the rest is as it was.
        CHECK_NEAR(tip, grown > 0.2f ? 0.2f : grown, 6e-4); // a twentieth of a segment
        CHECK(strand_length(s) > 0.1f);
    }
    static const plugin_value uneven[] = {{"variation", {0}, NULL},     {"surface", {1}, NULL},
                                          {"point", {0, 0.1, 0}, NULL}, {"normal", {0, 1, 0}, NULL},
                                          {"randomness", {0.01}, NULL}, {0}};
    apply("groom.length", uneven);
    float highest = 0.0f, lowest = 1.0f;
    for (int32_t s = 0; s < STRANDS; ++s) {
        if (before_at(s, POINTS - 1).y > 0.1f && point_at(s, 0).y < 0.05f) {
            highest = fmaxf(highest, point_at(s, POINTS - 1).y);
            lowest = fminf(lowest, point_at(s, POINTS - 1).y);
        }
    }
    CHECK(highest < 0.1001f && highest > 0.098f && lowest > 0.0899f && lowest < 0.092f);
}

TEST(hair_is_cut_along_a_ball)
{
    plant_all();
    static const plugin_value values[] = {{"variation", {0}, NULL},
                                          {"surface", {2}, NULL},
                                          {"radius", {0.15}, NULL},
                                          {"randomness", {0}, NULL},
                                          {0}};
    apply("groom.length", values);
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK_NEAR(coif_length(point_at(s, POINTS - 1)), 0.15, 1e-4);
    }
    // Roots beyond the surface keep a stubble: no strand is lost.
    static const plugin_value all[] = {
        {"surface", {2}, NULL}, {"radius", {0.05}, NULL}, {"randomness", {0}, NULL}, {0}};
    apply("groom.length", all);
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK(strand_length(s) > 0.0f && strand_length(s) < 1e-3f);
    }
}

TEST(flyaways_are_few_and_leave_late)
{
    plant_all();
    static const plugin_value values[] = {
        {"fraction", {0.1}, NULL}, {"start", {0.5}, NULL}, {"angle", {60}, NULL}, {0}};
    apply("groom.flyaway", values);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    const int moved = moved_strands();
    CHECK(moved > 15 && moved < 75); // 40 expected
    float widest = 0.0f;
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK_NEAR(coif_length(coif_sub(point_at(s, POINTS / 2), before_at(s, POINTS / 2))), 0.0,
                   1e-5);
        widest =
            fmaxf(widest, coif_length(coif_sub(point_at(s, POINTS - 1), before_at(s, POINTS - 1))));
        // Not into the head.
        CHECK(coif_length(point_at(s, POINTS - 1)) > HEAD);
    }
    CHECK(widest > 0.02f && widest < LENGTH);
    plant_all();
    static const plugin_value none[] = {{"fraction", {0}, NULL}, {0}};
    apply("groom.flyaway", none);
    CHECK(moved_strands() == 0);
}

TEST(lift_turns_roots_to_the_normal_and_not_past_it)
{
    plant_all();
    static const plugin_value comb[] = {
        {"lift_angle", {0}, NULL}, {"bend_length", {0.001}, NULL}, {0}};
    apply("groom.comb", comb);
    float lying[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        lying[s] = acosf(coif_dot(coif_normalize(segment_at(s, 0)), head.normals[s]));
    }
    static const plugin_value values[] = {
        {"angle", {30}, NULL}, {"falloff_length", {10}, NULL}, {0}};
    apply("groom.lift", values);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const float now = acosf(
            coif_clamp(coif_dot(coif_normalize(segment_at(s, 0)), head.normals[s]), -1.0f, 1.0f));
        const float wanted = lying[s] > 30.0f * DEGREE ? lying[s] - 30.0f * DEGREE : 0.0f;
        CHECK_NEAR(now, wanted, 0.01);
    }
    // Hair that is already upright is unchanged.
    plant_all();
    apply("groom.lift", values);
    CHECK_NEAR(farthest_move(), 0.0, 1e-4);
}

TEST(tuck_turns_ends_in_and_leaves_the_rest)
{
    static const plugin_value comb[] = {
        {"lift_angle", {0}, NULL}, {"bend_length", {0.001}, NULL}, {0}};
    static const plugin_value in[] = {{"angle", {50}, NULL}, {"length", {0.04}, NULL}, {0}};
    static const plugin_value out[] = {{"angle", {-50}, NULL}, {"length", {0.04}, NULL}, {0}};
    coif_vec3 combed[STRANDS][2], tucked[STRANDS];
    float mean = 0.0f;

    plant_all();
    apply("groom.comb", comb);
    for (int32_t s = 0; s < STRANDS; ++s) {
        combed[s][0] = point_at(s, POINTS / 2);
        combed[s][1] = segment_at(s, POINTS - 2);
    }
    apply("groom.tuck", in);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    for (int32_t s = 0; s < STRANDS; ++s) {
        tucked[s] = point_at(s, POINTS - 1);
        CHECK_NEAR(coif_length(coif_sub(point_at(s, POINTS / 2), combed[s][0])), 0.0, 1e-5);
        // Half a segment before the tip nearly all of the angle is there.
        const float turn = acosf(coif_clamp(
            coif_dot(coif_normalize(segment_at(s, POINTS - 2)), coif_normalize(combed[s][1])),
            -1.0f, 1.0f));
        CHECK(turn < 50.5f * DEGREE);
        mean += turn / STRANDS;
    }
    CHECK(mean > 40.0f * DEGREE);
    plant_all();
    apply("groom.comb", comb);
    apply("groom.tuck", out);
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK(coif_length(point_at(s, POINTS - 1)) > coif_length(tucked[s]));
    }
    // Hair along its normal has no side to turn to.
    plant_all();
    apply("groom.tuck", in);
    CHECK(farthest_move() == 0.0f);
}

TEST(noise_moves_neighbours_together)
{
    plant_all();
    // Three strands side by side, a millimetre apart, and one far away.
    for (int k = 0; k < POINTS; ++k) {
        for (int32_t s = 0; s < 3; ++s) {
            const int32_t i = head.first[s] + k;
            head.x[i] = 0.001f * (float)s;
            head.y[i] = HEAD + LENGTH * (float)k / (POINTS - 1);
            head.z[i] = 0.0f;
        }
    }
    static const plugin_value values[] = {{"angle", {20}, NULL}, {"scale", {0.05}, NULL}, {0}};
    apply("groom.noise", values);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    CHECK(farthest_move() > 0.005f && farthest_move() < 0.2f);
    CHECK(moved_strands() == STRANDS);
    const coif_vec3 first = coif_sub(point_at(0, POINTS - 1), before_at(0, POINTS - 1));
    const coif_vec3 next = coif_sub(point_at(1, POINTS - 1), before_at(1, POINTS - 1));
    CHECK(coif_length(coif_sub(first, next)) < 0.3f * coif_length(first));
    CHECK(sharpest_turn() < 25.0f);
}

TEST(taper_thins_the_tip)
{
    plant_all();
    static const plugin_value values[] = {
        {"tip_scale", {0.25}, NULL}, {"start", {0.5}, NULL}, {"root_scale", {0.5}, NULL}, {0}};
    apply("groom.taper", values);
    CHECK_NEAR(farthest_move(), 0.0, 0.0);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const float *radius = head.radius + head.first[s];
        CHECK_NEAR(radius[0], 2e-5, 1e-9);
        CHECK_NEAR(radius[POINTS / 2 - 1], 4e-5, 1e-9);
        CHECK_NEAR(radius[POINTS - 1], 1e-5, 1e-9);
    }
}

TEST(smoothing_removes_kinks)
{
    plant_all();
    static const plugin_value frizz[] = {
        {"amplitude", {0.01}, NULL}, {"wavelength", {0.02}, NULL}, {0}};
    apply("groom.frizz", frizz);
    const float before = sharpest_turn();
    static const plugin_value values[] = {{"iterations", {20}, NULL}, {0}};
    apply("groom.smooth", values);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    CHECK(sharpest_turn() < 0.4f * before);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 was = coif_normalize(coif_sub(before_at(s, 1), before_at(s, 0)));
        CHECK_NEAR(coif_dot(coif_normalize(segment_at(s, 0)), was), 1.0, 1e-5);
    }
}
