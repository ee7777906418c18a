// hair_bsdf: what must hold for any hair, whatever the lobes look like.
#include "core/rng.h"
#include "render/hair_bsdf.h"
#include "tests/test.h"

#include <stdlib.h>

static const double FULL_SPHERE = 12.566370614359172;

static coif_vec3 direction(float sin_theta, float phi)
{
    const float cosine = sqrtf(fmaxf(0.0f, 1.0f - sin_theta * sin_theta));
    return (coif_vec3){sin_theta, cosine * cosf(phi), cosine * sinf(phi)};
}

static coif_vec3 random_direction(uint64_t index)
{
    return direction(2.0f * coif_random_unit(7, index, 0) - 1.0f,
                     COIF_TWO_PI * coif_random_unit(7, index, 1));
}

// The midpoint rule over the sphere, finer where a narrow lobe wants it: f of green, and the pdf.
static void integrate(const coif_hair_bsdf *bsdf, int rows, double *value, double *density)
{
    *value = *density = 0.0;
    for (int i = 0; i < rows; ++i) {
        const float sine = -1.0f + 2.0f * ((float)i + 0.5f) / (float)rows;
        for (int j = 0; j < 2 * rows; ++j) {
            const float phi = COIF_PI * ((float)j + 0.5f) / (float)rows;
            float pdf;
            *value += coif_hair_bsdf_eval(bsdf, direction(sine, phi), &pdf).y;
            *density += pdf;
        }
    }
    *value *= FULL_SPHERE / (2.0 * rows * rows);
    *density *= FULL_SPHERE / (2.0 * rows * rows);
}

// Light that falls on a hair which absorbs nothing must all come back out, and no more.
static void white_hair_returns_all_light(void)
{
    static const float roughness[] = {0.05f, 0.1f, 0.3f, 0.6f, 1.0f};
    static const float heights[] = {-0.95f, 0.0f, 0.6f};
    for (size_t m = 0; m < COIF_COUNT_OF(roughness); ++m) {
        const coif_hair hair = {1.55f, roughness[m], roughness[4 - m], 0.035f};
        const coif_hair_lobes lobes = coif_hair_lobes_of(&hair);
        for (size_t k = 0; k < COIF_COUNT_OF(heights); ++k) {
            const coif_vec3 wo = direction(0.45f * (float)k, 0.3f);
            const coif_hair_bsdf bsdf =
                coif_hair_bsdf_at(&lobes, (coif_vec3){0.0f, 0.0f, 0.0f}, heights[k], wo);
            double value, density;
            integrate(&bsdf, 400, &value, &density);
            CHECK_NEAR(value, 1.0, 1e-3);
            CHECK_NEAR(density, 1.0, 1e-3);
        }
    }
}

static void the_density_integrates_to_one_for_dark_hair(void)
{
    const coif_hair hair = {1.55f, 0.25f, 0.3f, 0.035f};
    const coif_hair_lobes lobes = coif_hair_lobes_of(&hair);
    for (int k = 0; k < 8; ++k) {
        const coif_hair_bsdf bsdf =
            coif_hair_bsdf_at(&lobes, (coif_vec3){1.0f, 1.7f, 3.4f}, -0.9f + 0.25f * (float)k,
                              random_direction((uint64_t)k));
        double value, density;
        integrate(&bsdf, 500, &value, &density);
        CHECK_NEAR(density, 1.0, 1e-3);
        CHECK(value < 0.9);
    }
}

typedef struct oracle_row {
    double id, h, eta, absorption[3], beta_m, beta_n, alpha, wo[3], wi[3], fcos[3], pdf_gray;
} oracle_row;

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double relative(double value, double wanted)
{
    return fabs(value - wanted) / fmax(fabs(wanted), 1e-9);
}

static int check_row(const oracle_row *row, double *errors)
{
    const coif_hair hair = {(float)row->eta, (float)row->beta_m, (float)row->beta_n,
                            (float)(row->alpha * 3.141592653589793 / 180.0)};
    const coif_hair_lobes lobes = coif_hair_lobes_of(&hair);
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
static void values_agree_with_the_exact_table(void)
{
    FILE *file = fopen(coif_test_source("tests/oracle/hair_bsdf_pbrt.csv"), "r");
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
            oracle_row row;
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

// Cells of equal solid angle; the expected share of each comes from the pdf on a fine grid.
enum { CELL_ROWS = 12, CELL_COLUMNS = 24, CELLS = CELL_ROWS * CELL_COLUMNS, FINE = 24 };

static void expect_cells(const coif_hair_bsdf *bsdf, double *expected)
{
    for (int cell = 0; cell < CELLS; ++cell) {
        double sum = 0.0;
        for (int i = 0; i < FINE * FINE; ++i) {
            const float row = (float)(cell / CELL_COLUMNS) + ((float)(i / FINE) + 0.5f) / FINE;
            const float column = (float)(cell % CELL_COLUMNS) + ((float)(i % FINE) + 0.5f) / FINE;
            float pdf;
            coif_hair_bsdf_eval(bsdf,
                                direction(-1.0f + 2.0f * row / CELL_ROWS,
                                          COIF_TWO_PI * column / CELL_COLUMNS - COIF_PI),
                                &pdf);
            sum += pdf;
        }
        expected[cell] = sum / (FINE * FINE) * FULL_SPHERE / CELLS;
    }
}

static int cell_of(coif_vec3 w)
{
    const int row = (int)((w.x + 1.0f) * 0.5f * CELL_ROWS);
    const int column = (int)((atan2f(w.z, w.y) + COIF_PI) / COIF_TWO_PI * CELL_COLUMNS);
    const int r = row < CELL_ROWS ? row : CELL_ROWS - 1;
    const int c = column < CELL_COLUMNS ? column : CELL_COLUMNS - 1;
    return r * CELL_COLUMNS + c;
}

// Pearson's chi-square over cells with at least five expected samples (the others pooled), accepted
// up to five standard deviations of its own distribution.
static void samples_follow_the_density(void)
{
    enum { SAMPLES = 200000 };
    for (int setting = 0; setting < 4; ++setting) {
        const coif_hair hair = {1.55f, 0.2f + 0.2f * (float)setting, 0.8f - 0.2f * (float)setting,
                                0.05f};
        const coif_hair_lobes lobes = coif_hair_lobes_of(&hair);
        const coif_hair_bsdf bsdf =
            coif_hair_bsdf_at(&lobes, (coif_vec3){0.2f, 0.4f, 0.9f}, -0.7f + 0.4f * (float)setting,
                              random_direction(90 + (uint64_t)setting));
        static double expected[CELLS];
        static int counted[CELLS];
        expect_cells(&bsdf, expected);
        memset(counted, 0, sizeof counted);
        for (uint64_t i = 0; i < SAMPLES; ++i) {
            const coif_vec2 v = {coif_random_unit(3, i, 1), coif_random_unit(3, i, 2)};
            ++counted[cell_of(coif_hair_bsdf_sample(&bsdf, coif_random_unit(3, i, 0), v))];
        }
        double chi = 0.0, pool_expected = 0.0, pool_counted = 0.0;
        int freedom = 0;
        for (int cell = 0; cell < CELLS; ++cell) {
            const double wanted = expected[cell] * SAMPLES;
            if (wanted < 5.0) {
                pool_expected += wanted;
                pool_counted += counted[cell];
                continue;
            }
            chi += (counted[cell] - wanted) * (counted[cell] - wanted) / wanted;
            ++freedom;
        }
        CHECK(freedom > 20);
        CHECK_NEAR(pool_counted, pool_expected, 5.0 * sqrt(pool_expected) + 10.0);
        CHECK(chi < freedom + 5.0 * sqrt(2.0 * freedom));
    }
}

// The estimator f / pdf over samples gives the same albedo as integration.
static void sampling_estimates_the_albedo(void)
{
    const coif_hair hair = {1.55f, 0.3f, 0.3f, 0.035f};
    const coif_hair_lobes lobes = coif_hair_lobes_of(&hair);
    const coif_hair_bsdf bsdf =
        coif_hair_bsdf_at(&lobes, (coif_vec3){0.3f, 0.5f, 1.0f}, 0.4f, direction(0.3f, 1.0f));
    double value, density, sum = 0.0;
    integrate(&bsdf, 300, &value, &density);
    enum { SAMPLES = 100000 };
    for (uint64_t i = 0; i < SAMPLES; ++i) {
        const coif_vec2 v = {coif_random_unit(5, i, 1), coif_random_unit(5, i, 2)};
        const coif_vec3 wi = coif_hair_bsdf_sample(&bsdf, coif_random_unit(5, i, 0), v);
        float pdf;
        const coif_vec3 f = coif_hair_bsdf_eval(&bsdf, wi, &pdf);
        CHECK(pdf > 0.0f);
        CHECK_NEAR(coif_length(wi), 1.0, 1e-5);
        sum += f.y / pdf;
    }
    CHECK_NEAR(sum / SAMPLES, value, 3e-3);
}

// A fibre and its mirror image scatter alike: h and z change sign together.
static void a_mirrored_hair_scatters_mirrored_light(void)
{
    const coif_hair hair = {1.55f, 0.15f, 0.25f, 0.05f};
    const coif_hair_lobes lobes = coif_hair_lobes_of(&hair);
    const coif_vec3 absorption = {0.1f, 0.2f, 0.5f};
    for (uint64_t i = 0; i < 200; ++i) {
        const float h = 2.0f * coif_random_unit(9, i, 0) - 1.0f;
        const coif_vec3 wo = random_direction(2 * i), wi = random_direction(2 * i + 1);
        const coif_hair_bsdf here = coif_hair_bsdf_at(&lobes, absorption, h, wo);
        const coif_hair_bsdf there =
            coif_hair_bsdf_at(&lobes, absorption, -h, (coif_vec3){wo.x, wo.y, -wo.z});
        float pdf_here, pdf_there;
        const coif_vec3 f = coif_hair_bsdf_eval(&here, wi, &pdf_here);
        const coif_vec3 g = coif_hair_bsdf_eval(&there, (coif_vec3){wi.x, wi.y, -wi.z}, &pdf_there);
        CHECK_NEAR(g.y, f.y, 1e-4 * f.y + 1e-9);
        CHECK_NEAR(pdf_there, pdf_here, 1e-4 * pdf_here + 1e-9);
    }
}

// A grazing hit (h = 1), light along the fibre and the smoothest hair divide by vanishing numbers.
static void the_edges_are_finite(void)
{
    static const float heights[] = {-1.0f, 1.0f, 0.0f};
    static const float rough[] = {0.0f, 0.05f, 1.0f};
    const coif_vec3 ways[] = {{1.0f, 0.0f, 0.0f},
                              {-1.0f, 0.0f, 0.0f},
                              {0.99999994f, 3e-4f, 0.0f},
                              {0.0f, 1.0f, 0.0f},
                              {0.0f, 0.0f, -1.0f}};
    for (size_t k = 0; k < 27 * COIF_COUNT_OF(ways); ++k) {
        const coif_hair hair = {k % 2 ? 1.55f : 1.0f, rough[k % 3], rough[k / 3 % 3], 0.05f};
        const coif_hair_lobes lobes = coif_hair_lobes_of(&hair);
        const coif_hair_bsdf bsdf = coif_hair_bsdf_at(&lobes, (coif_vec3){0.0f, 1.0f, 1e4f},
                                                      heights[k / 9 % 3], ways[k / 27]);
        float pdf;
        for (size_t i = 0; i < COIF_COUNT_OF(ways); ++i) {
            const coif_vec3 f = coif_hair_bsdf_eval(&bsdf, ways[i], &pdf);
            CHECK(isfinite(f.x) && isfinite(f.y) && isfinite(f.z) && isfinite(pdf));
            CHECK(f.x >= 0.0f && pdf >= 0.0f);
        }
        const float u = (float)(k % 5) * 0.24999999f;
        const coif_vec3 wi = coif_hair_bsdf_sample(&bsdf, u, (coif_vec2){0.0f, u});
        CHECK_NEAR(coif_length(wi), 1.0, 1e-5);
    }
}

static void fast_functions_are_as_exact_as_they_say(void)
{
    double worst_exp = 0.0, worst_log = 0.0, worst_angle = 0.0, worst_turn = 0.0;
    for (int i = 0; i < 20000; ++i) {
        const float x = -80.0f + 0.008f * (float)i;
        worst_exp = fmax(worst_exp, relative(coif_fast_exp(x), exp((double)x)));
        worst_exp = fmax(worst_exp, relative(coif_lanes_exp(coif_lanes_all(x))[2], exp((double)x)));
        const float y = coif_fast_exp(x);
        worst_log = fmax(worst_log, fabs(coif_fast_log(y) - log((double)y)) / fmax(1.0, fabs(x)));
        const float t = -3.0f + 0.0003f * (float)i;
        float sine, cosine;
        coif_fast_turn(t, &sine, &cosine);
        worst_turn = fmax(worst_turn, fabs(sine - sin(6.283185307179586 * (double)t)));
        worst_turn = fmax(worst_turn, fabs(cosine - cos(6.283185307179586 * (double)t)));
        const double angle =
            fabs(coif_fast_atan2(sine, cosine) - atan2((double)sine, (double)cosine));
        worst_angle = fmax(worst_angle, fmin(angle, fabs(angle - 6.283185307179586)));
    }
    CHECK_NEAR(worst_exp, 0.0, 3e-7);
    CHECK_NEAR(worst_log, 0.0, 3e-7);
    CHECK_NEAR(worst_turn, 0.0, 3e-7);
    CHECK_NEAR(worst_angle, 0.0, 4e-7);
}

TEST_MAIN(TEST(white_hair_returns_all_light), TEST(the_density_integrates_to_one_for_dark_hair),
          TEST(values_agree_with_the_exact_table), TEST(samples_follow_the_density),
          TEST(sampling_estimates_the_albedo), TEST(a_mirrored_hair_scatters_mirrored_light),
          TEST(the_edges_are_finite), TEST(fast_functions_are_as_exact_as_they_say))
