// Opacity of strands: coverage, shadows, ramps, energy.
#include "render/shading/hair_varying_params.h"
#include "tests/support/render_cache.h"
#include "tests/support/straight_fibres.h"

#include <float.h>

static coif_arena arena;

static const float RADIUS = 4e-5f;

static coif_hair_params white_hair(float opacity)
{
    coif_hair_params hair = {.color_model = COIF_HAIR_BY_ABSORPTION,
                             .ior = 1.55f,
                             .longitudinal_roughness = 0.3f,
                             .azimuthal_roughness = 0.3f,
                             COIF_HAIR_OPAQUE};
    hair.opacity = opacity;
    return hair;
}

// Mean alpha of camera rays, in a direction, through the middle of a strand of opacity 0.3.
static double coverage(coif_curve_kind kind, coif_vec3 direction)
{
    enum { RAYS = 2000 };
    const coif_hair_params hair = white_hair(0.3f);
    const coif_vec2 center = {0.0f, 0.0f};
    fibre_scene fibres;
    fibre_scene_init(&fibres, &center, 1, RADIUS, kind, &hair, &arena);
    double sum = 0.0;
    for (uint32_t i = 0; i < RAYS; ++i) {
        coif_sampler sampler = coif_sampler_at(3, 0, 0, i);
        const float x = RADIUS * (1.8f * coif_sampler_next_2d(&sampler).x - 0.9f);
        const coif_vec3 origin = coif_mad((coif_vec3){x, 0.001f, 0.0f}, -0.5f, direction);
        const coif_ray ray = {origin, direction, 0.0f, FLT_MAX, 0.0f, 0x9e3779b9u * i};
        coif_primary_hit first;
        coif_path_trace(&fibres.scene, ray, &sampler, &first, NULL);
        sum += (double)first.alpha / RAYS;
    }
    coif_accel_close(fibres.scene.accel);
    return sum;
}

// Entry and exit of a ray are one crossing, also where it runs almost along the strand.
TEST(strand_covers_as_much_as_its_opacity)
{
    for (int kind = 0; kind < 3; ++kind) {
        CHECK_NEAR(coverage((coif_curve_kind)kind, (coif_vec3){0.0f, 0.0f, -1.0f}), 0.3, 1e-5);
        CHECK_NEAR(coverage((coif_curve_kind)kind, coif_normalize((coif_vec3){0.0f, -1.0f, -0.1f})),
                   0.3, 0.006);
    }
}

TEST(transmittance_of_shadow_rays_is_the_product_over_strands)
{
    enum { LAYERS = 4, RAYS = 20000 };
    const coif_hair_params hair = white_hair(0.3f);
    coif_vec2 centers[LAYERS];
    for (int i = 0; i < LAYERS; ++i) {
        centers[i] = (coif_vec2){0.0f, 0.001f * (float)i};
    }
    for (int kind = 0; kind < 3; ++kind) {
        fibre_scene fibres;
        fibre_scene_init(&fibres, centers, LAYERS, RADIUS, (coif_curve_kind)kind, &hair, &arena);
        int passed = 0;
        for (uint32_t i = 0; i < RAYS; ++i) {
            const coif_ray ray = {{0.0f, 0.003f, 1.0f}, {0.0f, 0.0f, -1.0f}, 0.0f, FLT_MAX, 0.0f,
                                  coif_hash_word(i)};
            passed += !coif_accel_occluded(fibres.scene.accel, &ray);
        }
        CHECK_NEAR((double)passed / RAYS, 0.7 * 0.7 * 0.7 * 0.7, 0.012);
        coif_accel_close(fibres.scene.accel);
    }
}

// White furnace: transparent white hair in a white environment is invisible.
TEST(transparent_white_hair_conserves_energy)
{
    enum { RAYS = 20000 };
    const coif_vec2 centers[] = {{0.0f, 0.0f}, {6e-5f, 1e-4f}, {-5e-5f, 2e-4f}};
    const coif_hair_params hair = white_hair(0.6f);
    fibre_scene fibres;
    fibre_scene_init(&fibres, centers, 3, RADIUS, COIF_CURVE_ROUND, &hair, &arena);
    fibres.light = (coif_light){.type = COIF_LIGHT_ENVIRONMENT, .visible = true};
    coif_environment_init(&fibres.light.environment, (coif_vec3){1.0f, 1.0f, 1.0f}, NULL, 0.0f,
                          &arena);
    double sum = 0.0, alpha = 0.0;
    for (uint32_t i = 0; i < RAYS; ++i) {
        coif_sampler sampler = coif_sampler_at(5, 0, 0, i);
        const coif_vec2 u = coif_sampler_next_2d(&sampler);
        const coif_ray ray = {{1e-4f * (2.0f * u.x - 1.0f), 0.02f * (u.y - 0.5f), 1.0f},
                              {0.0f, 0.0f, -1.0f},
                              0.0f,
                              FLT_MAX,
                              0.0f,
                              coif_hash_word(i)};
        coif_primary_hit first;
        sum += (double)coif_path_trace(&fibres.scene, ray, &sampler, &first, NULL).y / RAYS;
        alpha += (double)first.alpha / RAYS;
    }
    CHECK(alpha > 0.5 && alpha < 0.9);
    CHECK_NEAR(sum, 1.0, 0.01);
    coif_accel_close(fibres.scene.accel);
}

static const coif_node *hair_node(const char *set)
{
    return coif_node_at(&coif_node_at(ball_scene(&set, 1, &arena)->root, "grooms")->children[0],
                        "hair");
}

TEST(opacity_follows_maps_and_ramps)
{
    coif_strands strands;
    const coif_vec2 centers[2] = {{0.0f, 0.0f}, {0.1f, 0.0f}};
    straight_strands(&strands, centers, 2, RADIUS, &arena);
    coif_error error = {0};
    coif_bspline_curves curves;
    CHECK_OK(coif_bspline_curves_init(&curves, &strands, COIF_CURVE_ROUND, &arena, NULL, &error),
             error);
    const coif_node *node =
        hair_node("grooms/0/hair/opacity={\"value\": 0.8, \"ramp\": [[0, 1], [1, 0]]}");
    coif_hair_params params;
    coif_node_read(node, 1.0, &params);
    const float values[2] = {0.8f, 0.4f};
    coif_hair_map item = {offsetof(coif_hair_params, opacity), 1, values};
    const coif_hair_maps maps = {.count = 1, .items = &item};
    coif_hair_opacity_fill(&curves, &strands, node, &maps, &params, &arena);
    // Segments 0 to 3 belong to the first strand.
    const float at[][3] = {{0, 0.5f, 0.7f}, {2, 0.0f, 0.4f}, {6, 0.0f, 0.2f}};
    for (size_t i = 0; i < COIF_COUNT_OF(at); ++i) {
        const coif_curve_coord coord = {(int32_t)at[i][0], at[i][1], 0.0f};
        CHECK_NEAR(coif_bspline_curves_opacity(&curves, coord), at[i][2], 0.02);
    }
    coif_bspline_curves opaque = curves;
    opaque.opacity = NULL;
    const coif_hair_params full = white_hair(1.0f);
    coif_hair_opacity_fill(&opaque, &strands, NULL, NULL, &full, &arena);
    CHECK(!coif_bspline_curves_are_transparent(&opaque));
}

static const coif_image *render_image(const char *set)
{
    const char *const sets[] = {"image/samples=4", set};
    coif_error error = {0};
    coif_image *image = coif_arena_new(&arena, 1, coif_image);
    ball_cache(&arena);
    coif_render_desc desc = ball_render_desc(ball_scene(sets, 2, &arena));
    desc.overwrite = true;
    CHECK_OK(ball_render(&desc, 1, &arena, &error), error);
    CHECK_OK(coif_image_load(image, coif_test_path("render0001.exr"), &arena, &error), error);
    return image;
}

static bool same_images(const coif_image *a, const coif_image *b)
{
    const size_t count = (size_t)a->width * (size_t)a->height * (size_t)a->channel_count;
    return memcmp(a->pixels, b->pixels, count * sizeof *a->pixels) == 0;
}

TEST(full_opacity_changes_no_bit_of_an_image)
{
    const coif_image *plain = render_image("grooms/0/hair/opacity=1");
    CHECK(same_images(plain, render_image("grooms/0/hair/ior=1.55")));
    CHECK(!same_images(plain, render_image("grooms/0/hair/opacity=0.5")));
}
