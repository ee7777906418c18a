#include "core/pack/pack_filter.h"

#include <math.h>
#include <string.h>

// Words are worked on in runs that stay in the nearest cache.
enum { RUN = 2048 };

// One pair of functions per word size, written once. A distance is that to the straight
// continuation of the two values before it in its component,
//
//   d[i] = o[i] - (2 o[i - components] - o[i - 2 components])      with o[i] = 0 for i < 0
//
// where o is the bit pattern; patterns of floats are ordered first: flipping the lower bits of
// negative ones makes them run in the order of the numbers, also across zero. The zigzag
// 0, -1, 1, -2, ... -> 0, 1, 2, 3, ... keeps the high bytes of small negative distances zero.
// Everything wraps around, so undoing is exact. Planes come highest byte first. The loops are kept
// apart so that compilers can make them wide; only the one that adds up cannot be.
#define DEFINE_FILTER(bits, word, whole)                                                           \
    static inline word order##bits(word value, word low_bits)                                      \
    {                                                                                              \
        return (word)(value ^ ((word)((whole)value >> (bits - 1)) & low_bits));                    \
    }                                                                                              \
                                                                                                   \
    static inline word mix##bits(word distance)                                                    \
    {                                                                                              \
        return (word)((word)(distance << 1) ^ (word)((whole)distance >> (bits - 1)));              \
    }                                                                                              \
                                                                                                   \
    static void apply##bits(const coif_byte_filter *filter, const word *values, int64_t total,     \
                            uint8_t *planes)                                                       \
    {                                                                                              \
        const word low_bits = filter->sign_magnitude ? (word)((word)-1 >> 1) : 0;                  \
        const int64_t step = filter->components;                                                   \
        word run[RUN];                                                                             \
        for (int64_t begin = 0; begin < total; begin += RUN) {                                     \
            const int64_t end = begin + RUN < total ? begin + RUN : total;                         \
            int64_t i = begin;                                                                     \
            for (; i < end && i < 2 * step; ++i) {                                                 \
                const word last = i < step ? 0 : order##bits(values[i - step], low_bits);          \
                run[i - begin] = mix##bits((word)(order##bits(values[i], low_bits) - 2 * last));   \
            }                                                                                      \
            for (; i < end; ++i) {                                                                 \
                const word value = order##bits(values[i], low_bits);                               \
                const word last = order##bits(values[i - step], low_bits);                         \
                const word before = order##bits(values[i - 2 * step], low_bits);                   \
                run[i - begin] = mix##bits((word)(value - 2 * last + before));                     \
            }                                                                                      \
            for (int plane = 0; plane < bits / 8; ++plane) {                                       \
                uint8_t *to = planes + plane * total + begin;                                      \
                for (int64_t k = 0; k < end - begin; ++k) {                                        \
                    to[k] = (uint8_t)(run[k] >> (bits - 8 - 8 * plane));                           \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void undo##bits(const coif_byte_filter *filter, const uint8_t *planes, int64_t total,   \
                           word *values)                                                           \
    {                                                                                              \
        const word low_bits = filter->sign_magnitude ? (word)((word)-1 >> 1) : 0;                  \
        const int64_t step = filter->components;                                                   \
        for (int64_t i = 0; i < total; ++i) {                                                      \
            word mixed = 0;                                                                        \
            for (int plane = 0; plane < bits / 8; ++plane) {                                       \
                mixed = (word)(mixed | (word)planes[plane * total + i] << (bits - 8 - 8 * plane)); \
            }                                                                                      \
            values[i] = (word)((word)(mixed >> 1) ^ (word)(0 - (mixed & 1)));                      \
        }                                                                                          \
        for (int64_t i = step; i < total; ++i) {                                                   \
            const word before = i < 2 * step ? 0 : values[i - 2 * step];                           \
            values[i] = (word)(values[i] + 2 * values[i - step] - before);                         \
        }                                                                                          \
        for (int64_t i = 0; i < total; ++i) {                                                      \
            values[i] = order##bits(values[i], low_bits);                                          \
        }                                                                                          \
    }

DEFINE_FILTER(8, uint8_t, int8_t)
DEFINE_FILTER(16, uint16_t, int16_t)
DEFINE_FILTER(32, uint32_t, int32_t)
DEFINE_FILTER(64, uint64_t, int64_t)

void coif_byte_filter_apply(const coif_byte_filter *filter, const void *values, int64_t count,
                            void *planes)
{
    const int64_t total = count * filter->components;
    switch (filter->word) {
    case 1:
        apply8(filter, values, total, planes);
        break;
    case 2:
        apply16(filter, values, total, planes);
        break;
    case 4:
        apply32(filter, values, total, planes);
        break;
    default:
        apply64(filter, values, total, planes);
        break;
    }
}

void coif_byte_filter_undo(const coif_byte_filter *filter, const void *planes, int64_t count,
                           void *values)
{
    const int64_t total = count * filter->components;
    switch (filter->word) {
    case 1:
        undo8(filter, planes, total, values);
        break;
    case 2:
        undo16(filter, planes, total, values);
        break;
    case 4:
        undo32(filter, planes, total, values);
        break;
    default:
        undo64(filter, planes, total, values);
        break;
    }
}

// Low, high and whether all are finite, of one component.
static bool measure(coif_quantum *quantum, const char *at, int64_t stride, int64_t count)
{
    float low = INFINITY, high = -INFINITY, sum = 0.0f;
    for (int64_t i = 0; i < count; ++i) {
        const float value = *(const float *)(at + i * stride);
        low = value < low ? value : low;
        high = value > high ? value : high;
        sum += value * 0.0f; // stays zero unless a value is infinite or NaN
    }
    quantum->origin = count > 0 ? (double)low : 0.0;
    quantum->step = count > 0 ? ((double)high - (double)low) / 65535.0 : 0.0;
    return sum == 0.0f;
}

bool coif_quantise_range(coif_quantum *quanta, int32_t components, const void *values,
                         int64_t stride, int64_t count)
{
    for (int32_t component = 0; component < components; ++component) {
        const char *at = (const char *)values + (size_t)component * sizeof(float);
        if (!measure(&quanta[component], at, stride, count)) {
            return false;
        }
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
