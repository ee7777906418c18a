// Vectors of doubles, for products of float differences that would cancel in single precision.
#ifndef COIF_CORE_BASE_VEC3D_H
#define COIF_CORE_BASE_VEC3D_H

#include "core/base/vec.h"

typedef struct coif_vec3d {
    double x, y, z;
} coif_vec3d;

static inline coif_vec3d coif_vec3d_sub(coif_vec3 a, coif_vec3 b)
{
    return (coif_vec3d){(double)a.x - b.x, (double)a.y - b.y, (double)a.z - b.z};
}

static inline coif_vec3d coif_vec3d_cross(coif_vec3d a, coif_vec3d b)
{
    return (coif_vec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double coif_vec3d_dot(coif_vec3d a, coif_vec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

#endif
