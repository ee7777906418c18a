// blade: strands as flat blades, those of grass for one, and which way their flat sides face.
//
// A blade bends over its flat side: at rest its width lies across the plane in which its strand
// bends, or as the scalp's frame says where it is straight. From there on it moves with its root.
// `turn` lets blades stand askew to that, `twist` winds them on the way to the tip, each by a share
// of its own. Between, normals are carried along the strand without spinning about it.
#ifndef COIF_RENDER_GEOMETRY_RIBBON_ORIENTATION_H
#define COIF_RENDER_GEOMETRY_RIBBON_ORIENTATION_H

#include "core/hair/groom.h"
#include "render/geometry/bspline_curves.h"

typedef struct coif_ribbon_desc {
    const coif_groom *groom;     // at rest
    const coif_mesh *body;       // as it stands at that step; NULL: as at rest
    float turn, twist;           // most of either, degrees
    const float *turns, *twists; // the same for each strand; NULL: as above
    coif_jobs *jobs;
} coif_ribbon_desc;

// Gives curves the normals of a step, whose control points come from these strands. Normals of all
// steps get their room in arena with the first.
void coif_ribbon_normals_fill(coif_bspline_curves *curves, int32_t step,
                              const coif_strands *strands, const coif_ribbon_desc *desc,
                              coif_arena *arena);

#endif
