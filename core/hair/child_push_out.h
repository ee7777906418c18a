// child_push_out: keeps interpolated children out of the body that they grow on.
//
// Guides are kept out by the contacts of the simulation; a child between them may still be drawn
// into the body. From root to tip a segment of a child that ends too close to the surface is
// rotated out of it; points behind follow their predecessor towards their own position (follow the
// leader), so that the correction decays along the strand. Segments keep their lengths. The
// correction is a continuous function of the positions of one frame, so it does not pop between
// frames.
#ifndef COIF_CORE_HAIR_CHILD_PUSH_OUT_H
#define COIF_CORE_HAIR_CHILD_PUSH_OUT_H

#include "core/collision/collider.h"
#include "core/hair/groom.h"

// Distance of a child's surface from the body, metres; less near the root.
#define COIF_CHILD_CLEARANCE 2.5e-4f

// All are the expanded strands of a frame; body is in the pose at `time` of its frame, 0..1.
// Children without penetration and simulated strands keep their bits. Same bits for any number of
// threads.
void coif_push_children_out(coif_strands *all, const coif_groom *groom, const coif_collider *body,
                            float time, coif_jobs *jobs);

// Builds the collider of a body for coif_push_children_out. The mesh must outlive it; refit it to
// the pose of a frame with coif_collider_refit_posed.
void coif_child_collider_build(coif_collider *collider, const coif_mesh *rest, coif_arena *arena);

#endif
