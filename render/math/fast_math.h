// Inline transcendental functions of the renderer, scalar and in SIMD vectors of four floats.
//
// The C library selects variants by processor whose last bits differ, and a call costs as much as
// the arithmetic around it. These use + - * / sqrt only, so that an image does not depend on the
// machine; the error is below 3e-7 (relative for exp, absolute for angles). Not for caches: those
// use core/base/deterministic_math.h.
#ifndef COIF_RENDER_MATH_FAST_MATH_H
#define COIF_RENDER_MATH_FAST_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define COIF_PI      3.14159265358979f
#define COIF_TWO_PI  6.28318530717959f
#define COIF_HALF_PI 1.57079632679490f
#define COIF_INV_PI  0.31830988618379f

// fminf and fmaxf are calls unless NaN is ruled out; these are single instructions. When a is NaN
// the result is b.
static inline float coif_min(float a, float b)
{
    return a < b ? a : b;
}

static inline float coif_max(float a, float b)
{
    return a > b ? a : b;
}

typedef float coif_lanes __attribute__((vector_size(16)));
typedef int32_t coif_lanes_int __attribute__((vector_size(16)));
typedef uint32_t coif_lanes_uint __attribute__((vector_size(16)));

static inline coif_lanes coif_lanes_splat(float value)
{
    return (coif_lanes){value, value, value, value};
}

// Per lane: a where mask is -1, b where it is 0.
static inline coif_lanes coif_lanes_select(coif_lanes_int mask, coif_lanes a, coif_lanes b)
{
    return (coif_lanes)((mask & (coif_lanes_int)a) | (~mask & (coif_lanes_int)b));
}

static inline coif_lanes coif_lanes_abs(coif_lanes a)
{
    const coif_lanes_int keep = {0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff};
    return (coif_lanes)((coif_lanes_int)a & keep);
}

// As coif_max and coif_min: where a is NaN the result is b.
static inline coif_lanes coif_lanes_max(coif_lanes a, coif_lanes b)
{
#if defined(__SSE2__)
    return __builtin_ia32_maxps(a, b);
#else
    return coif_lanes_select(a > b, a, b);
#endif
}

static inline coif_lanes coif_lanes_min(coif_lanes a, coif_lanes b)
{
#if defined(__SSE2__)
    return __builtin_ia32_minps(a, b);
#else
    return coif_lanes_select(a < b, a, b);
#endif
}

static inline coif_lanes coif_lanes_sqrt(coif_lanes a)
{
    return (coif_lanes){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
}

static inline float coif_lanes_sum(coif_lanes a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

// Adding and subtracting 1.5 * 2^23 rounds to the nearest integer.
#define COIF_ROUNDING_MAGIC 12582912.0f

// Series of the functions below, for floats and vectors alike; z is the square of the argument.
#define COIF_EXP_SERIES(r)                                                                         \
    ((((((r * 1.98412698e-4f + 1.38888889e-3f) * r + 8.33333333e-3f) * r + 4.16666667e-2f) * r +   \
       1.66666667e-1f) *                                                                           \
          r +                                                                                      \
      0.5f) *                                                                                      \
         (r * r) +                                                                                 \
     (r + 1.0f))
#define COIF_LOG_SERIES(z) (((0.2857142857f * z + 0.4f) * z + 0.6666666667f) * z + 2.0f)
#define COIF_SIN_SERIES(x, z)                                                                      \
    (x +                                                                                           \
     x * z *                                                                                       \
         (-1.66666667e-1f + z * (8.33333333e-3f + z * (-1.98412698e-4f + z * 2.75573192e-6f))))
#define COIF_COS_SERIES(z)                                                                         \
    (1.0f + z * (-0.5f + z * (4.16666667e-2f +                                                     \
                              z * (-1.38888889e-3f + z * (2.48015873e-5f - z * 2.75573192e-7f)))))
#define COIF_ATAN_SERIES(t, z)                                                                     \
    (t + t * z *                                                                                   \
             (-3.33333318e-1f +                                                                    \
              z * (1.99995405e-1f +                                                                \
                   z * (-1.42639556e-1f + z * (1.07437315e-1f + z * -6.45192817e-2f)))))

// exp(x) = 2^n exp(r), n the integer nearest to x / ln 2, |r| <= ln 2 / 2. x is clamped to
// [-87, 88], so the result is never denormal or infinite.
static inline coif_lanes coif_lanes_exp(coif_lanes x)
{
    x = coif_lanes_max(coif_lanes_min(x, coif_lanes_splat(88.0f)), coif_lanes_splat(-87.0f));
    const coif_lanes n = (x * 1.44269504f + COIF_ROUNDING_MAGIC) - COIF_ROUNDING_MAGIC;
    const coif_lanes r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    const coif_lanes p = COIF_EXP_SERIES(r);
    const coif_lanes_int bits = (__builtin_convertvector(n, coif_lanes_int) + 127) << 23;
    return p * (coif_lanes)bits;
}

static inline float coif_fast_exp(float x)
{
    x = x < 88.0f ? x : 88.0f;
    x = x > -87.0f ? x : -87.0f;
    const float n = (x * 1.44269504f + COIF_ROUNDING_MAGIC) - COIF_ROUNDING_MAGIC;
    const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    const float p = COIF_EXP_SERIES(r);
    const uint32_t bits = (uint32_t)((int32_t)n + 127) << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

// Natural logarithm of a normal positive float: with x = 2^e m, m in [sqrt(1/2), sqrt(2)),
// log m = 2 artanh(s), s = (m - 1) / (m + 1). log(0) is about -87.
static inline float coif_fast_log(float x)
{
    x = x > 1.2e-38f ? x : 1.2e-38f;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int32_t e = (int32_t)((bits - 0x3f3504f3u) >> 23 << 23);
    const uint32_t mantissa = bits - (uint32_t)e;
    float m;
    memcpy(&m, &mantissa, sizeof m);
    const float s = (m - 1.0f) / (m + 1.0f);
    const float z = s * s;
    const float p = COIF_LOG_SERIES(z);
    const float exponent = (float)(e / (1 << 23));
    return exponent * 0.693359375f + (s * p - exponent * 2.12194440e-4f);
}

// Four at a time.
static inline coif_lanes coif_lanes_log(coif_lanes x)
{
    x = coif_lanes_max(x, coif_lanes_splat(1.2e-38f));
    const coif_lanes_int bits = (coif_lanes_int)x;
    const coif_lanes_int above = bits - 0x3f3504f3;
    const coif_lanes m = (coif_lanes)(bits - (above & ~0x7fffff));
    const coif_lanes s = (m - 1.0f) / (m + 1.0f);
    const coif_lanes z = s * s;
    const coif_lanes p = COIF_LOG_SERIES(z);
    const coif_lanes exponent = __builtin_convertvector(above >> 23, coif_lanes);
    return exponent * 0.693359375f + (s * p - exponent * 2.12194440e-4f);
}

// Sine and cosine of 2 pi t, t in turns, where range reduction is exact.
static inline void coif_fast_sincos_turns(float t, float *sine, float *cosine)
{
    const float quarter = (4.0f * t + COIF_ROUNDING_MAGIC) - COIF_ROUNDING_MAGIC;
    const float x = (t - 0.25f * quarter) * COIF_TWO_PI;
    const float z = x * x;
    const float s = COIF_SIN_SERIES(x, z);
    const float c = COIF_COS_SERIES(z);
    const int32_t q = (int32_t)quarter & 3;
    const float a = (q & 1) ? c : s;
    const float b = (q & 1) ? s : c;
    *sine = (q & 2) ? -a : a;
    *cosine = ((q + 1) & 2) ? -b : b;
}

// Four at a time.
static inline void coif_lanes_sincos_turns(coif_lanes t, coif_lanes *sine, coif_lanes *cosine)
{
    const coif_lanes quarter = (4.0f * t + COIF_ROUNDING_MAGIC) - COIF_ROUNDING_MAGIC;
    const coif_lanes x = (t - 0.25f * quarter) * COIF_TWO_PI;
    const coif_lanes z = x * x;
    const coif_lanes s = COIF_SIN_SERIES(x, z);
    const coif_lanes c = COIF_COS_SERIES(z);
    const coif_lanes_uint q = (coif_lanes_uint) __builtin_convertvector(quarter, coif_lanes_int);
    const coif_lanes_int odd = -(coif_lanes_int)(q & 1);
    const coif_lanes a = coif_lanes_select(odd, c, s);
    const coif_lanes b = coif_lanes_select(odd, s, c);
    *sine = (coif_lanes)((coif_lanes_uint)a ^ ((q & 2) << 30));
    *cosine = (coif_lanes)((coif_lanes_uint)b ^ (((q + 1) & 2) << 30));
}

// The angle of (x, y) in (-pi, pi]; 0 for the origin. Arctangent of a ratio in [0, tan(pi / 8)] by
// an odd polynomial (Chebyshev nodes, error 1e-9); larger ratios are first rotated by pi / 4.
static inline float coif_fast_atan2(float y, float x)
{
    const float ax = fabsf(x), ay = fabsf(y);
    const float big = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
    if (!(big > 0.0f)) {
        return 0.0f;
    }
    const int reduce = small > 0.41421356f * big;
    const float t = reduce ? (small - big) / (small + big) : small / big;
    const float z = t * t;
    float angle = COIF_ATAN_SERIES(t, z);
    angle = reduce ? angle + 0.785398163f : angle;
    angle = ay > ax ? COIF_HALF_PI - angle : angle;
    angle = x < 0.0f ? COIF_PI - angle : angle;
    return y < 0.0f ? -angle : angle;
}

// Four at a time.
static inline coif_lanes coif_lanes_atan2(coif_lanes y, coif_lanes x)
{
    const coif_lanes ax = coif_lanes_abs(x), ay = coif_lanes_abs(y);
    const coif_lanes big = coif_lanes_max(coif_lanes_max(ax, ay), coif_lanes_splat(1e-37f));
    const coif_lanes small = coif_lanes_min(ax, ay);
    const coif_lanes_int reduce = small > 0.41421356f * big;
    const coif_lanes t =
        coif_lanes_select(reduce, small - big, small) / coif_lanes_select(reduce, small + big, big);
    const coif_lanes z = t * t;
    coif_lanes angle = COIF_ATAN_SERIES(t, z);
    const coif_lanes zero = coif_lanes_splat(0.0f);
    angle = angle + coif_lanes_select(reduce, coif_lanes_splat(0.785398163f), zero);
    angle = coif_lanes_select(ay > ax, COIF_HALF_PI - angle, angle);
    angle = coif_lanes_select(x < 0.0f, COIF_PI - angle, angle);
    return coif_lanes_select(y < 0.0f, -angle, angle);
}

// Denormals contribute nothing and are about a hundred times slower. Begin sets flush-to-zero and
// denormals-are-zero on this thread and returns the mode that end restores.
static inline unsigned int coif_flush_denormals_begin(void)
{
#if defined(__SSE2__)
    const unsigned int mode = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(mode | 0x8040u);
    return mode;
#else
    return 0;
#endif
}

static inline void coif_flush_denormals_end(unsigned int mode)
{
#if defined(__SSE2__)
    __builtin_ia32_ldmxcsr(mode);
#else
    (void)mode;
#endif
}

#endif
