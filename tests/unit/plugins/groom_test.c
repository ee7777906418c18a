// Groom modifiers that shape hair, alone and combined.
#include "core/base/hash64.h"
#include "tests/support/head_groom_fixture.h"

TEST(a_helix_has_its_radius_and_its_wavelength)
{
    plant_all();
    static const plugin_value values[] = {
        {"radius", {0.01}, NULL},       {"wavelength", {0.1}, NULL},
        {"flatness", {0}, NULL},        {"fade_length", {0.05}, NULL},
        {"irregularity", {0}, NULL},    {"variation", {0}, NULL},
        {"points_per_turn", {8}, NULL}, {0}};
    apply("groom.curl", values);
    const float per_segment = 360.0f * (LENGTH / (POINTS - 1)) / 0.1f;
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 6; k + 1 < POINTS; ++k) {
            const coif_vec3 a = coif_sub(point_at(s, k), before_at(s, k));
            const coif_vec3 b = coif_sub(point_at(s, k + 1), before_at(s, k + 1));
            CHECK_NEAR(coif_length(a), 0.01, 1e-6);
            CHECK_NEAR(coif_dot(a, head.normals[s]), 0.0, 1e-6);
            CHECK_NEAR(acosf(coif_dot(a, b) / 1e-4f) / DEGREE, per_segment, 0.1);
            // Always with the same orientation.
            CHECK(coif_dot(coif_cross(a, b), head.normals[s]) > 0.0f);
        }
    }
}

TEST(a_flat_wave_stays_in_its_plane)
{
    plant_all();
    apply("groom.comb", NULL);
    static const plugin_value values[] = {{"radius", {0.005}, NULL}, {"flatness", {1}, NULL}, {0}};
    apply("groom.curl", values);
    for (int32_t s = 0; s < STRANDS; ++s) {
        // Across the plane in which the comb has laid the strand.
        const coif_vec3 chord = coif_sub(before_at(s, POINTS - 1), before_at(s, 0));
        const coif_vec3 side = coif_normalize(coif_cross(chord, head.normals[s]));
        for (int k = 8; k < POINTS; ++k) {
            const coif_vec3 offset = coif_sub(point_at(s, k), before_at(s, k));
            const float along = fabsf(coif_dot(offset, side));
            CHECK(coif_length(offset) - along < 0.35f * coif_length(offset) + 1e-6f);
        }
    }
}

TEST(curls_optionally_keep_their_length)
{
    plant_all();
    static const plugin_value longer[] = {
        {"radius", {0.01}, NULL}, {"points_per_turn", {5}, NULL}, {0}};
    apply("groom.curl", longer);
    CHECK(strand_length(7) > 1.05f * LENGTH);

    plant_all();
    static const plugin_value kept[] = {
        {"radius", {0.01}, NULL}, {"keep_length", {1}, NULL}, {"points_per_turn", {5}, NULL}, {0}};
    apply("groom.curl", kept);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    CHECK(coif_length(coif_sub(point_at(7, POINTS - 1), point_at(7, 0))) < 0.97f * LENGTH);
}

// Too fine a wave would be drawn as a saw.
TEST(a_wave_finer_than_the_points_is_widened)
{
    plant_all();
    static const plugin_value values[] = {
        {"radius", {0.004}, NULL}, {"wavelength", {0.001}, NULL}, {0}};
    apply("groom.curl", values);
    CHECK(sharpest_turn() < 40.0f);
}

TEST(a_ramped_radius_replaces_the_plain_one)
{
    plant_all();
    static float ramp[TOTAL];
    for (int32_t i = 0; i < TOTAL; ++i) {
        ramp[i] = i % POINTS < 12 ? 0.0f : 0.003f;
    }
    head.per_point[0] = ramp;
    static const plugin_value values[] = {{"flatness", {0}, NULL}, {"variation", {0}, NULL}, {0}};
    apply("groom.curl", values);
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK_NEAR(coif_length(coif_sub(point_at(s, 11), before_at(s, 11))), 0.0, 0.0);
        CHECK_NEAR(coif_length(coif_sub(point_at(s, 20), before_at(s, 20))), 0.003, 1e-6);
    }
}

// The nearest of the first n strands, as the plugin is meant to see it.
static int32_t centre_of(int32_t strand, int32_t count)
{
    int32_t nearest = 0;
    float least = 1e9f;
    for (int32_t c = 0; c < count; ++c) {
        const coif_vec3 root = coif_sub(before_at(strand, 0), before_at(c, 0));
        const coif_vec3 middle = coif_sub(before_at(strand, POINTS / 2), before_at(c, POINTS / 2));
        const float distance = coif_dot(root, root) + 0.25f * coif_dot(middle, middle);
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    return nearest;
}

// How far a point is from the last piece of a centre and its straight continuation.
static float lock_distance(coif_vec3 point, int32_t centre)
{
    const coif_vec3 from = before_at(centre, POINTS - 2);
    const coif_vec3 axis = coif_normalize(coif_sub(before_at(centre, POINTS - 1), from));
    const coif_vec3 offset = coif_sub(point, from);
    return coif_length(coif_mad(offset, -coif_dot(offset, axis), axis));
}

TEST(clumps_gather_strands_around_their_centres)
{
    plant_all();
    apply("groom.comb", NULL);
    static const plugin_value values[] = {{"count", {60}, NULL},
                                          {"strength", {1}, NULL},
                                          {"radius", {0.002}, NULL},
                                          {"stray_fraction", {0}, NULL},
                                          {0}};
    apply("groom.clump", values);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const int32_t centre = centre_of(s, 60);
        const float was = lock_distance(before_at(s, POINTS - 1), centre);
        const float is = lock_distance(point_at(s, POINTS - 1), centre);
        if (s < 60) {
            CHECK(centre == s && is < 1e-6f);
        } else {
            // Not quite at the surface of the clump: lengths are kept, and the curve there is
            // longer.
            CHECK(is < 0.006f && is < was + 0.003f);
        }
    }
    CHECK(sharpest_turn() < 45.0f);
}

TEST(clumps_do_not_reach_over_a_parting)
{
    plant_all();
    static const plugin_value parted[] = {
        {"part_strength", {2}, NULL}, {"part_width", {0.0005}, NULL}, {0}};
    apply("groom.comb", parted);
    static const plugin_value values[] = {{"count", {30}, NULL}, {0}};
    apply("groom.clump", values);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const float was = before_at(s, POINTS - 1).x, is = point_at(s, POINTS - 1).x;
        if (fabsf(was) > 0.04f) {
            CHECK(was * is > 0.0f);
        }
    }
}

TEST(more_clumps_than_strands_leave_all_alone)
{
    plant_all();
    static const plugin_value values[] = {{"count", {100000}, NULL}, {0}};
    apply("groom.clump", values);
    CHECK_NEAR(farthest_move(), 0.0, 0.0);
}

TEST(frizz_grows_to_the_tip_and_differs_by_strand)
{
    plant_all();
    static const plugin_value values[] = {
        {"amplitude", {0.005}, NULL}, {"unevenness", {0}, NULL}, {"wavelength", {0.08}, NULL}, {0}};
    apply("groom.frizz", values);
    CHECK_NEAR(length_change(), 0.0, 1e-4);
    double early = 0.0, late = 0.0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        early += coif_length(coif_sub(point_at(s, 4), before_at(s, 4)));
        late += coif_length(coif_sub(point_at(s, POINTS - 1), before_at(s, POINTS - 1)));
    }
    CHECK(late / STRANDS > 0.0005 && late / STRANDS < 0.008);
    CHECK(early < 0.2 * late);
    const coif_vec3 a = coif_sub(point_at(1, 20), before_at(1, 20));
    const coif_vec3 b = coif_sub(point_at(2, 20), before_at(2, 20));
    CHECK(coif_length(coif_sub(a, b)) > 1e-5f);
}

TEST(cut_hair_keeps_its_shape)
{
    plant_all();
    apply("groom.comb", NULL);
    static const plugin_value values[] = {{"scale", {0.5}, NULL}, {"variation", {0}, NULL}, {0}};
    for (int32_t i = 0; i < TOTAL; ++i) {
        head.radius[i] = 1.0f - (float)(i % POINTS) / (POINTS - 1);
    }
    apply("groom.length", values);
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK_NEAR(strand_length(s), 0.5f * LENGTH, 0.002);
        // The new tip is in the middle of the old path, and as thick as it was there.
        const coif_vec3 middle = coif_lerp(before_at(s, 11), before_at(s, 12), 0.5f);
        CHECK_NEAR(coif_length(coif_sub(point_at(s, POINTS - 1), middle)), 0.0, 0.001);
        CHECK_NEAR(head.radius[head.first[s] + POINTS - 1], 0.5, 1e-3);
        CHECK_NEAR(coif_length(coif_sub(point_at(s, 2), before_at(s, 1))), 0.0, 0.0005);
    }
}

TEST(cut_hair_has_even_segments)
{
    plant_all();
    static const plugin_value values[] = {{"scale", {0.1}, NULL}, {"variation", {0}, NULL}, {0}};
    apply("groom.length", values);
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int32_t k = 0; k + 1 < POINTS; ++k) {
            const float segment = coif_length(coif_sub(point_at(s, k + 1), point_at(s, k)));
            CHECK_NEAR(segment, 0.1f * LENGTH / (POINTS - 1), 1e-6);
        }
    }
}

TEST(lengths_vary_within_the_given_range)
{
    plant_all();
    static const plugin_value values[] = {
        {"scale", {0.9}, NULL}, {"variation", {0.3}, NULL}, {"max_length", {0.2}, NULL}, {0}};
    apply("groom.length", values);
    float shortest = 1.0f, longest = 0.0f;
    for (int32_t s = 0; s < STRANDS; ++s) {
        shortest = fminf(shortest, strand_length(s));
        longest = fmaxf(longest, strand_length(s));
    }
    CHECK_NEAR(longest, 0.2, 1e-4);
    CHECK_NEAR(shortest, 0.9 * 0.7 * 0.25, 0.005);
}

// What the demo does: straight growth becomes a lock.
static void make_locks(void)
{
    plant_all();
    static const plugin_value comb[] = {
        {"direction", {0, -1, -0.35}, NULL}, {"part_strength", {0.8}, NULL}, {0}};
    static const plugin_value clump[] = {{"count", {25}, NULL}, {"strength", {0.8}, NULL}, {0}};
    static const plugin_value curl[] = {{"radius", {0.007}, NULL},
                                        {"wavelength", {0.075}, NULL},
                                        {"points_per_turn", {5}, NULL},
                                        {0}};
    apply("groom.length", NULL);
    apply("groom.comb", comb);
    apply("groom.clump", clump);
    apply("groom.curl", curl);
    apply("groom.frizz", NULL);
}

TEST(the_stack_makes_natural_locks)
{
    make_locks();
    CHECK(sharpest_turn() < 75.0f);
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK(strand_length(s) < 1.35f * LENGTH);
        // It hangs, below its root or behind the crown, and is not inside the head.
        CHECK(point_at(s, POINTS - 1).y < point_at(s, 0).y);
        for (int k = 1; k < POINTS; ++k) {
            CHECK(coif_length(point_at(s, k)) > HEAD - 0.01f);
        }
    }
}

// One number for every compiler, build type and instruction set.
TEST(grooms_are_the_same_bits_everywhere)
{
    make_locks();
    uint64_t digest = coif_hash64_extend(0, head.x, sizeof head.x);
    digest = coif_hash64_extend(digest, head.y, sizeof head.y);
    digest = coif_hash64_extend(digest, head.z, sizeof head.z);
    if (digest != 0x4c51dbba38d7b653u) {
        coif_test_failed(__FILE__, __LINE__, "the digest is %016llx", (unsigned long long)digest);
    }
}

static const char *const IDS[] = {"groom.comb",   "groom.clump",   "groom.curl", "groom.frizz",
                                  "groom.length", "groom.flyaway", "groom.lift", "groom.noise",
                                  "groom.taper",  "groom.smooth",  "groom.part", "groom.tuck"};

TEST(strands_do_not_depend_on_their_batch)
{
    for (size_t i = 0; i < COIF_COUNT_OF(IDS); ++i) {
        plant_all();
        apply(IDS[i], NULL);
        static test_head together;
        together = head;
        plant_all();
        coif_plugin_instance *instance = plugin_instance(head.plugins, IDS[i], NULL, &arena);
        const coif_groom_batch batch = whole_head();
        coif_error error = {0};
        CHECK_OK(coif_plugin_instance_prepare(instance, &batch, &error), error);
        for (int32_t s = STRANDS - 1; s >= 0; --s) {
            coif_groom_batch one = batch;
            one.strand_count = 1;
            one.first += s;
            one.root_frame += 9 * s;
            one.root_uv += 2 * s;
            one.random += s;
            one.clump += s;
            one.strand_begin = s;
            CHECK(coif_plugin_eval_groom(instance, &one));
        }
        CHECK(memcmp(head.x, together.x, sizeof head.x) == 0);
        CHECK(memcmp(head.y, together.y, sizeof head.y) == 0);
        CHECK(memcmp(head.z, together.z, sizeof head.z) == 0);
    }
}

// Hair without length, hair of two points, hair that turns straight back: numbers stay numbers.
TEST(degenerate_strands_stay_finite)
{
    for (size_t i = 0; i < COIF_COUNT_OF(IDS); ++i) {
        plant_all();
        for (int k = 0; k < POINTS; ++k) {
            const int32_t nowhere = head.first[3] + k, back = head.first[4] + k;
            head.x[nowhere] = head.y[nowhere] = head.z[nowhere] = 0.1f;
            head.x[back] = k % 2 == 0 ? 0.0f : 0.01f;
            head.y[back] = head.z[back] = 0.1f;
        }
        memset(head.frames + 9 * 5, 0, sizeof(float) * 9);
        plant(6, (coif_vec3){0.0f, 1.0f, 0.0f});
        static const plugin_value down[] = {{"direction", {0, -1, 0}, NULL}, {0}};
        // The helper checks that the host had nothing to put back.
        apply(IDS[i], i == 0 ? down : NULL);
    }
    // The shortest hair there is.
    plant_all();
    for (int32_t s = 0; s <= STRANDS; ++s) {
        head.first[s] = 2 * s;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(IDS); ++i) {
        apply(IDS[i], NULL);
    }
}
