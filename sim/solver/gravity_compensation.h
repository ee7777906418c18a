// gravity_compensation: forces that keep a groomed rest shape from sagging, for methods that do not
// carry weight by their own stiffness.
//
// Iterated projections leave moments unresolved, and a chain has none: a groomed shape would
// collapse from the first substep on. So the weight at rest is carried by forces known in advance,
// in closed form, and constraints have nothing to do:
//
//   g + f_k + w_k (N_k - N_k-1) = 0        N_k = T_k d_k,  T_k >= 0
//
// d is the direction of the smoothed centreline, and the tension N turns with the strand: it is
// what the length constraint would find, so hanging hair keeps all its weight and swings as a chain
// does. f is the remainder that tension cannot carry: a dead load in the root frame. Tensions pull
// and dead loads do not depend on positions, so neither can destabilise a stable shape.
#ifndef COIF_SIM_SOLVER_GRAVITY_COMPENSATION_H
#define COIF_SIM_SOLVER_GRAVITY_COMPENSATION_H

#include "sim/solver/solver.h"

void coif_gravity_compensation_init(coif_strand_block *block, coif_arena *arena);

// Tensions and dead loads of the rest shape, which target of the scratch holds, posed at rest.
void coif_gravity_compensation_fill(const coif_solver *solver, coif_strand_block *block,
                                    coif_solver_scratch *scratch);

#endif
