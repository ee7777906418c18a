// rigid_strands: strands that follow the body in their rest shape instead of being simulated.
#ifndef COIF_SIM_RUN_RIGID_STRANDS_H
#define COIF_SIM_RUN_RIGID_STRANDS_H

#include "sim/solver/solver.h"

typedef struct coif_rigid_strands {
    coif_vec3 *before, *after, *velocities; // per point
} coif_rigid_strands;

void coif_rigid_strands_init(coif_rigid_strands *rigid, const coif_solver *solver,
                             coif_arena *arena);

// Puts the strands of a solver into their rest shape on the roots at the end of a step. Velocities
// are the mean ones of the step.
void coif_rigid_strands_step(coif_rigid_strands *rigid, coif_solver *solver,
                             const coif_root_pose *root_end, double seconds);

#endif
