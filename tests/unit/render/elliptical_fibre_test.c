// Elliptical fibres in a scene: outline, orientation, energy.
#include "render/geometry/ribbon_orientation.h"
#include "render/shading/hair_varying_params.h"
#include "tests/support/straight_fibres.h"

#include <float.h>

static coif_arena arena;

static const float RADIUS = 4e-5f;

// Straight fibre along y; its minor axis is at an angle to x, in the plane of x and z.
static void ellipse_scene(fibre_scene *fibres, coif_curve_kind kind, float ratio, float angle)
{
    const coif_hair_params hair = {.color_model = COIF_HAIR_BY_ABSORPTION,
                                   .ior = 1.55f,
                                   .longitudinal_roughness = 0.3f,
                                   .azimuthal_roughness = 0.3f,
                                   COIF_HAIR_OPAQUE};
    const coif_vec2 center = {0.0f, 0.0f};
    fibre_scene_init(fibres, &center, 1, RADIUS, kind, &hair, &arena);
    coif_accel_close(fibres->scene.accel);
    coif_error error = {0};
    float *ratios = coif_arena_new(&arena, 1, float);
    ratios[0] = ratio;
    fibres->curves.section_ratio = ratios;
    coif_bspline_curves_widen_sections(&fibres->curves, 0, &fibres->strands);
    fibres->curves.normals = coif_arena_new(&arena, fibres->curves.control_count, coif_vec3);
    for (int32_t i = 0; i < fibres->curves.control_count; ++i) {
        fibres->curves.normals[i] = (coif_vec3){cosf(angle), 0.0f, sinf(angle)};
    }
    const coif_accel_desc desc = {.isa = "sse4.2", .threads = 1};
    CHECK_OK(coif_accel_open(&fibres->scene.accel, &desc, &arena, &error), error);
    CHECK_OK(coif_accel_add_curves(fibres->scene.accel, &fibres->curves, &error), error);
    CHECK_OK(coif_accel_build(fibres->scene.accel, NULL, &error), error);
}

// Half the width seen along -z, in radii of the round fibre.
static double half_width(const fibre_scene *fibres)
{
    enum { RAYS = 4000 };
    int hits = 0;
    for (int i = 0; i < RAYS; ++i) {
        const float x = 4.0f * RADIUS * (2.0f * ((float)i + 0.5f) / RAYS - 1.0f);
        const coif_ray ray = {{x, 0.003f, 1.0f}, {0.0f, 0.0f, -1.0f}, 0.0f, FLT_MAX, 0.0f, 0};
        coif_ray_hit hit;
        hits += coif_accel_intersect(fibres->scene.accel, &ray, &hit);
    }
    return 4.0 * hits / RAYS;
}

TEST(outline_is_that_of_the_ellipse)
{
    for (int k = 0; k < 21; ++k) {
        const float angle = 0.1571f * (float)(k % 7);
        fibre_scene fibres;
        ellipse_scene(&fibres, (coif_curve_kind)(k / 7), 2.5f, angle);
        // Support function of the ellipse towards x.
        const double expected = sqrt(2.5 * sin((double)angle) * sin((double)angle) +
                                     cos((double)angle) * cos((double)angle) / 2.5);
        CHECK_NEAR(half_width(&fibres), expected, 0.03 * expected);
        coif_accel_close(fibres.scene.accel);
    }
}

// White furnace, through the renderer.
TEST(white_elliptical_fibre_is_invisible_in_a_white_environment)
{
    enum { RAYS = 20000 };
    fibre_scene fibres;
    ellipse_scene(&fibres, COIF_CURVE_ROUND, 2.0f, 0.6f);
    fibres.light = (coif_light){.type = COIF_LIGHT_ENVIRONMENT};
    coif_environment_init(&fibres.light.environment, (coif_vec3){1.0f, 1.0f, 1.0f}, NULL, 0.0f,
                          &arena);
    double sum = 0.0, covered = 0.0;
    for (uint32_t i = 0; i < RAYS; ++i) {
        coif_sampler sampler = coif_sampler_at(5, 0, 0, i);
        const coif_vec2 u = coif_sampler_next_2d(&sampler);
        const coif_ray ray = {{2.0f * RADIUS * (2.0f * u.x - 1.0f), 0.02f * (u.y - 0.5f), 1.0f},
                              {0.0f, 0.0f, -1.0f},
                              0.0f,
                              FLT_MAX,
                              0.0f,
                              0};
        coif_primary_hit first;
        sum += (double)coif_path_trace(&fibres.scene, ray, &sampler, &first, NULL).y;
        covered += (double)first.alpha;
    }
    CHECK(covered > 0.4 * RAYS);
    CHECK_NEAR(sum / covered, 1.0, 0.01);
    coif_accel_close(fibres.scene.accel);
}

// The minor axis is orthogonal to the strand and to the tangent of the surface at the root.
TEST(major_axis_follows_the_surface_tangent)
{
    enum { POINTS = 8 };
    int32_t length = POINTS;
    coif_groom groom;
    coif_error error = {0};
    CHECK_OK(coif_groom_init(&groom, &length, 1, &arena, &error), error);
    const float frame[9] = {0.8f, 0.0f, 0.6f, -0.6f, 0.0f, 0.8f, 0.0f, 1.0f, 0.0f};
    memcpy(groom.root_frame, frame, sizeof frame);
    for (int k = 0; k < POINTS; ++k) {
        const float t = 0.2f * (float)k;
        groom.rest.points[k] = (coif_vec4){sinf(t), t, 1.0f - cosf(t), RADIUS};
    }
    coif_bspline_curves curves;
    CHECK_OK(coif_bspline_curves_init(&curves, &groom.rest, COIF_CURVE_ROUND, &arena, NULL, &error),
             error);
    const coif_ribbon_desc desc = {.groom = &groom, .along_tangent = true};
    coif_ribbon_normals_fill(&curves, 0, &groom.rest, &desc, &arena);
    const coif_vec3 along = coif_normalize(
        coif_sub(coif_vec4_xyz(groom.rest.points[1]), coif_vec4_xyz(groom.rest.points[0])));
    const coif_vec3 root = coif_bspline_curves_normal(&curves, (coif_curve_coord){0, 0.0f, 0.0f});
    CHECK_NEAR(coif_dot(coif_normalize(root), (coif_vec3){0.8f, 0.0f, 0.6f}), 0.0, 0.03);
    CHECK_NEAR(coif_dot(coif_normalize(root), along), 0.0, 0.03);
    for (int32_t k = 0; k < POINTS - 1; ++k) {
        const coif_curve_coord coord = {k, 0.5f, 0.0f};
        coif_vec4 point, tangent;
        coif_bspline_curves_at(&curves, coord, &point, &tangent);
        const coif_vec3 normal = coif_normalize(coif_bspline_curves_normal(&curves, coord));
        CHECK_NEAR(coif_dot(normal, coif_normalize(coif_vec4_xyz(tangent))), 0.0, 0.06);
    }
}
