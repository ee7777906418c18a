// soa3: vectors as a structure of arrays, the layout of points in blocks and contact queries.
#ifndef COIF_CORE_SIMD_SOA3_H
#define COIF_CORE_SIMD_SOA3_H

#include "core/base/vec.h"

#include <stdint.h>

// Three arrays of equal length. A function that writes elements takes a pointer to a non-const
// coif_soa3, so that a const block cannot be written through the vector accessors.
typedef struct coif_soa3 {
    float *x, *y, *z;
} coif_soa3;

static inline coif_vec3 coif_soa3_get(const coif_soa3 *rows, int64_t i)
{
    return coif_vec3_of(rows->x[i], rows->y[i], rows->z[i]);
}

static inline void coif_soa3_set(coif_soa3 *rows, int64_t i, coif_vec3 a)
{
    rows->x[i] = a.x;
    rows->y[i] = a.y;
    rows->z[i] = a.z;
}

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
