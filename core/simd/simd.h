// simd: vectors of COIF_LANES floats.
//
// GCC and Clang (on Windows: clang-cl) apply the ordinary operators to such a type, so a kernel
// reads like the scalar formula. Only operations without an operator have a function here. Lanes
// never mix, so the width changes the speed of a simulation and not one bit of its result.
#ifndef COIF_CORE_SIMD_SIMD_H
#define COIF_CORE_SIMD_SIMD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// COIF_LANES is 4 or 8, set by the build for each of the two compilations of a kernel file; every
// exported name of such a file ends in it.
#define COIF_SIMD_PASTE(name, lanes)  name##_wide##lanes
#define COIF_SIMD_EXPAND(name, lanes) COIF_SIMD_PASTE(name, lanes)
#define COIF_SIMD(name)               COIF_SIMD_EXPAND(name, COIF_LANES)

// May alias: blocks are plain float arrays elsewhere.
typedef float coif_simd __attribute__((vector_size(4 * COIF_LANES), may_alias));
typedef int32_t coif_simd_mask __attribute__((vector_size(4 * COIF_LANES)));

static inline coif_simd coif_simd_sqrt(coif_simd a)
{
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        a[lane] = sqrtf(a[lane]);
    }
    return a;
}

// In 128-bit halves, which every processor has.
static inline bool any_of(coif_simd_mask mask)
{
    typedef int64_t half __attribute__((vector_size(16), may_alias));
    const half *halves = (const half *)&mask;
    half all = halves[0];
    for (int i = 1; i < COIF_LANES / 4; ++i) {
        all |= halves[i];
    }
    return (all[0] | all[1]) != 0;
}

// a where the mask is set, b elsewhere.
static inline coif_simd coif_simd_select(coif_simd_mask mask, coif_simd a, coif_simd b)
{
    return (coif_simd)((mask & (coif_simd_mask)a) | (~mask & (coif_simd_mask)b));
}

static inline coif_simd coif_simd_max(coif_simd a, coif_simd b)
{
    return coif_simd_select(a > b, a, b);
}

static inline coif_simd coif_simd_min(coif_simd a, coif_simd b)
{
    return coif_simd_select(a < b, a, b);
}

// The same value in every lane.
static inline coif_simd coif_simd_all(float a)
{
    return (coif_simd){0} + a;
}

#endif
