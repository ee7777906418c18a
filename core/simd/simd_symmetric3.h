// simd_symmetric3: symmetric 3x3 matrices in SIMD lanes and their LDL^T factorisation.
#ifndef COIF_CORE_SIMD_SIMD_SYMMETRIC3_H
#define COIF_CORE_SIMD_SIMD_SYMMETRIC3_H

#include "core/simd/simd_vec3.h"

typedef struct symmetric {
    coif_simd xx, xy, xz, yy, yz, zz;
} symmetric;

static inline void add_outer(symmetric *s, simd_vec3 a, simd_vec3 b)
{
    s->xx += a.x * b.x;
    s->xy += a.x * b.y;
    s->xz += a.x * b.z;
    s->yy += a.y * b.y;
    s->yz += a.y * b.z;
    s->zz += a.z * b.z;
}

static inline void add_diagonal(symmetric *s, coif_simd a)
{
    s->xx += a;
    s->yy += a;
    s->zz += a;
}

static inline coif_simd trace(const symmetric *s)
{
    return s->xx + s->yy + s->zz;
}

// S = L D L^T of one 3x3 block. A pivot is never smaller than the inertia in it; where cancellation
// would make it so, it is raised to that.
typedef struct ldlt3 {
    simd_vec3 below;    // l21, l31, l32
    simd_vec3 inv_sqrt; // of D
} ldlt3;

// The second pivot is the minor xx yy - xy^2 over the first, so that neither waits for the other.
static inline ldlt3 ldlt3_of(const symmetric *s, coif_simd size, float inertia)
{
    const coif_simd floor = coif_simd_max(size * 5e-7f, coif_simd_all(inertia));
    const coif_simd d1 = coif_simd_max(s->xx, floor);
    const coif_simd minor = coif_simd_max(d1 * s->yy - s->xy * s->xy, d1 * floor);
    const coif_simd i1 = 1.0f / d1;
    const coif_simd i2 = d1 / minor;
    const coif_simd l21 = s->xy * i1;
    const coif_simd l31 = s->xz * i1;
    const coif_simd a32 = s->yz - l31 * s->xy;
    const coif_simd l32 = a32 * i2;
    const coif_simd i3 = 1.0f / coif_simd_max(s->zz - l31 * s->xz - l32 * a32, floor);
    return (ldlt3){{l21, l31, l32}, {coif_simd_sqrt(i1), coif_simd_sqrt(i2), coif_simd_sqrt(i3)}};
}

// forward: D^-1/2 L^-1 b; backward: L^-T D^-1/2 of that. Both together solve S x = b.
static inline simd_vec3 forward(const ldlt3 *p, simd_vec3 b)
{
    const coif_simd y = b.y - p->below.x * b.x;
    const coif_simd z = b.z - p->below.y * b.x - p->below.z * y;
    return (simd_vec3){b.x * p->inv_sqrt.x, y * p->inv_sqrt.y, z * p->inv_sqrt.z};
}

static inline simd_vec3 backward(simd_vec3 below, simd_vec3 root, simd_vec3 b)
{
    const coif_simd z = b.z * root.z;
    const coif_simd y = b.y * root.y - below.z * z;
    return (simd_vec3){b.x * root.x - below.x * y - below.y * z, y, z};
}

#endif
