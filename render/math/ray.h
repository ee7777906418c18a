// A ray segment, its hit, and axis-aligned bounds.
#ifndef COIF_RENDER_MATH_RAY_H
#define COIF_RENDER_MATH_RAY_H

#include "core/base/vec.h"

typedef struct coif_ray {
    coif_vec3 origin, direction;
    float near, far;
    float time;          // within the shutter interval, 0 to 1
    uint32_t alpha_seed; // random word that decides stochastic transparency
} coif_ray;

typedef struct coif_ray_hit {
    float distance;
    float u, v;       // barycentric on triangles; along and across curves
    coif_vec3 normal; // geometric, as Embree gives it: outward, not of unit length
    int32_t geometry, primitive;
    int32_t instance; // -1: the scene has none
} coif_ray_hit;

#endif
