// noise: winds that are asked in batches give each point the bits that it would get alone.
#include "core/digest.h"
#include "tests/plugin_node.h"

#include <coif/noise.h>

enum { COUNT = 1003 }; // not a multiple of four

static coif_arena arena = {.name = "test"};
static coif_plugins *plugins;
static float places[3][COUNT], wind[3][COUNT];

// Points of strands first, then some anywhere, then some that are no places.
static void spread(float size)
{
    for (int i = 0; i < COUNT; ++i) {
        for (uint32_t a = 0; a < 3; ++a) {
            const float step = 0.01f * (float)(i / 8) * (a == 1 ? -1.0f : 0.1f);
            const float near = 0.1f * coif_kit_random((uint32_t)i % 8u, a) + step;
            const float far = size * (coif_kit_random((uint32_t)i, a) - 0.5f);
            places[a][i] = i < 500 ? near : far;
        }
    }
    places[0][700] = NAN, places[1][801] = 1e30f, places[2][902] = -INFINITY,
    places[0][903] = -0.0f;
    places[0][904] = places[1][904] = places[2][904] = 0.25f;
    places[0][905] = -1e-12f;
}

static void blow(const coif_instance *instance, int first, int count, double time)
{
    static float still[COUNT], push[3][COUNT];
    for (int a = 0; a < 3; ++a) {
        memset(wind[a] + first, 0, sizeof(float) * (size_t)count);
    }
    const coif_force_batch batch = {.struct_size = sizeof batch,
                                    .count = count,
                                    .time = time,
                                    .x = places[0] + first,
                                    .y = places[1] + first,
                                    .z = places[2] + first,
                                    .vx = still,
                                    .vy = still,
                                    .vz = still,
                                    .wind_x = wind[0] + first,
                                    .wind_y = wind[1] + first,
                                    .wind_z = wind[2] + first,
                                    .ax = push[0],
                                    .ay = push[1],
                                    .az = push[2]};
    CHECK(coif_instance_force(instance, &batch));
}

static coif_instance *open_wind(const char *id, const plugin_value *values)
{
    coif_error error = {0};
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    }
    return plugin_instance(plugins, id, values, &arena);
}

static void a_batch_of_a_gust_is_the_noise_of_each_point(void)
{
    static const plugin_value values[] = {
        {"velocity", {1, 0, -3}, NULL}, {"swell", {0}, NULL}, {"size", {0.25}, NULL}, {0}};
    coif_instance *instance = open_wind("wind.gust", values);
    static const float mean[3] = {1.0f, 0.0f, -3.0f};
    const double time = 1.7;
    spread(3.0f);
    blow(instance, 0, COUNT, time);
    for (int i = 0; i < COUNT; ++i) {
        float at[3];
        for (int a = 0; a < 3; ++a) {
            at[a] = (float)((places[a][i] - mean[a] * time) * 4.0);
        }
        for (uint32_t a = 0; a < 3; ++a) {
            CHECK(wind[a][i] == mean[a] + coif_kit_noise3(at[0], at[1], at[2], 3u + a));
        }
    }
}

// The digest is that of the eddies made point by point, as they were before batches.
static void a_batch_of_eddies_is_the_eddies_of_each_point(void)
{
    static const plugin_value values[] = {
        {"size", {0.2}, NULL}, {"octaves", {3}, NULL}, {"life", {0.7}, NULL}, {0}};
    coif_instance *instance = open_wind("wind.turbulence", values);
    spread(1.0f);
    blow(instance, 0, COUNT, 1.1);
    static float all[3][COUNT];
    memcpy(all, wind, sizeof all);
    CHECK(coif_digest(all, sizeof all) == 0x7f6ab1f786fea3f4u);
    for (int i = 0; i < COUNT; ++i) {
        blow(instance, i, 1, 1.1);
    }
    CHECK(memcmp(all, wind, sizeof all) == 0);
}

TEST_MAIN(TEST(a_batch_of_a_gust_is_the_noise_of_each_point),
          TEST(a_batch_of_eddies_is_the_eddies_of_each_point))
