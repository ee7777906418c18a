// Errors, contracts, deterministic math, random numbers and hashes of core/base.
#include "core/base/deterministic_math.h"
#include "core/base/hash64.h"
#include "core/base/rng.h"
#include "tests/support/child_process.h"
#include "tests/support/test.h"

TEST(the_first_error_is_kept)
{
    coif_error error = {0};
    CHECK(coif_fail(&error, COIF_ERR_IO, "first %d", 1) == COIF_ERR_IO);
    CHECK(coif_fail(&error, COIF_ERR_SCENE, "second") == COIF_ERR_SCENE);
    CHECK(error.status == COIF_ERR_IO);
    CHECK_TEXT(error.text, "first 1");
}

static void break_a_contract(void)
{
    COIF_REQUIRE(exit_code_of == NULL);
}

TEST(required_contracts_are_checked_in_every_build)
{
    CHECK(exit_code_of(break_a_contract) == -1);
}

TEST(angles_in_degrees_and_cube_roots_are_accurate)
{
    double s, c;
    for (double degrees = -1000.0; degrees < 1000.0; degrees += 7.3) {
        coif_det_sincos_degrees(degrees, &s, &c);
        CHECK_NEAR(s, sin(degrees * M_PI / 180.0), 1e-14);
        CHECK_NEAR(c, cos(degrees * M_PI / 180.0), 1e-14);
    }
    coif_det_sincos_degrees(-270.0, &s, &c);
    CHECK(s == 1.0 && c == 0.0);
    coif_det_sincos_degrees(INFINITY, &s, &c);
    CHECK(isnan(s) && isnan(c));
    for (double x = 1e-12; x < 1e12; x *= 1.7) {
        CHECK_NEAR(coif_det_cbrt(x) / cbrt(x), 1.0, 1e-15);
    }
    CHECK(coif_det_cbrt(1.0) == 1.0 && coif_det_cbrt(8.0) == 2.0 && coif_det_cbrt(0.125) == 0.5);
    CHECK(coif_det_cbrt(0.0) == 0.0 && coif_det_cbrt(-1.0) == 0.0);
    CHECK(coif_det_cbrt(INFINITY) == INFINITY);
}

TEST(deterministic_functions_are_accurate)
{
    for (int i = -200000; i <= 200000; ++i) {
        const float x = (float)i * 0.37f;
        CHECK_NEAR(coif_det_sin(x), sin((double)x), 2e-7);
        CHECK_NEAR(coif_det_cos(x), cos((double)x), 2e-7);
    }
    for (float x = -80.0f; x < 80.0f; x += 0.0137f) {
        CHECK_NEAR(coif_det_exp(x) / exp((double)x), 1.0, 2e-7);
        CHECK_NEAR(coif_det_log(coif_det_exp(x)), (double)x, 2e-7 * (1.0 + fabs(x)));
    }
    for (double a = 0.0; a <= 1.5707963; a += 0.0007) {
        CHECK_NEAR(coif_det_atan2_quadrant((float)(3.0 * sin(a)), (float)(3.0 * cos(a))), a,
                   2.5e-7);
    }
    CHECK(coif_det_atan2_quadrant(0.0f, 0.0f) == 0.0f);
    CHECK_NEAR(coif_det_atan2_quadrant(2.0f, 0.0f), M_PI_2, 2e-7);
    CHECK_NEAR(coif_det_pow(2.0f, 10.0f), 1024.0, 1e-3);
    CHECK_NEAR(coif_det_pow(0.5f, 2.2f), pow(0.5, 2.2), 1e-7);
    CHECK(coif_det_pow(0.0f, 0.3f) == 0.0f && coif_det_pow(0.0f, 0.0f) == 1.0f);
    CHECK(coif_det_exp(1000.0f) == INFINITY && coif_det_exp(-1000.0f) == 0.0f);
}

// The bits themselves: any compiler, any build type must find this digest.
TEST(deterministic_functions_have_fixed_bits)
{
    uint64_t digest = 0;
    for (int i = 0; i < 20000; ++i) {
        const float x = (coif_random_unit(7, (uint64_t)i, 0) - 0.5f) * 100.0f;
        const float values[] = {coif_det_sin(x), coif_det_cos(x), coif_det_exp(x * 0.5f),
                                coif_det_log(fabsf(x)), coif_det_pow(fabsf(x), 0.37f)};
        digest = coif_hash64_extend(digest, values, sizeof values);
    }
    if (digest != 0x7b28a8c078bb4e3fu) {
        coif_test_failed(__FILE__, __LINE__, "digest is %016llx", (unsigned long long)digest);
    }
}

TEST(random_numbers_are_uniform_and_repeatable)
{
    int bins[16] = {0};
    enum { COUNT = 160000 };
    for (int i = 0; i < COUNT; ++i) {
        const float u = coif_random_unit(3, (uint64_t)i, 5);
        CHECK(u >= 0.0f && u < 1.0f);
        ++bins[(int)(u * 16.0f)];
    }
    double chi = 0.0;
    for (int i = 0; i < 16; ++i) {
        const double off = bins[i] - COUNT / 16;
        chi += off * off / (COUNT / 16);
    }
    CHECK(chi < 37.7); // 15 degrees of freedom, p = 0.001
    CHECK(coif_random_word(1, 2, 3) == coif_random_word(1, 2, 3));
    CHECK(coif_random_word(1, 2, 3) != coif_random_word(1, 2, 4));
}

TEST(hashes_depend_on_order_and_boundaries)
{
    const uint64_t one = coif_hash64_extend(coif_hash64_extend(0, "ab", 2), "c", 1);
    const uint64_t two = coif_hash64_extend(coif_hash64_extend(0, "a", 1), "bc", 2);
    CHECK(one != two);
    CHECK(coif_hash64("abc", 3) == coif_hash64("abc", 3));
}
