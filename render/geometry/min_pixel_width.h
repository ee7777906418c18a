// widen: strands thinner than a pixel, drawn wider and clearer.
//
// A sample either meets a fibre of a tenth of a pixel or it does not, and where hair is far away
// pictures crawl. So a strand is drawn no thinner than some pixels, and lets through what it covers
// too much: its opacity is the thin radius over the wide one, which keeps the light that it takes
// away and gives.
#ifndef COIF_RENDER_GEOMETRY_MIN_PIXEL_WIDTH_H
#define COIF_RENDER_GEOMETRY_MIN_PIXEL_WIDTH_H

#include "render/camera/camera.h"
#include "render/geometry/bspline_curves.h"

typedef struct coif_min_width_desc {
    const coif_camera *cameras; // of the steps of the curves; one when the camera stands
    int32_t camera_count;
    float pixels; // least width
} coif_min_width_desc;

// Widens curves that are filled; false when none is thinner than that, and nothing was done.
bool coif_bspline_curves_set_min_width(coif_bspline_curves *curves, const coif_min_width_desc *desc,
                                       coif_arena *arena);

#endif
