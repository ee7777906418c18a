// Lights: pdfs are normalised and sampled directions reach the light.
#include "core/base/rng.h"
#include "render/lights/light.h"
#include "render/math/fast_math.h"
#include "tests/support/light_sampling_fixture.h"
#include "tests/support/test.h"

#include <float.h>

static coif_arena arena;

static coif_vec3 uniform_direction(uint64_t i)
{
    const float cosine = 1.0f - 2.0f * coif_random_unit(11, i, 0);
    const float sine = sqrtf(fmaxf(0.0f, 1.0f - cosine * cosine));
    const float phi = COIF_TWO_PI * coif_random_unit(11, i, 1);
    return (coif_vec3){sine * cosf(phi), cosine, sine * sinf(phi)};
}

// An environment map with a small bright sun and a dark ground.
static coif_image_texture sky_texture(void)
{
    enum { WIDTH = 32, HEIGHT = 16 };
    coif_image_texture texture = {.image = {.width = WIDTH, .height = HEIGHT, .channel_count = 3}};
    texture.image.pixels = coif_arena_new(&arena, 3 * WIDTH * HEIGHT, float);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        const int x = i % WIDTH, y = i / WIDTH;
        const bool sun = y >= 4 && y < 6 && x >= 9 && x < 11;
        const float value = sun ? 80.0f : y < HEIGHT / 2 ? 0.5f : 0.0f;
        for (int c = 0; c < 3; ++c) {
            texture.image.pixels[3 * i + c] = value * (1.0f - 0.1f * (float)c);
        }
    }
    return texture;
}

// One light with default parameters.
static void read_lights(coif_lights *lights)
{
    coif_values values;
    coif_values_init(&values, COIF_LIGHTS_SECTION.params, COIF_LIGHTS_SECTION.param_count, &arena);
    coif_node element = {.values = values};
    coif_node list = {.children = &element, .child_count = 1};
    coif_texture_cache textures = {.arena = &arena};
    const coif_bounds bounds = {{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    coif_error error = {0};
    const coif_param_source from = {&list, 1.0, &textures, &arena};
    CHECK_OK(coif_lights_init(lights, &from, &bounds, &error), error);
}

static coif_light make_light(coif_light_type type)
{
    coif_lights lights;
    read_lights(&lights);
    coif_light light = lights.lights[0];
    light.type = type;
    light.radius = 0.7f;
    light.area = type == COIF_LIGHT_RECTANGLE ? 1.0f : COIF_PI * 0.49f;
    if (type == COIF_LIGHT_DISTANT) {
        light.one_minus_cos = 0.05f;
    }
    return light;
}

static void check_density(const coif_light *only, coif_vec3 point, double tolerance)
{
    coif_light copy = *only;
    const coif_lights lights = {.lights = &copy, .count = 1};
    const float total = coif_lights_total_importance(&lights, point);
    double sum = 0.0;
    enum { SAMPLES = 400000 };
    for (uint64_t i = 0; i < SAMPLES; ++i) {
        const coif_ray ray = {point, uniform_direction(i), 0.0f, FLT_MAX, 0.0f, 0};
        float pdf, distance;
        coif_light_eval_ray(&copy, &ray, total, &pdf, &distance);
        sum += pdf;
    }
    CHECK_NEAR(sum * 4.0 * 3.14159265 / SAMPLES, 1.0, tolerance);
    for (uint64_t i = 0; i < 500; ++i) {
        const coif_vec2 u = {coif_random_unit(12, i, 0), coif_random_unit(12, i, 1)};
        const light_sample sample = sample_lights(&lights, point, 0.5f, u);
        const coif_ray ray = {point, sample.direction, 0.0f, FLT_MAX, 0.0f, 0};
        float pdf, distance;
        const coif_vec3 radiance = coif_light_eval_ray(&copy, &ray, sample.total, &pdf, &distance);
        CHECK_NEAR(coif_length(sample.direction), 1.0, 1e-5);
        // At the rim the ray may miss by rounding.
        CHECK(pdf == 0.0f || fabsf(pdf / sample.pdf - 1.0f) < 2e-2f);
        CHECK(pdf == 0.0f || fabsf(radiance.x - sample.radiance.x) < 1e-3f * radiance.x + 1e-6f);
        CHECK(pdf == 0.0f || sample.distance == FLT_MAX ||
              fabsf(distance - sample.distance) < 1e-3f);
    }
}

TEST(light_pdfs_integrate_to_one)
{
    const coif_vec3 point = {0.1f, 0.2f, -0.1f};
    coif_light light = make_light(COIF_LIGHT_RECTANGLE);
    check_density(&light, point, 0.03);
    light = make_light(COIF_LIGHT_DISK);
    check_density(&light, point, 0.03);
    light = make_light(COIF_LIGHT_SPHERE);
    check_density(&light, point, 0.03);
    light = make_light(COIF_LIGHT_DISTANT);
    check_density(&light, point, 0.03);
    light = make_light(COIF_LIGHT_ENVIRONMENT);
    coif_environment_init(&light.environment, (coif_vec3){1.0f, 1.0f, 1.0f}, NULL, 0.0f, &arena);
    check_density(&light, point, 1e-3);
    const coif_image_texture texture = sky_texture();
    coif_environment_init(&light.environment, (coif_vec3){1.0f, 1.0f, 1.0f}, &texture, 0.3f,
                          &arena);
    check_density(&light, point, 0.05);
}

// Importance sampling and uniform sampling give the same fluence.
TEST(environment_sampling_is_unbiased)
{
    const coif_image_texture texture = sky_texture();
    coif_environment sky;
    coif_environment_init(&sky, (coif_vec3){2.0f, 1.0f, 1.0f}, &texture, 0.1f, &arena);
    enum { SAMPLES = 100000 };
    double sampled = 0.0, uniform = 0.0, bright = 0.0;
    for (uint64_t i = 0; i < SAMPLES; ++i) {
        const coif_vec2 u = {coif_random_unit(13, i, 0), coif_random_unit(13, i, 1)};
        float pdf;
        coif_vec3 radiance;
        const coif_vec3 direction = coif_environment_sample(&sky, u, &pdf, &radiance);
        const coif_vec3 light = coif_environment_eval(&sky, direction);
        CHECK_NEAR(radiance.y, light.y, 2e-3 * (1.0 + (double)light.y));
        sampled += light.y / pdf;
        uniform += coif_environment_eval(&sky, uniform_direction(i)).y * 4.0 * 3.14159265;
        bright += light.y > 10.0f;
    }
    CHECK_NEAR(sampled / uniform, 1.0, 0.03);
    CHECK(bright / SAMPLES > 0.4); // most samples hit the sun
}

TEST(area_lights_emit_from_their_front)
{
    coif_light light = make_light(COIF_LIGHT_RECTANGLE);
    const coif_lights lights = {.lights = &light, .count = 1};
    const coif_vec3 behind = coif_mad(light.position, -0.5f, light.normal);
    CHECK(sample_lights(&lights, behind, 0.5f, (coif_vec2){0.5f, 0.5f}).pdf == 0.0f);
    const coif_ray ray = {behind, light.normal, 0.0f, FLT_MAX, 0.0f, 0};
    float pdf, distance;
    CHECK(coif_light_eval_ray(&light, &ray, 1.0f, &pdf, &distance).x == 0.0f);
}

TEST(scene_without_lights_gets_default_lights)
{
    coif_lights lights;
    const coif_node none = {0};
    coif_texture_cache textures = {.arena = &arena};
    const coif_bounds bounds = {{-0.1f, 0.0f, -0.1f}, {0.1f, 0.4f, 0.1f}};
    coif_error error = {0};
    const coif_param_source from = {&none, 1.0, &textures, &arena};
    CHECK_OK(coif_lights_init(&lights, &from, &bounds, &error), error);
    CHECK(lights.count >= 2);
    CHECK(coif_lights_total_importance(&lights, (coif_vec3){0.0f, 0.2f, 0.1f}) > 0.0f);
}
