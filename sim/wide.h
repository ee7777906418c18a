// wide: COIF_LANES floats that are added, multiplied and compared as one number.
//
// GCC and Clang (on Windows: clang-cl) let ordinary operators work on such a type, so a kernel
// reads like the scalar formula. Only what C has no operator for gets a function here. Lanes never
// mix, so the width changes the speed of a simulation and not one bit of its result.
#ifndef COIF_SIM_WIDE_H
#define COIF_SIM_WIDE_H

#include <math.h>

// COIF_LANES is 4 or 8, set by the build for each of the two compilations of a kernel file.

typedef float coif_wide __attribute__((vector_size(4 * COIF_LANES)));

static inline coif_wide coif_wide_sqrt(coif_wide a)
{
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        a[lane] = sqrtf(a[lane]);
    }
    return a;
}

#endif
