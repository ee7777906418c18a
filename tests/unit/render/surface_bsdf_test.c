// Surface BSDF: coat, sheen, metal and glass conserve energy and sample by their pdf.
#include "render/bsdf/surface_bsdf.h"

#include "core/base/rng.h"
#include "render/bsdf/ggx.h"
#include "tests/support/test.h"

static const coif_vec3 UP = {0.0f, 0.0f, 1.0f};

static coif_vec3 direction(float cosine, float turn)
{
    const float sine = sqrtf(fmaxf(0.0f, 1.0f - cosine * cosine));
    return (coif_vec3){sine * cosf(6.2831853f * turn), sine * sinf(6.2831853f * turn), cosine};
}

static coif_surface_bsdf bsdf_of(const coif_surface *surface, coif_vec3 wo)
{
    coif_surface_bsdf bsdf;
    coif_surface_bsdf_init(&bsdf, surface, UP, UP, wo);
    return bsdf;
}

static double green(coif_vec3 c)
{
    return (double)c.y;
}

// White furnace: albedo estimated with the BSDF's own samples.
static double furnace(const coif_surface_bsdf *bsdf, int side, double *density_error)
{
    double sum = 0.0, worst = 0.0;
    for (int i = 0; i < side * side; ++i) {
        const coif_vec2 v = {((float)(i % side) + 0.5f) / (float)side,
                             ((float)(i / side) + 0.5f) / (float)side};
        const float u = coif_random_unit(5, (uint64_t)i, 0);
        const coif_vec3 wi = coif_surface_bsdf_sample(bsdf, u, v);
        float pdf;
        const coif_vec3 f = coif_surface_bsdf_eval(bsdf, wi, &pdf);
        worst = !(pdf > 0.0f) ? 1.0 : worst;
        sum += pdf > 0.0f ? green(f) / (double)pdf : 0.0;
    }
    *density_error = worst;
    return sum / (side * side);
}

// Albedo and pdf integrated over a uniform grid of directions.
typedef struct integrals {
    double albedo, pdf;
} integrals;

static integrals sum_sphere(const coif_surface_bsdf *bsdf, int rows)
{
    integrals sums = {0.0, 0.0};
    for (int i = 0; i < 2 * rows * rows; ++i) {
        const float cosine = 1.0f - 2.0f * ((float)(i / (2 * rows)) + 0.5f) / (float)rows;
        const float turn = ((float)(i % (2 * rows)) + 0.5f) / (float)(2 * rows);
        float pdf;
        sums.albedo += green(coif_surface_bsdf_eval(bsdf, direction(cosine, turn), &pdf));
        sums.pdf += (double)pdf;
    }
    const double scale = 4.0 * 3.14159265358979 / (2.0 * rows * rows);
    return (integrals){sums.albedo * scale, sums.pdf * scale};
}

static const float COSINES[] = {0.02f, 0.1f, 0.3f, 0.6f, 0.9f, 1.0f};

// With or without a second lobe or sheen.
TEST(white_base_under_a_coat_conserves_energy)
{
    for (int k = 0; k < 6 * 6 * 3; ++k) {
        const coif_surface surface = {
            .color = {1.0f, 1.0f, 1.0f},
            .roughness = 0.2f * (float)(k / 6 % 6),
            .specular = k % 2 == 0 ? 0.04f : 0.3f,
            .coat2_roughness = 0.3f,
            .coat2_weight = k / 36 == 1 ? 0.4f : 0.0f,
            .sheen = k / 36 == 2 ? 0.7f : 0.0f,
        };
        const coif_surface_bsdf bsdf = bsdf_of(&surface, direction(COSINES[k % 6], 0.1f));
        double missing;
        CHECK_NEAR(furnace(&bsdf, 128, &missing), 1.0, 0.006);
        CHECK(missing == 0.0);
    }
}

// Reflection and transmission, through coats on both sides.
TEST(white_leaf_conserves_energy)
{
    for (int k = 0; k < 6 * 6 * 3; ++k) {
        const coif_surface surface = {
            .color = {1.0f, 1.0f, 1.0f},
            .roughness = 0.2f * (float)(k / 6 % 6),
            .specular = k % 2 == 0 ? 0.04f : 0.3f,
            .translucency = 0.1f + 0.45f * (float)(k / 36),
            .transmission_tint = {1.0f, 1.0f, 1.0f},
        };
        const float cosine = COSINES[k % 6] * (k % 4 < 2 ? 1.0f : -1.0f); // from either side
        const coif_surface_bsdf bsdf = bsdf_of(&surface, direction(cosine, 0.1f));
        double missing;
        CHECK_NEAR(furnace(&bsdf, 128, &missing), 1.0, 0.008);
        CHECK(missing == 0.0);
    }
}

TEST(leaf_splits_light_into_reflection_and_tinted_transmission)
{
    const coif_surface leaf = {.color = {0.5f, 0.5f, 0.5f},
                               .roughness = 1.0f,
                               .translucency = 0.3f,
                               .transmission_tint = {0.2f, 0.6f, 1.0f}};
    const coif_surface_bsdf bsdf = bsdf_of(&leaf, direction(0.7f, 0.1f));
    float pdf;
    CHECK_NEAR(coif_surface_bsdf_eval(&bsdf, UP, &pdf).x, 0.5 * 0.7 / 3.14159265, 1e-5);
    const coif_vec3 down = {0.0f, 0.0f, -1.0f};
    CHECK_NEAR(coif_surface_bsdf_eval(&bsdf, down, &pdf).x, 0.5 * 0.3 * 0.2 / 3.14159265, 1e-5);
    CHECK_NEAR(coif_surface_bsdf_eval(&bsdf, down, &pdf).y, 0.5 * 0.3 * 0.6 / 3.14159265, 1e-5);
}

TEST(white_metal_conserves_energy)
{
    for (int k = 0; k < 36; ++k) {
        const coif_surface surface = {
            .color = {1.0f, 1.0f, 1.0f}, .roughness = 0.2f * (float)(k / 6), .metallic = 1.0f};
        const coif_surface_bsdf bsdf = bsdf_of(&surface, direction(COSINES[k % 6], 0.1f));
        double missing;
        CHECK_NEAR(furnace(&bsdf, 128, &missing), 1.0, 0.006);
    }
}

// From outside and from inside, total internal reflection included.
TEST(clear_glass_conserves_energy)
{
    static const float etas[] = {1.1f, 1.5f, 2.4f};
    for (int e = 0; e < 3; ++e) {
        float albedo[COIF_DIELECTRIC_ALBEDO_COUNT];
        coif_dielectric_albedo_init(albedo, etas[e]);
        for (int k = 0; k < 72; ++k) {
            const coif_surface surface = {.color = {1.0f, 1.0f, 1.0f},
                                          .roughness = 0.2f * (float)(k / 6 % 6),
                                          .kind = COIF_SURFACE_DIELECTRIC,
                                          .eta = etas[e],
                                          .dielectric_albedo = albedo};
            const float sign = k < 36 ? 1.0f : -1.0f;
            coif_vec3 wo = direction(COSINES[k % 6], 0.1f);
            wo.z *= sign;
            const coif_surface_bsdf bsdf = bsdf_of(&surface, wo);
            CHECK(bsdf.inside == (k >= 36));
            double missing;
            CHECK_NEAR(furnace(&bsdf, 64, &missing), 1.0, 0.015);
        }
    }
}

// For random mixtures of all layers.
TEST(albedo_never_exceeds_one)
{
    for (int k = 0; k < 200; ++k) {
        float r[8];
        for (int i = 0; i < 8; ++i) {
            r[i] = coif_random_unit(9, (uint64_t)k, (uint32_t)i);
        }
        const coif_surface surface = {.color = {1.0f, r[0], 0.5f},
                                      .roughness = r[1],
                                      .specular = r[2],
                                      .metallic = k % 2 == 0 ? r[3] : 0.0f,
                                      .coat2_roughness = r[4],
                                      .coat2_weight = r[5],
                                      .sheen = r[6]};
        const coif_surface_bsdf bsdf = bsdf_of(&surface, direction(r[7], 0.3f));
        double missing;
        CHECK(furnace(&bsdf, 48, &missing) < 1.01);
    }
}

static coif_surface example(int k, const float *albedo)
{
    const coif_surface kinds[] = {
        {.color = {0.8f, 0.8f, 0.8f}, .roughness = 1.0f},
        {.color = {0.8f, 0.8f, 0.8f}, .roughness = 0.5f, .specular = 0.05f, .sheen = 0.5f},
        {.color = {0.5f, 0.6f, 0.5f},
         .roughness = 0.7f,
         .specular = 0.03f,
         .coat2_roughness = 0.45f,
         .coat2_weight = 0.3f},
        {.color = {0.5f, 0.9f, 0.5f}, .roughness = 0.6f, .metallic = 1.0f},
        {.color = {1.0f, 1.0f, 1.0f},
         .roughness = 0.6f,
         .kind = COIF_SURFACE_DIELECTRIC,
         .eta = 1.5f,
         .dielectric_albedo = albedo},
        {.color = {0.5f, 0.6f, 0.5f},
         .roughness = 0.5f,
         .specular = 0.05f,
         .translucency = 0.4f,
         .transmission_tint = {1.0f, 0.8f, 0.3f}},
    };
    return kinds[k];
}
enum { EXAMPLES = 6 };

TEST(pdf_integrates_to_one_and_samples_to_the_albedo)
{
    float albedo[COIF_DIELECTRIC_ALBEDO_COUNT];
    coif_dielectric_albedo_init(albedo, 1.5f);
    for (int k = 0; k < EXAMPLES * 4; ++k) {
        const coif_surface surface = example(k % EXAMPLES, albedo);
        coif_vec3 wo = direction(COSINES[1 + k / EXAMPLES], 0.2f);
        wo.z = k % 2 == 0 && surface.kind == COIF_SURFACE_DIELECTRIC ? -wo.z : wo.z;
        const coif_surface_bsdf bsdf = bsdf_of(&surface, wo);
        const integrals all = sum_sphere(&bsdf, 256);
        double missing;
        CHECK_NEAR(all.pdf, 1.0, 4e-3);
        CHECK_NEAR(furnace(&bsdf, 160, &missing), all.albedo, 8e-3);
    }
}

// Chi-square test.
TEST(sample_histogram_matches_the_pdf)
{
    enum { ROWS = 8, CELLS = 2 * ROWS * ROWS, SAMPLES = 40000, FINE = 12 };
    float albedo[COIF_DIELECTRIC_ALBEDO_COUNT];
    coif_dielectric_albedo_init(albedo, 1.5f);
    for (int k = 0; k < EXAMPLES; ++k) {
        const coif_surface surface = example(k, albedo);
        const coif_surface_bsdf bsdf = bsdf_of(&surface, direction(0.5f, 0.2f));
        double counts[CELLS] = {0}, expected[CELLS] = {0};
        for (uint64_t i = 0; i < SAMPLES; ++i) {
            const coif_vec2 v = {coif_random_unit(31, i, 1), coif_random_unit(31, i, 2)};
            const coif_vec3 w = coif_surface_bsdf_sample(&bsdf, coif_random_unit(31, i, 0), v);
            const double turn = atan2((double)w.y, (double)w.x) / 6.283185307 + 0.5;
            const int row = (int)fmin(ROWS - 1, (1.0 - (double)w.z) * 0.5 * ROWS);
            counts[row * 2 * ROWS + (int)fmin(2 * ROWS - 1, turn * 2 * ROWS)] += 1.0;
        }
        for (int i = 0; i < CELLS * FINE * FINE; ++i) {
            const int row = i / (2 * ROWS * FINE), column = i % (2 * ROWS * FINE);
            if (row >= ROWS * FINE) {
                break;
            }
            const float cosine = 1.0f - 2.0f * ((float)row + 0.5f) / (ROWS * FINE);
            const float turn = ((float)column + 0.5f) / (2 * ROWS * FINE) - 0.5f;
            float pdf;
            coif_surface_bsdf_eval(&bsdf, direction(cosine, turn), &pdf);
            expected[row / FINE * 2 * ROWS + column / FINE] +=
                (double)pdf * 4.0 * 3.14159265 / (CELLS * FINE * FINE) * SAMPLES;
        }
        double chi = 0.0;
        int cells = 0;
        for (int i = 0; i < CELLS; ++i) {
            if (expected[i] > 8.0) {
                chi += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
                ++cells;
            }
        }
        // Four standard deviations of the chi-square distribution.
        CHECK(chi < cells + 4.0 * sqrt(2.0 * cells));
        CHECK(cells > 20);
    }
}

TEST(layered_bsdf_is_reciprocal)
{
    for (int k = 0; k < 5 * 16; ++k) {
        const bool leaf = k % 5 == 4;
        const coif_surface surface = example(leaf ? 5 : k % 5, NULL);
        const coif_vec3 a = direction(0.05f + 0.9f * coif_random_unit(4, (uint64_t)k, 0), 0.1f);
        coif_vec3 b = direction(0.05f + 0.9f * coif_random_unit(4, (uint64_t)k, 1),
                                coif_random_unit(4, (uint64_t)k, 2));
        b.z = leaf && k % 2 == 0 ? -b.z : b.z; // transmission
        const coif_surface_bsdf from_a = bsdf_of(&surface, a), from_b = bsdf_of(&surface, b);
        float pdf;
        const double there = green(coif_surface_bsdf_eval(&from_a, b, &pdf)) / fabs((double)b.z);
        const double back = green(coif_surface_bsdf_eval(&from_b, a, &pdf)) / (double)a.z;
        CHECK_NEAR(there / back, 1.0, 1e-4);
    }
}

// Reflectance at normal incidence is ((n - 1) / (n + 1))^2.
TEST(smooth_glass_obeys_snell_and_fresnel)
{
    const coif_surface surface = {
        .color = {1.0f, 1.0f, 1.0f}, .kind = COIF_SURFACE_DIELECTRIC, .eta = 1.5f};
    const coif_surface_bsdf straight = bsdf_of(&surface, UP);
    CHECK(coif_surface_bsdf_sample(&straight, 0.0399f, (coif_vec2){0.3f, 0.3f}).z > 0.99f);
    CHECK(coif_surface_bsdf_sample(&straight, 0.0401f, (coif_vec2){0.3f, 0.3f}).z < -0.99f);
    const coif_surface_bsdf bsdf = bsdf_of(&surface, direction(0.6f, 0.0f));
    const coif_vec3 bent = coif_surface_bsdf_sample(&bsdf, 0.99f, (coif_vec2){0.1f, 0.3f});
    CHECK_NEAR(bent.x, -0.8 / 1.5, 2e-3);
    CHECK(bent.z < 0.0f);
    // From inside, beyond the critical angle: total internal reflection.
    coif_vec3 wo = direction(0.5f, 0.0f);
    wo.z = -wo.z;
    const coif_surface_bsdf within = bsdf_of(&surface, wo);
    CHECK(coif_surface_bsdf_sample(&within, 0.9999f, (coif_vec2){0.1f, 0.3f}).z < 0.0f);
}

TEST(albedo_table_matches_numerical_integration)
{
    for (int k = 0; k < 60; ++k) {
        const float roughness = coif_random_unit(77, (uint64_t)k, 0);
        const float cosine = 0.01f + 0.99f * coif_random_unit(77, (uint64_t)k, 1);
        const float alpha = coif_ggx_alpha(roughness);
        const coif_vec3 wo = direction(cosine, 0.0f);
        const float lambda_o = coif_ggx_lambda(cosine, alpha);
        double scale = 0.0, bias = 0.0;
        for (int i = 0; i < 96 * 96; ++i) {
            const coif_vec2 u = {((float)(i % 96) + 0.5f) / 96.0f,
                                 ((float)(i / 96) + 0.5f) / 96.0f};
            const coif_vec3 m = coif_ggx_sample(wo, alpha, u);
            const float c = coif_dot(m, wo);
            const float z = 2.0f * c * m.z - wo.z;
            if (z > 0.0f) {
                const float left =
                    (1.0f + lambda_o) / (1.0f + lambda_o + coif_ggx_lambda(z, alpha));
                const float grazing = powf(1.0f - c, 5.0f);
                scale += (double)((1.0f - grazing) * left);
                bias += (double)(grazing * left);
            }
        }
        const coif_ggx_albedo albedo = coif_ggx_albedo_of(roughness);
        float table_scale, table_bias;
        coif_ggx_albedo_at(&albedo, cosine, &table_scale, &table_bias);
        CHECK_NEAR(table_scale, scale / (96 * 96), 4e-3);
        CHECK_NEAR(table_bias, bias / (96 * 96), 4e-3);
    }
}
