// sampler: well-spread numbers for every choice a path makes.
//
// Pairs of the Sobol sequence's first two dimensions, Owen-scrambled by hashing (Burley 2020,
// "Practical Hash-based Owen Scrambling"; the hash of Laine and Karras 2011 as improved by
// Vegdahl). Each pair of dimensions has its own scramble and its own shuffle of the sample order,
// so pairs are stratified in themselves and independent of each other, for as many as a path wants.
// There is no state but counters: a number depends on seed, pixel, sample and dimension only.
#ifndef COIF_RENDER_SAMPLER_H
#define COIF_RENDER_SAMPLER_H

#include "core/rng.h"
#include "core/vec.h"

typedef struct coif_sampler {
    uint32_t pixel_key;
    uint32_t index;
    uint32_t dimension; // pairs used so far
} coif_sampler;

static inline coif_sampler coif_sampler_at(uint32_t seed, int32_t x, int32_t y, uint32_t index)
{
    const uint64_t pixel = ((uint64_t)(uint32_t)y << 32) | (uint32_t)x;
    return (coif_sampler){(uint32_t)(coif_mix64(coif_mix64(pixel) ^ seed) >> 32), index, 0};
}

static inline uint32_t coif_reverse_bits(uint32_t x)
{
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    return __builtin_bswap32(x);
}

// Flips every bit depending on the bits below it only: on reversed bits this is an Owen scramble.
static inline uint32_t coif_scramble_up(uint32_t x, uint32_t key)
{
    x ^= x * 0x3d20adeau;
    x += key;
    x *= (key >> 16) | 1u;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return x;
}

static inline uint32_t coif_hash_word(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= x >> 15;
    x *= 0xd35a2d97u;
    return x ^ (x >> 15);
}

// The second dimension of Sobol's sequence with its bits reversed: its generator matrix is Pascal's
// triangle modulo 2, which is the product of these five steps.
static inline uint32_t coif_sobol_second_reversed(uint32_t index)
{
    uint32_t x = index;
    x ^= (x >> 16) & 0x0000ffffu;
    x ^= (x >> 8) & 0x00ff00ffu;
    x ^= (x >> 4) & 0x0f0f0f0fu;
    x ^= (x >> 2) & 0x33333333u;
    x ^= (x >> 1) & 0x55555555u;
    return x;
}

static inline coif_vec2 coif_sampler_pair(coif_sampler *sampler)
{
    const uint32_t key = coif_hash_word(sampler->pixel_key + 0x9e3779b9u * ++sampler->dimension);
    const uint32_t shuffled =
        coif_reverse_bits(coif_scramble_up(coif_reverse_bits(sampler->index), key));
    // Sobol's first dimension is the reversed index, so its reversed bits are the index itself.
    const uint32_t x = coif_scramble_up(shuffled, coif_hash_word(key ^ 0xa511e9b3u));
    const uint32_t y =
        coif_scramble_up(coif_sobol_second_reversed(shuffled), coif_hash_word(key ^ 0x63d83595u));
    return (coif_vec2){coif_unit_from_word(coif_reverse_bits(x)),
                       coif_unit_from_word(coif_reverse_bits(y))};
}

#endif
