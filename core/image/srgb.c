#include "core/image/srgb.h"

#include "core/base/deterministic_math.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

// Of square roots, which bytes go with nearly evenly.
enum { STEPS = 1024 };

static const float ABOVE = 1.00001f;

static pthread_once_t made = PTHREAD_ONCE_INIT;
static float least[257];         // the smallest number that is this byte or more; of 256: none
static uint8_t guess[STEPS + 1]; // the byte at the beginning of a step

// IEC 61966-2-1. Values below zero keep their slope, so that nothing is lost before clipping.
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

// Numbers from 0 on are in the order of their bits.
static float of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void make(void)
{
    uint32_t low = 0;
    for (int byte = 1; byte < 256; ++byte) {
        uint32_t high = 0x3f800000; // 1, which is 255
        while (high - low > 1) {
            const uint32_t middle = low + (high - low) / 2;
            if (encode_and_round(of_bits(middle)) >= byte) {
                high = middle;
            } else {
                low = middle;
            }
        }
        least[byte] = of_bits(high);
    }
    least[256] = INFINITY;
    int byte = 0;
    for (int i = 0; i <= STEPS; ++i) {
        const float begin = (float)i / STEPS * ((float)i / STEPS);
        while (byte < 255 && least[byte + 1] <= begin) {
            ++byte;
        }
        guess[i] = (uint8_t)byte;
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
    pthread_once(&made, make);
    int byte = guess[(int)(sqrtf(linear) * STEPS)];
    while (linear < least[byte]) {
        --byte;
    }
    while (linear >= least[byte + 1]) {
        ++byte;
    }
    // A power is right to some of its last bits only: at the border it has to be asked.
    const bool sure = linear > ABOVE * least[byte] && ABOVE * linear < least[byte + 1];
    return sure ? (uint8_t)byte : encode_and_round(linear);
}
