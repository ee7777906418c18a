// Vectors of doubles, for products of float differences that would cancel in single precision, and
// for geometry generated in double precision.
#ifndef COIF_CORE_BASE_VEC3D_H
#define COIF_CORE_BASE_VEC3D_H

#include "core/base/vec.h"

typedef struct coif_vec3d {
    double x, y, z;
} coif_vec3d;

// a - b in double precision: the difference of two floats of similar size fits a double.
static inline coif_vec3d coif_vec3d_difference(coif_vec3 a, coif_vec3 b)
{
    return (coif_vec3d){(double)a.x - b.x, (double)a.y - b.y, (double)a.z - b.z};
}

static inline coif_vec3d coif_vec3d_add(coif_vec3d a, coif_vec3d b)
{
    return (coif_vec3d){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline coif_vec3d coif_vec3d_sub(coif_vec3d a, coif_vec3d b)
{
    return (coif_vec3d){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline coif_vec3d coif_vec3d_scale(coif_vec3d a, double s)
{
    return (coif_vec3d){a.x * s, a.y * s, a.z * s};
}

// a + s b
static inline coif_vec3d coif_vec3d_mad(coif_vec3d a, double s, coif_vec3d b)
{
    return (coif_vec3d){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline coif_vec3d coif_vec3d_lerp(coif_vec3d a, coif_vec3d b, double t)
{
    return coif_vec3d_mad(a, t, coif_vec3d_sub(b, a));
}

static inline coif_vec3d coif_vec3d_cross(coif_vec3d a, coif_vec3d b)
{
    return (coif_vec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double coif_vec3d_dot(coif_vec3d a, coif_vec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double coif_vec3d_length(coif_vec3d a)
{
    return sqrt(coif_vec3d_dot(a, a));
}

// The zero vector stays zero.
static inline coif_vec3d coif_vec3d_normalize(coif_vec3d a)
{
    const double length = coif_vec3d_length(a);
    return length > 0.0 ? coif_vec3d_scale(a, 1.0 / length) : a;
}

#endif
