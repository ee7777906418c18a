// working_space: linear colour spaces in which light is transported.
//
// Colours of scenes, textures and strands are linear Rec. 709. ACEScg (AMPAS S-2014-004) has the
// primaries AP1 and the white point D60; the adaptation from D65 is that of Bradford, so that white
// stays white.
#ifndef COIF_RENDER_MATH_WORKING_SPACE_H
#define COIF_RENDER_MATH_WORKING_SPACE_H

#include "core/base/vec.h"

#include <stddef.h>

typedef enum coif_working_space {
    COIF_WORKING_REC709 = 0,
    COIF_WORKING_ACESCG = 1
} coif_working_space;

static inline coif_vec3 coif_working_from_rec709(coif_working_space space, coif_vec3 c)
{
    if (space == COIF_WORKING_REC709) {
        return c;
    }
    return (coif_vec3){0.613097402f * c.x + 0.339523146f * c.y + 0.047379451f * c.z,
                       0.070193722f * c.x + 0.916353879f * c.y + 0.013452398f * c.z,
                       0.020615593f * c.x + 0.109569773f * c.y + 0.869814634f * c.z};
}

// Colours outside of Rec. 709 have negative components.
static inline coif_vec3 coif_working_to_rec709(coif_working_space space, coif_vec3 c)
{
    if (space == COIF_WORKING_REC709) {
        return c;
    }
    return (coif_vec3){1.705050993f * c.x - 0.621792121f * c.y - 0.083258872f * c.z,
                       -0.130256418f * c.x + 1.140804737f * c.y - 0.010548319f * c.z,
                       -0.024003357f * c.x - 0.128968976f * c.y + 1.152972333f * c.z};
}

// Converts count pixels of at least three channels in place.
static inline void coif_working_convert_pixels(coif_working_space space, float *pixels,
                                               size_t count, size_t channels)
{
    for (size_t i = 0; i < count && space != COIF_WORKING_REC709; ++i) {
        float *to = pixels + i * channels;
        const coif_vec3 c = coif_working_from_rec709(space, (coif_vec3){to[0], to[1], to[2]});
        to[0] = c.x;
        to[1] = c.y;
        to[2] = c.z;
    }
}

#endif
