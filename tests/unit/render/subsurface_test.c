// Subsurface scattering: distances follow the profile and energy is conserved.
#include "render/integrator/subsurface.h"

#include "core/base/jobs.h"
#include "render/session/tile_scheduler.h"
#include "tests/support/render_ball.h"
#include "tests/support/test.h"

static coif_arena arena;

static const coif_vec3 MEANS = {0.10f, 0.04f, 0.01f};

// Each channel has its own mean distance, whichever channel was sampled, and conserves energy.
TEST(mean_scattering_distance_matches_the_radius_per_colour)
{
    enum { COUNT = 200000 };
    double light[3] = {0}, distance[3] = {0};
    for (int i = 0; i < COUNT; ++i) {
        coif_vec3 w;
        const double r =
            (double)coif_subsurface_sample_radius(MEANS, ((float)i + 0.5f) / (float)COUNT, &w);
        const double weights[3] = {(double)w.x, (double)w.y, (double)w.z};
        for (int c = 0; c < 3; ++c) {
            light[c] += weights[c] / COUNT;
            distance[c] += weights[c] * r / COUNT;
        }
    }
    const double means[3] = {0.10, 0.04, 0.01};
    for (int c = 0; c < 3; ++c) {
        CHECK_NEAR(light[c], 1.0, 2e-3);
        CHECK_NEAR(distance[c] / means[c], 1.0, 5e-3);
    }
}

static void make_scene(coif_render_scene *scene, coif_geometry *shape, const coif_mesh *mesh,
                       const coif_surface_material *material)
{
    coif_error error = {0};
    *shape = (coif_geometry){.mesh = mesh, .materials = material};
    *scene = (coif_render_scene){.geometries = shape, .geometry_count = 1};
    const coif_accel_desc desc = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&scene->accel, &desc, &arena, &error), error);
    CHECK_OK(coif_accel_add_mesh(scene->accel, mesh, 1, &error), error);
    CHECK_OK(coif_accel_add_sss_mesh(&shape->sss_mesh, scene->accel, mesh, 1, &error), error);
    CHECK_OK(coif_accel_build(scene->accel, NULL, &error), error);
}

// On a plane the distance of entry and exit points follows Burley's profile.
TEST(exit_points_on_a_plane_follow_the_diffusion_profile)
{
    enum { COUNT = 40000, RINGS = 12 };
    coif_vec3 corners[4] = {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
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
    const coif_surface_material material = {.surface = {.color = {1, 1, 1},
                                                        .roughness = 0.5f,
                                                        .specular = 0.04f,
                                                        .subsurface = 1.0f,
                                                        .subsurface_radius = MEANS}};
    coif_render_scene scene;
    coif_geometry shape;
    make_scene(&scene, &shape, &wall, &material);
    const coif_ray ray = {.origin = {0.3f, 0.2f, 1.0f}, .direction = {0, 0, -1}, .far = 10.0f};
    coif_ray_hit hit;
    CHECK(coif_accel_intersect(scene.accel, &ray, &hit));
    double rings[RINGS] = {0}, below = 0.0, sides = 0.0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        coif_sampler sampler = coif_sampler_at(3, 5, 7, i);
        coif_interaction isect;
        coif_interaction_init(&isect, &scene, &ray, &hit, 0);
        const double weight = (double)coif_subsurface_sample(&isect, &scene, &hit, &sampler).x;
        if (isect.surface_bsdf.coat_prob > 0.0f) {
            continue;
        }
        const double x = (double)isect.position.x - 0.3, y = (double)isect.position.y - 0.2;
        const int ring = (int)(sqrt(x * x + y * y) / 0.02);
        CHECK_NEAR(isect.position.z, 0.0, 1e-5);
        below += weight;
        sides += weight * x;
        rings[ring < RINGS ? ring : RINGS - 1] += weight;
    }
    for (int k = 0; k < RINGS - 1; ++k) {
        const double d = 0.04, a = 0.02 * k, b = a + 0.02;
        const double expected =
            0.25 * (exp(-a / d) - exp(-b / d)) + 0.75 * (exp(-a / (3 * d)) - exp(-b / (3 * d)));
        CHECK_NEAR(rings[k] / below, expected, 0.006);
    }
    CHECK_NEAR(sides / below, 0.0, 2e-3);
    coif_accel_close(scene.accel);
}

// A sphere with a large scattering radius, coat and sheen in a uniform environment.
TEST(white_curved_surface_conserves_energy)
{
    coif_mesh ball;
    ball_mesh(&ball, 1.0f, &arena);
    const coif_surface_material material = {.surface = {.color = {1, 1, 1},
                                                        .roughness = 0.5f,
                                                        .specular = 0.04f,
                                                        .coat2_roughness = 0.3f,
                                                        .coat2_weight = 0.3f,
                                                        .sheen = 0.3f,
                                                        .subsurface = 0.8f,
                                                        .subsurface_radius = {0.6f, 0.2f, 0.05f}}};
    coif_render_scene scene;
    coif_geometry shape;
    make_scene(&scene, &shape, &ball, &material);
    coif_light sky = {.type = COIF_LIGHT_ENVIRONMENT, .visible = true};
    coif_environment_init(&sky.environment, (coif_vec3){1, 1, 1}, NULL, 0.0f, &arena);
    scene.lights = (coif_lights){.lights = &sky, .count = 1};
    scene.camera = (coif_camera){.origin = {0, 0, 5},
                                 .forward = {0, 0, -1},
                                 .right = {1, 0, 0},
                                 .up = {0, 1, 0},
                                 .half_height = 0.25f,
                                 .half_width = 0.25f};
    coif_film film;
    coif_error error = {0};
    coif_film_init(&film, &(coif_film_desc){.width = 16, .height = 16}, &arena);
    const coif_sampling_params sampling = {.samples = 128, .filter = COIF_FILTER_BOX};
    const coif_tile_pass desc = {.scene = &scene, .sampling = &sampling};
    CHECK_OK(coif_tiles_render_pass(&film, &desc, NULL, NULL, &error), error);
    double sums[3] = {0};
    for (size_t i = 0; i < 256; ++i) {
        for (int c = 0; c < 3; ++c) {
            sums[c] += coif_film_sums(&film, i)[c] / film.counts[i] / 256.0;
        }
    }
    for (int c = 0; c < 3; ++c) {
        CHECK_NEAR(sums[c], 1.0, 6e-3);
    }
    coif_accel_close(scene.accel);
}
