// Groom modifiers that gather hair at a tie.
#include "core/base/hash64.h"
#include "tests/support/head_groom_fixture.h"

static const coif_vec3 TIE = {0.0f, 0.05f, -0.1f};

static const plugin_value PONYTAIL[] = {{"tie", {0, 0.05, -0.1}, NULL},
                                        {"tie_radius", {0.012}, NULL},
                                        {"stray_fraction", {0}, NULL},
                                        {0}};

static void tie_hair(void)
{
    plant_all();
    apply("groom.ponytail", PONYTAIL);
}

// Whether the strand is longer than its way over the head to the tie by at least `rest`.
static int reaches_beyond_tie(int32_t strand, float rest)
{
    const float angle = acosf(coif_dot(head.normals[strand], coif_normalize(TIE)));
    return HEAD * angle + 0.02f + rest < LENGTH;
}

static void a_ponytail_keeps_the_length_of_every_segment(void)
{
    tie_hair();
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 0; k + 1 < POINTS; ++k) {
            CHECK_NEAR(coif_length(segment_at(s, k)), LENGTH / (POINTS - 1), 2e-7);
        }
    }
}

static void no_strand_of_a_ponytail_enters_the_head(void)
{
    tie_hair();
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 0; k < POINTS; ++k) {
            CHECK(coif_length(point_at(s, k)) > HEAD - 2e-4f);
        }
    }
}

// Distance of a point from a segment.
static float distance_to_segment(coif_vec3 p, coif_vec3 a, coif_vec3 step)
{
    const float t = coif_dot(coif_sub(p, a), step) / coif_dot(step, step);
    return coif_length(coif_sub(p, coif_mad(a, t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t, step)));
}

static void every_strand_passes_through_the_tie(void)
{
    tie_hair();
    for (int32_t s = 0; s < STRANDS; ++s) {
        float nearest = 1.0f;
        for (int k = 0; k + 1 < POINTS; ++k) {
            nearest = fminf(nearest, distance_to_segment(TIE, point_at(s, k), segment_at(s, k)));
        }
        CHECK(nearest < 0.0125f || !reaches_beyond_tie(s, 0.02f));
    }
}

static void a_ponytail_falls(void)
{
    int fallen = 0;
    tie_hair();
    for (int32_t s = 0; s < STRANDS; ++s) {
        if (reaches_beyond_tie(s, 0.1f)) {
            CHECK(point_at(s, POINTS - 1).z < 0.0f);
            CHECK(segment_at(s, POINTS - 2).y < -0.5f * LENGTH / (POINTS - 1));
            ++fallen;
        }
    }
    CHECK(fallen > STRANDS / 4);
}

static void tied_twice_hair_has_the_same_bits(void)
{
    tie_hair();
    const uint64_t once = coif_hash64(head.x, sizeof head.x);
    tie_hair();
    CHECK(once == coif_hash64(head.x, sizeof head.x));
}

TEST_LIST(TEST(a_ponytail_keeps_the_length_of_every_segment),
          TEST(no_strand_of_a_ponytail_enters_the_head), TEST(every_strand_passes_through_the_tie),
          TEST(a_ponytail_falls), TEST(tied_twice_hair_has_the_same_bits))
