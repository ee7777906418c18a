// expand: all strands of a frame from the simulated ones.
//
// Simulated strands are copied. Any other strand (a child) is built in three steps:
//
//   1. its rest shape moves rigidly with its root:     t[k] = root' + R (p[k] - root)
//      where R turns the rest frame of the scalp at the root into the posed one;
//   2. it departs from that as its guides do:          q[k] = t[k] + sum of w_g d_g(k)
//      where d_g = where guide g is now - where step 1 would have put it, at the same point, or at
//      the same share of the length where guide and child differ in points;
//   3. its segments get their rest lengths back, from root to tip, keeping their directions.
//
// A clone (groom->clones) departs a little more or less than its guide, and as if it were longer or
// shorter. Departures are in world space: gravity and wind pull neighbours the same way. A child
// without guides stops after step 1.
#ifndef COIF_CORE_HAIR_CHILD_INTERPOLATION_H
#define COIF_CORE_HAIR_CHILD_INTERPOLATION_H

#include "core/hair/groom.h"
#include "core/mesh/mesh.h"

// Body is the mesh the groom grew on, posed at this frame, with the topology of mesh_digest; it may
// be NULL when every strand is simulated. Velocities of children are those of their guides; colours
// are the frame's where it has some, else the groom's. The same bits for any number of threads.
coif_status coif_interpolate_children(coif_strands *all, const coif_strands *simulated,
                                      const coif_groom *groom, const coif_mesh *body,
                                      coif_arena *arena, coif_jobs *jobs, coif_error *error);

#endif
