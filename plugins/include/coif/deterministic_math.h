// coif/deterministic_math.h: mathematics for plugins that gives the same bits everywhere.
//
// What a groom modifier, a map or a wind computes ends in files that must be the same for every
// compiler, build and processor. The C library's sinf, expf and powf are not: it chooses among
// variants by processor. These are built from + - * / floor and sqrt only, which are exact or
// correctly rounded. Compile with -ffp-contract=off, so that no compiler fuses a product and a sum.
//
// Everything here is static: nothing of it crosses the plugin border or may ever clash.
#ifndef COIF_PLUGIN_DETERMINISTIC_MATH_H
#define COIF_PLUGIN_DETERMINISTIC_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define COIF_KIT_PI  3.14159265f
#define COIF_KIT_TAU 6.28318531f

// Splits an angle into quarter turns and a rest of at most an eighth of a turn either way.
static inline double coif_kit_reduce_angle(double x, int *quarter)
{
    const double turns = floor(x * 0.63661977236758134 + 0.5);
    *quarter = (int)(turns - 4.0 * floor(turns / 4.0));
    return (x - turns * 1.5707963267341256) - turns * 6.0771005065061922e-11;
}

// Taylor series, good to the last bit of a float on [-pi/4, pi/4].
static inline double coif_kit_sin_poly(double r)
{
    const double q = r * r;
    return r + r * q *
                   (-1.0 / 6.0 +
                    q * (1.0 / 120.0 +
                         q * (-1.0 / 5040.0 + q * (1.0 / 362880.0 - q * (1.0 / 39916800.0)))));
}

static inline double coif_kit_cos_poly(double r)
{
    const double q = r * r;
    return 1.0 + q * (-0.5 + q * (1.0 / 24.0 + q * (-1.0 / 720.0 +
                                                    q * (1.0 / 40320.0 - q * (1.0 / 3628800.0)))));
}

// Radians, for |x| up to 1e6; 0 for what is larger or not a number.
static inline float coif_kit_sin(float x)
{
    if (!(x > -1e6f && x < 1e6f)) {
        return 0.0f;
    }
    int quarter;
    const double r = coif_kit_reduce_angle(x, &quarter);
    const double value = (quarter & 1) ? coif_kit_cos_poly(r) : coif_kit_sin_poly(r);
    return (float)((quarter & 2) ? -value : value);
}

static inline float coif_kit_cos(float x)
{
    if (!(x > -1e6f && x < 1e6f)) {
        return 1.0f;
    }
    int quarter;
    const double r = coif_kit_reduce_angle(x, &quarter);
    const double value = (quarter & 1) ? coif_kit_sin_poly(r) : coif_kit_cos_poly(r);
    return (float)(((quarter + 1) & 2) ? -value : value);
}

// The angle of a cosine, 0 to pi. Half angles twice, then the series of the arc tangent.
static inline float coif_kit_acos(float x)
{
    const double c = x > 1.0f ? 1.0 : x > -1.0f ? x : -1.0;
    // tan(a/2) = sqrt((1 - c) / (1 + c)); beyond a right angle the complement is used.
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

// Relative error below 1e-7; 0 far below, the largest float far above.
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

static inline float coif_kit_clamp(float x, float low, float high)
{
    return !(x > low) ? low : x > high ? high : x;
}

static inline float coif_kit_mix(float a, float b, float share)
{
    return a + share * (b - a);
}

// From 0 to 1 with flat ends; t outside is clamped.
static inline float coif_kit_smoothstep(float t)
{
    t = coif_kit_clamp(t, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// A well-mixed word from another one and a stream number (finaliser of MurmurHash3, A. Appleby).
static inline uint32_t coif_kit_hash(uint32_t word, uint32_t stream)
{
    uint32_t h = word + 0x9e3779b9u * (stream + 1u);
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    return h ^ (h >> 16);
}

// Uniform in [0, 1), from a word and a stream: independent numbers from one random word.
static inline float coif_kit_random(uint32_t word, uint32_t stream)
{
    return (float)(coif_kit_hash(word, stream) >> 8) * (1.0f / 16777216.0f);
}

// Below its lattice a coordinate is this far; huge and broken ones wrap to something harmless.
static inline int32_t coif_kit_lattice_cell(float x, float *inside)
{
    if (!(x > -1e6f && x < 1e6f)) {
        *inside = 0.0f;
        return 0;
    }
    const float below = floorf(x);
    *inside = x - below;
    return (int32_t)below;
}

// Ease with two continuous derivatives (K. Perlin, Improving Noise, 2002).
static inline float coif_kit_fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

// Smooth noise along a line, between -1 and 1, 0 at whole numbers: gradients blended by ease.
static inline float coif_kit_noise1(float x, uint32_t seed)
{
    float t;
    const int32_t cell = coif_kit_lattice_cell(x, &t);
    const float g0 = 2.0f * coif_kit_random((uint32_t)cell, seed) - 1.0f;
    const float g1 = 2.0f * coif_kit_random((uint32_t)cell + 1u, seed) - 1.0f;
    // The largest value of the blend of two unit slopes is 1/2.
    return 2.0f * coif_kit_mix(g0 * t, g1 * (t - 1.0f), coif_kit_fade(t));
}

// The slope of the lattice point (x, y, z) towards (dx, dy, dz): one of 12 edges of a cube.
static inline float coif_kit_gradient_dot3(const uint32_t cell[3], uint32_t seed,
                                           const float away[3])
{
    const uint32_t h =
        coif_kit_hash(cell[0] + coif_kit_hash(cell[1] + coif_kit_hash(cell[2], seed), seed), seed);
    const uint32_t edge = h >> 28 < 12 ? h >> 28 : (h >> 24) % 12u;
    const float a = edge < 8 ? away[0] : away[1];
    const float b = edge < 4 ? away[1] : away[2];
    return ((edge & 1) ? a : -a) + ((edge & 2) ? b : -b);
}

// Smooth noise in space, about -1 to 1, one hill or dale per unit (K. Perlin, Improving Noise,
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
        const float away[3] = {t[0] - (float)(i & 1), t[1] - (float)(i >> 1 & 1),
                               t[2] - (float)(i >> 2)};
        corner[i] = coif_kit_gradient_dot3(at, seed, away);
    }
    const float ex = coif_kit_fade(t[0]), ey = coif_kit_fade(t[1]), ez = coif_kit_fade(t[2]);
    const float near = coif_kit_mix(coif_kit_mix(corner[0], corner[1], ex),
                                    coif_kit_mix(corner[2], corner[3], ex), ey);
    const float far = coif_kit_mix(coif_kit_mix(corner[4], corner[5], ex),
                                   coif_kit_mix(corner[6], corner[7], ex), ey);
    return coif_kit_mix(near, far, ez);
}

#endif
