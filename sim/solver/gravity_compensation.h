// support: what carries the weight of strands in the groom, for methods that sweep.
//
// Sweeps leave moments undone, and a chain has none: with those alone a groomed shape falls down
// from the first substep on. So at rest the weight is carried by forces that are known beforehand,
// in closed form, and constraints have nothing to do:
//
//   g + f_k + w_k (N_k - N_k-1) = 0        N_k = T_k d_k,  T_k >= 0
//
// d is the direction of the smoothed course, and the tension N turns with the strand: it is what
// lengths would find, known in advance, so hair that hangs keeps all its weight and swings as a
// chain does. f is what tension cannot carry, the part of hair that stands off: a dead load in the
// frame of the root. Tensions pull and dead loads do not depend on where points are, so neither can
// make a shape fall that stands by itself.
#ifndef COIF_SIM_SOLVER_GRAVITY_COMPENSATION_H
#define COIF_SIM_SOLVER_GRAVITY_COMPENSATION_H

#include "sim/solver/solver.h"

void coif_gravity_compensation_init(coif_strand_block *block, coif_arena *arena);

// Tensions and dead loads of the rest shape, which the rows of the goals hold, posed at rest.
void coif_gravity_compensation_fill(const coif_solver_desc *desc, const coif_kernels *kernels,
                                    const coif_strand_block *block, coif_solver_scratch *scratch);

#endif
