// rest_shape_animation: interpolates an animated rest shape over the substeps of a frame.
//
// A block stores its rest shape at both ends of a frame. Lengths are interpolated linearly, and so
// are positions, whose directions give the segments. Everything that follows from the shape
// (curvature, stiffness, gravity compensation) is recomputed in every substep, so hair whose rest
// shape ends at a groom is in equilibrium there, as with a static rest shape.
#ifndef COIF_SIM_SOLVER_REST_SHAPE_ANIMATION_H
#define COIF_SIM_SOLVER_REST_SHAPE_ANIMATION_H

#include "sim/solver/solver.h"

void coif_rest_animation_init(coif_strand_block *block, coif_arena *arena);

// Both ends of every block are the shape it was created with.
void coif_rest_animation_begin(coif_solver *solver);

// Rest shape of a block at a time of the frame, from 0 to 1. [worker]
void coif_rest_animation_apply(const coif_solver *solver, coif_strand_block *block,
                               coif_solver_scratch *scratch, float time);

// Positions, lengths and contact distances of a rest shape into the rows of a block.
void coif_solver_load_rest_shape(const coif_solver *solver, coif_strand_block *block,
                                 const coif_rest_shape *shape);

#endif
