// coif/deterministic_math.h: elementary functions, hashes and gradient noise that return the same
// bits on every machine.
//
// Results of plugins end in caches that must not depend on compiler or processor. sinf, expf and
// powf of the C library do: it dispatches by processor. The functions here use + - * / floor and
// sqrt only, which IEEE 754 rounds correctly. Compile with -ffp-contract=off, so that no product
// and sum are fused.
//
// All functions are static inline and pure: [worker].
#ifndef COIF_PLUGIN_DETERMINISTIC_MATH_H
#define COIF_PLUGIN_DETERMINISTIC_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define COIF_KIT_PI  3.14159265f
#define COIF_KIT_TAU 6.28318531f

// Argument reduction: x = quadrant pi / 2 + r with |r| <= pi / 4; returns r (Cody and Waite).
static inline double coif_kit_reduce_angle(double x, int *quadrant)
{
    const double turns = floor(x * 0.63661977236758134 + 0.5);
    *quadrant = (int)(turns - 4.0 * floor(turns / 4.0));
    return (x - turns * 1.5707963267341256) - turns * 6.0771005065061922e-11;
}

// Taylor polynomial of the sine, within float rounding error on [-pi / 4, pi / 4].
static inline double coif_kit_sin_poly(double r)
{
    const double q = r * r;
    return r + r * q *
                   (-1.0 / 6.0 +
                    q * (1.0 / 120.0 +
                         q * (-1.0 / 5040.0 + q * (1.0 / 362880.0 - q * (1.0 / 39916800.0)))));
}

// The same of the cosine.
static inline double coif_kit_cos_poly(double r)
{
    const double q = r * r;
    return 1.0 + q * (-0.5 + q * (1.0 / 24.0 + q * (-1.0 / 720.0 +
                                                    q * (1.0 / 40320.0 - q * (1.0 / 3628800.0)))));
}

// sin(x), x in radians; 0 for |x| >= 1e6 and NaN.
static inline float coif_kit_sin(float x)
{
    if (!(x > -1e6f && x < 1e6f)) {
        return 0.0f;
    }
    int quadrant;
    const double r = coif_kit_reduce_angle(x, &quadrant);
    const double value = (quadrant & 1) ? coif_kit_cos_poly(r) : coif_kit_sin_poly(r);
    return (float)((quadrant & 2) ? -value : value);
}

// cos(x), x in radians; 1 for |x| >= 1e6 and NaN.
static inline float coif_kit_cos(float x)
{
    if (!(x > -1e6f && x < 1e6f)) {
        return 1.0f;
    }
    int quadrant;
    const double r = coif_kit_reduce_angle(x, &quadrant);
    const double value = (quadrant & 1) ? coif_kit_sin_poly(r) : coif_kit_cos_poly(r);
    return (float)(((quadrant + 1) & 2) ? -value : value);
}

// acos(x) in radians, x clamped to [-1, 1]. Two half-angle steps, then the series of atan.
static inline float coif_kit_acos(float x)
{
    const double c = x > 1.0f ? 1.0 : x > -1.0f ? x : -1.0;
    // tan(a / 2) = sqrt((1 - c) / (1 + c)); for c < 0 the supplement pi - a is computed.
    const double low = c < 0.0 ? -c : c;
    double t = sqrt((1.0 - low) / (1.0 + low));
    t = t / (1.0 + sqrt(1.0 + t * t));
    t = t / (1.0 + sqrt(1.0 + t * t));
    const double q = t * t;
    const double angle =
        8.0 * t *
        (1.0 -
         q * (1.0 / 3.0 -
              q * (1.0 / 5.0 - q * (1.0 / 7.0 - q * (1.0 / 9.0 - q * (1.0 / 11.0 - q / 13.0))))));
    return (float)(c < 0.0 ? 3.1415926535897931 - angle : angle);
}

// exp(x) with relative error below 1e-7; 0 for x <= -87, the largest float for x > 88.
static inline float coif_kit_exp(float x)
{
    if (!(x > -87.0f)) {
        return 0.0f;
    }
    if (x > 88.0f) {
        return 3.40282347e38f;
    }
    const double k = floor(x * 1.4426950408889634 + 0.5);
    const double r = (x - k * 0.69314718036912382) - k * 1.9082149292705877e-10;
    const double series =
        1.0 +
        r * (1.0 +
             r * (0.5 + r * (1.0 / 6.0 +
                             r * (1.0 / 24.0 +
                                  r * (1.0 / 120.0 + r * (1.0 / 720.0 + r * (1.0 / 5040.0)))))));
    const uint64_t bits = (uint64_t)((int64_t)k + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return (float)(series * scale);
}

// x limited to [low, high]; NaN becomes low.
static inline float coif_kit_clamp(float x, float low, float high)
{
    return !(x > low) ? low : x > high ? high : x;
}

// Linear interpolation from a (t = 0) to b (t = 1).
static inline float coif_kit_mix(float a, float b, float t)
{
    return a + t * (b - a);
}

// Cubic Hermite step 3 t^2 - 2 t^3, with t clamped to [0, 1].
static inline float coif_kit_smoothstep(float t)
{
    t = coif_kit_clamp(t, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// Hash of a word and a stream number (finaliser of MurmurHash3, A. Appleby).
static inline uint32_t coif_kit_hash(uint32_t word, uint32_t stream)
{
    uint32_t h = word + 0x9e3779b9u * (stream + 1u);
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    return h ^ (h >> 16);
}

// Uniform in [0, 1): independent numbers for different streams of one random word.
static inline float coif_kit_random(uint32_t word, uint32_t stream)
{
    return (float)(coif_kit_hash(word, stream) >> 8) * (1.0f / 16777216.0f);
}

// Lattice cell floor(x) and the fraction x - floor(x); both 0 for |x| >= 1e6 and NaN.
static inline int32_t coif_kit_lattice_cell(float x, float *fraction)
{
    if (!(x > -1e6f && x < 1e6f)) {
        *fraction = 0.0f;
        return 0;
    }
    const float cell = floorf(x);
    *fraction = x - cell;
    return (int32_t)cell;
}

// Quintic fade 6 t^5 - 15 t^4 + 10 t^3, C2 at the ends (K. Perlin, Improving Noise, 2002).
static inline float coif_kit_fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

// One-dimensional gradient noise in [-1, 1], 0 at integers.
static inline float coif_kit_noise1(float x, uint32_t seed)
{
    float t;
    const int32_t cell = coif_kit_lattice_cell(x, &t);
    const float g0 = 2.0f * coif_kit_random((uint32_t)cell, seed) - 1.0f;
    const float g1 = 2.0f * coif_kit_random((uint32_t)cell + 1u, seed) - 1.0f;
    // The blend of two unit gradients is at most 1/2.
    return 2.0f * coif_kit_mix(g0 * t, g1 * (t - 1.0f), coif_kit_fade(t));
}

// Dot product of the gradient at a lattice point (one of 12 cube edge directions) with the offset
// from that point.
static inline float coif_kit_gradient_dot3(const uint32_t cell[3], uint32_t seed,
                                           const float offset[3])
{
    const uint32_t h =
        coif_kit_hash(cell[0] + coif_kit_hash(cell[1] + coif_kit_hash(cell[2], seed), seed), seed);
    const uint32_t edge = h >> 28 < 12 ? h >> 28 : (h >> 24) % 12u;
    const float a = edge < 8 ? offset[0] : offset[1];
    const float b = edge < 4 ? offset[1] : offset[2];
    return ((edge & 1) ? a : -a) + ((edge & 2) ? b : -b);
}

// Three-dimensional gradient noise, about -1 to 1, feature size 1 (K. Perlin, Improving Noise,
// 2002).
static inline float coif_kit_noise3(float x, float y, float z, uint32_t seed)
{
    float t[3];
    const uint32_t cell[3] = {(uint32_t)coif_kit_lattice_cell(x, &t[0]),
                              (uint32_t)coif_kit_lattice_cell(y, &t[1]),
                              (uint32_t)coif_kit_lattice_cell(z, &t[2])};
    float corner[8];
    for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t at[3] = {cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2)};
        const float offset[3] = {t[0] - (float)(i & 1), t[1] - (float)(i >> 1 & 1),
                                 t[2] - (float)(i >> 2)};
        corner[i] = coif_kit_gradient_dot3(at, seed, offset);
    }
    const float ex = coif_kit_fade(t[0]), ey = coif_kit_fade(t[1]), ez = coif_kit_fade(t[2]);
    const float near = coif_kit_mix(coif_kit_mix(corner[0], corner[1], ex),
                                    coif_kit_mix(corner[2], corner[3], ex), ey);
    const float far = coif_kit_mix(coif_kit_mix(corner[4], corner[5], ex),
                                   coif_kit_mix(corner[6], corner[7], ex), ey);
    return coif_kit_mix(near, far, ez);
}

#endif
