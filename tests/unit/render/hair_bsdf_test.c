// Hair BSDF: energy conservation, normalised pdf, sampling, reference values.
#include "render/bsdf/hair_bsdf_x4.h"
#include "tests/support/hair_bsdf_checks.h"

#include <stdlib.h>

static coif_hair_lobes lobes_of(float eta, float beta_m, float beta_n, float alpha)
{
    const coif_hair_bsdf_params hair = {
        .eta = eta, .beta_m = beta_m, .beta_n = beta_n, .alpha = alpha};
    return coif_hair_lobes_of(&hair);
}

// White furnace: every pair of roughnesses, with random and extreme indices, offsets and
// directions.
TEST(white_hair_conserves_energy)
{
    static const float roughness[] = {0.05f, 0.1f, 0.25f, 0.5f, 1.0f};
    static const float edges[][3] = {
        {1.3f, 1.0f, 0.0f}, {2.0f, -1.0f, 0.995f}, {1.55f, 0.0f, -0.995f}, {2.0f, 0.9999f, 0.6f}};
    enum { EACH = 10 };
    for (uint64_t pair = 0; pair < 25; ++pair) {
        for (uint64_t k = 0; k < EACH; ++k) {
            const uint64_t i = EACH * pair + k;
            const bool edge = k < COIF_COUNT_OF(edges);
            const float eta = edge ? edges[k][0] : 1.3f + 0.7f * coif_random_unit(4, i, 0);
            const float h = edge ? edges[k][1] : 2.0f * coif_random_unit(4, i, 1) - 1.0f;
            const float sine = edge ? edges[k][2] : sinf(COIF_PI * coif_random_unit(4, i, 2));
            const coif_hair_lobes lobes =
                lobes_of(eta, roughness[pair / 5], roughness[pair % 5], 0.035f);
            const coif_hair_bsdf bsdf = coif_hair_bsdf_at(&lobes, (coif_vec3){0.0f, 0.0f, 0.0f}, h,
                                                          sphere_direction(sine, 0.3f));
            const sphere_sums sums = sphere_integrate(&bsdf);
            CHECK_NEAR(sums.value, 1.0, 1e-3);
            CHECK_NEAR(sums.pdf, 1.0, 1e-3);
        }
    }
}

TEST(pdf_integrates_to_one_for_dark_hair)
{
    const coif_hair_lobes lobes = lobes_of(1.55f, 0.25f, 0.3f, 0.035f);
    for (int k = 0; k < 8; ++k) {
        const coif_hair_bsdf bsdf =
            coif_hair_bsdf_at(&lobes, (coif_vec3){1.0f, 1.7f, 3.4f}, -0.9f + 0.25f * (float)k,
                              sphere_random((uint64_t)k));
        const sphere_sums sums = sphere_integrate(&bsdf);
        CHECK_NEAR(sums.pdf, 1.0, 1e-3);
        CHECK(sums.value < 0.9);
    }
}

typedef struct reference_row {
    double id, h, eta, absorption[3], beta_m, beta_n, alpha, wo[3], wi[3], fcos[3], pdf_gray;
} reference_row;

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double relative(double value, double expected)
{
    return fabs(value - expected) / fmax(fabs(expected), 1e-9);
}

static int check_row(const reference_row *row, double *errors)
{
    const coif_hair_lobes lobes = lobes_of((float)row->eta, (float)row->beta_m, (float)row->beta_n,
                                           (float)(row->alpha * 3.141592653589793 / 180.0));
    const coif_vec3 wo = {(float)row->wo[0], (float)row->wo[1], (float)row->wo[2]};
    const coif_vec3 wi = {(float)row->wi[0], (float)row->wi[1], (float)row->wi[2]};
    const coif_vec3 absorption = {(float)row->absorption[0], (float)row->absorption[1],
                                  (float)row->absorption[2]};
    const coif_vec3 grey = {absorption.y, absorption.y, absorption.y};
    float pdf;
    coif_hair_bsdf bsdf = coif_hair_bsdf_at(&lobes, absorption, (float)row->h, wo);
    const coif_vec3 f = coif_hair_bsdf_eval(&bsdf, wi, &pdf);
    bsdf = coif_hair_bsdf_at(&lobes, grey, (float)row->h, wo);
    coif_hair_bsdf_eval(&bsdf, wi, &pdf);
    errors[0] = relative(f.x, row->fcos[0]);
    errors[1] = relative(f.y, row->fcos[1]);
    errors[2] = relative(f.z, row->fcos[2]);
    errors[3] = relative(pdf, row->pdf_gray);
    return 4;
}

// An independent double-precision evaluation with an exact Bessel function.
TEST(values_match_the_double_precision_reference)
{
    FILE *file = fopen(coif_test_source("tests/data/reference/hair_bsdf_pbrt.csv"), "r");
    CHECK(file != NULL);
    if (file == NULL) {
        return;
    }
    static double errors[4096];
    int count = 0;
    char line[2048];
    while (fgets(line, sizeof line, file) != NULL && count + 4 <= 4096) {
        double values[19];
        int found = 0;
        for (char *next = line, *end; found < 19; next = end + 1, ++found) {
            values[found] = strtod(next, &end);
            if (end == next) {
                break;
            }
        }
        if (found == 19) {
            reference_row row;
            memcpy(&row, values, sizeof row);
            count += check_row(&row, errors + count);
        }
    }
    fclose(file);
    CHECK(count > 600);
    qsort(errors, (size_t)count, sizeof errors[0], compare_doubles);
    CHECK_NEAR(errors[count / 2], 0.0, 1e-4);
    CHECK_NEAR(errors[count - 1], 0.0, 1e-2);
}

// Chi-square test over offsets, directions and roughnesses.
TEST(sample_histogram_matches_the_pdf_and_weights_are_f_over_pdf)
{
    static const float settings[][5] = {// beta_m, beta_n, h, sin_o, absorption
                                        {0.2f, 0.8f, -0.7f, 0.3f, 0.4f},
                                        {0.6f, 0.3f, 0.4f, -0.6f, 0.0f},
                                        {0.1f, 0.1f, 0.1f, 0.2f, 2.0f},
                                        {1.0f, 1.0f, 1.0f, 0.0f, 0.1f},
                                        {0.3f, 0.25f, -0.98f, 0.9f, 0.3f}};
    for (size_t k = 0; k < COIF_COUNT_OF(settings); ++k) {
        const float *s = settings[k];
        const coif_hair_lobes lobes = lobes_of(1.55f, s[0], s[1], 0.05f);
        const coif_hair_bsdf bsdf =
            coif_hair_bsdf_at(&lobes, (coif_vec3){0.5f * s[4], s[4], 2.0f * s[4]}, s[2],
                              sphere_direction(s[3], 1.0f));
        sphere_check_samples(&bsdf, sphere_integrate(&bsdf).value);
    }
}

TEST(bsdf_is_mirror_symmetric)
{
    const coif_hair_lobes lobes = lobes_of(1.55f, 0.15f, 0.25f, 0.05f);
    sphere_check_mirror(&lobes);
}

TEST(values_are_finite_at_grazing_angles_and_extreme_roughness)
{
    static const float rough[] = {0.0f, 0.05f, 1.0f};
    for (int k = 0; k < 18; ++k) {
        const coif_hair_lobes lobes =
            lobes_of(k % 2 ? 1.55f : 1.0f, rough[k / 2 % 3], rough[k / 6], 0.05f);
        sphere_check_edges(&lobes);
    }
}

// Half of the queries with a common h, half with one per direction.
TEST(four_wide_evaluation_equals_scalar_evaluation)
{
    double worst = 0.0, worst_pdf = 0.0;
    for (uint64_t i = 0; i < 4000; ++i) {
        const coif_hair_lobes lobes = lobes_of(1.3f + 0.7f * coif_random_unit(9, i, 0),
                                               0.1f + 0.9f * coif_random_unit(9, i, 1),
                                               0.1f + 0.9f * coif_random_unit(9, i, 2), 0.035f);
        const float sin_o =
            i < 8 ? (i % 2 ? 1.0f : -1.0f) : sinf(3.0f * coif_random_unit(9, i, 3) - 1.5f);
        coif_hair_query_x4 query = {.absorption = {0.1f, 0.5f, 2.0f}};
        coif_vec3 wi[COIF_QUERY_X4];
        for (uint64_t k = 0; k < COIF_QUERY_X4; ++k) {
            wi[k] = sphere_random(4 * i + k);
            query.h[k] = 2.0f * coif_random_unit(9, i, 4 + (uint32_t)k) - 1.0f;
            query.x[k] = wi[k].x, query.y[k] = wi[k].y, query.z[k] = wi[k].z;
        }
        coif_hair_bsdf fibre;
        coif_hair_bsdf_init_local(&fibre, &lobes, query.absorption, query.h[0], sin_o);
        const bool random_h = i % 2 == 0;
        const coif_bsdf_values_x4 four = random_h ? coif_hair_bsdf_eval_x4_random_h(&fibre, &query)
                                                  : coif_hair_bsdf_eval_x4(&fibre, &query);
        const coif_vec3 wo = {sin_o, sqrtf(fmaxf(1.0f - sin_o * sin_o, 0.0f)), 0.0f};
        for (int k = 0; k < COIF_QUERY_X4; ++k) {
            const coif_hair_bsdf bsdf =
                coif_hair_bsdf_at(&lobes, query.absorption, query.h[random_h ? k : 0], wo);
            float pdf;
            const coif_vec3 one = coif_hair_bsdf_eval(&bsdf, wi[k], &pdf);
            const double floor = 1e-6; // where both are near 0
            worst = fmax(worst, fabs((double)four.red[k] - one.x) / (one.x + floor));
            worst = fmax(worst, fabs((double)four.green[k] - one.y) / (one.y + floor));
            worst = fmax(worst, fabs((double)four.blue[k] - one.z) / (one.z + floor));
            worst_pdf = fmax(worst_pdf, fabs((double)four.pdf[k] - pdf) / (pdf + floor));
        }
    }
    CHECK_NEAR(worst, 0.0, 1e-4);
    CHECK_NEAR(worst_pdf, 0.0, 1e-4);
}

TEST(sample_eval_equals_sample_then_eval)
{
    double worst = 0.0, worst_pdf = 0.0;
    for (uint64_t i = 0; i < 4000; ++i) {
        const coif_hair_lobes lobes = lobes_of(1.55f, 0.1f + 0.9f * coif_random_unit(12, i, 1),
                                               0.1f + 0.9f * coif_random_unit(12, i, 2), 0.035f);
        const coif_hair_bsdf bsdf =
            coif_hair_bsdf_at(&lobes, (coif_vec3){0.1f, 0.5f, 2.0f},
                              2.0f * coif_random_unit(12, i, 3) - 1.0f, sphere_random(i));
        const float u = coif_random_unit(12, i, 4);
        const coif_vec2 v = {coif_random_unit(12, i, 5), coif_random_unit(12, i, 6)};
        coif_vec3 f;
        float density, pdf;
        const coif_vec3 wi = coif_hair_bsdf_sample_eval(&bsdf, u, v, &f, &density);
        const coif_vec3 same = coif_hair_bsdf_sample(&bsdf, u, v);
        CHECK(wi.x == same.x && wi.y == same.y && wi.z == same.z);
        const coif_vec3 expected = coif_hair_bsdf_eval(&bsdf, wi, &pdf);
        worst = fmax(worst, relative(f.x, expected.x));
        worst = fmax(worst, relative(f.z, expected.z));
        worst_pdf = fmax(worst_pdf, relative(density, pdf));
    }
    CHECK_NEAR(worst, 0.0, 2e-4);
    CHECK_NEAR(worst_pdf, 0.0, 2e-4);
}

TEST(fast_math_errors_are_within_the_stated_bounds)
{
    double worst_exp = 0.0, worst_log = 0.0, worst_angle = 0.0, worst_turn = 0.0;
    for (int i = 0; i < 20000; ++i) {
        const float x = -80.0f + 0.008f * (float)i;
        worst_exp = fmax(worst_exp, relative(coif_fast_exp(x), exp((double)x)));
        worst_exp =
            fmax(worst_exp, relative(coif_lanes_exp(coif_lanes_splat(x))[2], exp((double)x)));
        const float y = coif_fast_exp(x);
        worst_log = fmax(worst_log, fabs(coif_fast_log(y) - log((double)y)) / fmax(1.0, fabs(x)));
        const float t = -3.0f + 0.0003f * (float)i;
        float sine, cosine;
        coif_fast_sincos_turns(t, &sine, &cosine);
        worst_turn = fmax(worst_turn, fabs(sine - sin(6.283185307179586 * (double)t)));
        worst_turn = fmax(worst_turn, fabs(cosine - cos(6.283185307179586 * (double)t)));
        const double angle =
            fabs(coif_fast_atan2(sine, cosine) - atan2((double)sine, (double)cosine));
        worst_angle = fmax(worst_angle, fmin(angle, fabs(angle - 6.283185307179586)));
        coif_lanes sines, cosines;
        coif_lanes_sincos_turns(coif_lanes_splat(t), &sines, &cosines);
        CHECK(sines[3] == sine && cosines[0] == cosine);
        CHECK(coif_lanes_log(coif_lanes_splat(y))[2] == coif_fast_log(y));
        CHECK(coif_lanes_atan2(coif_lanes_splat(sine), coif_lanes_splat(cosine))[1] ==
              coif_fast_atan2(sine, cosine));
    }
    CHECK_NEAR(worst_exp, 0.0, 3e-7);
    CHECK_NEAR(worst_log, 0.0, 3e-7);
    CHECK_NEAR(worst_turn, 0.0, 3e-7);
    CHECK_NEAR(worst_angle, 0.0, 4e-7);
}
