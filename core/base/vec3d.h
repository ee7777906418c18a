// double3: vectors of doubles, where differences of floats are multiplied and must not be lost.
#ifndef COIF_CORE_BASE_VEC3D_H
#define COIF_CORE_BASE_VEC3D_H

#include "core/base/vec.h"

typedef struct coif_double3 {
    double x, y, z;
} coif_double3;

static inline coif_double3 coif_double_difference(coif_vec3 a, coif_vec3 b)
{
    return (coif_double3){(double)a.x - b.x, (double)a.y - b.y, (double)a.z - b.z};
}

static inline coif_double3 coif_double_cross(coif_double3 a, coif_double3 b)
{
    return (coif_double3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double coif_double_dot(coif_double3 a, coif_double3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

#endif
