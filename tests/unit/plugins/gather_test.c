// Groom modifiers that gather hair at a tie: ponytail, braid and bun.
#include "core/base/hash64.h"
#include "tests/support/head_groom_fixture.h"

#include <coif/plait.h>

static const coif_vec3 TIE = {0.0f, 0.05f, -0.1f};

static const plugin_value PONYTAIL[] = {{"tie", {0, 0.05, -0.1}, NULL},
                                        {"tie_radius", {0.012}, NULL},
                                        {"stray_fraction", {0}, NULL},
                                        {0}};
static const plugin_value BRAID[] = {{"tie", {0, 0.05, -0.1}, NULL},
                                     {"tie_radius", {0.012}, NULL},
                                     {"direction", {0, 0, -1}, NULL},
                                     {"pitch", {0.1}, NULL},
                                     {"length", {0.1}, NULL},
                                     {"stray_fraction", {0}, NULL},
                                     {0}};
static const plugin_value PATH_BRAID[] = {
    {"tie", {0, 0.05, -0.1}, NULL},
    {"tie_radius", {0.012}, NULL},
    {"path", {0}, "0 0.05 -0.15, 0.05 0 -0.15, 0.1 -0.2 -0.1"},
    {"stray_fraction", {0}, NULL},
    {0}};
static const plugin_value BUN[] = {{"tie", {0, 0.05, -0.1}, NULL},
                                   {"tie_radius", {0.012}, NULL},
                                   {"stray_fraction", {0}, NULL},
                                   {0}};

typedef struct style {
    const char *id;
    const plugin_value *values;
} style;

static const style STYLES[] = {{"groom.ponytail", PONYTAIL},
                               {"groom.braid", BRAID},
                               {"groom.braid", PATH_BRAID},
                               {"groom.bun", BUN}};

enum { STYLE_COUNT = COIF_COUNT_OF(STYLES) };

static void tie_hair(int index)
{
    plant_all();
    apply(STYLES[index].id, STYLES[index].values);
}

// Whether the strand is longer than its way over the head to the tie by at least `rest`.
static int reaches_beyond_tie(int32_t strand, float rest)
{
    const float angle = acosf(coif_dot(head.normals[strand], coif_normalize(TIE)));
    return HEAD * angle + 0.02f + rest < LENGTH;
}

TEST(gathered_hair_keeps_the_length_of_every_segment)
{
    for (int i = 0; i < STYLE_COUNT; ++i) {
        tie_hair(i);
        for (int32_t s = 0; s < STRANDS; ++s) {
            for (int k = 0; k + 1 < POINTS; ++k) {
                CHECK_NEAR(coif_length(segment_at(s, k)), LENGTH / (POINTS - 1), 2e-7);
            }
        }
    }
}

TEST(no_strand_of_gathered_hair_enters_the_head)
{
    for (int i = 0; i < STYLE_COUNT; ++i) {
        tie_hair(i);
        // Points of a bun are chords of 11 mm of its turns.
        const float tolerance = STYLES[i].values == BUN ? 2e-3f : 2e-4f;
        for (int32_t s = 0; s < STRANDS; ++s) {
            for (int k = 0; k < POINTS; ++k) {
                CHECK(coif_length(point_at(s, k)) > HEAD - tolerance);
            }
        }
    }
}

// Distance of a point from a segment.
static float distance_to_segment(coif_vec3 p, coif_vec3 a, coif_vec3 step)
{
    const float t = coif_dot(coif_sub(p, a), step) / coif_dot(step, step);
    return coif_length(coif_sub(p, coif_mad(a, t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t, step)));
}

TEST(every_strand_passes_through_the_tie)
{
    for (int i = 0; i < STYLE_COUNT; ++i) {
        tie_hair(i);
        for (int32_t s = 0; s < STRANDS; ++s) {
            float nearest = 1.0f;
            for (int k = 0; k + 1 < POINTS; ++k) {
                nearest =
                    fminf(nearest, distance_to_segment(TIE, point_at(s, k), segment_at(s, k)));
            }
            CHECK(nearest < 0.0125f || !reaches_beyond_tie(s, 0.02f));
        }
    }
}

// Near the centre of the band of the tie, where a simulated tie holds the hair.
TEST(hair_stays_within_the_ring_of_the_tie)
{
    static const coif_vec3 axes[STYLE_COUNT] = {
        {0.0f, 0.5f, -1.0f}, {0.0f, 0.0f, -1.0f}, {0.0f, 0.0f, -1.0f}, {0.0f, 0.4f, -1.0f}};
    for (int i = 0; i < STYLE_COUNT; ++i) {
        const coif_vec3 axis = coif_normalize(axes[i]);
        const coif_vec3 centre = coif_mad(TIE, 0.003f, axis);
        int crossings = 0;
        tie_hair(i);
        for (int32_t s = 0; s < STRANDS; ++s) {
            for (int k = 0; k + 1 < POINTS; ++k) {
                const coif_vec3 from = coif_sub(point_at(s, k), centre), step = segment_at(s, k);
                const float along = coif_dot(step, axis);
                const float t = along != 0.0f ? -coif_dot(from, axis) / along : -1.0f;
                const float away = coif_length(coif_mad(from, t, step));
                if (t >= 0.0f && t < 1.0f && away < 0.018f) {
                    CHECK(away < 0.0125f);
                    ++crossings;
                    break; // later crossings are turns of a bun
                }
            }
        }
        CHECK(crossings > STRANDS / 2);
    }
}

TEST(a_ponytail_falls)
{
    int fallen = 0;
    tie_hair(0);
    for (int32_t s = 0; s < STRANDS; ++s) {
        if (reaches_beyond_tie(s, 0.1f)) {
            CHECK(point_at(s, POINTS - 1).z < 0.0f);
            CHECK(segment_at(s, POINTS - 2).y < -0.5f * LENGTH / (POINTS - 1));
            ++fallen;
        }
    }
    CHECK(fallen > STRANDS / 4);
}

TEST(gathered_twice_hair_has_the_same_bits)
{
    for (int i = 0; i < STYLE_COUNT; ++i) {
        tie_hair(i);
        const uint64_t once = coif_hash64(head.x, sizeof head.x);
        tie_hair(i);
        CHECK(once == coif_hash64(head.x, sizeof head.x));
    }
}

TEST(other_regions_stay_as_they_are)
{
    int32_t region[STRANDS];
    plant_all();
    for (int32_t s = 0; s < STRANDS; ++s) {
        region[s] = head.normals[s].x > 0.0f;
    }
    static const plugin_value values[] = {{"region", {1}, NULL}, {0}};
    for (int i = 0; i < STYLE_COUNT; ++i) {
        plant_all();
        coif_groom_batch batch = whole_head();
        batch.region = region;
        coif_plugin_instance *instance =
            plugin_instance(head.plugins, STYLES[i].id, values, &arena);
        coif_error error = {0};
        CHECK_OK(coif_plugin_instance_prepare(instance, &batch, &error), error);
        CHECK(coif_plugin_eval_groom(instance, &batch));
        for (int32_t s = 0; s < STRANDS; ++s) {
            const float moved =
                coif_length(coif_sub(point_at(s, POINTS - 1), before_at(s, POINTS - 1)));
            CHECK((moved > 0.0f) == (region[s] == 1));
        }
    }
}

// Crossings of the locks of a plait over one period, which must alternate along every lock.
static int crossings_of(int32_t locks, int fishtail)
{
    enum { STEPS = 4000, MOST = 32 };
    int crossings = 0, side[MOST];
    memset(side, 0, sizeof side);
    coif_kit_plait_point before[MOST], now[MOST];
    for (int step = 0; step <= STEPS; ++step) {
        for (int32_t k = 0; k < locks; ++k) {
            const float phase = coif_kit_plait_phase(locks, k, (float)step / STEPS);
            now[k] = fishtail ? coif_kit_plait_fishtail(phase) : coif_kit_plait_flat(locks, phase);
        }
        for (int32_t j = 0; j < locks && step > 0; ++j) {
            for (int32_t k = j + 1; k < locks; ++k) {
                if ((before[j].x < before[k].x) == (now[j].x < now[k].x)) {
                    continue;
                }
                ++crossings;
                const int over = now[j].y > now[k].y ? 1 : -1;
                CHECK(fabsf(now[j].y - now[k].y) > 0.3f || fishtail);
                CHECK((side[j] != over && side[k] != -over) || fishtail);
                side[j] = over;
                side[k] = -over;
            }
        }
        memcpy(before, now, sizeof now);
    }
    return crossings;
}

TEST(locks_pass_over_and_under_in_turn)
{
    for (int32_t locks = 2; locks <= 9; ++locks) {
        CHECK(crossings_of(locks, 0) == locks * (locks - 1));
    }
    CHECK(crossings_of(11, 1) == 11 * 10);
}

// Mean position along x, over the strands of a lock that reach it, at a height; false for none.
static bool lock_at(float *x, int32_t lock, float y)
{
    float sum = 0.0f;
    int count = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 0; k + 1 < POINTS && head.lock[s] == lock; ++k) {
            const coif_vec3 a = point_at(s, k), b = point_at(s, k + 1);
            if (a.z < -0.09f && a.y >= y && b.y < y) {
                sum += a.x + (b.x - a.x) * (a.y - y) / (a.y - b.y);
                ++count;
            }
        }
    }
    *x = count > 0 ? sum / (float)count : 0.0f;
    return count > 3;
}

// The plait hangs straight down from the tie, one period long.
TEST(strands_of_a_braid_cross_as_often_as_its_locks)
{
    static const plugin_value straight[] = {
        {"tie", {0, 0.05, -0.13}, NULL}, {"tie_radius", {0.012}, NULL},
        {"direction", {0, -1, 0}, NULL}, {"fall", {0, -1, 0}, NULL},
        {"pitch", {0.1}, NULL},          {"length", {0.1}, NULL},
        {"stray_fraction", {0}, NULL},   {0}};
    plant_all();
    apply("groom.braid", straight);
    int32_t lock[3] = {-1, -1, -1}, count = 0, size[3] = {0};
    for (int32_t s = 0; s < STRANDS; ++s) {
        int k = 0;
        while (k < count && lock[k] != head.lock[s]) {
            ++k;
        }
        CHECK(k < 3);
        if (k == count) {
            lock[count++] = head.lock[s];
        }
        ++size[k];
    }
    CHECK(count == 3);
    int crossings = 0;
    float x[3], before[3];
    for (int step = 0; step <= 200; ++step) {
        const float y = 0.048f - 0.118f * (float)step / 200.0f;
        bool all = true;
        for (int k = 0; k < 3; ++k) {
            all = lock_at(&x[k], lock[k], y) && all;
        }
        CHECK(all);
        for (int k = 0; k < 3 && step > 0; ++k) {
            const int other = (k + 1) % 3;
            crossings += (before[k] < before[other]) != (x[k] < x[other]);
        }
        memcpy(before, x, sizeof x);
    }
    CHECK(crossings == 6);
    for (int k = 0; k < 3; ++k) {
        CHECK(size[k] > STRANDS / 3 - STRANDS / 50 && size[k] < STRANDS / 3 + STRANDS / 50);
    }
}

// Distance of the last points of the hair from the tie.
TEST(a_bun_stays_on_the_head)
{
    tie_hair(3);
    float farthest = 0.0f;
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 0; k < POINTS; ++k) {
            farthest = fmaxf(farthest, coif_length(point_at(s, k)));
        }
        if (reaches_beyond_tie(s, 0.05f)) {
            CHECK(coif_length(coif_sub(point_at(s, POINTS - 1), TIE)) < 0.06f);
        }
    }
    CHECK(farthest > HEAD + 0.02f && farthest < HEAD + 0.06f);
}
