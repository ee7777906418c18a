// Reversible filter before compression, and quantisation.
#include "core/pack/pack_filter.h"

#include <math.h>
#include <string.h>

// Words are filtered in tiles that stay in the L1 cache.
enum { TILE = 2048 };

// One pair of functions per word size. The residual to linear extrapolation is
//
//   r[i] = o[i] - (2 o[i - components] - o[i - 2 components])      with o[i] = 0 for i < 0
//
// where o is the bit pattern. Float patterns are first made monotonic: flipping the lower bits of
// negative ones orders patterns like numbers, also across zero. Zigzag coding
// 0, -1, 1, -2, ... -> 0, 1, 2, 3, ... keeps the high bytes of small negative residuals zero.
// Arithmetic wraps around, so decoding is exact. The most significant plane comes first. The loops
// are separate so that compilers can vectorise all but the prefix sum.
#define DEFINE_FILTER(bits, word, whole)                                                           \
    static inline word order##bits(word value, word low_bits)                                      \
    {                                                                                              \
        return (word)(value ^ ((word)((whole)value >> (bits - 1)) & low_bits));                    \
    }                                                                                              \
                                                                                                   \
    static inline word zigzag##bits(word residual)                                                 \
    {                                                                                              \
        return (word)((word)(residual << 1) ^ (word)((whole)residual >> (bits - 1)));              \
    }                                                                                              \
                                                                                                   \
    static void apply##bits(const coif_byte_filter *filter, const word *values, int64_t total,     \
                            uint8_t *planes)                                                       \
    {                                                                                              \
        const word low_bits = filter->sign_magnitude ? (word)((word)-1 >> 1) : 0;                  \
        const int64_t step = filter->components;                                                   \
        word tile[TILE];                                                                           \
        for (int64_t begin = 0; begin < total; begin += TILE) {                                    \
            const int64_t end = begin + TILE < total ? begin + TILE : total;                       \
            int64_t i = begin;                                                                     \
            for (; i < end && i < 2 * step; ++i) {                                                 \
                const word last = i < step ? 0 : order##bits(values[i - step], low_bits);          \
                tile[i - begin] =                                                                  \
                    zigzag##bits((word)(order##bits(values[i], low_bits) - 2 * last));             \
            }                                                                                      \
            for (; i < end; ++i) {                                                                 \
                const word value = order##bits(values[i], low_bits);                               \
                const word last = order##bits(values[i - step], low_bits);                         \
                const word before = order##bits(values[i - 2 * step], low_bits);                   \
                tile[i - begin] = zigzag##bits((word)(value - 2 * last + before));                 \
            }                                                                                      \
            for (int plane = 0; plane < bits / 8; ++plane) {                                       \
                uint8_t *to = planes + plane * total + begin;                                      \
                for (int64_t k = 0; k < end - begin; ++k) {                                        \
                    to[k] = (uint8_t)(tile[k] >> (bits - 8 - 8 * plane));                          \
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
            word coded = 0;                                                                        \
            for (int plane = 0; plane < bits / 8; ++plane) {                                       \
                coded = (word)(coded | (word)planes[plane * total + i] << (bits - 8 - 8 * plane)); \
            }                                                                                      \
            values[i] = (word)((word)(coded >> 1) ^ (word)(0 - (coded & 1)));                      \
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

// Range of one component; false when a value is not finite.
static bool component_range(coif_quantum *quantum, const char *at, int64_t stride, int64_t count)
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
        if (!component_range(&quanta[component], at, stride, count)) {
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
