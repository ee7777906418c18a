// Integrals, histograms and properties of a hair BSDF over the sphere of directions.
#ifndef COIF_TESTS_SUPPORT_HAIR_BSDF_CHECKS_H
#define COIF_TESTS_SUPPORT_HAIR_BSDF_CHECKS_H

#include "core/base/rng.h"
#include "render/bsdf/hair_bsdf.h"
#include "tests/support/test.h"

static inline coif_vec3 sphere_direction(float sin_theta, float phi)
{
    const float cosine = sqrtf(fmaxf(0.0f, 1.0f - sin_theta * sin_theta));
    return (coif_vec3){sin_theta, cosine * cosf(phi), cosine * sinf(phi)};
}

static inline coif_vec3 sphere_random(uint64_t index)
{
    return sphere_direction(2.0f * coif_random_unit(7, index, 0) - 1.0f,
                            COIF_TWO_PI * coif_random_unit(7, index, 1));
}

typedef struct sphere_sums {
    double value; // of green
    double pdf;
} sphere_sums;

// Midpoint rule over theta and phi, as fine as the narrowest lobe needs.
static inline sphere_sums sphere_integrate(const coif_hair_bsdf *bsdf)
{
    const coif_hair_lobes *lobes = bsdf->lobes;
    const int rows = 64 + (int)(6.0f * sqrtf(lobes->inverse_variance[1]));
    const int columns = 64 + (int)(4.5f * lobes->inverse_scale);
    sphere_sums sums = {0.0, 0.0};
    for (int i = 0; i < rows; ++i) {
        const float theta = COIF_PI * (((float)i + 0.5f) / (float)rows - 0.5f);
        const float sine = sinf(theta), cosine = cosf(theta);
        for (int j = 0; j < columns; ++j) {
            const float phi = COIF_TWO_PI * ((float)j + 0.5f) / (float)columns;
            const coif_vec3 wi = {sine, cosine * cosf(phi), cosine * sinf(phi)};
            float pdf;
            sums.value += (double)(cosine * coif_hair_bsdf_eval(bsdf, wi, &pdf).y);
            sums.pdf += (double)(cosine * pdf);
        }
    }
    const double area = 2.0 * 3.141592653589793 * 3.141592653589793 / ((double)rows * columns);
    return (sphere_sums){sums.value * area, sums.pdf * area};
}

// Cells of equal solid angle; the expected fraction of each comes from the pdf on a fine grid.
enum { CELL_ROWS = 12, CELL_COLUMNS = 24, CELLS = CELL_ROWS * CELL_COLUMNS, CELL_FINE = 24 };

static inline void sphere_expect(const coif_hair_bsdf *bsdf, double *expected)
{
    for (int cell = 0; cell < CELLS; ++cell) {
        double sum = 0.0;
        for (int i = 0; i < CELL_FINE * CELL_FINE; ++i) {
            const float row =
                (float)(cell / CELL_COLUMNS) + ((float)(i / CELL_FINE) + 0.5f) / CELL_FINE;
            const float column =
                (float)(cell % CELL_COLUMNS) + ((float)(i % CELL_FINE) + 0.5f) / CELL_FINE;
            float pdf;
            coif_hair_bsdf_eval(bsdf,
                                sphere_direction(-1.0f + 2.0f * row / CELL_ROWS,
                                                 COIF_TWO_PI * column / CELL_COLUMNS - COIF_PI),
                                &pdf);
            sum += (double)pdf;
        }
        expected[cell] = sum / (CELL_FINE * CELL_FINE) * 12.566370614359172 / CELLS;
    }
}

static inline int sphere_cell(coif_vec3 w)
{
    const int row = (int)((w.x + 1.0f) * 0.5f * CELL_ROWS);
    const int column = (int)((atan2f(w.z, w.y) + COIF_PI) / COIF_TWO_PI * CELL_COLUMNS);
    const int r = row < CELL_ROWS ? row : CELL_ROWS - 1;
    const int c = column < CELL_COLUMNS ? column : CELL_COLUMNS - 1;
    return r * CELL_COLUMNS + c;
}

// Samples against the pdf, and the mean of f / pdf against the albedo. Pearson's chi-square over
// cells with at least five expected samples (the others pooled), accepted up to five standard
// deviations of its own distribution.
static inline void sphere_check_samples(const coif_hair_bsdf *bsdf, double albedo)
{
    enum { SAMPLES = 100000 };
    static double expected[CELLS];
    static int counted[CELLS];
    double sum = 0.0, squares = 0.0;
    sphere_expect(bsdf, expected);
    memset(counted, 0, sizeof counted);
    for (uint64_t i = 0; i < SAMPLES; ++i) {
        const coif_vec2 v = {coif_random_unit(3, i, 1), coif_random_unit(3, i, 2)};
        const coif_vec3 wi = coif_hair_bsdf_sample(bsdf, coif_random_unit(3, i, 0), v);
        ++counted[sphere_cell(wi)];
        float pdf;
        const coif_vec3 f = coif_hair_bsdf_eval(bsdf, wi, &pdf);
        CHECK(pdf > 0.0f);
        CHECK_NEAR(coif_length(wi), 1.0, 1e-5);
        const double weight = (double)(f.y / pdf);
        sum += weight;
        squares += weight * weight;
    }
    const double mean = sum / SAMPLES;
    const double deviation = sqrt(fmax(squares / SAMPLES - mean * mean, 0.0) / SAMPLES);
    CHECK_NEAR(mean, albedo, 5.0 * deviation + 1e-3);

    double chi = 0.0, pool_expected = 0.0, pool_counted = 0.0;
    int freedom = 0;
    for (int cell = 0; cell < CELLS; ++cell) {
        const double target = expected[cell] * SAMPLES;
        if (target < 5.0) {
            pool_expected += target;
            pool_counted += counted[cell];
            continue;
        }
        chi += (counted[cell] - target) * (counted[cell] - target) / target;
        ++freedom;
    }
    CHECK(freedom > 10);
    CHECK_NEAR(pool_counted, pool_expected, 5.0 * sqrt(pool_expected) + 10.0);
    CHECK(chi < freedom + 5.0 * sqrt(2.0 * freedom));
}

// Mirror symmetry: h and z change sign together.
static inline void sphere_check_mirror(const coif_hair_lobes *lobes)
{
    const coif_vec3 absorption = {0.1f, 0.2f, 0.5f};
    for (uint64_t i = 0; i < 200; ++i) {
        const float h = 2.0f * coif_random_unit(9, i, 0) - 1.0f;
        const coif_vec3 wo = sphere_random(2 * i), wi = sphere_random(2 * i + 1);
        const coif_hair_bsdf here = coif_hair_bsdf_at(lobes, absorption, h, wo);
        const coif_hair_bsdf there =
            coif_hair_bsdf_at(lobes, absorption, -h, (coif_vec3){wo.x, wo.y, -wo.z});
        float pdf_here, pdf_there;
        const coif_vec3 f = coif_hair_bsdf_eval(&here, wi, &pdf_here);
        const coif_vec3 g = coif_hair_bsdf_eval(&there, (coif_vec3){wi.x, wi.y, -wi.z}, &pdf_there);
        CHECK_NEAR(g.y, f.y, 1e-4 * (double)f.y + 1e-9);
        CHECK_NEAR(pdf_there, pdf_here, 1e-4 * (double)pdf_here + 1e-9);
    }
}

// Grazing hits (h = 1), directions along the fibre, smooth fibres: no division by 0.
static inline void sphere_check_edges(const coif_hair_lobes *lobes)
{
    static const float heights[] = {-1.0f, 1.0f, 0.0f, 0.99999994f};
    static const coif_vec3 absorptions[] = {{0.0f, 1.0f, 1e4f}, {0.0f, 0.0f, 0.0f}};
    static const coif_vec3 directions[] = {
        {1.0f, 0.0f, 0.0f},  {-1.0f, 0.0f, 0.0f}, {0.99999994f, 3e-4f, 0.0f},    {0.0f, 1.0f, 0.0f},
        {0.0f, 0.0f, -1.0f}, {0.0f, -1.0f, 0.0f}, {-0.99995f, 0.0f, -0.0099999f}};
    for (size_t k = 0; k < 8 * COIF_COUNT_OF(directions); ++k) {
        const coif_hair_bsdf bsdf =
            coif_hair_bsdf_at(lobes, absorptions[k % 2], heights[k / 2 % 4], directions[k / 8]);
        float pdf;
        for (size_t i = 0; i < COIF_COUNT_OF(directions); ++i) {
            const coif_vec3 f = coif_hair_bsdf_eval(&bsdf, directions[i], &pdf);
            CHECK(isfinite(f.x) && isfinite(f.y) && isfinite(f.z) && isfinite(pdf));
            CHECK(f.x >= 0.0f && f.y >= 0.0f && f.z >= 0.0f && pdf >= 0.0f);
        }
        for (int i = 0; i < 25; ++i) {
            const float u = (float)(i % 5) * 0.24999999f, v = (float)(i / 5) * 0.24999999f;
            const coif_vec3 wi = coif_hair_bsdf_sample(&bsdf, u, (coif_vec2){v, u});
            CHECK_NEAR(coif_length(wi), 1.0, 1e-5);
        }
    }
}

#endif
