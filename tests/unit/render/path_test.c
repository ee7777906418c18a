// Path tracing conserves energy and matches analytic radiance.
#include "render/integrator/path.h"

#include "core/base/jobs.h"
#include "render/session/tile_scheduler.h"
#include "tests/support/furnace_scene.h"
#include "tests/support/render_ball.h"
#include "tests/support/test.h"

#include <float.h>

static coif_arena arena;

// Mean radiance of the covered pixels, and their coverage.
static double mean_radiance(const coif_render_scene *scene, int samples, double *covered)
{
    coif_film film;
    coif_aovs aovs;
    coif_error error = {0};
    CHECK_OK(coif_aovs_select(&aovs, &(coif_aovs_desc){.names = "Z"}, &arena, &error), error);
    coif_film_init(&film, &(coif_film_desc){.width = 16, .height = 16, .aovs = &aovs}, &arena);
    const coif_sampling_params sampling = {.samples = samples, .filter = COIF_FILTER_BOX};
    const coif_tile_pass desc = {.scene = scene, .sampling = &sampling};
    CHECK_OK(coif_tiles_render_pass(&film, &desc, NULL, NULL, &error), error);
    double light = 0.0;
    *covered = 0.0;
    for (int i = 0; i < 256; ++i) {
        const double *sums = coif_film_sums(&film, (size_t)i);
        light += sums[1] / film.counts[i] / 256.0;
        *covered += sums[aovs.offset[COIF_AOV_DEPTH]] > 0.0 ? 1.0 / 256.0 : 0.0;
    }
    return light;
}

TEST(white_surface_in_a_white_environment_is_invisible)
{
    coif_mesh ball;
    ball_mesh(&ball, 1.0f, &arena);
    const coif_surface_material material = {
        .surface = {.color = {1.0f, 1.0f, 1.0f}, .roughness = 1.0f}};
    const coif_geometry shape = {.mesh = &ball, .materials = &material};
    furnace_scene furnace;
    furnace_scene_init(&furnace, &shape, 1, &arena);
    double covered;
    CHECK_NEAR(mean_radiance(&furnace.scene, 64, &covered), 1.0, 2e-3);
    CHECK(covered > 0.25);
    coif_accel_close(furnace.scene.accel);
}

// Hundreds of scattering events among white fibres on a white scalp.
TEST(white_hair_in_a_white_environment_is_invisible)
{
    static const coif_curve_kind kinds[] = {COIF_CURVE_ROUND, COIF_CURVE_FLAT};
    for (size_t k = 0; k < COIF_COUNT_OF(kinds); ++k) {
        coif_error error = {0};
        coif_strands strands;
        coif_bspline_curves curves;
        coif_hair_material fibre;
        ball_strands(&strands, 1500, 12, &arena);
        CHECK_OK(coif_bspline_curves_init(&curves, &strands, kinds[k], &arena, NULL, &error),
                 error);
        const coif_hair_params hair = {.ior = 1.55f,
                                       .longitudinal_roughness = 0.25f,
                                       .azimuthal_roughness = 0.3f,
                                       .cuticle_angle = 2.0f,
                                       COIF_HAIR_OPAQUE};
        coif_hair_material_init(&fibre, &hair, COIF_WORKING_REC709);
        coif_mesh ball;
        ball_mesh(&ball, 0.99f, &arena);
        const coif_surface_material material = {
            .surface = {.color = {1.0f, 1.0f, 1.0f}, .roughness = 1.0f}};
        const coif_geometry shapes[] = {
            {.curves = &curves, .strands = &strands, .hair_material = &fibre},
            {.mesh = &ball, .materials = &material}};
        furnace_scene furnace;
        furnace_scene_init(&furnace, shapes, 2, &arena);
        double covered;
        CHECK_NEAR(mean_radiance(&furnace.scene, 512, &covered), 1.0, 5e-3);
        CHECK(covered > 0.4);
        coif_accel_close(furnace.scene.accel);
    }
}

// The sum of renders with one light each equals the render with all lights.
TEST(radiance_is_the_sum_over_lights)
{
    coif_mesh ball;
    ball_mesh(&ball, 1.0f, &arena);
    const coif_surface_material material = {
        .surface = {.color = {0.5f, 0.5f, 0.5f}, .roughness = 0.4f, .specular = 0.04f}};
    const coif_geometry shape = {.mesh = &ball, .materials = &material};
    furnace_scene furnace;
    furnace_scene_init(&furnace, &shape, 1, &arena);
    coif_light lights[3] = {furnace.sky, furnace.sky, furnace.sky};
    lights[0].visible = lights[1].visible = lights[2].visible = false;
    lights[1] = (coif_light){.type = COIF_LIGHT_SPHERE,
                             .position = {2.0f, 3.0f, 2.0f},
                             .radius = 0.5f,
                             .area = 0.785398f,
                             .radiance = {20.0f, 20.0f, 20.0f},
                             .luminance = 20.0f};
    lights[2] = (coif_light){.type = COIF_LIGHT_DISK,
                             .position = {0.0f, 0.0f, 3.0f},
                             .normal = {0.0f, 0.0f, -1.0f},
                             .u = {1.0f, 0.0f, 0.0f},
                             .v = {0.0f, 1.0f, 0.0f},
                             .radius = 1.0f,
                             .area = 3.14159265f,
                             .radiance = {2.0f, 2.0f, 2.0f},
                             .luminance = 2.0f};
    double alone = 0.0, covered;
    for (int i = 0; i < 3; ++i) {
        furnace.scene.lights = (coif_lights){.lights = &lights[i], .count = 1};
        alone += mean_radiance(&furnace.scene, 64, &covered);
    }
    furnace.scene.lights = (coif_lights){.lights = lights, .count = 3};
    const double together = mean_radiance(&furnace.scene, 64, &covered);
    CHECK(alone > 0.1);
    CHECK_NEAR(together / alone, 1.0, 0.01);
    coif_accel_close(furnace.scene.accel);
}

// A distant light of normal irradiance E on a Lambertian wall of albedo c: E c / pi.
TEST(lambertian_wall_has_the_analytic_radiance)
{
    coif_vec3 corners[4] = {
        {-9.0f, -9.0f, 0.0f}, {9.0f, -9.0f, 0.0f}, {9.0f, 9.0f, 0.0f}, {-9.0f, 9.0f, 0.0f}};
    int32_t indices[6] = {0, 1, 2, 0, 2, 3};
    coif_vec3 normals[6];
    for (int i = 0; i < 6; ++i) {
        normals[i] = (coif_vec3){0.0f, 0.0f, 1.0f};
    }
    const coif_mesh wall = {.vertex_count = 4,
                            .triangle_count = 2,
                            .positions = corners,
                            .indices = indices,
                            .normals = normals};
    const coif_surface_material material = {
        .surface = {.color = {0.5f, 0.6f, 0.5f}, .roughness = 1.0f}};
    const coif_geometry shape = {.mesh = &wall, .materials = &material};
    furnace_scene furnace;
    furnace_scene_init(&furnace, &shape, 1, &arena);
    // Half-angle of 1 degree; the irradiance is 3.
    const float sine2 = 3.0458649e-4f;
    coif_light sun = {.type = COIF_LIGHT_DISTANT,
                      .normal = {0.0f, 0.0f, -1.0f},
                      .one_minus_cos = 1.5230484e-4f,
                      .radiance = {0.0f, 3.0f / (3.14159265f * sine2), 0.0f},
                      .luminance = 2000.0f};
    furnace.scene.lights = (coif_lights){.lights = &sun, .count = 1};
    double covered;
    CHECK_NEAR(mean_radiance(&furnace.scene, 16, &covered), 3.0 * 0.6 / 3.14159265, 2e-3);
    CHECK_NEAR(covered, 1.0, 1e-9);
    coif_accel_close(furnace.scene.accel);
}
