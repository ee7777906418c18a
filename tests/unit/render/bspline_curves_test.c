// B-spline curves interpolate the strands, and rays hit them correctly.
#include "render/geometry/bspline_curves.h"

#include "core/base/log.h"
#include "render/embree/accel.h"
#include "render/integrator/interaction.h"
#include "tests/support/render_ball.h"
#include "tests/support/test.h"

#include <float.h>

static coif_arena arena;
static const coif_accel_desc AUTO = {.isa = "auto", .threads = 1};

// Strands of 2 to 40 points at random positions.
static void crooked_strands(coif_strands *strands)
{
    enum { COUNT = 39 };
    *strands = (coif_strands){.strand_count = COUNT};
    strands->first = coif_arena_new(&arena, COUNT + 1, int32_t);
    for (int32_t s = 0; s < COUNT; ++s) {
        strands->first[s + 1] = strands->first[s] + s + 2;
    }
    strands->point_count = strands->first[COUNT];
    strands->points = coif_arena_new(&arena, strands->point_count, coif_vec4);
    for (int32_t i = 0; i < strands->point_count; ++i) {
        float value[3];
        for (uint32_t k = 0; k < 3; ++k) {
            value[k] = coif_random_unit(4, (uint64_t)i, k);
        }
        strands->points[i] = (coif_vec4){value[0], value[1], value[2], 0.001f};
    }
}

static void check_passes(const coif_strands *strands, coif_curve_kind kind)
{
    coif_bspline_curves curves;
    coif_error error = {0};
    CHECK_OK(coif_bspline_curves_init(&curves, strands, kind, &arena, NULL, &error), error);
    double worst = 0.0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t first = strands->first[s];
        for (int32_t k = 0; k + 1 < coif_strands_length(strands, s); ++k) {
            const int32_t segment = first - s + k;
            CHECK(coif_bspline_curves_strand(&curves, segment) == s);
            for (int end = 0; end < 2; ++end) {
                coif_vec4 point, along;
                coif_bspline_curves_at(&curves, (coif_curve_coord){segment, (float)end, 0.0f},
                                       &point, &along);
                const coif_vec3 gap =
                    coif_sub(coif_vec4_xyz(point), coif_vec4_xyz(strands->points[first + k + end]));
                worst = fmax(worst, coif_length(gap));
                CHECK_NEAR(point.w, 0.001, 1e-6);
            }
        }
    }
    CHECK_NEAR(worst, 0.0, 1e-6);
}

TEST(curves_pass_through_every_point)
{
    coif_strands strands;
    crooked_strands(&strands);
    check_passes(&strands, COIF_CURVE_ROUND);
    check_passes(&strands, COIF_CURVE_FLAT);
    check_passes(&strands, COIF_CURVE_LINEAR);
}

TEST(radius_never_overshoots_below_zero)
{
    coif_strands strands;
    crooked_strands(&strands);
    for (int32_t s = 0; s < strands.strand_count; ++s) {
        strands.points[strands.first[s + 1] - 1].w = 0.0f;
    }
    coif_bspline_curves curves;
    coif_error error = {0};
    CHECK_OK(coif_bspline_curves_init(&curves, &strands, COIF_CURVE_ROUND, &arena, NULL, &error),
             error);
    for (int32_t i = 0; i < curves.control_count; ++i) {
        CHECK(curves.controls[i].w >= 0.0f);
    }
}

// A scene with curves alone; the caller closes its accel.
static void make_scene(coif_render_scene *scene, const coif_strands *strands, coif_curve_kind kind)
{
    static const coif_hair_params hair = {.eumelanin = 0.5f,
                                          .ior = 1.55f,
                                          .longitudinal_roughness = 0.3f,
                                          .azimuthal_roughness = 0.3f,
                                          .cuticle_angle = 2.0f,
                                          COIF_HAIR_OPAQUE};
    coif_error error = {0};
    coif_bspline_curves *curves = coif_arena_new(&arena, 1, coif_bspline_curves);
    coif_hair_material *fibre = coif_arena_new(&arena, 1, coif_hair_material);
    coif_hair_material_init(fibre, &hair, COIF_WORKING_REC709);
    CHECK_OK(coif_bspline_curves_init(curves, strands, kind, &arena, NULL, &error), error);
    *scene = (coif_render_scene){.geometry_count = 1};
    scene->geometries = coif_arena_new(&arena, 1, coif_geometry);
    scene->geometries[0] =
        (coif_geometry){.curves = curves, .strands = strands, .hair_material = fibre};
    CHECK_OK(coif_accel_open(&scene->accel, &AUTO, &arena, &error), error);
    CHECK_OK(coif_accel_add_curves(scene->accel, curves, &error), error);
    CHECK_OK(coif_accel_build(scene->accel, NULL, &error), error);
}

static bool hits(const coif_render_scene *scene, float x)
{
    const coif_ray ray = {{x, 0.0f, 1.0f}, {0.0f, 0.0f, -1.0f}, 0.0f, FLT_MAX, 0.0f, 0};
    coif_ray_hit hit;
    const bool found = coif_accel_intersect(scene->accel, &ray, &hit);
    CHECK(coif_accel_occluded(scene->accel, &ray) == found);
    return found;
}

// Rays onto a strand from x = 0 to x = 0.3 hit from root to tip and not beyond.
TEST(curves_interpolate_root_and_tip)
{
    for (int kind = 0; kind < 3; ++kind) {
        coif_vec4 points[4];
        for (int i = 0; i < 4; ++i) {
            points[i] = (coif_vec4){0.1f * (float)i, 0.0f, 0.0f, 0.001f};
        }
        int32_t first[2] = {0, 4};
        const coif_strands strands = {
            .strand_count = 1, .point_count = 4, .first = first, .points = points};
        coif_render_scene scene;
        make_scene(&scene, &strands, (coif_curve_kind)kind);
        CHECK(hits(&scene, 2e-5f));
        CHECK(hits(&scene, 0.3f - 2e-5f));
        CHECK(hits(&scene, 0.1f) && hits(&scene, 0.15f));
        // Linear segments have hemispherical caps, the others flat ends.
        const float beyond = kind == COIF_CURVE_LINEAR ? 0.00102f : 2e-5f;
        CHECK(!hits(&scene, -beyond));
        CHECK(!hits(&scene, 0.3f + beyond));
        coif_accel_close(scene.accel);
    }
}

// Rays spaced uniformly over the fibre width give uniform h with the right sign, near and far.
TEST(h_matches_the_offset_of_the_ray)
{
    coif_vec4 points[8];
    for (int i = 0; i < 8; ++i) {
        points[i] = (coif_vec4){-0.1f + 0.2f * (float)i / 7.0f, 0.0f, 0.0f, 4e-5f};
    }
    int32_t first[2] = {0, 8};
    const coif_strands strands = {
        .strand_count = 1, .point_count = 8, .first = first, .points = points};
    for (int kind = 0; kind < 3; ++kind) {
        coif_render_scene scene;
        make_scene(&scene, &strands, (coif_curve_kind)kind);
        for (int i = 0; i < 38; ++i) {
            const float h = -0.95f + 0.1f * (float)(i / 2);
            const float away = i % 2 ? 0.5f : 20.0f;
            const coif_ray ray = {
                {0.013f, h * 4e-5f, away}, {0.0f, 0.0f, -1.0f}, 0.0f, FLT_MAX, 0.0f, 0};
            coif_ray_hit hit;
            const bool found = coif_accel_intersect(scene.accel, &ray, &hit);
            CHECK(found);
            if (!found) {
                continue;
            }
            coif_interaction isect;
            coif_interaction_init(&isect, &scene, &ray, &hit, 0);
            CHECK_NEAR(isect.normal.y, h, 0.02);
            CHECK_NEAR(isect.position.x, 0.013, 1e-5);
        }
        coif_accel_close(scene.accel);
    }
}

// A scattered ray leaves its fibre; on a curl it may hit the same strand again farther on.
TEST(spawned_rays_do_not_hit_their_own_fibre)
{
    coif_strands strands;
    ball_strands(&strands, 300, 16, &arena);
    coif_render_scene scene;
    make_scene(&scene, &strands, COIF_CURVE_ROUND);
    int left = 0, caught = 0;
    for (uint64_t i = 0; i < 20000; ++i) {
        const float a = 2.4f * coif_random_unit(6, i, 0) - 1.2f;
        const float b = 2.4f * coif_random_unit(6, i, 1) - 1.2f;
        const coif_ray ray = {{a, b, 30.0f}, {0.0f, 0.0f, -1.0f}, 0.0f, FLT_MAX, 0.0f, 0};
        coif_ray_hit hit, next;
        if (!coif_accel_intersect(scene.accel, &ray, &hit)) {
            continue;
        }
        coif_interaction isect;
        coif_interaction_init(&isect, &scene, &ray, &hit, 0);
        const coif_vec2 v = {coif_random_unit(6, i, 3), coif_random_unit(6, i, 4)};
        coif_vec3 f;
        float pdf;
        const coif_vec3 wi =
            coif_interaction_sample(&isect, coif_random_unit(6, i, 2), v, &f, &pdf);
        const coif_ray on = coif_interaction_spawn_ray(&isect, wi);
        ++left;
        caught += coif_accel_intersect(scene.accel, &on, &next) &&
                  next.distance < 4.0f * isect.radius &&
                  coif_bspline_curves_strand(scene.geometries[0].curves, next.primitive) ==
                      coif_bspline_curves_strand(scene.geometries[0].curves, hit.primitive);
    }
    coif_accel_close(scene.accel);
    CHECK(left > 500);
    CHECK_NEAR((double)caught / left, 0.0, 0.005);
}

TEST(cancelled_bvh_build_stops)
{
    coif_strands strands;
    ball_strands(&strands, 2000, 16, &arena);
    coif_bspline_curves curves;
    coif_error error = {0};
    CHECK_OK(coif_bspline_curves_init(&curves, &strands, COIF_CURVE_ROUND, &arena, NULL, &error),
             error);
    coif_progress *progress = coif_progress_open(&arena);
    coif_progress_cancel(progress);
    coif_accel *accel;
    const coif_accel_desc desc = {.isa = "sse4.2", .threads = 1};
    CHECK_OK(coif_accel_open(&accel, &desc, &arena, &error), error);
    CHECK_OK(coif_accel_add_curves(accel, &curves, &error), error);
    CHECK(coif_accel_build(accel, progress, &error) == COIF_ERR_CANCELLED);
    coif_accel_close(accel);
}

TEST(unknown_instruction_sets_are_rejected)
{
    coif_accel *accel = NULL;
    coif_error error = {0};
    const coif_accel_desc desc = {.isa = "mmx", .threads = 1};
    CHECK(coif_accel_open(&accel, &desc, &arena, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "mmx");
}
