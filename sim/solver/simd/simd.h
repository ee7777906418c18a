// wide: COIF_LANES floats that are added, multiplied and compared as one number.
//
// GCC and Clang (on Windows: clang-cl) let ordinary operators work on such a type, so a kernel
// reads like the scalar formula. Only what C has no operator for gets a function here. Lanes never
// mix, so the width changes the speed of a simulation and not one bit of its result.
#ifndef COIF_SIM_SOLVER_SIMD_SIMD_H
#define COIF_SIM_SOLVER_SIMD_SIMD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// COIF_LANES is 4 or 8, set by the build for each of the two compilations of a kernel file, and
// every name that such a file gives away ends in it.
#define COIF_WIDE_PASTE(name, lanes)  name##_wide##lanes
#define COIF_WIDE_EXPAND(name, lanes) COIF_WIDE_PASTE(name, lanes)
#define COIF_WIDE(name)               COIF_WIDE_EXPAND(name, COIF_LANES)

// May alias: blocks are plain float arrays to everybody else.
typedef float coif_wide __attribute__((vector_size(4 * COIF_LANES), may_alias));
typedef int32_t coif_wide_mask __attribute__((vector_size(4 * COIF_LANES)));

static inline coif_wide coif_wide_sqrt(coif_wide a)
{
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        a[lane] = sqrtf(a[lane]);
    }
    return a;
}

// In halves of a vector that every processor has.
static inline bool any_of(coif_wide_mask mask)
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
static inline coif_wide coif_wide_select(coif_wide_mask mask, coif_wide a, coif_wide b)
{
    return (coif_wide)((mask & (coif_wide_mask)a) | (~mask & (coif_wide_mask)b));
}

static inline coif_wide coif_wide_max(coif_wide a, coif_wide b)
{
    return coif_wide_select(a > b, a, b);
}

static inline coif_wide coif_wide_min(coif_wide a, coif_wide b)
{
    return coif_wide_select(a < b, a, b);
}

// The same number in every lane.
static inline coif_wide coif_wide_all(float a)
{
    return (coif_wide){0} + a;
}

#endif
