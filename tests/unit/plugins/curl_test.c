// groom.clump and groom.curl: nested clumps, ringlets, handedness, and the points that curls
// request.
#include "tests/support/head_groom_fixture.h"

static const plugin_value STRAND[] = {{"count", {20}, NULL},         {"strength", {1}, NULL},
                                      {"profile", {2}, NULL},        {"radius", {0.002}, NULL},
                                      {"stray_fraction", {0}, NULL}, {0}};

static void make_locks(void)
{
    plant_all();
    static const plugin_value comb[] = {
        {"direction", {0, -1, -0.35}, NULL}, {"spread_angle", {0}, NULL}, {0}};
    apply("groom.comb", comb);
    apply("groom.clump", STRAND);
}

TEST(strands_know_their_lock)
{
    make_locks();
    int32_t members[20] = {0};
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK(head.lock[s] >= 0 && head.lock[s] < 20);
        CHECK(s >= 20 || head.lock[s] == s);
        ++members[head.lock[s]];
    }
    for (int32_t lock = 0; lock < 20; ++lock) {
        CHECK(members[lock] >= 1);
    }
}

TEST(strays_have_no_lock)
{
    plant_all();
    static const plugin_value values[] = {
        {"count", {20}, NULL}, {"stray_fraction", {0.5}, NULL}, {0}};
    apply("groom.clump", values);
    int32_t loose = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        loose += head.lock[s] < 0;
    }
    CHECK_NEAR(loose, 200.0, 45.0);
}

// The greatest distance of two offsets within a lock near the tip, and the mean size of offsets.
static double apart_within_locks(double *size)
{
    double widest = 0.0, sum = 0.0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const int k = POINTS - 3;
        const int32_t lock = head.lock[s];
        const coif_vec3 own = coif_sub(point_at(s, k), before_at(s, k));
        // What the middle of the lock did beside that point.
        float least = 1e9f;
        coif_vec3 beside = {0.0f, 0.0f, 0.0f};
        for (int j = 0; j + 1 < POINTS; ++j) {
            for (int part = 0; part < 8; ++part) {
                const float t = (float)part / 8.0f;
                const coif_vec3 was = coif_lerp(before_at(lock, j), before_at(lock, j + 1), t);
                const coif_vec3 is = coif_lerp(point_at(lock, j), point_at(lock, j + 1), t);
                const float distance = coif_length(coif_sub(was, before_at(s, k)));
                if (distance < least) {
                    least = distance;
                    beside = coif_sub(is, was);
                }
            }
        }
        sum += coif_length(own);
        if (least < 0.004f) {
            widest = fmax(widest, coif_length(coif_sub(own, beside)));
        }
    }
    *size = sum / STRANDS;
    return widest;
}

// A lock winds about its axis as one: every strand of it is moved as the middle is beside it.
TEST(the_strands_of_a_lock_curl_as_one)
{
    static const plugin_value ringlets[] = {
        {"radius", {0.01}, NULL},      {"wavelength", {0.2}, NULL},
        {"flatness", {0}, NULL},       {"variation", {0.3}, NULL},
        {"randomness", {1}, NULL},     {"fade_length", {0.02}, NULL},
        {"irregularity", {0.3}, NULL}, {0}};
    double size;
    make_locks();
    apply("groom.curl", ringlets);
    CHECK(apart_within_locks(&size) < 0.002);
    CHECK_NEAR(size, 0.01, 0.002);

    plugin_value free[COIF_COUNT_OF(ringlets) + 1];
    memcpy(free, ringlets, sizeof ringlets);
    free[COIF_COUNT_OF(ringlets) - 1] = (plugin_value){"clump_coherence", {0}, NULL};
    free[COIF_COUNT_OF(ringlets)] = (plugin_value){0};
    make_locks();
    apply("groom.curl", free);
    CHECK(apart_within_locks(&size) > 0.01);
}

static int turns_right(int32_t strand)
{
    const coif_vec3 a = coif_sub(point_at(strand, 12), before_at(strand, 12));
    const coif_vec3 b = coif_sub(point_at(strand, 13), before_at(strand, 13));
    return coif_dot(coif_cross(a, b), head.normals[strand]) > 0.0f;
}

TEST(curls_have_the_requested_handedness)
{
    for (int hand = 0; hand < 3; ++hand) {
        plant_all();
        const plugin_value values[] = {{"flatness", {0}, NULL},
                                       {"irregularity", {0}, NULL},
                                       {"handedness", {hand}, NULL},
                                       {0}};
        apply("groom.curl", values);
        int32_t right = 0;
        for (int32_t s = 0; s < STRANDS; ++s) {
            right += turns_right(s);
        }
        CHECK_NEAR(right, hand == 0 ? STRANDS : hand == 1 ? 0 : STRANDS / 2, hand < 2 ? 0 : 60);
    }
}

// Half the wavelength in the second half: more turns there.
TEST(the_wavelength_may_change_along_the_strand)
{
    plant_all();
    static float ramp[TOTAL];
    for (int32_t i = 0; i < TOTAL; ++i) {
        ramp[i] = i % POINTS < 12 ? 0.2f : 0.1f;
    }
    head.per_point[1] = ramp;
    static const plugin_value values[] = {{"flatness", {0}, NULL},
                                          {"irregularity", {0}, NULL},
                                          {"fade_length", {0}, NULL},
                                          {"wavelength", {0.2}, NULL},
                                          {"points_per_turn", {5}, NULL},
                                          {"variation", {0}, NULL},
                                          {0}};
    apply("groom.curl", values);
    for (int k = 4; k + 1 < POINTS; k += 12) {
        const coif_vec3 a = coif_sub(point_at(9, k), before_at(9, k));
        const coif_vec3 b = coif_sub(point_at(9, k + 1), before_at(9, k + 1));
        const float turned = acosf(coif_dot(coif_normalize(a), coif_normalize(b))) / DEGREE;
        CHECK_NEAR(turned, 360.0f * LENGTH / (POINTS - 1) / (k < 12 ? 0.2f : 0.1f), 0.2);
    }
}

TEST(curls_ask_for_sixteen_points_a_turn)
{
    plant_all();
    static const plugin_value values[] = {
        {"wavelength", {0.032}, NULL}, {"irregularity", {0}, NULL}, {0}};
    const coif_groom_batch batch = whole_head();
    static float longest[STRANDS];
    coif_plugin_instance_max_segment_lengths(
        plugin_instance(head.plugins, "groom.curl", values, &arena), &batch, longest);
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK_NEAR(longest[s], 0.002, 1e-8);
    }
    // A modifier without a request keeps the point count.
    coif_plugin_instance_max_segment_lengths(
        plugin_instance(head.plugins, "groom.comb", NULL, &arena), &batch, longest);
    CHECK(longest[0] == 0.0f && longest[STRANDS - 1] == 0.0f);
}

// The mean distance of tips from the tip of the strand in the middle, of the nearest `count`.
static double spread_about(int32_t count)
{
    double sum = 0.0;
    for (int32_t s = count; s < STRANDS; ++s) {
        double least = 1e9;
        for (int32_t c = 0; c < count; ++c) {
            const coif_vec3 away = coif_sub(point_at(s, POINTS - 1), point_at(c, POINTS - 1));
            least = fmin(least, coif_length(away));
        }
        sum += least;
    }
    return sum / (STRANDS - count);
}

// Ten locks of four: the finer are tight, and the thick ones leave gaps between them.
TEST(locks_are_made_of_finer_locks)
{
    static const plugin_value levels[] = {
        {"count", {10}, NULL},         {"levels", {2}, NULL},     {"subclumps", {4}, NULL},
        {"strength", {0.5}, NULL},     {"strength_2", {1}, NULL}, {"radius", {0.0005}, NULL},
        {"stray_fraction", {0}, NULL}, {"curl_level", {2}, NULL}, {0}};
    plant_all();
    const double before[2] = {spread_about(10), spread_about(40)};
    apply("groom.clump", levels);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    CHECK(spread_about(40) < 0.15 * before[1]);
    CHECK(spread_about(10) > 0.3 * before[0] && spread_about(10) < 0.75 * before[0]);
    int32_t fine = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK(head.lock[s] >= 0 && head.lock[s] < 40);
        fine += head.lock[s] >= 10;
    }
    CHECK(fine > STRANDS / 2);
}

TEST(locks_stay_within_their_region)
{
    plant_all();
    static int32_t regions[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        regions[s] = head.normals[s].x > 0.0f;
    }
    coif_groom_batch batch = whole_head();
    batch.region = head.all.region = regions;
    coif_plugin_instance *instance = plugin_instance(head.plugins, "groom.clump", STRAND, &arena);
    coif_error error = {0};
    CHECK_OK(coif_plugin_instance_prepare(instance, &batch, &error), error);
    CHECK(coif_plugin_eval_groom(instance, &batch));
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK(head.lock[s] >= 0 && regions[head.lock[s]] == regions[s]);
    }
    // Alone in its region: not gathered at all.
    regions[399] = 7;
    plant_all();
    batch = whole_head();
    batch.region = head.all.region = regions;
    CHECK_OK(coif_plugin_instance_prepare(instance, &batch, &error), error);
    CHECK(coif_plugin_eval_groom(instance, &batch));
    CHECK(head.lock[399] == -1);
    CHECK(coif_length(coif_sub(point_at(399, 9), before_at(399, 9))) == 0.0f);
}
