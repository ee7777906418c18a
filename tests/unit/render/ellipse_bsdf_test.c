// Elliptical fibres: ray tracing of a dielectric cylinder, energy, sampling, outline, orientation.
#include "render/bench/cylinder_trace.h"
#include "tests/support/hair_bsdf_checks.h"

static coif_hair_lobes lobes_of(float beta_m, float beta_n)
{
    const coif_hair_bsdf_params hair = {
        .eta = 1.55f, .beta_m = beta_m, .beta_n = beta_n, .alpha = 0.04f};
    return coif_hair_lobes_of(&hair);
}

// A section with its major axis at an angle to the observer.
static coif_ellipse section_of(float ratio, float angle)
{
    return (coif_ellipse){ratio, cosf(angle), sinf(angle)};
}

TEST(lobes_match_a_ray_traced_cylinder)
{
    const coif_ellipse_errors round = coif_ellipse_validate(1.0);
    CHECK_NEAR(round.energy, 0.0, 1e-4);
    CHECK_NEAR(round.residual, 0.0, 1e-4);
    const coif_ellipse_errors errors = coif_ellipse_validate(3.0);
    CHECK_NEAR(errors.energy, 0.0, 1e-4);
    CHECK_NEAR(errors.azimuth, 0.0, 1e-3);
    CHECK_NEAR(errors.residual, 0.0, 2e-3);
    CHECK_NEAR(errors.azimuthal, 0.0, 0.03);
    CHECK_NEAR(errors.furnace, 0.0, 1e-3);
}

// The ellipse of ratio 1 is the round fibre.
TEST(circle_equals_the_round_fibre)
{
    for (uint64_t i = 0; i < 500; ++i) {
        const coif_hair_lobes lobes = lobes_of(0.25f, 0.3f);
        const coif_vec3 absorption = {0.1f, 0.4f, 1.0f};
        const float h = 1.98f * coif_random_unit(8, i, 0) - 0.99f;
        const float sin_o = 1.9f * coif_random_unit(8, i, 1) - 0.95f;
        const coif_ellipse circle = section_of(1.0f, 6.0f * coif_random_unit(8, i, 2));
        coif_hair_bsdf plain, traced;
        coif_hair_bsdf_init_local(&plain, &lobes, absorption, h, sin_o);
        coif_hair_bsdf_init_ellipse(&traced, &lobes, absorption, h, sin_o, &circle);
        for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
            for (int c = 0; c < 4; ++c) {
                CHECK_NEAR(traced.lobe[p][c], plain.lobe[p][c], 2e-5);
            }
            const double turn = (double)(traced.center[p] - plain.center[p]);
            CHECK_NEAR(p < 3 ? remainder(turn, 6.283185307179586) : 0.0, 0.0, 2e-3);
        }
    }
}

TEST(white_elliptical_hair_conserves_energy)
{
    for (int i = 0; i < 60; ++i) {
        const coif_hair_lobes lobes = lobes_of(0.15f + 0.2f * (float)(i % 3), 0.2f);
        const coif_ellipse section = section_of(1.0f + 0.5f * (float)(i % 12), 0.37f * (float)i);
        coif_hair_bsdf bsdf;
        coif_hair_bsdf_init_ellipse(&bsdf, &lobes, (coif_vec3){0.0f, 0.0f, 0.0f},
                                    -1.0f + (float)i / 29.5f, 0.9f * sinf((float)i), &section);
        const sphere_sums sums = sphere_integrate(&bsdf);
        CHECK_NEAR(sums.value, 1.0, 1e-3);
        CHECK_NEAR(sums.pdf, 1.0, 1e-3);
    }
}

TEST(sample_histogram_matches_the_pdf)
{
    for (int k = 0; k < 3; ++k) {
        const coif_hair_lobes lobes = lobes_of(0.25f, 0.3f);
        const coif_ellipse section = section_of(1.5f + (float)k, 0.5f + (float)k);
        coif_hair_bsdf bsdf;
        coif_hair_bsdf_init_ellipse(&bsdf, &lobes, (coif_vec3){0.1f, 0.2f, 0.4f},
                                    -0.5f + 0.5f * (float)k, 0.3f, &section);
        sphere_check_samples(&bsdf, sphere_integrate(&bsdf).value);
    }
}

TEST(values_are_finite_at_the_edges)
{
    static const float heights[] = {-1.0f, 0.0f, 1.0f}, sines[] = {-1.0f, 0.0f, 0.9999999f, 1.0f};
    for (int i = 0; i < 72; ++i) {
        const coif_hair_lobes lobes = lobes_of(0.05f, 0.05f);
        const coif_ellipse section = section_of(i % 2 ? 10.0f : 1.5f, 0.5236f * (float)(i / 24));
        coif_hair_bsdf bsdf;
        coif_hair_bsdf_init_ellipse(&bsdf, &lobes, (coif_vec3){0.0f, 1.0f, 1e4f}, heights[i % 3],
                                    sines[i / 3 % 4], &section);
        for (uint64_t k = 0; k < 20; ++k) {
            float pdf;
            const coif_vec3 f = coif_hair_bsdf_eval(&bsdf, sphere_random(k), &pdf);
            CHECK(isfinite(f.x) && isfinite(f.y) && isfinite(f.z) && isfinite(pdf));
            CHECK(f.x >= 0.0f && f.y >= 0.0f && f.z >= 0.0f && pdf >= 0.0f);
        }
    }
}
