// wide_quat: unit quaternions whose components are wide, as turns of the axes into a frame.
#ifndef COIF_SIM_SOLVER_SIMD_SIMD_QUAT_H
#define COIF_SIM_SOLVER_SIMD_SIMD_QUAT_H

#include "sim/solver/simd/simd_vec3.h"

typedef struct wide_quat {
    wide3 v;
    coif_simd w;
} wide_quat;

static inline wide_quat select_quat(coif_simd_mask mask, wide_quat a, wide_quat b)
{
    return (wide_quat){select3(mask, a.v, b.v), coif_simd_select(mask, a.w, b.w)};
}

static inline coif_simd dot_quat(wide_quat a, wide_quat b)
{
    return dot3(a.v, b.v) + a.w * b.w;
}

static inline wide_quat unit_quat(wide_quat a)
{
    const coif_simd scale = 1.0f / coif_simd_sqrt(dot_quat(a, a) + WIDE3_TINY);
    return (wide_quat){scale3(a.v, scale), a.w * scale};
}

// First b, then a.
static inline wide_quat mul_quat(wide_quat a, wide_quat b)
{
    return (wide_quat){add3(add3(scale3(b.v, a.w), scale3(a.v, b.w)), cross3(a.v, b.v)),
                       a.w * b.w - dot3(a.v, b.v)};
}

static inline wide_quat conjugate(wide_quat a)
{
    return (wide_quat){scale3(a.v, coif_simd_all(-1.0f)), a.w};
}

static inline wide3 rotate(wide_quat q, wide3 a)
{
    const wide3 c = scale3(cross3(q.v, a), coif_simd_all(2.0f));
    return add3(add3(a, scale3(c, q.w)), cross3(q.v, c));
}

// The third axis of the frame.
static inline wide3 third_axis(wide_quat q)
{
    return (wide3){2.0f * (q.v.x * q.v.z + q.w * q.v.y), 2.0f * (q.v.y * q.v.z - q.w * q.v.x),
                   1.0f - 2.0f * (q.v.x * q.v.x + q.v.y * q.v.y)};
}

// Turned on by the small rotation phi.
static inline wide_quat turn_quat(wide_quat q, wide3 phi)
{
    const wide3 half = scale3(phi, coif_simd_all(0.5f));
    const wide_quat more = mul_quat((wide_quat){half, coif_simd_all(0.0f)}, q);
    return unit_quat((wide_quat){add3(q.v, more.v), q.w + more.w});
}

// The turn from the axes to the frame (u, v, t), from the largest of its four components
// (Shepperd 1978).
static inline wide_quat quat_of_frame(wide3 u, wide3 v, wide3 t)
{
    const coif_simd w4 = 1.0f + u.x + v.y + t.z;
    const coif_simd x4 = 1.0f + u.x - v.y - t.z;
    const coif_simd y4 = 1.0f - u.x + v.y - t.z;
    const coif_simd z4 = 1.0f - u.x - v.y + t.z;
    wide_quat q = {{v.z - t.y, t.x - u.z, u.y - v.x}, w4};
    coif_simd most = w4;
    q = select_quat(x4 > most, (wide_quat){{x4, u.y + v.x, t.x + u.z}, v.z - t.y}, q);
    most = coif_simd_max(most, x4);
    q = select_quat(y4 > most, (wide_quat){{u.y + v.x, y4, v.z + t.y}, t.x - u.z}, q);
    most = coif_simd_max(most, y4);
    q = select_quat(z4 > most, (wide_quat){{t.x + u.z, v.z + t.y, z4}, u.y - v.x}, q);
    return unit_quat(q);
}

#endif
