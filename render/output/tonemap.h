// view: from linear light to what a display shows, before the sRGB curve.
#ifndef COIF_RENDER_OUTPUT_TONEMAP_H
#define COIF_RENDER_OUTPUT_TONEMAP_H

#include "core/base/vec.h"

typedef enum coif_view_transform {
    COIF_VIEW_SRGB = 0,   // as it is
    COIF_VIEW_FILMIC = 1, // straight up to one half, then a soft shoulder, channel by channel
    COIF_VIEW_ACES = 2    // like ACES' reference rendering and output transform for sRGB
} coif_view_transform;

// Linear light of Rec. 709 to display light from 0 to 1, still linear; above 1 will be clipped.
coif_vec3 coif_view_transform_apply(coif_view_transform view, coif_vec3 light);

#endif
