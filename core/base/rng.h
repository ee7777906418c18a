// Counter-based random numbers: (seed, index, dimension) gives the same number on every machine, in
// any order and on any thread; there is no state.
#ifndef COIF_CORE_BASE_RNG_H
#define COIF_CORE_BASE_RNG_H

#include <stdint.h>

// Hash of a counter: the finaliser of SplitMix64 (Steele et al. 2014).
static inline uint64_t coif_mix64(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint32_t coif_random_word(uint64_t seed, uint64_t index, uint32_t dimension)
{
    const uint64_t key = coif_mix64(seed + 0x632be59bd9b4e019u * ((uint64_t)dimension + 1));
    return (uint32_t)(coif_mix64(key ^ coif_mix64(index)) >> 32);
}

// Uniform in [0, 1), 24 bits: exact in a float, never 1.
static inline float coif_unit_from_word(uint32_t word)
{
    return (float)(word >> 8) * 0x1p-24f;
}

static inline float coif_random_unit(uint64_t seed, uint64_t index, uint32_t dimension)
{
    return coif_unit_from_word(coif_random_word(seed, index, dimension));
}

#endif
