// simd_float4: vectors of four floats, available on every supported processor, for queries that
// handle four points or four triangles at once. Kernels of 4 or 8 lanes use simd.h.
#ifndef COIF_CORE_SIMD_SIMD_FLOAT4_H
#define COIF_CORE_SIMD_SIMD_FLOAT4_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef float simd_float4 __attribute__((vector_size(16), may_alias));
typedef int32_t simd_int4 __attribute__((vector_size(16), may_alias));

typedef struct simd_float4x3 {
    simd_float4 x, y, z;
} simd_float4x3;

static inline simd_float4x3 load4(const float *x, const float *y, const float *z)
{
    return (simd_float4x3){*(const simd_float4 *)x, *(const simd_float4 *)y,
                           *(const simd_float4 *)z};
}

static inline simd_float4x3 sub4(simd_float4x3 a, simd_float4x3 b)
{
    return (simd_float4x3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline simd_float4 dot4(simd_float4x3 a, simd_float4x3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline simd_float4 select4(simd_int4 mask, simd_float4 a, simd_float4 b)
{
    return (simd_float4)((mask & (simd_int4)a) | (~mask & (simd_int4)b));
}

static inline simd_int4 select_int4(simd_int4 mask, int32_t a, simd_int4 b)
{
    return (mask & a) | (~mask & b);
}

static inline simd_float4 min4(simd_float4 a, simd_float4 b)
{
    return select4(a < b, a, b);
}

static inline simd_float4 sqrt4(simd_float4 a)
{
    return (simd_float4){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
}

static inline bool any4(simd_int4 mask)
{
    typedef int64_t mask2 __attribute__((vector_size(16), may_alias));
    const mask2 halves = (mask2)mask;
    return (halves[0] | halves[1]) != 0;
}

#endif
