// IEEE half floats, rounded to nearest even (denormals: half up); overflow gives the largest half,
// NaN gives zero.
#ifndef COIF_CORE_BASE_HALF_H
#define COIF_CORE_BASE_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint16_t coif_float_to_half(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000u;
    bits &= 0x7fffffffu;
    if (bits > 0x7f800000u) {
        return 0; // NaN
    }
    if (bits >= 0x477fe000u) {
        return (uint16_t)(sign | 0x7bffu);
    }
    if (bits < 0x38800000u) {
        // Denormal: a multiple of 2^-24.
        float small;
        memcpy(&small, &bits, sizeof small);
        return (uint16_t)(sign | (uint32_t)(small * 16777216.0f + 0.5f));
    }
    const uint32_t rounded = bits + 0xfffu + (bits >> 13 & 1u);
    return (uint16_t)(sign | ((rounded - 0x38000000u) >> 13));
}

static inline float coif_half_to_float(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, rest = half & 0x7fffu;
    if (rest < 0x400u) {
        const float small = (float)rest * (1.0f / 16777216.0f);
        return sign != 0 ? -small : small;
    }
    const uint32_t bits = sign | ((rest << 13) + 0x38000000u);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
