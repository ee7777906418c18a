// energy: elastic energy per mass of the strands of a solver. The sum runs in a fixed order, so the
// result is the same on every machine and number of threads.
#ifndef COIF_SIM_SOLVER_ENERGY_H
#define COIF_SIM_SOLVER_ENERGY_H

#include "sim/solver/solver.h"

// Elastic energy per mass of all simulated strands, or of some hundreds of them for a quick
// estimate; NaN for methods without an elastic energy.
double coif_energy_elastic(const coif_solver *solver, bool of_all);

#endif
