// simd_quat: unit quaternions in SIMD lanes, as rotations of the axes into a frame.
#ifndef COIF_CORE_SIMD_SIMD_QUAT_H
#define COIF_CORE_SIMD_SIMD_QUAT_H

#include "core/simd/simd_vec3.h"

typedef struct simd_quat {
    simd_vec3 v;
    coif_simd w;
} simd_quat;

static inline simd_quat select_quat(coif_simd_mask mask, simd_quat a, simd_quat b)
{
    return (simd_quat){select3(mask, a.v, b.v), coif_simd_select(mask, a.w, b.w)};
}

static inline coif_simd dot_quat(simd_quat a, simd_quat b)
{
    return dot3(a.v, b.v) + a.w * b.w;
}

static inline simd_quat unit_quat(simd_quat a)
{
    const coif_simd scale = 1.0f / coif_simd_sqrt(dot_quat(a, a) + SIMD_TINY);
    return (simd_quat){scale3(a.v, scale), a.w * scale};
}

// First b, then a.
static inline simd_quat mul_quat(simd_quat a, simd_quat b)
{
    return (simd_quat){add3(add3(scale3(b.v, a.w), scale3(a.v, b.w)), cross3(a.v, b.v)),
                       a.w * b.w - dot3(a.v, b.v)};
}

static inline simd_quat conjugate(simd_quat a)
{
    return (simd_quat){scale3(a.v, coif_simd_all(-1.0f)), a.w};
}

static inline simd_vec3 rotate(simd_quat q, simd_vec3 a)
{
    const simd_vec3 c = scale3(cross3(q.v, a), coif_simd_all(2.0f));
    return add3(add3(a, scale3(c, q.w)), cross3(q.v, c));
}

// The third axis of the frame.
static inline simd_vec3 third_axis(simd_quat q)
{
    return (simd_vec3){2.0f * (q.v.x * q.v.z + q.w * q.v.y), 2.0f * (q.v.y * q.v.z - q.w * q.v.x),
                       1.0f - 2.0f * (q.v.x * q.v.x + q.v.y * q.v.y)};
}

// q followed by the small rotation phi.
static inline simd_quat rotate_small(simd_quat q, simd_vec3 phi)
{
    const simd_vec3 half = scale3(phi, coif_simd_all(0.5f));
    const simd_quat more = mul_quat((simd_quat){half, coif_simd_all(0.0f)}, q);
    return unit_quat((simd_quat){add3(q.v, more.v), q.w + more.w});
}

// Rotation from the axes to the frame (u, v, t), from the largest of its four components (Shepperd
// 1978).
static inline simd_quat quat_of_frame(simd_vec3 u, simd_vec3 v, simd_vec3 t)
{
    const coif_simd w4 = 1.0f + u.x + v.y + t.z;
    const coif_simd x4 = 1.0f + u.x - v.y - t.z;
    const coif_simd y4 = 1.0f - u.x + v.y - t.z;
    const coif_simd z4 = 1.0f - u.x - v.y + t.z;
    simd_quat q = {{v.z - t.y, t.x - u.z, u.y - v.x}, w4};
    coif_simd most = w4;
    q = select_quat(x4 > most, (simd_quat){{x4, u.y + v.x, t.x + u.z}, v.z - t.y}, q);
    most = coif_simd_max(most, x4);
    q = select_quat(y4 > most, (simd_quat){{u.y + v.x, y4, v.z + t.y}, t.x - u.z}, q);
    most = coif_simd_max(most, y4);
    q = select_quat(z4 > most, (simd_quat){{t.x + u.z, v.z + t.y, z4}, u.y - v.x}, q);
    return unit_quat(q);
}

#endif
