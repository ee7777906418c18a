// wide3: vectors whose coordinates are wide, so a kernel does one for each strand of a block.
#ifndef COIF_SIM_SOLVER_SIMD_SIMD_VEC3_H
#define COIF_SIM_SOLVER_SIMD_SIMD_VEC3_H

#include "sim/solver/simd/simd.h"
#include "sim/solver/simd/soa3.h"

// Added to divisors that may be zero; its square is still a normal float.
#define WIDE3_TINY 1e-12f

typedef struct wide3 {
    coif_simd x, y, z;
} wide3;

static inline wide3 add3(wide3 a, wide3 b)
{
    return (wide3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline wide3 sub3(wide3 a, wide3 b)
{
    return (wide3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline wide3 scale3(wide3 a, coif_simd s)
{
    return (wide3){a.x * s, a.y * s, a.z * s};
}

static inline coif_simd dot3(wide3 a, wide3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline wide3 cross3(wide3 a, wide3 b)
{
    return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline wide3 select3(coif_simd_mask mask, wide3 a, wide3 b)
{
    return (wide3){coif_simd_select(mask, a.x, b.x), coif_simd_select(mask, a.y, b.y),
                   coif_simd_select(mask, a.z, b.z)};
}

static inline wide3 unit3(wide3 a)
{
    return scale3(a, 1.0f / coif_simd_sqrt(dot3(a, a) + WIDE3_TINY));
}

// The vector with these coordinates along the axes.
static inline wide3 turn3(const wide3 axes[3], wide3 a)
{
    return add3(add3(scale3(axes[0], a.x), scale3(axes[1], a.y)), scale3(axes[2], a.z));
}

// The unit vector across the unit vector t that is nearest to u; any, where u is along t.
static inline wide3 across3(wide3 u, wide3 t)
{
    const wide3 flat = sub3(u, scale3(t, dot3(u, t)));
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd_mask upright = t.z * t.z > 0.5f;
    const wide3 any = {coif_simd_select(upright, zero, t.y), coif_simd_select(upright, t.z, -t.x),
                       coif_simd_select(upright, -t.y, zero)};
    return unit3(select3(dot3(flat, flat) > 1e-4f, flat, any));
}

// The vector d along itself, unit long, and 1 / length.
static inline wide3 direction3(wide3 d, coif_simd *inverse)
{
    *inverse = 1.0f / (coif_simd_sqrt(dot3(d, d)) + WIDE3_TINY);
    return scale3(d, *inverse);
}

// Row k of a structure of arrays.
static inline wide3 load3(const coif_soa3 *rows, int32_t k)
{
    return (wide3){((const coif_simd *)rows->x)[k], ((const coif_simd *)rows->y)[k],
                   ((const coif_simd *)rows->z)[k]};
}

static inline void store3(coif_soa3 *rows, int32_t k, wide3 a)
{
    ((coif_simd *)rows->x)[k] = a.x;
    ((coif_simd *)rows->y)[k] = a.y;
    ((coif_simd *)rows->z)[k] = a.z;
}

#endif
