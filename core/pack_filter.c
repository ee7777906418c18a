#include "core/pack_filter.h"

#include <math.h>
#include <string.h>

// One pair of functions per word size, written once. A distance is that to the straight
// continuation of the two values before, d = o[i] - (2 o[i - 1] - o[i - 2]), where values before
// the first are 0. Floats are ordered first: flipping the lower bits of negative ones makes the
// bit patterns run in the order of the numbers, also across zero. The zigzag
// 0, -1, 1, -2, ... -> 0, 1, 2, 3, ... keeps the high bytes of small negative distances zero.
// Everything wraps around, so undoing is exact.
#define DEFINE_FILTER(bits, word, whole)                                                           \
    static word order##bits(word value)                                                            \
    {                                                                                              \
        return (word)(value ^ ((word)((whole)value >> (bits - 1)) & (word)((word)-1 >> 1)));       \
    }                                                                                              \
                                                                                                   \
    static void apply##bits(const coif_filter *filter, int32_t component, const word *values,      \
                            int64_t count, uint8_t *planes)                                        \
    {                                                                                              \
        const int64_t total = count * filter->components;                                          \
        const bool floats = filter->sign_magnitude;                                                \
        word last = 0, before = 0;                                                                 \
        for (int64_t i = component; i < total; i += filter->components) {                          \
            const word value = floats ? order##bits(values[i]) : values[i];                        \
            const word distance = (word)(value - (word)(2 * last) + before);                       \
            const word mixed =                                                                     \
                (word)((word)(distance << 1) ^ (word)((whole)distance >> (bits - 1)));             \
            before = last;                                                                         \
            last = value;                                                                          \
            for (int plane = 0; plane < bits / 8; ++plane) {                                       \
                planes[plane * total + i] = (uint8_t)(mixed >> (bits - 8 - 8 * plane));            \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void undo##bits(const coif_filter *filter, int32_t component, const uint8_t *planes,    \
                           int64_t count, word *values)                                            \
    {                                                                                              \
        const int64_t total = count * filter->components;                                          \
        const bool floats = filter->sign_magnitude;                                                \
        word last = 0, before = 0;                                                                 \
        for (int64_t i = component; i < total; i += filter->components) {                          \
            word mixed = 0;                                                                        \
            for (int plane = 0; plane < bits / 8; ++plane) {                                       \
                mixed |= (word)((word)planes[plane * total + i] << (bits - 8 - 8 * plane));        \
            }                                                                                      \
            const word distance = (word)((word)(mixed >> 1) ^ (word)(0 - (mixed & 1)));            \
            const word value = (word)(distance + (word)(2 * last) - before);                       \
            before = last;                                                                         \
            last = value;                                                                          \
            values[i] = floats ? order##bits(value) : value;                                       \
        }                                                                                          \
    }

DEFINE_FILTER(8, uint8_t, int8_t)
DEFINE_FILTER(16, uint16_t, int16_t)
DEFINE_FILTER(32, uint32_t, int32_t)
DEFINE_FILTER(64, uint64_t, int64_t)

void coif_filter_apply(const coif_filter *filter, const void *values, int64_t count, void *planes)
{
    for (int32_t component = 0; component < filter->components; ++component) {
        switch (filter->word) {
        case 1:
            apply8(filter, component, values, count, planes);
            break;
        case 2:
            apply16(filter, component, values, count, planes);
            break;
        case 4:
            apply32(filter, component, values, count, planes);
            break;
        default:
            apply64(filter, component, values, count, planes);
            break;
        }
    }
}

void coif_filter_undo(const coif_filter *filter, const void *planes, int64_t count, void *values)
{
    for (int32_t component = 0; component < filter->components; ++component) {
        switch (filter->word) {
        case 1:
            undo8(filter, component, planes, count, values);
            break;
        case 2:
            undo16(filter, component, planes, count, values);
            break;
        case 4:
            undo32(filter, component, planes, count, values);
            break;
        default:
            undo64(filter, component, planes, count, values);
            break;
        }
    }
}

bool coif_quantise_range(coif_quantum *quanta, int32_t components, const void *values,
                         int64_t stride, int64_t count)
{
    for (int32_t component = 0; component < components; ++component) {
        const char *at = (const char *)values + (size_t)component * sizeof(float);
        float low = INFINITY, high = -INFINITY, sum = 0.0f;
        for (int64_t i = 0; i < count; ++i, at += stride) {
            float value;
            memcpy(&value, at, sizeof value);
            low = value < low ? value : low;
            high = value > high ? value : high;
            sum += value * 0.0f; // stays zero unless a value is infinite or NaN
        }
        if (sum != 0.0f) {
            return false;
        }
        const bool any = count > 0;
        quanta[component].origin = any ? (double)low : 0.0;
        quanta[component].step = any ? ((double)high - (double)low) / 65535.0 : 0.0;
    }
    return true;
}

void coif_quantise(uint16_t *steps, const coif_quantum *quanta, int32_t components,
                   const float *values, int64_t count)
{
    for (int32_t component = 0; component < components; ++component) {
        const coif_quantum quantum = quanta[component];
        const double inverse = quantum.step > 0.0 ? 1.0 / quantum.step : 0.0;
        for (int64_t i = component; i < count * components; i += components) {
            const double q = ((double)values[i] - quantum.origin) * inverse + 0.5;
            steps[i] = (uint16_t)(int32_t)(q < 65535.0 ? q : 65535.0);
        }
    }
}

void coif_dequantise(float *values, const coif_quantum *quanta, int32_t components,
                     const uint16_t *steps, int64_t count)
{
    for (int32_t component = 0; component < components; ++component) {
        const coif_quantum quantum = quanta[component];
        for (int64_t i = component; i < count * components; i += components) {
            values[i] = (float)(quantum.origin + quantum.step * (double)steps[i]);
        }
    }
}
