// Minimum pixel width keeps coverage and radiance of far hair.
#include "render/geometry/min_pixel_width.h"

#include "core/base/jobs.h"
#include "render/session/tile_scheduler.h"
#include "tests/support/render_ball.h"
#include "tests/support/test.h"

static coif_arena arena;

enum { SIZE = 32 };

// Orthographic camera along -z with a given pixel size, shifted to the right by some pixels.
static coif_camera view(float pixel, float shift)
{
    return (coif_camera){.origin = {shift * pixel, 0.0f, 5.0f},
                         .right = {1.0f, 0.0f, 0.0f},
                         .up = {0.0f, 1.0f, 0.0f},
                         .forward = {0.0f, 0.0f, -1.0f},
                         .projection = COIF_ORTHOGRAPHIC,
                         .half_height = 0.5f * SIZE * pixel,
                         .half_width = 0.5f * SIZE * pixel,
                         .pixel_angle = pixel};
}

typedef struct far_hair {
    coif_render_scene scene;
    coif_bspline_curves curves;
    coif_hair_material fibre;
    coif_light sky;
    coif_geometry shape;
} far_hair;

// Hair in a uniform white environment; the caller closes the accel.
static void make_scene(far_hair *hair, const coif_strands *strands, coif_curve_kind kind,
                       const coif_camera *camera, float min_width)
{
    coif_error error = {0};
    const coif_hair_params params = {.color_model = COIF_HAIR_BY_ABSORPTION,
                                     .absorption = {0.3f, 0.3f, 0.3f},
                                     .ior = 1.55f,
                                     .longitudinal_roughness = 0.3f,
                                     .azimuthal_roughness = 0.3f,
                                     .cuticle_angle = 2.0f,
                                     COIF_HAIR_OPAQUE};
    *hair = (far_hair){.sky = {.type = COIF_LIGHT_ENVIRONMENT}};
    coif_environment_init(&hair->sky.environment, (coif_vec3){1.0f, 1.0f, 1.0f}, NULL, 0.0f,
                          &arena);
    coif_hair_material_init(&hair->fibre, &params, COIF_WORKING_REC709);
    CHECK_OK(coif_bspline_curves_init(&hair->curves, strands, kind, &arena, NULL, &error), error);
    const coif_min_width_desc widen = {camera, 1, min_width};
    const bool widened = coif_bspline_curves_set_min_width(&hair->curves, &widen, &arena);
    CHECK(widened == (min_width > 0.0f));
    hair->shape =
        (coif_geometry){.curves = &hair->curves, .strands = strands, .hair_material = &hair->fibre};
    hair->scene = (coif_render_scene){.geometries = &hair->shape,
                                      .geometry_count = 1,
                                      .lights = {.lights = &hair->sky, .count = 1},
                                      .camera = *camera,
                                      .has_transparency = widened,
                                      .transparent = true};
    const coif_accel_desc desc = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&hair->scene.accel, &desc, &arena, &error), error);
    CHECK_OK(coif_accel_add_curves(hair->scene.accel, &hair->curves, &error), error);
    CHECK_OK(coif_accel_build(hair->scene.accel, NULL, &error), error);
}

// Sums over all pixels.
typedef struct sums {
    double covered, light;
} sums;

static sums render_sums(const coif_render_scene *scene, int samples)
{
    coif_film film;
    coif_error error = {0};
    coif_film_init(&film, &(coif_film_desc){.width = SIZE, .height = SIZE}, &arena);
    const coif_sampling_params sampling = {.samples = samples, .filter = COIF_FILTER_BOX};
    const coif_tile_pass desc = {.scene = scene, .sampling = &sampling, .transparent = 1};
    CHECK_OK(coif_tiles_render_pass(&film, &desc, NULL, NULL, &error), error);
    sums total = {0};
    for (int i = 0; i < SIZE * SIZE; ++i) {
        total.covered += film.sums[i * film.aovs.stride + 3] / film.counts[i];
        total.light += film.sums[i * film.aovs.stride + 1] / film.counts[i];
    }
    return total;
}

static const float PIXEL = 0.01f;

// A strand 20 cm long and 80 micrometres wide.
static void one_strand(coif_strands *strands)
{
    static coif_vec4 points[12];
    static int32_t first[2] = {0, 12};
    for (int i = 0; i < 12; ++i) {
        const float y = 0.2f * (float)i / 11.0f - 0.1f;
        points[i] = (coif_vec4){0.1f * y, y, 0.0f, 4e-5f};
    }
    *strands =
        (coif_strands){.strand_count = 1, .point_count = 12, .first = first, .points = points};
}

// Mean and relative standard deviation of the coverage of a far strand, over subpixel shifts.
static void coverage_spread(coif_curve_kind kind, float min_width, double *mean, double *spread)
{
    enum { SHIFTS = 16 };
    coif_strands strands;
    one_strand(&strands);
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < SHIFTS; ++i) {
        far_hair hair;
        const coif_camera camera = view(PIXEL, (float)i / SHIFTS);
        make_scene(&hair, &strands, kind, &camera, min_width);
        const double covered = render_sums(&hair.scene, 8).covered;
        sum += covered / SHIFTS;
        square += covered * covered / SHIFTS;
        coif_accel_close(hair.scene.accel);
    }
    *mean = sum;
    *spread = sqrt(fmax(square - sum * sum, 0.0)) / sum;
}

// It covers 20.1 pixels of length by 0.008 of width. Eight samples per pixel mostly miss it;
// widened to a pixel its coverage does not depend on the shift.
TEST(far_strand_has_constant_coverage_between_pixels)
{
    for (int kind = 0; kind < 3; ++kind) {
        double mean, spread, thin_mean, thin_spread;
        coverage_spread((coif_curve_kind)kind, 1.0f, &mean, &spread);
        coverage_spread((coif_curve_kind)kind, 0.0f, &thin_mean, &thin_spread);
        CHECK_NEAR(mean / (20.1 * 0.008), 1.0, kind == COIF_CURVE_LINEAR ? 0.06 : 0.02);
        CHECK_NEAR(spread, 0.0, 0.03);
        CHECK(thin_spread > 8.0 * spread);
    }
}

TEST(widened_hair_keeps_coverage_and_radiance)
{
    coif_strands strands;
    ball_strands(&strands, 1500, 12, &arena);
    const coif_camera camera = view(0.16f, 0.3f);
    far_hair thin, wide;
    make_scene(&thin, &strands, COIF_CURVE_ROUND, &camera, 0.0f);
    make_scene(&wide, &strands, COIF_CURVE_ROUND, &camera, 0.5f);
    const sums expected = render_sums(&thin.scene, 256), found = render_sums(&wide.scene, 64);
    CHECK(expected.covered > 20.0);
    CHECK_NEAR(found.covered / expected.covered, 1.0, 0.04);
    CHECK_NEAR(found.light / expected.light, 1.0, 0.06);
    coif_accel_close(thin.scene.accel);
    coif_accel_close(wide.scene.accel);
}

TEST(strands_wider_than_a_pixel_are_unchanged)
{
    coif_strands strands;
    coif_bspline_curves curves;
    coif_error error = {0};
    one_strand(&strands);
    CHECK_OK(coif_bspline_curves_init(&curves, &strands, COIF_CURVE_ROUND, &arena, NULL, &error),
             error);
    const coif_camera camera = view(1e-5f, 0.0f);
    const coif_min_width_desc widen = {&camera, 1, 1.0f};
    CHECK(!coif_bspline_curves_set_min_width(&curves, &widen, &arena));
    CHECK(curves.true_radius == NULL);
    CHECK_NEAR(curves.controls[3].w, 4e-5, 1e-10);
}
