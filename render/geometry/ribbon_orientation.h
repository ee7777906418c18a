// Orientation of ribbons such as blades of grass, and of elliptical fibres: normals per control
// point.
//
// At rest the width of a ribbon is perpendicular to the plane in which its strand bends, or follows
// the root frame where the strand is straight; then it rotates with the root. `tilt` rotates
// ribbons about the strand, `twist` adds rotation towards the tip, each times a random factor per
// strand. Normals are parallel-transported along the strand. The major axis of an elliptical fibre
// is the tangent of the surface at the root, as in the simulation; its normals are the minor axis.
// The twist that a solver adds along the strand is not stored in caches and not part of it.
#ifndef COIF_RENDER_GEOMETRY_RIBBON_ORIENTATION_H
#define COIF_RENDER_GEOMETRY_RIBBON_ORIENTATION_H

#include "core/hair/groom.h"
#include "render/geometry/bspline_curves.h"

typedef struct coif_ribbon_desc {
    const coif_groom *groom;     // at rest
    const coif_mesh *body;       // posed at that time step; NULL: at rest
    float tilt, twist;           // maximum, degrees
    const float *tilts, *twists; // per strand; NULL: as above
    bool along_tangent;          // the width lies along the surface tangent at the root
    coif_jobs *jobs;
} coif_ribbon_desc;

// Fills the normals of a time step, whose control points come from these strands. The first call
// allocates the normals of all steps.
void coif_ribbon_normals_fill(coif_bspline_curves *curves, int32_t step,
                              const coif_strands *strands, const coif_ribbon_desc *desc,
                              coif_arena *arena);

#endif
