// Interpolation of child strands from the simulated guides.
//
// Simulated strands are copied. A child is computed in three steps:
//
//   1. rigid motion of the rest shape with the root:     t[k] = root' + R (p[k] - root)
//      with R from the rest frame of the scalp at the root to the posed one;
//   2. displacement of the guides:                       q[k] = t[k] + sum of w_g d_g(k)
//      with d_g = simulated position of guide g - its position after step 1, at the same point, or
//      at the same arc length fraction where guide and child differ in points; where a tie holds
//      both, at the same fraction of the part before or after the tie;
//   3. rest segment lengths are restored from root to tip, keeping directions. A child that passes
//      outside the ring of its tie, which moves with the root, is moved to it; the points before
//      the ring by the fraction of the length up to it.
//
// groom->clump_scale scales displacement and arc length per child. Displacements are in world
// space: gravity and wind act in the same direction on neighbours. A child without guides stops
// after step 1.
#ifndef COIF_CORE_HAIR_CHILD_INTERPOLATION_H
#define COIF_CORE_HAIR_CHILD_INTERPOLATION_H

#include "core/hair/groom.h"
#include "core/mesh/mesh.h"

// Body is the scalp mesh posed at this frame, with the topology of mesh_digest; may be NULL when
// every strand is simulated. Velocities of children are those of their guides; colours are those of
// the frame if present, else of the groom. Same bits for any number of threads.
coif_status coif_interpolate_children(coif_strands *all, const coif_strands *simulated,
                                      const coif_groom *groom, const coif_mesh *body,
                                      coif_arena *arena, coif_jobs *jobs, coif_error *error);

// The rest groom on its posed body: step 1 for all strands.
coif_status coif_pose_rest_strands(coif_strands *all, const coif_groom *groom,
                                   const coif_mesh *body, coif_arena *arena, coif_jobs *jobs,
                                   coif_error *error);

#endif
