// Hair highlights of a rendered fibre lie on the cones that theory predicts.
#include "tests/support/straight_fibres.h"

#include <float.h>

static coif_arena arena;

static const double PI = 3.141592653589793;

// A narrow light along z, from the front (+1) or from behind (-1).
static coif_light distant_light(float side)
{
    return (coif_light){.type = COIF_LIGHT_DISTANT,
                        .normal = {0.0f, 0.0f, -side},
                        .one_minus_cos = 1e-5f,
                        .radiance = {1e4f, 1e4f, 1e4f},
                        .luminance = 1e4f};
}

// Mean radiance of a lobe over the width, towards a camera 1 m away at an elevation in degrees.
static double lobe_radiance(const fibre_scene *fibres, double degrees, coif_aov_kind lobe)
{
    enum { ACROSS = 128 };
    const float radius = 4e-5f;
    const float sine = (float)sin(degrees * PI / 180.0), cosine = (float)cos(degrees * PI / 180.0);
    double sum = 0.0;
    for (uint32_t i = 0; i < ACROSS; ++i) {
        const float x = radius * (2.0f * ((float)i + 0.5f) / ACROSS - 1.0f);
        const coif_ray ray = {{x, sine, cosine}, {0.0f, -sine, -cosine}, 0.0f, FLT_MAX, 0.0f, 0};
        coif_sampler sampler = coif_sampler_at(7, (int32_t)(1e3 * degrees), 0, i);
        coif_primary_hit first;
        coif_light_aovs aovs = {0};
        coif_path_trace(&fibres->scene, ray, &sampler, &first, &aovs);
        sum += aovs.parts[lobe].y;
    }
    return sum / ACROSS;
}

// Elevation of a lobe: centroid of what exceeds half of the maximum.
static double cone_elevation(const fibre_scene *fibres, coif_aov_kind lobe)
{
    enum { STEPS = 161 };
    double values[STEPS], maximum = 0.0, sum = 0.0, moment = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        values[i] = lobe_radiance(fibres, 0.5 * (i - STEPS / 2), lobe);
        maximum = fmax(maximum, values[i]);
    }
    for (int i = 0; i < STEPS; ++i) {
        const double weight = fmax(values[i] - 0.5 * maximum, 0.0);
        sum += weight;
        moment += weight * 0.5 * (i - STEPS / 2);
    }
    CHECK(maximum > 0.0);
    return moment / sum;
}

// A cuticle angle alpha tilts theta_o by -2 alpha in R, alpha in TT and 4 alpha in TRT (Chiang et
// al. 2016, as in pbrt and Cycles). For light at normal incidence the cones lie 2 alpha towards the
// tip, and alpha and 4 alpha towards the root. The TRT highlight is wide, its centroid a little
// beyond.
TEST(highlights_lie_at_multiples_of_the_cuticle_angle)
{
    static const float tilts[] = {2.0f, 3.5f};
    for (size_t i = 0; i < COIF_COUNT_OF(tilts); ++i) {
        const coif_hair_params hair = {.ior = 1.55f,
                                       .longitudinal_roughness = 0.08f,
                                       .azimuthal_roughness = 0.3f,
                                       .cuticle_angle = tilts[i],
                                       COIF_HAIR_OPAQUE};
        const coif_vec2 center = {0.0f, 0.0f};
        fibre_scene fibres;
        fibre_scene_init(&fibres, &center, 1, 4e-5f, COIF_CURVE_ROUND, &hair, &arena);
        fibres.scene.max_depth = 1;
        fibres.light = distant_light(1.0f);
        const double tilt = (double)tilts[i];
        CHECK_NEAR(cone_elevation(&fibres, COIF_AOV_R), 2.0 * tilt, 0.3);
        CHECK_NEAR(cone_elevation(&fibres, COIF_AOV_TRT), -4.0 * tilt, 1.1);
        fibres.light = distant_light(-1.0f);
        CHECK_NEAR(cone_elevation(&fibres, COIF_AOV_TT), -tilt, 0.3);
        coif_accel_close(fibres.scene.accel);
    }
}
