// soa3: vectors as a structure of arrays, the layout of points in blocks and contact queries.
#ifndef COIF_SIM_SOLVER_SIMD_SOA3_H
#define COIF_SIM_SOLVER_SIMD_SOA3_H

#include <stdint.h>

// Three arrays of equal length. A function that writes elements takes a pointer to a non-const
// coif_soa3, so that a const block cannot be written through the vector accessors.
typedef struct coif_soa3 {
    float *x, *y, *z;
} coif_soa3;

// Takes an array of so many floats from the front of a piece of memory.
static inline float *coif_take_row(float **memory, int64_t floats)
{
    float *row = *memory;
    *memory += floats;
    return row;
}

static inline coif_soa3 coif_take_rows3(float **memory, int64_t floats)
{
    float *const row = coif_take_row(memory, 3 * floats);
    return (coif_soa3){row, row + floats, row + 2 * floats};
}

#endif
