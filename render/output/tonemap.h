// tonemap: view transforms: linear scene-referred light to display light, before the sRGB curve.
#ifndef COIF_RENDER_OUTPUT_TONEMAP_H
#define COIF_RENDER_OUTPUT_TONEMAP_H

#include "core/base/vec.h"

typedef enum coif_view_transform {
    COIF_VIEW_SRGB = 0,   // identity
    COIF_VIEW_FILMIC = 1, // linear up to one half, then a soft shoulder, per channel
    COIF_VIEW_ACES = 2,   // fit of the ACES reference rendering and output transform for sRGB
    COIF_VIEW_OCIO = 3    // display and view of an OpenColorIO configuration, see image_output.h
} coif_view_transform;

// Linear Rec. 709 to linear display light in [0, 1]; larger values are clipped when encoded.
coif_vec3 coif_view_transform_apply(coif_view_transform view, coif_vec3 light);

#endif
