// simd_vec3: 3-vectors in SIMD lanes, one for each strand of a block.
#ifndef COIF_CORE_SIMD_SIMD_VEC3_H
#define COIF_CORE_SIMD_SIMD_VEC3_H

#include "core/simd/simd.h"
#include "core/simd/soa3.h"

// Added to divisors that may be zero; its square is still a normal float.
#define SIMD_TINY 1e-12f

typedef struct simd_vec3 {
    coif_simd x, y, z;
} simd_vec3;

// The same vector in every lane.
static inline simd_vec3 splat3(coif_vec3 a)
{
    return (simd_vec3){coif_simd_all(a.x), coif_simd_all(a.y), coif_simd_all(a.z)};
}

static inline simd_vec3 add3(simd_vec3 a, simd_vec3 b)
{
    return (simd_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline simd_vec3 sub3(simd_vec3 a, simd_vec3 b)
{
    return (simd_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline simd_vec3 scale3(simd_vec3 a, coif_simd s)
{
    return (simd_vec3){a.x * s, a.y * s, a.z * s};
}

// a + s b
static inline simd_vec3 mad3(simd_vec3 a, coif_simd s, simd_vec3 b)
{
    return (simd_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline coif_simd dot3(simd_vec3 a, simd_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline simd_vec3 cross3(simd_vec3 a, simd_vec3 b)
{
    return (simd_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline simd_vec3 select3(coif_simd_mask mask, simd_vec3 a, simd_vec3 b)
{
    return (simd_vec3){coif_simd_select(mask, a.x, b.x), coif_simd_select(mask, a.y, b.y),
                       coif_simd_select(mask, a.z, b.z)};
}

static inline simd_vec3 normalize3(simd_vec3 a)
{
    return scale3(a, 1.0f / coif_simd_sqrt(dot3(a, a) + SIMD_TINY));
}

// The vector with coordinates a along the axes.
static inline simd_vec3 from_axes3(const simd_vec3 axes[3], simd_vec3 a)
{
    return add3(add3(scale3(axes[0], a.x), scale3(axes[1], a.y)), scale3(axes[2], a.z));
}

// The unit vector normal to the unit vector t that is nearest to u; any, where u is parallel to t.
static inline simd_vec3 perpendicular3(simd_vec3 u, simd_vec3 t)
{
    const simd_vec3 flat = sub3(u, scale3(t, dot3(u, t)));
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd_mask upright = t.z * t.z > 0.5f;
    const simd_vec3 any = {coif_simd_select(upright, zero, t.y),
                           coif_simd_select(upright, t.z, -t.x),
                           coif_simd_select(upright, -t.y, zero)};
    return normalize3(select3(dot3(flat, flat) > 1e-4f, flat, any));
}

// d normalised, and 1 / length.
static inline simd_vec3 direction3(simd_vec3 d, coif_simd *inverse)
{
    *inverse = 1.0f / (coif_simd_sqrt(dot3(d, d)) + SIMD_TINY);
    return scale3(d, *inverse);
}

// As direction3, without the inverse length.
static inline simd_vec3 unit3(simd_vec3 d)
{
    coif_simd inverse;
    return direction3(d, &inverse);
}

// Row k of a structure of arrays.
static inline simd_vec3 load3(const coif_soa3 *rows, int32_t k)
{
    return (simd_vec3){((const coif_simd *)rows->x)[k], ((const coif_simd *)rows->y)[k],
                       ((const coif_simd *)rows->z)[k]};
}

static inline void store3(coif_soa3 *rows, int32_t k, simd_vec3 a)
{
    ((coif_simd *)rows->x)[k] = a.x;
    ((coif_simd *)rows->y)[k] = a.y;
    ((coif_simd *)rows->z)[k] = a.z;
}

#endif
