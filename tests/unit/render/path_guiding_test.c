// Path guiding: weights are normalised and follow the lights.
#include "render/integrator/path_guiding.h"

#include "core/base/rng.h"
#include "tests/support/test.h"

enum { MANY = 200000 };

static coif_arena arena;

// A bright spot on a grey background.
static coif_image_texture spot_texture(int32_t width, int32_t height, int32_t x, int32_t y)
{
    coif_image_texture texture = {.image = {.width = width,
                                            .height = height,
                                            .channel_count = 3,
                                            .full_width = width,
                                            .full_height = height}};
    texture.image.pixels = coif_arena_new(&arena, (size_t)(3 * width * height), float);
    for (int32_t i = 0; i < 3 * width * height; ++i) {
        texture.image.pixels[i] = i / 3 == y * width + x ? 400.0f : 0.5f;
    }
    return texture;
}

static coif_vec3 uniform_direction(uint64_t i)
{
    const float z = 1.0f - 2.0f * coif_random_unit(7, i, 0);
    const float turn = 6.2831853f * coif_random_unit(7, i, 1), r = sqrtf(1.0f - z * z);
    return (coif_vec3){r * cosf(turn), z, r * sinf(turn)};
}

// Russian roulette by the weight keeps the mean number of paths.
TEST(guide_weight_averages_to_one_over_the_sphere)
{
    coif_image_texture spot = spot_texture(32, 16, 20, 4);
    coif_light light_list[3] = {
        {.type = COIF_LIGHT_SPHERE, .position = {3.0f, 1.0f, 0.0f}, .radius = 0.3f, .area = 1.0f},
        {.type = COIF_LIGHT_DISTANT, .normal = {0.0f, -1.0f, 0.0f}, .one_minus_cos = 0.1f},
        {.type = COIF_LIGHT_ENVIRONMENT},
    };
    light_list[0].luminance = 20.0f;
    light_list[1].luminance = 2.0f;
    coif_environment_init(&light_list[2].environment, (coif_vec3){1.0f, 1.0f, 1.0f}, &spot, 0.1f,
                          &arena);
    const coif_lights lights = {.lights = light_list, .count = 3};
    coif_path_guide guide;
    coif_path_guide_at(&guide, &lights, (coif_vec3){0.0f, 1.0f, 0.0f});
    double sum = 0.0;
    for (uint64_t i = 0; i < MANY; ++i) {
        const coif_vec3 direction = uniform_direction(i);
        const float weight = coif_path_guide_weight(&guide, direction);
        sum += (double)weight / MANY;
        const coif_lanes four =
            coif_path_guide_weight_x4(&guide, coif_lanes_splat(direction.x),
                                      coif_lanes_splat(direction.y), coif_lanes_splat(direction.z));
        CHECK(fabsf(four[i % 4] - weight) < 1e-5f * weight);
    }
    CHECK_NEAR(sum, 1.0, 0.01);
    const float here = coif_path_guide_weight(&guide, (coif_vec3){1.0f, 0.0f, 0.0f});
    const float away = coif_path_guide_weight(&guide, (coif_vec3){0.0f, 0.0f, -1.0f});
    CHECK(here > 1.0f && away > 0.0f && here > 2.0f * away);
    CHECK_NEAR(guide.lights.total,
               coif_lights_total_importance(&lights, (coif_vec3){0.0f, 1.0f, 0.0f}), 1e-4);
}

TEST(uniform_environment_gives_a_uniform_guide)
{
    coif_light sky = {.type = COIF_LIGHT_ENVIRONMENT};
    coif_environment_init(&sky.environment, (coif_vec3){1.0f, 1.0f, 1.0f}, NULL, 0.0f, &arena);
    const coif_lights lights = {.lights = &sky, .count = 1}, none = {.count = 0};
    coif_path_guide guide;
    coif_path_guide_at(&guide, &lights, (coif_vec3){0.0f, 0.0f, 0.0f});
    CHECK_NEAR(coif_path_guide_weight(&guide, (coif_vec3){0.0f, 1.0f, 0.0f}), 1.0, 1e-6);
    coif_path_guide_at(&guide, &none, (coif_vec3){0.0f, 0.0f, 0.0f});
    CHECK_NEAR(coif_path_guide_weight(&guide, (coif_vec3){0.0f, 1.0f, 0.0f}), 1.0, 1e-6);
}

// It equals the mean of the directions sampled from the environment.
TEST(mean_direction_of_an_environment_points_to_its_light)
{
    coif_image_texture spot = spot_texture(64, 32, 50, 9);
    coif_environment sky;
    coif_environment_init(&sky, (coif_vec3){1.0f, 0.9f, 0.8f}, &spot, 0.3f, &arena);
    double mean[3] = {0.0, 0.0, 0.0};
    for (uint64_t i = 0; i < MANY; ++i) {
        float pdf;
        coif_vec3 radiance;
        const coif_vec2 u = {coif_random_unit(3, i, 0), coif_random_unit(3, i, 1)};
        const coif_vec3 d = coif_environment_sample(&sky, u, &pdf, &radiance);
        mean[0] += (double)d.x / MANY;
        mean[1] += (double)d.y / MANY;
        mean[2] += (double)d.z / MANY;
    }
    CHECK(coif_length(sky.mean_direction) > 0.2f && coif_length(sky.mean_direction) < 1.0f);
    CHECK_NEAR(sky.mean_direction.x, mean[0], 0.01);
    CHECK_NEAR(sky.mean_direction.y, mean[1], 0.01);
    CHECK_NEAR(sky.mean_direction.z, mean[2], 0.01);
}
