// Built-in wind fields and scalp maps.
#include "core/base/deterministic_math.h"
#include "core/base/fs.h"
#include "core/image/image.h"
#include "tests/support/plugin_node.h"

#include <coif/strand.h>

#include <locale.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 2000 };

static coif_arena arena = {.name = "test"};
static coif_plugins *plugins;

static coif_plugin_instance *open_field(const char *id, const plugin_value *values)
{
    coif_error error = {0};
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    }
    return plugin_instance(plugins, id, values, &arena);
}

static float position[3][COUNT], wind[3][COUNT], push[3][COUNT];

static void blow(coif_plugin_instance *instance, double time)
{
    static const float still[COUNT];
    memset(wind, 0, sizeof wind);
    memset(push, 0, sizeof push);
    const coif_force_batch batch = {sizeof batch, COUNT,   time,    position[0], position[1],
                                    position[2],  still,   still,   still,       wind[0],
                                    wind[1],      wind[2], push[0], push[1],     push[2]};
    CHECK(coif_plugin_eval_force(instance, &batch));
    // Winds give air velocity only; acceleration is not theirs.
    for (int i = 0; i < COUNT; ++i) {
        CHECK(push[0][i] == 0.0f && push[1][i] == 0.0f && push[2][i] == 0.0f);
    }
}

// Points on a line, 1 mm apart.
static void line_up(void)
{
    for (int i = 0; i < COUNT; ++i) {
        position[0][i] = 0.001f * (float)i;
        position[1][i] = 0.3f;
        position[2][i] = -0.2f;
    }
}

TEST(a_uniform_wind_is_the_same_everywhere)
{
    line_up();
    static const plugin_value values[] = {{"velocity", {1, -2, 3}, NULL}, {0}};
    coif_plugin_instance *instance = open_field("wind.uniform", values);
    blow(instance, 7.25);
    for (int i = 0; i < COUNT; ++i) {
        CHECK(wind[0][i] == 1.0f && wind[1][i] == -2.0f && wind[2][i] == 3.0f);
    }
}

TEST(a_gust_swells_around_its_mean)
{
    line_up();
    static const plugin_value values[] = {{"velocity", {4, 0, 0}, NULL},
                                          {"swell", {0.5}, NULL},
                                          {"period", {2}, NULL},
                                          {"squall_speed", {0}, NULL},
                                          {0}};
    coif_plugin_instance *instance = open_field("wind.gust", values);
    static const double times[] = {0.0, 0.5, 1.0, 1.5, 2000.5};
    static const double speeds[] = {4.0, 6.0, 4.0, 2.0, 6.0};
    for (int i = 0; i < 5; ++i) {
        blow(instance, times[i]);
        CHECK_NEAR(wind[0][COUNT / 2], speeds[i], 1e-4);
        CHECK_NEAR(wind[1][COUNT / 2], 0.0, 0.0);
    }
}

TEST(squalls_are_smooth_bounded_and_drift_with_the_wind)
{
    line_up();
    static const plugin_value values[] = {
        {"velocity", {2, 0, 0}, NULL}, {"swell", {0}, NULL}, {"squall_speed", {1.5}, NULL}, {0}};
    coif_plugin_instance *instance = open_field("wind.gust", values);
    blow(instance, 3.0);
    float strongest = 0.0f, steepest = 0.0f;
    static float before[3][COUNT];
    memcpy(before, wind, sizeof before);
    for (int i = 0; i < COUNT; ++i) {
        for (int k = 0; k < 3; ++k) {
            const float squall = wind[k][i] - (k == 0 ? 2.0f : 0.0f);
            strongest = fmaxf(strongest, fabsf(squall));
            steepest = i > 0 ? fmaxf(steepest, fabsf(wind[k][i] - wind[k][i - 1])) : steepest;
        }
    }
    CHECK(strongest > 0.3f && strongest < 1.6f);
    CHECK(steepest < 0.02f);
    // A quarter second later the same squalls are half a metre, 500 points, further on.
    blow(instance, 3.25);
    for (int i = 500; i < COUNT; i += 50) {
        CHECK_NEAR(wind[1][i], before[1][i - 500], 1e-4);
    }
    static const plugin_value other[] = {{"seed", {2}, NULL}, {0}};
    blow(open_field("wind.gust", other), 3.25);
    CHECK(fabsf(wind[1][700] - before[1][200]) > 1e-3f);
}

typedef struct test_skin {
    float u[COUNT], v[COUNT], x[COUNT], y[COUNT], z[COUNT];
    float nx[COUNT], ny[COUNT], nz[COUNT], value[COUNT];
} test_skin;

static test_skin skin;

static void read_map(coif_plugin_instance *instance)
{
    const coif_map_batch batch = {.struct_size = sizeof batch,
                                  .count = COUNT,
                                  .u = skin.u,
                                  .v = skin.v,
                                  .x = skin.x,
                                  .y = skin.y,
                                  .z = skin.z,
                                  .nx = skin.nx,
                                  .ny = skin.ny,
                                  .nz = skin.nz,
                                  .value = skin.value};
    CHECK(coif_plugin_eval_map(instance, &batch));
}

static void save_picture(const char *name, const float *pixels, int32_t channels)
{
    coif_error error = {0};
    static const coif_image_type types[4] = {COIF_IMAGE_UINT8, COIF_IMAGE_UINT8, COIF_IMAGE_UINT8,
                                             COIF_IMAGE_UINT8};
    const coif_image_desc desc = {.width = 2,
                                  .height = 1,
                                  .channel_count = channels,
                                  .pixels = pixels,
                                  .channel_types = types};
    CHECK_OK(coif_image_save(coif_test_path(name), &desc, &error), error);
}

TEST(a_texture_is_read_as_data)
{
    static const float colour[8] = {0.2f, 0.4f, 0.6f, 0.8f, 1.0f, 1.0f, 1.0f, 1.0f};
    save_picture("paint.png", colour, 4);
    const char *path = coif_test_path("paint.png");
    skin.u[0] = 0.25f, skin.v[0] = 0.5f;
    skin.u[1] = 0.75f, skin.v[1] = 0.5f;
    skin.u[2] = 0.5f, skin.v[2] = 0.5f;
    // 0.2 of an 8-bit image stays 0.2: no curve, no multiplication by alpha.
    static const double wanted[] = {0.2, 0.4, 0.6, 0.8, 0.4};
    for (int channel = 0; channel < 5; ++channel) {
        const plugin_value values[] = {{"path", {0}, path}, {"channel", {channel}, NULL}, {0}};
        read_map(open_field("density.texture", values));
        CHECK_NEAR(skin.value[0], wanted[channel], 1e-6);
        CHECK_NEAR(skin.value[1], 1.0, 1e-6);
        CHECK_NEAR(skin.value[2], 0.5 * (1.0 + wanted[channel]), 1e-6);
    }
    const plugin_value inverted[] = {{"path", {0}, path}, {"invert", {1}, NULL}, {0}};
    read_map(open_field("density.texture", inverted));
    CHECK_NEAR(skin.value[0], 0.8, 1e-6);
}

// Blending must not let hair grow on what was painted black, however close to the border.
TEST(a_black_texel_is_empty_up_to_its_edge)
{
    static const float halves[2] = {0.0f, 1.0f};
    save_picture("halves.png", halves, 1);
    for (int i = 0; i < COUNT; ++i) {
        skin.u[i] = (float)i / (float)COUNT;
        skin.v[i] = 0.5f;
    }
    for (int invert = 0; invert < 2; ++invert) {
        const plugin_value values[] = {
            {"path", {0}, coif_test_path("halves.png")}, {"invert", {invert}, NULL}, {0}};
        read_map(open_field("density.texture", values));
        for (int i = 0; i < COUNT; ++i) {
            CHECK((skin.value[i] == 0.0f) == ((2 * i < COUNT) != invert));
        }
    }
    CHECK_NEAR(skin.value[COUNT / 4], 1.0, 1e-6);
    CHECK_NEAR(skin.value[COUNT / 2 - 1], 0.5, 0.01);
}

TEST(a_texture_that_cannot_be_read_is_explained)
{
    static const float grey[2] = {0.0f, 1.0f};
    save_picture("grey.png", grey, 1);
    const coif_plugin *texture = coif_plugins_find(plugins, "density.texture");
    coif_plugin_instance *instance;
    coif_error error = {0};
    CHECK(coif_plugin_instance_open(&instance, plugin_node(texture, NULL, &arena), 1.0, &arena,
                                    &error) == COIF_ERR_SCENE);
    CHECK_TEXT(error.text, "/test/0: density.texture: path: no image given");

    error = (coif_error){0};
    const plugin_value absent[] = {{"path", {0}, coif_test_path("absent.png")}, {0}};
    CHECK(coif_plugin_instance_open(&instance, plugin_node(texture, absent, &arena), 1.0, &arena,
                                    &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "absent.png");

    error = (coif_error){0};
    const plugin_value blue[] = {
        {"path", {0}, coif_test_path("grey.png")}, {"channel", {2}, NULL}, {0}};
    CHECK(coif_plugin_instance_open(&instance, plugin_node(texture, blue, &arena), 1.0, &arena,
                                    &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "no channel blue in an image of 1");
}

TEST(slope_follows_the_normal)
{
    for (int i = 0; i < COUNT; ++i) {
        const float angle = 3.14159265f * (float)i / (COUNT - 1);
        skin.nx[i] = sinf(angle);
        skin.ny[i] = cosf(angle);
    }
    static const plugin_value values[] = {{"angle", {60}, NULL}, {"softness", {20}, NULL}, {0}};
    read_map(open_field("density.slope", values));
    for (int i = 0; i < COUNT; ++i) {
        const float angle = 180.0f * (float)i / (COUNT - 1);
        CHECK(angle > 59.9f || skin.value[i] == 1.0f);
        CHECK(angle < 80.1f || skin.value[i] == 0.0f);
        CHECK(i == 0 || skin.value[i] <= skin.value[i - 1]);
        if (fabsf(angle - 70.0f) < 0.06f) {
            CHECK_NEAR(skin.value[i], 0.5, 0.01);
        }
    }
    static const plugin_value hard[] = {{"angle", {90}, NULL}, {"softness", {0}, NULL}, {0}};
    read_map(open_field("density.slope", hard));
    CHECK(skin.value[COUNT / 2 - 2] == 1.0f && skin.value[COUNT / 2 + 2] == 0.0f);
}

// Positions along the x axis, 0.1 mm apart.
static void lay_skin_on_a_line(void)
{
    memset(&skin, 0, sizeof skin);
    for (int i = 0; i < COUNT; ++i) {
        skin.x[i] = 1e-4f * (float)i;
    }
}

TEST(a_hairline_thins_out_towards_a_plane_or_a_line)
{
    lay_skin_on_a_line();
    static const plugin_value plane[] = {{"point", {0.05, 0, 0}, NULL},
                                         {"normal", {3, 0, 0}, NULL},
                                         {"width", {0.02}, NULL},
                                         {"edge_noise", {0}, NULL},
                                         {0}};
    read_map(open_field("density.hairline", plane));
    CHECK(skin.value[499] == 0.0f && skin.value[701] == 1.0f);
    CHECK_NEAR(skin.value[600], 0.5, 1e-3);
    static const plugin_value line[] = {{"line", {0}, " 0.1 -1 0, 0.1 0.01 0; 0.11 0.01 0"},
                                        {"width", {0.02}, NULL},
                                        {"edge_noise", {0}, NULL},
                                        {0}};
    read_map(open_field("density.hairline", line));
    CHECK(skin.value[799] == 1.0f && skin.value[1000] < 1e-6f);
    CHECK_NEAR(skin.value[900], 0.5, 1e-3);
    // Past the corner the piece that runs along x, a centimetre above, is the nearest.
    CHECK_NEAR(skin.value[1100], 0.5, 1e-3);
    // A curve through the points: between two of them it bulges, where a straight piece
    // does not. In the middle of the second span of a square it is at (9 (b + c) - a - d) / 16.
    static const plugin_value curve[] = {{"line", {0}, "0 0 0, 0 0.1 0, 0.1 0.1 0, 0.1 0 0"},
                                         {"width", {0.2}, NULL},
                                         {"edge_noise", {0}, NULL},
                                         {"spline", {1}, NULL},
                                         {0}};
    read_map(open_field("density.hairline", curve));
    CHECK(skin.value[0] < 1e-6f && skin.value[1000] < 1e-6f);
    for (int i = 0; i < COUNT; ++i) {
        skin.y[i] = 0.1125f;
    }
    read_map(open_field("density.hairline", curve));
    CHECK(skin.value[500] < 1e-4f && skin.value[0] > 1e-3f);
    for (int i = 0; i < COUNT; ++i) {
        skin.y[i] = 0.0f;
    }
    // A stroke of a brush: full near the line, none far from it.
    static const plugin_value stroke[] = {{"line", {0}, "0.1 -1 0, 0.1 1 0"},
                                          {"max_distance", {0.03}, NULL},
                                          {"width", {0.02}, NULL},
                                          {"edge_noise", {0}, NULL},
                                          {0}};
    read_map(open_field("density.hairline", stroke));
    CHECK(skin.value[1000] == 1.0f && skin.value[901] == 1.0f && skin.value[699] == 0.0f);
    CHECK_NEAR(skin.value[800], 0.5, 1e-3);
    // A ragged edge is elsewhere, but not far away.
    static const plugin_value ragged[] = {{"point", {0.05, 0, 0}, NULL},
                                          {"normal", {1, 0, 0}, NULL},
                                          {"width", {0}, NULL},
                                          {"edge_noise", {0.01}, NULL},
                                          {0}};
    read_map(open_field("density.hairline", ragged));
    CHECK(skin.value[399] == 0.0f && skin.value[601] == 1.0f);
}

TEST(a_hairline_of_words_is_explained)
{
    static const struct {
        const char *line, *words;
    } cases[] = {{"1 2", "point 1 is not three numbers"},
                 {"0 0 0, 1 1 one", "point 2 is not three numbers"},
                 {"0 0 nan, 1 1 1", "point 1 is not three numbers"},
                 {"0 0 0", "at least two points"}};
    open_field("density.hairline", NULL);
    const coif_plugin *hairline = coif_plugins_find(plugins, "density.hairline");
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        const plugin_value values[] = {{"line", {0}, cases[i].line}, {0}};
        coif_plugin_instance *instance;
        coif_error error = {0};
        CHECK(coif_plugin_instance_open(&instance, plugin_node(hairline, values, &arena), 1.0,
                                        &arena, &error) == COIF_ERR_SCENE);
        CHECK_CONTAINS(error.text, cases[i].words);
    }
}

// Sets a locale whose decimal separator is a comma, compiled into the test folder since most
// machines have none installed. Returns false where localedef cannot do that.
static bool set_comma_locale(void)
{
    char *const words[] = {
        "localedef", "-i", "de_DE", "-f", "UTF-8", "--quiet", (char *)coif_test_path("de_DE.UTF-8"),
        NULL};
    pid_t child;
    int status = 1;
    setenv("LOCPATH", coif_test_folder(), 1);
    return posix_spawnp(&child, words[0], NULL, NULL, words, environ) == 0 &&
           waitpid(child, &status, 0) == child && status == 0 &&
           setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL &&
           strcmp(localeconv()->decimal_point, ",") == 0;
}

TEST(numbers_in_text_do_not_depend_on_the_locale)
{
    if (!set_comma_locale()) {
        printf("skipped: no locale with a decimal comma\n");
        return;
    }
    lay_skin_on_a_line();
    static const plugin_value line[] = {{"line", {0}, "0.1 -1 0, 0.1 1 0"},
                                        {"width", {0.01}, NULL},
                                        {"edge_noise", {0}, NULL},
                                        {0}};
    read_map(open_field("density.hairline", line));

    // Velocities 0 and 2 m/s along x at x = 0.5 and 1.5: 1 m/s in between.
    static const char header[] =
        "coif-wind 1\nsize 2 1 1\nlow 0.5 -1 -1\nhigh 1.5 1 1\nframes 1\nfps 0.5\n\n";
    char bytes[sizeof header - 1 + 24];
    const float velocities[6] = {0, 0, 0, 2, 0, 0};
    memcpy(bytes, header, sizeof header - 1);
    memcpy(bytes + sizeof header - 1, velocities, sizeof velocities);
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("air.wind"), bytes, sizeof bytes, &error), error);
    const plugin_value field[] = {{"path", {0}, coif_test_path("air.wind")}, {0}};
    coif_plugin_instance *air = open_field("wind.field", field);
    setlocale(LC_NUMERIC, "C");
    line_up();
    blow(air, 0.0);
    CHECK_NEAR(wind[0][1000], 1.0, 1e-5); // x = 1
    // 0.1 mm apart, from x = 0: the line is at point 1000.
    CHECK(skin.value[1000] < 1e-6f && skin.value[890] == 1.0f && skin.value[1110] == 1.0f);
}

TEST(a_parting_is_bare_over_its_width_and_ends)
{
    lay_skin_on_a_line();
    static const plugin_value across[] = {
        {"start", {0.1, 5, -1}, NULL}, {"end", {0.1, 0, 1}, NULL}, {"width", {0.004}, NULL},
        {"softness", {0.001}, NULL},   {"edge_noise", {0}, NULL},  {0}};
    read_map(open_field("density.parting", across));
    CHECK(skin.value[981] == 0.0f && skin.value[1019] == 0.0f);
    CHECK(skin.value[969] == 1.0f && skin.value[1031] == 1.0f);
    static const plugin_value along[] = {{"start", {-1, 0, 0}, NULL}, {"end", {0.1, 0, 0}, NULL},
                                         {"width", {0.004}, NULL},    {"softness", {0.001}, NULL},
                                         {"edge_noise", {0}, NULL},   {0}};
    read_map(open_field("density.parting", along));
    CHECK(skin.value[0] == 0.0f && skin.value[1000] == 0.0f && skin.value[1019] == 0.0f);
    CHECK(skin.value[1031] == 1.0f);
}

static double mean_cover(double cover)
{
    const plugin_value values[] = {{"coverage", {cover}, NULL}, {"scale", {0.02}, NULL}, {0}};
    read_map(open_field("density.noise", values));
    double sum = 0.0;
    for (int i = 0; i < COUNT; ++i) {
        CHECK(skin.value[i] >= 0.0f && skin.value[i] <= 1.0f);
        sum += skin.value[i];
    }
    return sum / COUNT;
}

TEST(patches_cover_the_requested_fraction)
{
    for (int i = 0; i < COUNT; ++i) {
        skin.x[i] = 0.5f * coif_kit_random((uint32_t)i, 1);
        skin.y[i] = 0.5f * coif_kit_random((uint32_t)i, 2);
        skin.z[i] = 0.5f * coif_kit_random((uint32_t)i, 3);
    }
    CHECK_NEAR(mean_cover(0.0), 0.0, 0.0);
    CHECK_NEAR(mean_cover(1.0), 1.0, 0.0);
    CHECK_NEAR(mean_cover(0.5), 0.5, 0.06);
    CHECK(mean_cover(0.25) < 0.4 && mean_cover(0.75) > 0.6);
}

TEST(the_kit_agrees_with_the_library)
{
    for (int i = -20000; i <= 20000; ++i) {
        const float x = 0.0137f * (float)i, c = (float)i / 20000.0f;
        CHECK_NEAR(coif_kit_sin(x), sin((double)x), 1e-7);
        CHECK_NEAR(coif_kit_cos(x), cos((double)x), 1e-7);
        CHECK_NEAR(coif_kit_acos(c), acos((double)c), 3e-7);
        CHECK_NEAR(coif_kit_exp(c * 80.0f) / exp((double)(c * 80.0f)), 1.0, 1e-7);
    }
    CHECK_NEAR(coif_kit_sin(1.25f), coif_det_sin(1.25f), 2e-7);
    CHECK(coif_kit_sin(NAN) == 0.0f && coif_kit_cos(INFINITY) == 1.0f);
    CHECK(coif_kit_exp(-1000.0f) == 0.0f && isfinite(coif_kit_exp(1000.0f)));
    CHECK(coif_kit_exp(NAN) == 0.0f && coif_kit_clamp(NAN, 2.0f, 3.0f) == 2.0f);
    CHECK_NEAR(coif_kit_acos(2.0f), 0.0, 0.0);
}

TEST(noise_is_smooth_and_bounded)
{
    float largest = 0.0f, previous = coif_kit_noise1(0.0f, 9), steepest = 0.0f;
    double sum = 0.0;
    for (int i = 1; i < 100000; ++i) {
        const float value = coif_kit_noise1(0.01f * (float)i, 9);
        largest = fmaxf(largest, fabsf(value));
        steepest = fmaxf(steepest, fabsf(value - previous));
        sum += value;
        previous = value;
    }
    CHECK(largest > 0.8f && largest <= 1.0f);
    CHECK(steepest < 0.06f);
    CHECK_NEAR(sum / 100000, 0.0, 0.02);
    CHECK(coif_kit_noise3(1.0f, 2.0f, 3.0f, 4) == 0.0f);
    CHECK(isfinite(coif_kit_noise3(NAN, 1e30f, -INFINITY, 4)));
}

// A frame that is carried along keeps its length and turns no more than the strand.
TEST(frames_are_carried_without_turning)
{
    const coif_kit_vec x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
    const coif_kit_vec carried = coif_kit_parallel_transport(z, x, y);
    CHECK_NEAR(coif_kit_dot(carried, z), 1.0, 1e-6);
    CHECK_NEAR(coif_kit_dot(coif_kit_parallel_transport(x, x, y), y), 1.0, 1e-6);
    CHECK_NEAR(coif_kit_length(coif_kit_parallel_transport(y, x, coif_kit_scale(x, -1.0f))), 1.0,
               1e-6);
    CHECK_NEAR(coif_kit_dot(coif_kit_any_perpendicular(x), x), 0.0, 1e-6);
    const coif_kit_vec turned = coif_kit_rotate(x, z, 0.0f, 1.0f);
    CHECK_NEAR(coif_kit_dot(turned, y), 1.0, 1e-6);
}
