// ray: a ray segment, and axis-aligned bounds.
#ifndef COIF_RENDER_MATH_RAY_H
#define COIF_RENDER_MATH_RAY_H

#include "core/base/vec.h"

typedef struct coif_ray {
    coif_vec3 origin, direction;
    float near, far;
    float time;          // share of the time that the shutter is open
    uint32_t alpha_seed; // random word that decides stochastic transparency
} coif_ray;

typedef struct coif_bounds {
    coif_vec3 low, high;
} coif_bounds;

#endif
