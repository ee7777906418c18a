// Irradiance of every light type against analytic values.
#include "tests/support/render_wall.h"

static coif_arena arena;

// Irradiance at a point: closed form, path tracing, and either sampling technique alone.
static void check_wall(const char *members, float x, float z, double expected, double tolerance)
{
    coif_lights lights;
    coif_render_scene scene;
    wall_lights(&lights, members, &arena);
    wall_scene(&scene, &lights, &arena);
    CHECK_NEAR(wall_path_irradiance(&scene, x, z, 4096).y / expected, 1.0, tolerance);
    CHECK_NEAR(wall_nee_irradiance(&lights, x, z, 16384) / expected, 1.0, tolerance);
    CHECK_NEAR(wall_bsdf_irradiance(&lights, x, z, 1 << 18) / expected, 1.0, 4.0 * tolerance);
    coif_accel_close(scene.accel);
}

static const double PI = 3.141592653589793;

// Sphere of radiance L: pi L (r / d)^2 cos. Disk above: pi L r^2 / (r^2 + h^2). Uniform
// environment: pi.
TEST(area_lights_give_the_analytic_irradiance)
{
    check_wall("{\"type\": \"sphere\", \"position\": [3, 2, 0], \"radius\": 0.5, \"intensity\": 7}",
               0.0f, 0.0f, PI * 7.0 * 0.25 / 13.0 * 2.0 / sqrt(13.0), 0.005);
    check_wall("{\"type\": \"disk\", \"position\": [0, 2, 0], \"look_at\": [0, 0, 0],"
               " \"radius\": 1, \"intensity\": 3}",
               0.0f, 0.0f, PI * 3.0 / 5.0, 0.005);
    check_wall("{\"type\": \"environment\", \"intensity\": 2}", 1.0f, 1.0f, PI * 2.0, 0.005);
    check_wall("{\"type\": \"distant\", \"position\": [0, 1, 1], \"angular_diameter\": 20, "
               "\"intensity\": 5}",
               0.0f, 0.0f, 5.0 * sqrt(0.5), 0.005);
}

// Square above its centre: four times the view factor of a corner rectangle (Howell C-11).
TEST(rectangle_irradiance_matches_the_form_factor)
{
    const double a = 0.5 / 1.5, n = a / sqrt(1.0 + a * a);
    const double corner = (n * atan(n) + n * atan(n)) / (2.0 * PI);
    check_wall("{\"type\": \"rectangle\", \"position\": [0, 1.5, 0], \"look_at\": [0, 0, 0],"
               " \"width\": 1, \"height\": 1, \"intensity\": 4}",
               0.0f, 0.0f, 4.0 * PI * 4.0 * corner, 0.005);
}

// I cos / d^2 with and without a source radius.
TEST(point_lights_follow_the_inverse_square_law)
{
    const double expected = 9.0 * 2.0 / pow(13.0, 1.5);
    static const char *const sharp =
        "{\"type\": \"point\", \"position\": [3, 2, 0], \"intensity\": 9}";
    coif_lights lights;
    coif_render_scene scene;
    wall_lights(&lights, sharp, &arena);
    wall_scene(&scene, &lights, &arena);
    CHECK_NEAR(wall_path_irradiance(&scene, 0.0f, 0.0f, 16).y / expected, 1.0, 1e-5);
    CHECK_NEAR(wall_bsdf_irradiance(&lights, 0.0f, 0.0f, 64), 0.0,
               0.0); // BSDF samples never hit a point
    coif_accel_close(scene.accel);
    check_wall(
        "{\"type\": \"point\", \"position\": [3, 2, 0], \"source_radius\": 0.3, \"intensity\": 9}",
        0.0f, 0.0f, expected, 0.005);
}

static double spot_at(const char *more, float x)
{
    coif_lights lights;
    coif_render_scene scene;
    wall_lights(&lights,
                coif_arena_print(&arena,
                                 "{\"type\": \"spot\", \"position\": [0, 2, 0], \"cone_angle\": 60,"
                                 " \"look_at\": [0, 0, 0], \"intensity\": 8%s}",
                                 more),
                &arena);
    wall_scene(&scene, &lights, &arena);
    const double found = wall_path_irradiance(&scene, x, 0.0f, 256).y;
    coif_accel_close(scene.accel);
    return found;
}

// Full intensity inside, none outside, half where the cosine is halfway.
TEST(spot_lights_end_at_their_cone)
{
    const double degree = PI / 180.0;
    CHECK_NEAR(spot_at("", 0.0f), 8.0 / 4.0, 1e-4);
    const float inside = (float)(2.0 * tan(23.0 * degree));
    CHECK_NEAR(spot_at("", inside), 2.0 * pow(cos(23.0 * degree), 3.0), 1e-4);
    CHECK_NEAR(spot_at("", (float)(2.0 * tan(30.2 * degree))), 0.0, 0.0);
    CHECK(spot_at(", \"penumbra\": 0", (float)(2.0 * tan(29.8 * degree))) > 1.2);
    const double half = acos(0.5 * (cos(30.0 * degree) + cos(24.0 * degree)));
    CHECK_NEAR(spot_at("", (float)(2.0 * tan(half))), 0.5 * 2.0 * pow(cos(half), 3.0), 1e-3);
    CHECK_NEAR(spot_at(", \"source_radius\": 0.1", 0.0f), 8.0 / 4.0, 5e-3);
    CHECK_NEAR(spot_at(", \"source_radius\": 0.1", (float)(2.0 * tan(30.2 * degree))), 0.0, 0.0);
}

// A light below the wall does not light its upper side.
TEST(wall_casts_a_full_shadow)
{
    static const char *const below[] = {
        "{\"type\": \"point\", \"position\": [0.1, -0.01, 0], \"intensity\": 100}",
        "{\"type\": \"spot\", \"position\": [0, -1, 0], \"source_radius\": 0.1}",
        "{\"type\": \"sphere\", \"position\": [0, -1, 0], \"radius\": 0.9}",
        "{\"type\": \"distant\", \"position\": [0, -1, 0]}"};
    for (size_t i = 0; i < COIF_COUNT_OF(below); ++i) {
        coif_lights lights;
        coif_render_scene scene;
        wall_lights(&lights, below[i], &arena);
        wall_scene(&scene, &lights, &arena);
        CHECK_NEAR(wall_path_irradiance(&scene, 0.0f, 0.0f, 256).y, 0.0, 0.0);
        coif_accel_close(scene.accel);
    }
}

// Several light types in four groups.
TEST(light_group_aovs_add_up_to_the_radiance)
{
    coif_lights lights;
    coif_render_scene scene;
    wall_lights(
        &lights,
        "{\"type\": \"point\", \"position\": [0, 2, 0], \"intensity\": 8,"
        " \"light_group\": \"key\"},"
        "{\"type\": \"spot\", \"position\": [0, 3, 0], \"look_at\": [0, 0, 0],"
        " \"intensity\": 18, \"source_radius\": 0.05, \"light_group\": \"rim\"},"
        "{\"type\": \"environment\", \"intensity\": 0.5},"
        "{\"type\": \"sky\", \"elevation\": 30, \"intensity\": 0.1, \"light_group\": \"sky\"}",
        &arena);
    wall_scene(&scene, &lights, &arena);
    coif_light_aovs split = {0};
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    enum { SAMPLES = 16384 };
    for (uint32_t i = 0; i < SAMPLES; ++i) {
        coif_sampler sampler = coif_sampler_at(9, 0, 0, i);
        coif_primary_hit first;
        const coif_ray ray = {{0.0f, 1.0f, 0.0f}, {0.0f, -1.0f, 0.0f}, 0.0f, FLT_MAX, 0.0f, 0};
        sum = coif_add(sum, coif_path_trace(&scene, ray, &sampler, &first, &split));
    }
    const double scale = PI / (0.5 * SAMPLES);
    CHECK(lights.group_count == 4);
    CHECK_NEAR(split.groups[0].y * scale, 0.5 * PI, 0.03);
    CHECK_NEAR(split.groups[1].y * scale, 2.0, 0.03);
    CHECK_NEAR(split.groups[2].y * scale, 2.0, 0.03);
    const double whole =
        split.groups[0].y + split.groups[1].y + split.groups[2].y + split.groups[3].y;
    CHECK_NEAR(whole / sum.y, 1.0, 1e-4);
    coif_accel_close(scene.accel);
}

// Errors name the JSON path.
TEST(invalid_lights_are_rejected)
{
    static const coif_section *const children[] = {&COIF_LIGHTS_SECTION, NULL};
    static const coif_section root = {.name = "", .children = children};
    static const char *const wrong[][2] = {{"\"cone_angle\": 200", "/lights/0/cone_angle"},
                                           {"\"source_radius\": -1", "/lights/0/source_radius"},
                                           {"\"penumbra\": 2", "/lights/0/penumbra"},
                                           {"\"turbidity\": 1", "/lights/0/turbidity"},
                                           {"\"elevation\": 91", "/lights/0/elevation"},
                                           {"\"sun_intensity\": -1", "/lights/0/sun_intensity"},
                                           {"\"type\": \"spott\"", "spot"},
                                           {"\"light_group\": \"a b\"", "/lights/0/light_group"}};
    for (size_t i = 0; i < COIF_COUNT_OF(wrong); ++i) {
        const char *text = coif_arena_print(&arena, "{\"lights\": [{%s}]}", wrong[i][0]);
        const coif_scene_desc desc = {.path = coif_test_path("lights.json"),
                                      .tree = &root,
                                      .source = text,
                                      .source_size = strlen(text)};
        coif_scene scene;
        coif_error error = {0};
        CHECK(coif_scene_load(&scene, &desc, &arena, &error) == COIF_ERR_SCENE);
        CHECK_CONTAINS(error.text, wrong[i][1]);
    }
}
