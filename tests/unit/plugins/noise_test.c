// Noise: batched evaluation gives each point the bits of a single evaluation.
#include "core/base/hash64.h"
#include "tests/support/plugin_node.h"

#include <coif/noise.h>

enum { COUNT = 1003 }; // not a multiple of eight

static coif_arena arena = {.name = "test"};
static coif_plugins *plugins;
static float positions[3][COUNT], wind[3][COUNT];

// Points of strands first, then random ones, then some that are not finite.
static void spread(float size)
{
    for (int i = 0; i < COUNT; ++i) {
        for (uint32_t a = 0; a < 3; ++a) {
            const float step = 0.01f * (float)(i / 8) * (a == 1 ? -1.0f : 0.1f);
            const float near = 0.1f * coif_kit_random((uint32_t)i % 8u, a) + step;
            const float far = size * (coif_kit_random((uint32_t)i, a) - 0.5f);
            positions[a][i] = i < 500 ? near : far;
        }
    }
    positions[0][700] = NAN, positions[1][801] = 1e30f, positions[2][902] = -INFINITY,
    positions[0][903] = -0.0f;
    positions[0][904] = positions[1][904] = positions[2][904] = 0.25f;
    positions[0][905] = -1e-12f;
}

COIF_KIT_INLINE void fill_noise(int first, int count, uint32_t seed)
{
    coif_kit_lattice lattice;
    coif_kit_lattice_clear(&lattice);
    for (int i = first; i < first + count; i += COIF_KIT_LANES) {
        coif_kit_lattice_points at;
        coif_kit_f32x8 x, noise[3];
        for (int a = 0; a < 3; ++a) {
            coif_kit_load_partial(&x, positions[a] + i, first + count - i);
            coif_kit_lattice_split(&at, a, &x);
        }
        coif_kit_noise3_fields(&lattice, &at, seed, noise);
        for (int a = 0; a < 3; ++a) {
            coif_kit_add_partial(wind[a] + i, first + count - i, &noise[a]);
        }
    }
}

COIF_KIT_AVX2 static void fill_noise_avx2(int first, int count, uint32_t seed)
{
    fill_noise(first, count, seed);
}

static void fill_noise_any(int first, int count, uint32_t seed)
{
    fill_noise(first, count, seed);
}

// Edge cases of coif_kit_lattice_cell: at and next to integers, at the end of
// its range of positions, and beyond.
static float odd_position(uint32_t i)
{
    static const float odd[] = {
        0.0f,        -0.0f,    1e-30f,    -1e-30f,     1e-45f,      -1e-45f,     1.0f,
        -1.0f,       -1e-8f,   2.5f,      -2.5f,       0.99999994f, -3.0000002f, 999999.94f,
        -999999.94f, 1e6f,     -1e6f,     1000000.06f, 8388609.0f,  -3e9f,       1e30f,
        -1e38f,      INFINITY, -INFINITY, NAN,         -NAN};
    return odd[i % (sizeof odd / sizeof odd[0])];
}

TEST(noise_of_eight_positions_equals_that_of_each)
{
    void (*const fills[2])(int, int, uint32_t) = {
        fill_noise_any, coif_kit_has_avx2() ? fill_noise_avx2 : fill_noise_any};
    spread(40.0f);
    for (uint32_t i = 500; i < 800; ++i) { // some wholly odd, some on one axis
        for (uint32_t a = 0; a < 3; ++a) {
            if (i < 650 || i % 3 == a) {
                positions[a][i] = odd_position(coif_kit_hash(i, a));
            }
        }
    }
    for (int variant = 0; variant < 2; ++variant) {
        for (int count = 1; count <= COUNT; count += count < 20 ? 1 : 109) {
            memset(wind, 0, sizeof wind);
            for (int first = 0; first < COUNT; first += count) {
                fills[variant](first, first + count < COUNT ? count : COUNT - first, 11u);
            }
            for (int i = 0; i < COUNT; ++i) {
                for (uint32_t a = 0; a < 3; ++a) {
                    CHECK(wind[a][i] == coif_kit_noise3(positions[0][i], positions[1][i],
                                                        positions[2][i], 11u + a));
                }
            }
        }
    }
}

static void blow(const coif_plugin_instance *instance, int first, int count, double time)
{
    static float still[COUNT], push[3][COUNT];
    for (int a = 0; a < 3; ++a) {
        memset(wind[a] + first, 0, sizeof(float) * (size_t)count);
    }
    const coif_force_batch batch = {.struct_size = sizeof batch,
                                    .count = count,
                                    .time = time,
                                    .x = positions[0] + first,
                                    .y = positions[1] + first,
                                    .z = positions[2] + first,
                                    .vx = still,
                                    .vy = still,
                                    .vz = still,
                                    .wind_x = wind[0] + first,
                                    .wind_y = wind[1] + first,
                                    .wind_z = wind[2] + first,
                                    .ax = push[0],
                                    .ay = push[1],
                                    .az = push[2]};
    CHECK(coif_plugin_eval_force(instance, &batch));
}

static coif_plugin_instance *open_wind(const char *id, const plugin_value *values)
{
    coif_error error = {0};
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    }
    return plugin_instance(plugins, id, values, &arena);
}

TEST(a_batch_of_a_gust_is_the_noise_of_each_point)
{
    static const plugin_value values[] = {{"velocity", {1, 0, -3}, NULL},
                                          {"swell", {0}, NULL},
                                          {"squall_spacing", {0.25}, NULL},
                                          {0}};
    coif_plugin_instance *instance = open_wind("wind.gust", values);
    static const float mean[3] = {1.0f, 0.0f, -3.0f};
    const double time = 1.7;
    spread(3.0f);
    blow(instance, 0, COUNT, time);
    for (int i = 0; i < COUNT; ++i) {
        float at[3];
        for (int a = 0; a < 3; ++a) {
            at[a] = (float)((positions[a][i] - mean[a] * time) * 4.0);
        }
        for (uint32_t a = 0; a < 3; ++a) {
            CHECK(wind[a][i] == mean[a] + coif_kit_noise3(at[0], at[1], at[2], 3u + a));
        }
    }
}

// Points get the same wherever a batch begins and ends, and nobody else gets anything.
TEST(a_gust_does_not_care_how_points_are_cut_into_batches)
{
    static const plugin_value values[] = {{"velocity", {-2, 0.5, 0}, NULL},
                                          {"swell", {0.5}, NULL},
                                          {"squall_spacing", {0.4}, NULL},
                                          {0}};
    coif_plugin_instance *instance = open_wind("wind.gust", values);
    spread(3.0f);
    blow(instance, 0, COUNT, 2.3);
    static float all[3][COUNT];
    memcpy(all, wind, sizeof all);
    for (int count = 1; count <= 33; ++count) {
        for (int a = 0; a < 3; ++a) {
            memset(wind[a], 0, sizeof wind[a]);
        }
        const int blown = COUNT - COUNT % count;
        for (int first = 0; first < blown; first += count) {
            blow(instance, first, count, 2.3);
        }
        for (int a = 0; a < 3; ++a) {
            CHECK(memcmp(all[a], wind[a], sizeof(float) * (size_t)blown) == 0);
            for (int i = blown; i < COUNT; ++i) {
                CHECK(wind[a][i] == 0.0f);
            }
        }
    }
}

TEST(a_gust_without_squalls_is_the_same_everywhere)
{
    static const plugin_value values[] = {
        {"velocity", {1, -2, 3}, NULL}, {"swell", {0}, NULL}, {"squall_speed", {0}, NULL}, {0}};
    coif_plugin_instance *instance = open_wind("wind.gust", values);
    spread(3.0f);
    blow(instance, 0, COUNT, 0.3);
    for (int i = 0; i < COUNT; ++i) {
        CHECK(wind[0][i] == 1.0f && wind[1][i] == -2.0f && wind[2][i] == 3.0f);
    }
}

// The digest is that of the eddies made point by point, as they were before batches.
TEST(a_batch_of_eddies_is_the_eddies_of_each_point)
{
    static const plugin_value values[] = {
        {"scale", {0.2}, NULL}, {"octaves", {3}, NULL}, {"lifetime", {0.7}, NULL}, {0}};
    coif_plugin_instance *instance = open_wind("wind.turbulence", values);
    spread(1.0f);
    blow(instance, 0, COUNT, 1.1);
    static float all[3][COUNT];
    memcpy(all, wind, sizeof all);
    CHECK(coif_hash64(all, sizeof all) == 0x7f6ab1f786fea3f4u);
    for (int i = 0; i < COUNT; ++i) {
        blow(instance, i, 1, 1.1);
    }
    CHECK(memcmp(all, wind, sizeof all) == 0);
}
