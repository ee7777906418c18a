// four: four floats side by side, for what asks about four points or four triangles at once. Every
// processor that coif runs on has these; kernels are in wide.h.
#ifndef COIF_SIM_SOLVER_SIMD_SIMD_FLOAT4_H
#define COIF_SIM_SOLVER_SIMD_SIMD_FLOAT4_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef float float4 __attribute__((vector_size(16), may_alias));
typedef int32_t mask4 __attribute__((vector_size(16), may_alias));

typedef struct four3 {
    float4 x, y, z;
} four3;

static inline four3 load4(const float *x, const float *y, const float *z)
{
    return (four3){*(const float4 *)x, *(const float4 *)y, *(const float4 *)z};
}

static inline four3 sub4(four3 a, four3 b)
{
    return (four3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline float4 dot4(four3 a, four3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline float4 select4(mask4 mask, float4 a, float4 b)
{
    return (float4)((mask & (mask4)a) | (~mask & (mask4)b));
}

static inline mask4 choose4(mask4 mask, int32_t a, mask4 b)
{
    return (mask & a) | (~mask & b);
}

static inline float4 min4(float4 a, float4 b)
{
    return select4(a < b, a, b);
}

static inline float4 root4(float4 a)
{
    return (float4){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
}

static inline bool any4(mask4 mask)
{
    typedef int64_t mask2 __attribute__((vector_size(16), may_alias));
    const mask2 halves = (mask2)mask;
    return (halves[0] | halves[1]) != 0;
}

#endif
