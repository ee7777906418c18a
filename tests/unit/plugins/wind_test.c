// Wind fields: mean, divergence and spectrum. Uniform and gust are in wind_field_test.c.
#include "core/base/fs.h"
#include "core/base/vec.h"
#include "tests/support/plugin_node.h"

#include <coif/deterministic_math.h>

static coif_arena arena = {.name = "test"};
static coif_plugins *plugins;

static coif_plugin_instance *open_wind(const char *id, const plugin_value *values)
{
    coif_error error = {0};
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    }
    return plugin_instance(plugins, id, values, &arena);
}

static coif_vec3 air_at(coif_plugin_instance *instance, coif_vec3 position, double time)
{
    static const float still;
    float wind[3] = {0}, push[3] = {0};
    const coif_force_batch batch = {sizeof batch, 1,        time,     &position.x, &position.y,
                                    &position.z,  &still,   &still,   &still,      &wind[0],
                                    &wind[1],     &wind[2], &push[0], &push[1],    &push[2]};
    CHECK(coif_plugin_eval_force(instance, &batch));
    CHECK(push[0] == 0.0f && push[1] == 0.0f && push[2] == 0.0f);
    return coif_vec3_of(wind[0], wind[1], wind[2]);
}

static coif_vec3 random_position(uint32_t i, float size)
{
    return coif_vec3_of(size * (coif_kit_random(i, 1) - 0.5f),
                        size * (coif_kit_random(i, 2) - 0.5f),
                        size * (coif_kit_random(i, 3) - 0.5f));
}

// Divergence by central differences, against the sum of squares of all nine slopes: 0 for air that
// neither piles up nor thins out. Over many positions.
static double relative_divergence(coif_plugin_instance *instance, float size, float step,
                                  double time)
{
    double piled = 0.0, all = 0.0;
    for (uint32_t i = 0; i < 500; ++i) {
        const coif_vec3 p = random_position(i, size);
        double divergence = 0.0;
        for (int a = 0; a < 3; ++a) {
            const coif_vec3 along = {a == 0 ? step : 0, a == 1 ? step : 0, a == 2 ? step : 0};
            const coif_vec3 change = coif_sub(air_at(instance, coif_add(p, along), time),
                                              air_at(instance, coif_sub(p, along), time));
            const float slopes[3] = {change.x, change.y, change.z};
            divergence += slopes[a];
            all += coif_dot(change, change);
        }
        piled += divergence * divergence;
    }
    return sqrt(piled / all);
}

TEST(turbulence_has_the_requested_mean_and_strength)
{
    for (int octaves = 1; octaves <= 4; ++octaves) {
        const plugin_value values[] = {{"velocity", {3, 0, -1}, NULL},
                                       {"rms_speed", {2}, NULL},
                                       {"octaves", {octaves}, NULL},
                                       {0}};
        coif_plugin_instance *instance = open_wind("wind.turbulence", values);
        double mean[3] = {0}, square = 0.0;
        enum { POSITIONS = 40000 };
        for (uint32_t i = 0; i < POSITIONS; ++i) {
            const coif_vec3 air = air_at(instance, random_position(i, 30.0f), 0.37);
            mean[0] += air.x, mean[1] += air.y, mean[2] += air.z;
            const coif_vec3 eddy = {air.x - 3.0f, air.y, air.z + 1.0f};
            square += coif_dot(eddy, eddy);
        }
        CHECK_NEAR(mean[0] / POSITIONS, 3.0, 0.03);
        CHECK_NEAR(mean[1] / POSITIONS, 0.0, 0.03);
        CHECK_NEAR(mean[2] / POSITIONS, -1.0, 0.03);
        CHECK_NEAR(sqrt(square / POSITIONS), 2.0, 0.02);
    }
}

TEST(turbulence_has_no_divergence)
{
    static const plugin_value values[] = {
        {"scale", {0.5}, NULL}, {"octaves", {3}, NULL}, {"lifetime", {0.7}, NULL}, {0}};
    CHECK(relative_divergence(open_wind("wind.turbulence", values), 10.0f, 0.002f, 1.1) < 0.01);
    // The measure can fail: squalls of the gust are no such field.
    static const plugin_value gust[] = {{"squall_spacing", {0.5}, NULL}, {0}};
    CHECK(relative_divergence(open_wind("wind.gust", gust), 10.0f, 0.002f, 1.1) > 0.1);
}

// Eddies of half the size are slower by 2^(1/3): differences over a distance r grow as r^(1/3)
// between the smallest and the largest eddies.
TEST(turbulence_has_the_spectrum_of_kolmogorov)
{
    static const plugin_value values[] = {{"scale", {1.6}, NULL}, {"octaves", {6}, NULL}, {0}};
    coif_plugin_instance *instance = open_wind("wind.turbulence", values);
    double spread[3] = {0};
    for (int r = 0; r < 3; ++r) {
        const float distance = 0.1f * (float)(1 << r);
        for (uint32_t i = 0; i < 6000; ++i) {
            const coif_vec3 p = random_position(i, 30.0f);
            const coif_vec3 q = coif_add(p, coif_vec3_of(distance, 0.0f, 0.0f));
            const coif_vec3 change = coif_sub(air_at(instance, q, 0.3), air_at(instance, p, 0.3));
            spread[r] += coif_dot(change, change);
        }
    }
    // The square grows as r^(2/3): by 1.59 for twice the distance.
    CHECK_NEAR(spread[1] / spread[0], 1.59, 0.2);
    CHECK_NEAR(spread[2] / spread[1], 1.59, 0.2);
}

TEST(turbulence_drifts_with_the_wind_and_is_renewed)
{
    static const plugin_value frozen[] = {
        {"velocity", {2, 0, 0}, NULL}, {"lifetime", {0}, NULL}, {0}};
    static const plugin_value living[] = {
        {"velocity", {0, 0, 0}, NULL}, {"lifetime", {0.5}, NULL}, {0}};
    coif_plugin_instance *drifting = open_wind("wind.turbulence", frozen);
    coif_plugin_instance *renewed = open_wind("wind.turbulence", living);
    double same = 0.0, square = 0.0, jump = 0.0;
    for (uint32_t i = 0; i < 2000; ++i) {
        const coif_vec3 p = random_position(i, 5.0f), q = coif_add(p, coif_vec3_of(0.5f, 0, 0));
        const coif_vec3 now = air_at(drifting, p, 1.0), later = air_at(drifting, q, 1.25);
        CHECK_NEAR(coif_length(coif_sub(later, now)), 0.0, 1e-4);
        const coif_vec3 old = air_at(renewed, p, 0.1), new = air_at(renewed, p, 1.1);
        same += coif_dot(old, new);
        square += coif_dot(old, old);
        // From one generation to the next nothing jumps.
        jump = fmax(jump,
                    coif_length(coif_sub(air_at(renewed, p, 0.4999), air_at(renewed, p, 0.5001))));
    }
    CHECK_NEAR(same / square, 0.0, 0.1);
    CHECK(jump < 0.01);
}

TEST(a_vortex_turns_fastest_at_its_radius)
{
    static const plugin_value values[] = {{"speed", {4}, NULL}, {"radius", {0.2}, NULL}, {0}};
    coif_plugin_instance *instance = open_wind("wind.vortex", values);
    const float at_peak = coif_length(air_at(instance, coif_vec3_of(0.2f, 3.0f, 0.0f), 0.0));
    CHECK_NEAR(at_peak, 4.0, 1e-4);
    CHECK(coif_length(air_at(instance, coif_vec3_of(0.21f, 0.0f, 0.0f), 0.0)) < at_peak);
    CHECK(coif_length(air_at(instance, coif_vec3_of(0.19f, 0.0f, 0.0f), 0.0)) < at_peak);
    // Counter-clockwise about +y: at +x the air goes to -z.
    CHECK(air_at(instance, coif_vec3_of(0.2f, 0.0f, 0.0f), 0.0).z < -3.9f);
    // Far out it falls off as 1 / r, near the axis it turns like a solid body.
    const float far = coif_length(air_at(instance, coif_vec3_of(2.0f, 0.0f, 0.0f), 0.0));
    CHECK_NEAR(coif_length(air_at(instance, coif_vec3_of(4.0f, 0.0f, 0.0f), 0.0)), 0.5 * far, 1e-5);
    const float near = coif_length(air_at(instance, coif_vec3_of(0.002f, 0.0f, 0.0f), 0.0));
    CHECK_NEAR(coif_length(air_at(instance, coif_vec3_of(0.004f, 0, 0), 0.0)), 2.0 * near, 1e-3);
    CHECK_NEAR(coif_length(air_at(instance, coif_vec3_of(0.0f, 1.0f, 0.0f), 0.0)), 0.0, 1e-6);
    CHECK(relative_divergence(instance, 1.0f, 0.001f, 0.0) < 0.01);
}

TEST(a_vortex_has_optional_inflow_and_updraft)
{
    static const plugin_value values[] = {{"speed", {0}, NULL},    {"axis", {0, 0, 2}, NULL},
                                          {"inflow", {1}, NULL},   {"updraft", {3}, NULL},
                                          {"radius", {0.5}, NULL}, {0}};
    coif_plugin_instance *instance = open_wind("wind.vortex", values);
    CHECK_NEAR(air_at(instance, coif_vec3_of(0.0f, 0.5f, 7.0f), 0.0).y, -1.0, 1e-4);
    CHECK_NEAR(air_at(instance, coif_vec3_of(0.0f, 0.0f, 7.0f), 0.0).z, 3.0, 1e-4);
    CHECK(air_at(instance, coif_vec3_of(0.0f, 3.0f, 0.0f), 0.0).z < 1e-3f);
}

// The integral of speed^2 over a section of the stream.
static double momentum_through(coif_plugin_instance *instance, float z)
{
    double sum = 0.0;
    const float dr = 0.002f;
    for (int i = 0; i < 500; ++i) {
        const float r = dr * ((float)i + 0.5f);
        const float along = -air_at(instance, coif_vec3_of(r, 0.0f, z), 0.0).z;
        sum += along * along * COIF_KIT_TAU * r * dr;
    }
    return sum;
}

TEST(a_fan_keeps_its_momentum_as_it_widens)
{
    static const plugin_value values[] = {
        {"position", {0, 0, 1}, NULL}, {"speed", {10}, NULL}, {"radius", {0.05}, NULL}, {0}};
    coif_plugin_instance *instance = open_wind("wind.fan", values);
    const double first = momentum_through(instance, 1.0f);
    CHECK(first > 0.1);
    CHECK_NEAR(momentum_through(instance, 0.5f) / first, 1.0, 0.01);
    CHECK_NEAR(momentum_through(instance, -1.0f) / first, 1.0, 0.01);
    // On the axis: full speed at the nozzle, half where the stream is twice as wide.
    CHECK_NEAR(air_at(instance, coif_vec3_of(0, 0, 1.0f), 0.0).z, -10.0, 1e-4);
    const float twice = 0.05f / 0.10510424f; // tan 6 degrees
    CHECK_NEAR(air_at(instance, coif_vec3_of(0, 0, 1.0f - twice), 0.0).z, -5.0, 1e-3);
    // Across, 1/e at the radius; behind, nothing.
    CHECK_NEAR(air_at(instance, coif_vec3_of(0.05f, 0, 1.0f), 0.0).z, -3.6788, 1e-3);
    CHECK_NEAR(coif_length(air_at(instance, coif_vec3_of(0, 0, 1.051f), 0.0)), 0.0, 0.0);
    // It leans outwards where it widens.
    CHECK(air_at(instance, coif_vec3_of(0.05f, 0, 0.5f), 0.0).x > 0.0f);
}

TEST(a_blast_arrives_with_its_front_and_turns_back)
{
    static const plugin_value values[] = {{"position", {0, 0, 0}, NULL},
                                          {"time", {1}, NULL},
                                          {"speed", {20}, NULL},
                                          {"front_speed", {10}, NULL},
                                          {"duration", {0.2}, NULL},
                                          {"half_distance", {2}, NULL},
                                          {0}};
    coif_plugin_instance *instance = open_wind("wind.blast", values);
    const coif_vec3 here = coif_vec3_of(2.0f, 0.0f, 0.0f);
    CHECK_NEAR(coif_length(air_at(instance, here, 0.5)), 0.0, 0.0);
    CHECK_NEAR(coif_length(air_at(instance, here, 1.19)), 0.0, 0.0);
    // At its reach it is half as strong, and strongest at the front.
    CHECK_NEAR(air_at(instance, here, 1.2001).x, 10.0, 0.02);
    CHECK_NEAR(air_at(instance, here, 1.4).x, 0.0, 1e-4);
    CHECK(air_at(instance, here, 1.5).x < -0.5f);
    CHECK_NEAR(air_at(instance, here, 5.0).x, 0.0, 1e-3);
    CHECK(air_at(instance, coif_vec3_of(0, 0, -1.0f), 1.101).z < -15.0f);
}

// A file of 2 x 1 x 3 grid points and 2 frames: the x of a velocity counts the points, its y is the
// frame.
static const char HEADER[] = "coif-wind 1\nsize 2 1 3\nlow 0 0 0\nhigh 1 1 2\nframes 2\nfps 10\n\n";

static const char *save_field(const char *name, const char *header, size_t numbers)
{
    static unsigned char bytes[1024];
    const size_t length = strlen(header);
    memcpy(bytes, header, length);
    for (size_t i = 0; i < numbers; ++i) {
        const float value = i % 3 == 0 ? (float)(i / 3 % 6) : i % 3 == 1 ? (float)(i / 18) : 0.0f;
        memcpy(bytes + length + 4 * i, &value, sizeof value);
    }
    FILE *file = fopen(coif_test_path(name), "wb");
    CHECK(file != NULL && fwrite(bytes, 1, length + 4 * numbers, file) == length + 4 * numbers);
    CHECK(file != NULL && fclose(file) == 0);
    return coif_test_path(name);
}

TEST(a_recorded_field_is_reproduced)
{
    const char *path = save_field("air.wind", HEADER, 36);
    const plugin_value values[] = {{"path", {0}, path}, {0}};
    coif_plugin_instance *instance = open_wind("wind.field", values);
    CHECK_NEAR(air_at(instance, coif_vec3_of(0, 0, 0), 0.0).x, 0.0, 1e-6);
    CHECK_NEAR(air_at(instance, coif_vec3_of(1, 1, 2), 0.0).x, 5.0, 1e-6);
    CHECK_NEAR(air_at(instance, coif_vec3_of(0.25f, 0.5f, 0.5f), 0.0).x, 1.25, 1e-6);
    CHECK_NEAR(air_at(instance, coif_vec3_of(0, 0, 0), 0.05).y, 0.5, 1e-6);
    CHECK_NEAR(air_at(instance, coif_vec3_of(0, 0, 0), 9.0).y, 1.0, 1e-6);
    CHECK_NEAR(air_at(instance, coif_vec3_of(0, 0, 2.01f), 0.05).x, 0.0, 0.0);

    const plugin_value looped[] = {{"path", {0}, path},        {"loop", {1}, NULL},
                                   {"outside", {1}, NULL},     {"strength", {2}, NULL},
                                   {"time_offset", {1}, NULL}, {0}};
    instance = open_wind("wind.field", looped);
    CHECK_NEAR(air_at(instance, coif_vec3_of(0, 0, 0), 1.15).y, 1.0, 1e-5);
    CHECK_NEAR(air_at(instance, coif_vec3_of(0, 0, 0), 0.9).y, 2.0, 1e-5);
    CHECK_NEAR(air_at(instance, coif_vec3_of(9, 9, 9), 1.0).x, 10.0, 1e-5);
}

TEST(a_damaged_field_is_explained)
{
    static const struct {
        const char *header;
        size_t numbers;
        const char *words;
    } cases[] = {
        {"wind 1\n", 0, "in the first line"},
        {"coif-wind 2\n\n", 0, "unsupported version"},
        {"coif-wind 1\nsize 2 1 3\n", 0, "no empty line at its end"},
        {"coif-wind 1\nsize 2 1\n\n", 0, "expected size, low, high"},
        {"coif-wind 1\nsize 2 0 3\n\n", 0, "expected three integers from 1 to 4096"},
        {"coif-wind 1\nsize 2 1 3\nlow 0 0 nan\nhigh 1 1 1\n\n", 0, "invalid header line"},
        {"coif-wind 1\nsize 2 1 3\nlow 0 0 1\nhigh 1 1 1\n\n", 0, "low must be below high"},
        {"coif-wind 1\nsize 1 1 1\nlow 0 0 0\nhigh 1 1 1\nframes 0\n\n", 0, "frames: expected"},
        {"coif-wind 1\nsize 1 1 1\nlow 0 0 0\nhigh 1 1 1\nframes 1\nfps -1\n\n", 0,
         "fps: expected"},
        {"coif-wind 1\nsize 4096 4096 4096\nlow 0 0 0\nhigh 1 1 1\nframes 9\nfps 1\n\n", 0,
         "larger than a gigabyte"},
        {HEADER, 35, "12 bytes per velocity"},
        {HEADER, 37, "12 bytes per velocity"},
    };
    coif_error error = {0};
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    }
    const coif_plugin *field = coif_plugins_find(plugins, "wind.field");
    coif_plugin_instance *instance;
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        const char *path = save_field("damaged.wind", cases[i].header, cases[i].numbers);
        const plugin_value values[] = {{"path", {0}, path}, {0}};
        error = (coif_error){0};
        CHECK(coif_plugin_instance_open(&instance, plugin_node(field, values, &arena), 1.0, &arena,
                                        &error) == COIF_ERR_FORMAT);
        CHECK_CONTAINS(error.text, "damaged.wind");
        CHECK_CONTAINS(error.text, cases[i].words);
    }
    const plugin_value absent[] = {{"path", {0}, coif_test_path("absent.wind")}, {0}};
    error = (coif_error){0};
    CHECK(coif_plugin_instance_open(&instance, plugin_node(field, absent, &arena), 1.0, &arena,
                                    &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "absent.wind: cannot open file");
}
