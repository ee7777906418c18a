// sRGB transfer function, and byte encoding by a table of thresholds.
#include "core/image/srgb.h"

#include "core/base/deterministic_math.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

// Table resolution over square roots, which are nearly linear in the encoded byte.
enum { STEPS = 1024 };

static const float MARGIN = 1.00001f; // relative error of the encoded value near a threshold

static pthread_once_t tables_once = PTHREAD_ONCE_INIT;
static float threshold[257];          // smallest value encoded to this byte or more; 256: infinity
static uint8_t first_byte[STEPS + 1]; // byte at the start of each step

// IEC 61966-2-1. The linear segment is extended below zero; clamping is left to the caller.
float coif_srgb_encode(float linear)
{
    if (!(linear > 0.0031308f)) {
        return 12.92f * linear;
    }
    return 1.055f * coif_det_pow(linear, 1.0f / 2.4f) - 0.055f;
}

float coif_srgb_decode(float encoded)
{
    if (!(encoded > 0.04045f)) {
        return encoded / 12.92f;
    }
    return coif_det_pow((encoded + 0.055f) / 1.055f, 2.4f);
}

static uint8_t encode_and_round(float linear)
{
    const float encoded = 255.0f * coif_srgb_encode(linear) + 0.5f;
    return (uint8_t)(!(encoded > 0.0f) ? 0.0f : encoded < 255.0f ? encoded : 255.0f);
}

// Floats from 0 on are ordered like their bit patterns.
static float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void make_tables(void)
{
    uint32_t low = 0;
    for (int byte = 1; byte < 256; ++byte) {
        uint32_t high = 0x3f800000; // 1, which is 255
        while (high - low > 1) {
            const uint32_t middle = low + (high - low) / 2;
            if (encode_and_round(float_from_bits(middle)) >= byte) {
                high = middle;
            } else {
                low = middle;
            }
        }
        threshold[byte] = float_from_bits(high);
    }
    threshold[256] = INFINITY;
    int byte = 0;
    for (int i = 0; i <= STEPS; ++i) {
        const float begin = (float)i / STEPS * ((float)i / STEPS);
        while (byte < 255 && threshold[byte + 1] <= begin) {
            ++byte;
        }
        first_byte[i] = (uint8_t)byte;
    }
}

uint8_t coif_srgb_byte(float linear)
{
    if (!(linear > 0.0f)) {
        return 0;
    }
    if (!(linear < 1.0f)) {
        return 255;
    }
    pthread_once(&tables_once, make_tables);
    int byte = first_byte[(int)(sqrtf(linear) * STEPS)];
    while (linear < threshold[byte]) {
        --byte;
    }
    while (linear >= threshold[byte + 1]) {
        ++byte;
    }
    // The power function has a rounding error, so values near a threshold are encoded exactly.
    const bool reliable =
        linear > MARGIN * threshold[byte] && MARGIN * linear < threshold[byte + 1];
    return reliable ? (uint8_t)byte : encode_and_round(linear);
}
