// sprout: the rest shape of strands that grow, or rise, while they move.
//
// A block knows its shape at both ends of a frame. In every substep it stands in between: lengths
// go straight from one to the other, and so do directions, which keeps segments as long as they
// are. All that follows from the shape (curvature, stiffness, what bears the weight) is learned
// anew each time, so hair that grew to its groom at a frame is in balance there, as it is when
// nothing grows.
#ifndef COIF_SIM_SOLVER_REST_SHAPE_ANIMATION_H
#define COIF_SIM_SOLVER_REST_SHAPE_ANIMATION_H

#include "sim/solver/solver.h"

void coif_rest_animation_init(coif_strand_block *block, coif_arena *arena);

// Both ends of every block are the shape it was built with.
void coif_rest_animation_begin(coif_solver *solver);

// The frame to come begins where the last one ended and ends at this groom: the strands of the
// solver's own, with as many points. At once: strands are to have that shape from now on.
typedef struct coif_rest_keyframe {
    const coif_groom *groom;
    bool at_once;
    coif_solver_scratch *works;
} coif_rest_keyframe;
void coif_rest_animation_next(coif_solver *solver, const coif_rest_keyframe *step, coif_jobs *jobs);

// The shape of a block at a moment of the frame, from 0 to 1. [worker]
void coif_rest_animation_apply(const coif_solver *solver, coif_strand_block *block,
                               coif_solver_scratch *scratch, float moment);

#endif
