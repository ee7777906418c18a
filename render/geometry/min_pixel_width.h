// Minimum pixel width: strands thinner than a pixel are widened and made transparent.
//
// Sub-pixel fibres alias, which flickers in animation. A strand is drawn at least min_pixel_width
// wide, with the opacity true radius over widened radius, which keeps its coverage. (Arnold has the
// same parameter.)
#ifndef COIF_RENDER_GEOMETRY_MIN_PIXEL_WIDTH_H
#define COIF_RENDER_GEOMETRY_MIN_PIXEL_WIDTH_H

#include "render/camera/camera.h"
#include "render/geometry/bspline_curves.h"

typedef struct coif_min_width_desc {
    const coif_camera *cameras; // per time step of the curves; one for a static camera
    int32_t camera_count;
    float pixels; // minimum width
} coif_min_width_desc;

// Widens filled curves; false when none is thinner, and nothing changes.
bool coif_bspline_curves_set_min_width(coif_bspline_curves *curves, const coif_min_width_desc *desc,
                                       coif_arena *arena);

#endif
