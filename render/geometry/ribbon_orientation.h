// Orientation of ribbons such as blades of grass: normals per control point.
//
// At rest the width of a ribbon is perpendicular to the plane in which its strand bends, or follows
// the root frame where the strand is straight; then it rotates with the root. `tilt` rotates
// ribbons about the strand, `twist` adds rotation towards the tip, each times a random factor per
// strand. Normals are parallel-transported along the strand.
#ifndef COIF_RENDER_GEOMETRY_RIBBON_ORIENTATION_H
#define COIF_RENDER_GEOMETRY_RIBBON_ORIENTATION_H

#include "core/hair/groom.h"
#include "render/geometry/bspline_curves.h"

typedef struct coif_ribbon_desc {
    const coif_groom *groom;     // at rest
    const coif_mesh *body;       // posed at that time step; NULL: at rest
    float tilt, twist;           // maximum, degrees
    const float *tilts, *twists; // per strand; NULL: as above
    coif_jobs *jobs;
} coif_ribbon_desc;

// Fills the normals of a time step, whose control points come from these strands. The first call
// allocates the normals of all steps.
void coif_ribbon_normals_fill(coif_bspline_curves *curves, int32_t step,
                              const coif_strands *strands, const coif_ribbon_desc *desc,
                              coif_arena *arena);

#endif
