// Weight and tint of the lobes: energy, sampling, four-wide evaluation, parameters.
#include "render/bsdf/hair_bsdf_x4.h"
#include "render/shading/hair_params.h"
#include "tests/support/hair_bsdf_checks.h"

static const coif_vec3 GAIN[COIF_HAIR_LOBES] = {
    {0.1f, 0.2f, 0.3f}, {1.0f, 0.8f, 0.0f}, {0.5f, 0.9f, 1.0f}, {0.7f, 0.4f, 0.6f}};

// Hair, or fur with a scattering medulla.
static coif_hair_lobes lobes_of(bool fur, const coif_vec3 *gain)
{
    coif_hair_bsdf_params hair = {.eta = 1.55f, .beta_m = 0.25f, .beta_n = 0.3f, .alpha = 0.04f};
    if (fur) {
        hair.medulla = 0.8f;
        hair.scattering = 2.0f;
        hair.layers = 1.0f;
    }
    hair.weighted = gain != NULL;
    if (gain != NULL) {
        memcpy(hair.gain, gain, sizeof hair.gain);
    }
    return coif_hair_lobes_of(&hair);
}

TEST(gain_multiplies_each_lobe)
{
    for (uint64_t i = 0; i < 400; ++i) {
        const coif_hair_lobes plain = lobes_of(i % 2, NULL), weighted = lobes_of(i % 2, GAIN);
        const coif_vec3 absorption = {0.1f, 0.3f, 0.8f}, wo = sphere_random(2 * i);
        const float h = 2.0f * coif_random_unit(5, i, 0) - 1.0f;
        const coif_hair_bsdf before = coif_hair_bsdf_at(&plain, absorption, h, wo);
        const coif_hair_bsdf after = coif_hair_bsdf_at(&weighted, absorption, h, wo);
        const coif_vec3 wi = sphere_random(2 * i + 1);
        coif_vec3 a[COIF_HAIR_LOBES], b[COIF_HAIR_LOBES], sum = {0.0f, 0.0f, 0.0f};
        coif_hair_bsdf_lobes(&before, wi, a);
        coif_hair_bsdf_lobes(&after, wi, b);
        for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
            const coif_vec3 expected = coif_mul(GAIN[p], a[p]);
            CHECK_NEAR(b[p].x, expected.x, 1e-6 * (double)expected.x + 1e-12);
            CHECK_NEAR(b[p].z, expected.z, 1e-6 * (double)expected.z + 1e-12);
            sum = coif_add(sum, b[p]);
        }
        float pdf;
        const coif_vec3 f = coif_hair_bsdf_eval(&after, wi, &pdf);
        CHECK_NEAR(f.y, sum.y, 1e-5 * (double)sum.y + 1e-9);
    }
}

// White furnace: the albedo of white hair is the mean of the gains weighted by the energy of the
// lobes, so gains of 1 keep all energy and smaller ones only lose it.
TEST(weights_only_lose_energy)
{
    static const coif_vec3 ones[COIF_HAIR_LOBES] = {
        {1.0f, 1.0f, 1.0f}, {1.0f, 1.0f, 1.0f}, {1.0f, 1.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};
    const coif_vec3 white = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 24; ++i) {
        const coif_hair_lobes full = lobes_of(i % 2, ones), weighted = lobes_of(i % 2, GAIN);
        const float h = -0.95f + 0.08f * (float)i;
        const coif_vec3 wo = sphere_random((uint64_t)i);
        const coif_hair_bsdf all = coif_hair_bsdf_at(&full, white, h, wo);
        const coif_hair_bsdf some = coif_hair_bsdf_at(&weighted, white, h, wo);
        CHECK_NEAR(sphere_integrate(&all).value, 1.0, 1e-3);
        double expected = 0.0;
        for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
            expected += (double)(GAIN[p].y * all.lobe[p][1]);
        }
        if (i % 2) {
            const coif_vec3 *scattered = all.scattered.color;
            expected += (double)(GAIN[3].y * (scattered[0].y + scattered[1].y));
        }
        const sphere_sums sums = sphere_integrate(&some);
        CHECK_NEAR(sums.value, expected, 1e-3);
        CHECK(sums.value < 0.9);
        CHECK_NEAR(sums.pdf, 1.0, 1e-3);
    }
}

TEST(sampling_follows_the_weights)
{
    static const coif_vec3 only_trt[COIF_HAIR_LOBES] = {[2] = {1.0f, 1.0f, 1.0f}};
    for (int k = 0; k < 4; ++k) {
        const coif_hair_lobes lobes = lobes_of(k == 1, k < 2 ? GAIN : only_trt);
        const coif_hair_bsdf bsdf =
            coif_hair_bsdf_at(&lobes, (coif_vec3){0.1f, 0.2f, 0.4f}, -0.6f + 0.4f * (float)k,
                              sphere_direction(0.5f - 0.3f * (float)k, 1.0f));
        sphere_check_samples(&bsdf, sphere_integrate(&bsdf).value);
        if (k >= 2) {
            CHECK(bsdf.lobe[2][3] == 1.0f);
        }
    }
}

TEST(hair_without_any_lobe_is_black)
{
    static const coif_vec3 none[COIF_HAIR_LOBES] = {{0.0f, 0.0f, 0.0f}};
    for (int fur = 0; fur < 2; ++fur) {
        const coif_hair_lobes lobes = lobes_of(fur, none);
        sphere_check_edges(&lobes);
        const coif_hair_bsdf bsdf =
            coif_hair_bsdf_at(&lobes, (coif_vec3){0.1f, 0.2f, 0.4f}, 0.3f, sphere_random(1));
        CHECK(sphere_integrate(&bsdf).value == 0.0);
    }
}

TEST(four_wide_evaluation_has_the_same_weights)
{
    const coif_hair_lobes lobes = lobes_of(false, GAIN);
    for (uint64_t i = 0; i < 500; ++i) {
        coif_hair_query_x4 query = {.absorption = {0.1f, 0.5f, 2.0f}};
        coif_vec3 wi[COIF_QUERY_X4];
        for (uint64_t k = 0; k < COIF_QUERY_X4; ++k) {
            wi[k] = sphere_random(4 * i + k);
            query.h[k] = 2.0f * coif_random_unit(9, i, (uint32_t)k) - 1.0f;
            query.x[k] = wi[k].x, query.y[k] = wi[k].y, query.z[k] = wi[k].z;
        }
        const float sin_o = sinf(3.0f * coif_random_unit(9, i, 8) - 1.5f);
        const coif_vec3 wo = {sin_o, sqrtf(fmaxf(1.0f - sin_o * sin_o, 0.0f)), 0.0f};
        coif_hair_bsdf fibre;
        coif_hair_bsdf_init_local(&fibre, &lobes, query.absorption, query.h[0], sin_o);
        const bool random_h = i % 2 == 0;
        const coif_bsdf_values_x4 four = random_h ? coif_hair_bsdf_eval_x4_random_h(&fibre, &query)
                                                  : coif_hair_bsdf_eval_x4(&fibre, &query);
        for (int k = 0; k < COIF_QUERY_X4; ++k) {
            const coif_hair_bsdf bsdf =
                coif_hair_bsdf_at(&lobes, query.absorption, query.h[random_h ? k : 0], wo);
            float pdf;
            const coif_vec3 one = coif_hair_bsdf_eval(&bsdf, wi[k], &pdf);
            CHECK_NEAR(four.red[k], one.x, 1e-4 * (double)one.x + 1e-9);
            CHECK_NEAR(four.green[k], one.y, 1e-4 * (double)one.y + 1e-9);
            CHECK_NEAR(four.blue[k], one.z, 1e-4 * (double)one.z + 1e-9);
            CHECK_NEAR(four.pdf[k], pdf, 1e-4 * (double)pdf + 1e-9);
        }
    }
}

// Lobes at full weight and white tint are those without weights, bit for bit.
TEST(parameters_set_the_gains)
{
    coif_hair_params params = {.ior = 1.55f,
                               .longitudinal_roughness = 0.25f,
                               .azimuthal_roughness = 0.3f,
                               COIF_HAIR_OPAQUE};
    CHECK(!coif_hair_bsdf_params_of(&params, COIF_WORKING_REC709).weighted);
    params.tt_weight = 0.5f;
    params.tt_tint[1] = 0.4f;
    params.residual_tint[2] = 0.1f;
    const coif_hair_bsdf_params hair = coif_hair_bsdf_params_of(&params, COIF_WORKING_REC709);
    CHECK(hair.weighted);
    CHECK_NEAR(hair.gain[0].x, 1.0, 0.0);
    CHECK_NEAR(hair.gain[1].x, 0.5, 0.0);
    CHECK_NEAR(hair.gain[1].y, 0.2, 1e-7);
    CHECK_NEAR(hair.gain[2].z, 1.0, 0.0);
    CHECK_NEAR(hair.gain[3].z, 0.1, 1e-7);
}
