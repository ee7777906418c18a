// Axis-aligned bounding boxes.
#ifndef COIF_CORE_BASE_BOUNDS_H
#define COIF_CORE_BASE_BOUNDS_H

#include "core/base/vec.h"

typedef struct coif_bounds {
    coif_vec3 low, high;
} coif_bounds;

static inline coif_vec3 coif_min3(coif_vec3 a, coif_vec3 b)
{
    return (coif_vec3){fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)};
}

static inline coif_vec3 coif_max3(coif_vec3 a, coif_vec3 b)
{
    return (coif_vec3){fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)};
}

// Contains nothing; low is above high.
static inline coif_bounds coif_bounds_empty(void)
{
    return (coif_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline void coif_bounds_add(coif_bounds *bounds, coif_vec3 p)
{
    bounds->low = coif_min3(bounds->low, p);
    bounds->high = coif_max3(bounds->high, p);
}

// The longest side.
static inline float coif_bounds_extent(const coif_bounds *bounds)
{
    const coif_vec3 size = coif_sub(bounds->high, bounds->low);
    return fmaxf(size.x, fmaxf(size.y, size.z));
}

#endif
