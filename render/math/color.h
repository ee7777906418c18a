// Scalar measures of linear Rec. 709 colours.
#ifndef COIF_RENDER_MATH_COLOR_H
#define COIF_RENDER_MATH_COLOR_H

#include "core/base/vec.h"
#include "render/math/fast_math.h"

static inline float coif_luminance(coif_vec3 c)
{
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

static inline float coif_max_component(coif_vec3 c)
{
    return coif_max(c.x, coif_max(c.y, c.z));
}

#endif
