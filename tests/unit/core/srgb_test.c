// sRGB encoding by table equals the curve.
#include "core/image/srgb.h"

#include "core/base/rng.h"
#include "tests/support/test.h"

#include <math.h>

static uint8_t encode_and_round(float linear)
{
    const float encoded = 255.0f * coif_srgb_encode(linear) + 0.5f;
    return (uint8_t)(!(encoded > 0.0f) ? 0.0f : encoded < 255.0f ? encoded : 255.0f);
}

TEST(bytes_are_those_of_the_curve)
{
    int32_t wrong = 0;
    for (uint64_t i = 0; i < 400000; ++i) {
        const float u = coif_random_unit(1, i, 0);
        const float linear = i % 2 == 0 ? u : u * u * u * 0.05f; // dark ones lie close together
        wrong += coif_srgb_byte(linear) != encode_and_round(linear);
    }
    CHECK(wrong == 0);
}

// Where one byte ends and the next begins, float by float.
TEST(thresholds_match_the_curve)
{
    int32_t wrong = 0;
    for (int32_t byte = 0; byte < 255; ++byte) {
        float linear = coif_srgb_decode(((float)byte + 0.5f) / 255.0f);
        for (int32_t i = 0; i < 60; ++i) {
            linear = nextafterf(linear, 0.0f);
        }
        for (int32_t i = 0; i < 120; ++i) {
            wrong += coif_srgb_byte(linear) != encode_and_round(linear);
            linear = nextafterf(linear, 2.0f);
        }
    }
    CHECK(wrong == 0);
}

TEST(values_beyond_the_range_are_clamped)
{
    CHECK(coif_srgb_byte(0.0f) == 0 && coif_srgb_byte(-3.0f) == 0 && coif_srgb_byte(NAN) == 0);
    CHECK(coif_srgb_byte(1.0f) == 255 && coif_srgb_byte(7.0f) == 255);
    CHECK(coif_srgb_byte(INFINITY) == 255 && coif_srgb_byte(-INFINITY) == 0);
}

TEST(decoding_and_encoding_a_byte_is_the_identity)
{
    for (int32_t byte = 0; byte < 256; ++byte) {
        CHECK(coif_srgb_byte(coif_srgb_decode((float)byte / 255.0f)) == byte);
    }
}
