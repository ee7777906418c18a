// Vectors of two to four floats and 3x3 matrices.
#ifndef COIF_CORE_BASE_VEC_H
#define COIF_CORE_BASE_VEC_H

#include <math.h>

typedef struct coif_vec2 {
    float x, y;
} coif_vec2;

typedef struct coif_vec3 {
    float x, y, z;
} coif_vec3;

// A strand point: position and radius (w). Also the curve vertex layout of the ray tracer.
typedef struct coif_vec4 {
    float x, y, z, w;
} coif_vec4;

// Rows of a rotation or of an orthonormal frame.
typedef struct coif_mat3 {
    coif_vec3 row[3];
} coif_mat3;

static inline coif_vec3 coif_vec3_of(float x, float y, float z)
{
    return (coif_vec3){x, y, z};
}

static inline coif_vec3 coif_add(coif_vec3 a, coif_vec3 b)
{
    return (coif_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline coif_vec3 coif_sub(coif_vec3 a, coif_vec3 b)
{
    return (coif_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline coif_vec3 coif_mul(coif_vec3 a, coif_vec3 b)
{
    return (coif_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline coif_vec3 coif_scale(coif_vec3 a, float s)
{
    return (coif_vec3){a.x * s, a.y * s, a.z * s};
}

// a + s b
static inline coif_vec3 coif_mad(coif_vec3 a, float s, coif_vec3 b)
{
    return (coif_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline float coif_dot(coif_vec3 a, coif_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline coif_vec3 coif_cross(coif_vec3 a, coif_vec3 b)
{
    return (coif_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float coif_length(coif_vec3 a)
{
    return sqrtf(coif_dot(a, a));
}

// The zero vector is returned unchanged.
static inline coif_vec3 coif_normalize(coif_vec3 a)
{
    const float length = coif_length(a);
    return length > 0.0f ? coif_scale(a, 1.0f / length) : a;
}

// Parallel transport: the smallest rotation from unit vector a to unit vector b, applied to v.
static inline coif_vec3 coif_rotate_between(coif_vec3 v, coif_vec3 a, coif_vec3 b)
{
    const float c = coif_dot(a, b);
    if (c < -0.999f) {
        return v; // opposite vectors: the rotation is not unique
    }
    const coif_vec3 k = coif_cross(a, b);
    const coif_vec3 kv = coif_cross(k, v);
    return coif_mad(coif_add(v, kv), 1.0f / (1.0f + c), coif_cross(k, kv));
}

static inline coif_vec3 coif_lerp(coif_vec3 a, coif_vec3 b, float t)
{
    return coif_mad(a, t, coif_sub(b, a));
}

static inline float coif_clamp(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

static inline coif_vec3 coif_vec4_xyz(coif_vec4 a)
{
    return (coif_vec3){a.x, a.y, a.z};
}

static inline coif_vec3 coif_mat3_apply(const coif_mat3 *m, coif_vec3 a)
{
    return (coif_vec3){coif_dot(m->row[0], a), coif_dot(m->row[1], a), coif_dot(m->row[2], a)};
}

static inline coif_vec3 coif_mat3_apply_transposed(const coif_mat3 *m, coif_vec3 a)
{
    return coif_mad(coif_mad(coif_scale(m->row[0], a.x), a.y, m->row[1]), a.z, m->row[2]);
}

// Tangent and bitangent that complete the unit vector n to a right-handed frame (Duff et al. 2017).
static inline void coif_frame_around(coif_vec3 n, coif_vec3 *tangent, coif_vec3 *bitangent)
{
    const float sign = copysignf(1.0f, n.z);
    const float a = -1.0f / (sign + n.z);
    const float b = n.x * n.y * a;
    *tangent = (coif_vec3){1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x};
    *bitangent = (coif_vec3){b, sign + n.y * n.y * a, -n.y};
}

#endif
