// Elliptical cross section of a fibre, as seen from one direction.
//
// The ellipse has the area of the round fibre: semi-axes r sqrt(ratio) and r / sqrt(ratio). Curves
// are drawn as the circle around it; hits beside the ellipse are rejected
// (coif_bspline_curves_misses).
#ifndef COIF_RENDER_MATH_ELLIPSE_H
#define COIF_RENDER_MATH_ELLIPSE_H

#include "core/base/vec.h"

typedef struct coif_ellipse {
    float ratio;        // of the major to the minor axis; up to 1: a circle
    float major, minor; // direction towards the observer across the fibre, unit
} coif_ellipse;

static inline bool coif_ellipse_is_circle(const coif_ellipse *ellipse)
{
    return !(ellipse->ratio > 1.0f);
}

// Axis: direction of the minor axis, not along the fibre; y and z: the frame across the fibre, y
// towards the observer.
static inline coif_ellipse coif_ellipse_of(float ratio, coif_vec3 axis, coif_vec3 y, coif_vec3 z)
{
    const float v = coif_dot(axis, y), w = coif_dot(axis, z);
    const float length = sqrtf(v * v + w * w);
    return length > 0.0f ? (coif_ellipse){ratio, w / length, v / length}
                         : (coif_ellipse){ratio, 1.0f, 0.0f};
}

// Half the width that the observer sees, relative to the major semi-axis.
static inline float coif_ellipse_half_width(const coif_ellipse *ellipse)
{
    const float major = ellipse->major / ellipse->ratio;
    return sqrtf(ellipse->minor * ellipse->minor + major * major);
}

#endif
