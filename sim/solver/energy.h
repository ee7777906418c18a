// energy: kinetic, gravitational and elastic energy per mass of hair. Sums run in a fixed order
// with deterministic functions, so results are the same on every machine and number of threads.
#ifndef COIF_SIM_SOLVER_ENERGY_H
#define COIF_SIM_SOLVER_ENERGY_H

#include "core/hair/strands.h"

struct coif_solver;

typedef struct coif_energy {
    double kinetic, potential; // J/kg; potential is relative to the origin
    double elastic;            // of bending and twist; NaN where the method does not know it
} coif_energy;

// A segment has the mass of its length times the mean square of its radii. Strands need velocities;
// gravity in m/s2.
coif_energy coif_energy_of(const coif_strands *strands, const float gravity[3]);

// Elastic energy per mass of all simulated strands, or of some hundreds of them for a quick
// estimate; NaN for methods without an elastic energy.
double coif_energy_elastic(const struct coif_solver *solver, bool of_all);

#endif
