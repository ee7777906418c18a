// Sampler: Owen-scrambled Sobol pairs for every dimension of a path.
//
// Pairs of the Sobol sequence's first two dimensions, Owen-scrambled by hashing (Burley 2020,
// "Practical Hash-based Owen Scrambling"; the hash of Laine and Karras 2011 as improved by
// Vegdahl). Each pair of dimensions has its own scramble and its own shuffle of the sample order
// (padding), so pairs are stratified in themselves and independent of each other, for any path
// length. A number depends on seed, pixel, sample index and dimension only. Four pairs are computed
// at a time, one per SIMD lane.
#ifndef COIF_RENDER_MATH_SAMPLER_H
#define COIF_RENDER_MATH_SAMPLER_H

#include "core/base/rng.h"
#include "core/base/vec.h"
#include "render/math/fast_math.h"

enum { COIF_SAMPLER_LANES = 4 };

typedef struct coif_sampler {
    uint32_t pixel_key;
    uint32_t reversed;           // sample index, bits reversed
    uint32_t dimension;          // next pair
    float x[COIF_SAMPLER_LANES]; // pairs of the current block of four
    float y[COIF_SAMPLER_LANES];
} coif_sampler;

static inline uint32_t coif_reverse_bits(uint32_t x)
{
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    return __builtin_bswap32(x);
}

static inline coif_sampler coif_sampler_at(uint32_t seed, int32_t x, int32_t y, uint32_t index)
{
    const uint64_t pixel = ((uint64_t)(uint32_t)y << 32) | (uint32_t)x;
    coif_sampler sampler; // x and y are filled on demand
    sampler.pixel_key = (uint32_t)(coif_mix64(coif_mix64(pixel) ^ seed) >> 32);
    sampler.reversed = coif_reverse_bits(index);
    sampler.dimension = 0;
    return sampler;
}

static inline uint32_t coif_hash_word(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= x >> 15;
    x *= 0xd35a2d97u;
    return x ^ (x >> 15);
}

// Four words at a time.
static inline coif_lanes_uint coif_lanes_hash(coif_lanes_uint x)
{
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= x >> 15;
    x *= 0xd35a2d97u;
    return x ^ (x >> 15);
}

static inline coif_lanes_uint coif_lanes_reverse(coif_lanes_uint x)
{
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
    return (x >> 16) | (x << 16);
}

// Laine-Karras hash: every bit depends on the bits below it only, which on reversed bits is an Owen
// scramble.
static inline coif_lanes_uint coif_lanes_owen_hash(coif_lanes_uint x, coif_lanes_uint key)
{
    x ^= x * 0x3d20adeau;
    x += key;
    x *= (key >> 16) | 1u;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return x;
}

// The second Sobol dimension with its bits reversed: its generator matrix is Pascal's triangle
// modulo 2, the product of these five steps.
static inline coif_lanes_uint coif_lanes_sobol2_reversed(coif_lanes_uint x)
{
    x ^= (x >> 16) & 0x0000ffffu;
    x ^= (x >> 8) & 0x00ff00ffu;
    x ^= (x >> 4) & 0x0f0f0f0fu;
    x ^= (x >> 2) & 0x33333333u;
    x ^= (x >> 1) & 0x55555555u;
    return x;
}

// As coif_unit_from_word.
static inline coif_lanes coif_lanes_unit(coif_lanes_uint x)
{
    return __builtin_convertvector((coif_lanes_int)(x >> 8), coif_lanes) * 0x1p-24f;
}

static inline void coif_sampler_fill(coif_sampler *sampler)
{
    const coif_lanes_uint dimensions = sampler->dimension + (coif_lanes_uint){1, 2, 3, 4};
    const coif_lanes_uint key = coif_lanes_hash(sampler->pixel_key + 0x9e3779b9u * dimensions);
    const coif_lanes_uint reversed = sampler->reversed + (coif_lanes_uint){0, 0, 0, 0};
    const coif_lanes_uint shuffled = coif_lanes_reverse(coif_lanes_owen_hash(reversed, key));
    // Sobol's first dimension is the reversed index, so its reversed bits are the index itself.
    const coif_lanes_uint x = coif_lanes_owen_hash(shuffled, coif_lanes_hash(key ^ 0xa511e9b3u));
    const coif_lanes_uint y = coif_lanes_owen_hash(coif_lanes_sobol2_reversed(shuffled),
                                                   coif_lanes_hash(key ^ 0x63d83595u));
    const coif_lanes unit_x = coif_lanes_unit(coif_lanes_reverse(x));
    const coif_lanes unit_y = coif_lanes_unit(coif_lanes_reverse(y));
    memcpy(sampler->x, &unit_x, sizeof unit_x);
    memcpy(sampler->y, &unit_y, sizeof unit_y);
}

static inline coif_vec2 coif_sampler_next_2d(coif_sampler *sampler)
{
    const uint32_t lane = sampler->dimension % COIF_SAMPLER_LANES;
    if (lane == 0) {
        coif_sampler_fill(sampler);
    }
    ++sampler->dimension;
    return (coif_vec2){sampler->x[lane], sampler->y[lane]};
}

#endif
