// Path tracing conserves energy and matches analytic radiance.
#include "render/integrator/path.h"

#include "core/base/jobs.h"
#include "render/session/tile_scheduler.h"
#include "tests/support/render_ball.h"
#include "tests/support/test.h"

#include <float.h>

static coif_arena arena;

// A scene of one shape in even light of radiance 1 from everywhere.
typedef struct furnace {
    coif_render_scene stage;
    coif_light sky;
} furnace;

static void open_furnace(furnace *room, const coif_geometry *shape, int32_t shape_count)
{
    coif_error error = {0};
    *room = (furnace){.sky = {.type = COIF_LIGHT_ENVIRONMENT, .visible = true}};
    const coif_vec3 white = {1.0f, 1.0f, 1.0f};
    coif_environment_init(&room->sky.environment, white, NULL, 0.0f, &arena);
    room->stage.geometries = coif_arena_new(&arena, shape_count, coif_geometry);
    memcpy(room->stage.geometries, shape, sizeof *shape * (size_t)shape_count);
    room->stage.geometry_count = shape_count;
    room->stage.lights = (coif_lights){.lights = &room->sky, .count = 1};
    coif_node node = {0};
    coif_values_init(&node.values, COIF_CAMERA_SECTION.params, COIF_CAMERA_SECTION.param_count,
                     sizeof(coif_param), &arena);
    const coif_bounds bounds = {{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    room->stage.camera = coif_camera_at(&node, 1.0, 16, 16, &bounds);
    const coif_accel_desc desc = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&room->stage.accel, &desc, &arena, &error), error);
    for (int32_t i = 0; i < shape_count; ++i) {
        const coif_status status =
            shape[i].mesh != NULL
                ? coif_accel_add_mesh(room->stage.accel, shape[i].mesh, 1, &error)
                : coif_accel_add_curves(room->stage.accel, shape[i].curves, &error);
        CHECK(status == COIF_OK);
    }
    CHECK_OK(coif_accel_build(room->stage.accel, NULL, &error), error);
}

// The picture's average over what was hit, and how much that was.
static double look(const coif_render_scene *stage, int samples, double *covered)
{
    coif_film film;
    coif_aovs aovs;
    coif_error error = {0};
    CHECK_OK(coif_aovs_select(&aovs, &(coif_aovs_desc){.names = "Z"}, &arena, &error), error);
    coif_film_init(&film, &(coif_film_desc){.width = 16, .height = 16, .aovs = &aovs}, &arena);
    const coif_sampling_params sampling = {.samples = samples, .filter = COIF_FILTER_BOX};
    const coif_tile_pass desc = {.scene = stage, .sampling = &sampling};
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

static void white_surface_in_a_white_environment_is_invisible(void)
{
    coif_mesh ball;
    ball_mesh(&ball, 1.0f, &arena);
    const coif_surface_material looks = {
        .surface = {.color = {1.0f, 1.0f, 1.0f}, .roughness = 1.0f}};
    const coif_geometry shape = {.mesh = &ball, .materials = &looks};
    furnace room;
    open_furnace(&room, &shape, 1);
    double covered;
    CHECK_NEAR(look(&room.stage, 64, &covered), 1.0, 2e-3);
    CHECK(covered > 0.25);
    coif_accel_close(room.stage.accel);
}

// Hundreds of scatterings among white fibres, on a white scalp: still all of it must come back.
static void white_hair_in_a_white_environment_is_invisible(void)
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
                                       .cuticle_angle = 2.0f};
        coif_hair_material_init(&fibre, &hair);
        coif_mesh ball;
        ball_mesh(&ball, 0.99f, &arena);
        const coif_surface_material looks = {
            .surface = {.color = {1.0f, 1.0f, 1.0f}, .roughness = 1.0f}};
        const coif_geometry shapes[] = {
            {.curves = &curves, .strands = &strands, .hair_material = &fibre},
            {.mesh = &ball, .materials = &looks}};
        furnace room;
        open_furnace(&room, shapes, 2);
        double covered;
        CHECK_NEAR(look(&room.stage, 512, &covered), 1.0, 5e-3);
        CHECK(covered > 0.4);
        coif_accel_close(room.stage.accel);
    }
}

// Light from the sky alone or from all lights in turn: the sum of pictures is the picture of the
// sum.
static void radiance_is_the_sum_over_lights(void)
{
    coif_mesh ball;
    ball_mesh(&ball, 1.0f, &arena);
    const coif_surface_material looks = {
        .surface = {.color = {0.5f, 0.5f, 0.5f}, .roughness = 0.4f, .specular = 0.04f}};
    const coif_geometry shape = {.mesh = &ball, .materials = &looks};
    furnace room;
    open_furnace(&room, &shape, 1);
    coif_light lights[3] = {room.sky, room.sky, room.sky};
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
        room.stage.lights = (coif_lights){.lights = &lights[i], .count = 1};
        alone += look(&room.stage, 64, &covered);
    }
    room.stage.lights = (coif_lights){.lights = lights, .count = 3};
    const double together = look(&room.stage, 64, &covered);
    CHECK(alone > 0.1);
    CHECK_NEAR(together / alone, 1.0, 0.01);
    coif_accel_close(room.stage.accel);
}

// A distant light of irradiance E straight onto a diffuse wall of reflectance c: E c / pi.
static void lambertian_wall_has_the_analytic_radiance(void)
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
    const coif_surface_material looks = {
        .surface = {.color = {0.5f, 0.6f, 0.5f}, .roughness = 1.0f}};
    const coif_geometry shape = {.mesh = &wall, .materials = &looks};
    furnace room;
    open_furnace(&room, &shape, 1);
    // Half an angle of 1 degree; radiance so that the irradiance is 3.
    const float sine2 = 3.0458649e-4f;
    coif_light sun = {.type = COIF_LIGHT_DISTANT,
                      .normal = {0.0f, 0.0f, -1.0f},
                      .one_minus_cos = 1.5230484e-4f,
                      .radiance = {0.0f, 3.0f / (3.14159265f * sine2), 0.0f},
                      .luminance = 2000.0f};
    room.stage.lights = (coif_lights){.lights = &sun, .count = 1};
    double covered;
    CHECK_NEAR(look(&room.stage, 16, &covered), 3.0 * 0.6 / 3.14159265, 2e-3);
    CHECK_NEAR(covered, 1.0, 1e-9);
    coif_accel_close(room.stage.accel);
}

TEST_MAIN(TEST(white_surface_in_a_white_environment_is_invisible),
          TEST(white_hair_in_a_white_environment_is_invisible),
          TEST(radiance_is_the_sum_over_lights), TEST(lambertian_wall_has_the_analytic_radiance))
