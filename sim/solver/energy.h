// energy: of motion, of height and of bends, per kilogram of hair. Sums run in one order, so that
// figures are the same on every machine and number of threads.
#ifndef COIF_SIM_SOLVER_ENERGY_H
#define COIF_SIM_SOLVER_ENERGY_H

#include "core/hair/strands.h"

struct coif_solver;

typedef struct coif_energy {
    double kinetic, potential; // J/kg; height is counted from the origin, against gravity
    double elastic;            // of bends and twists; not a number where it is not known
} coif_energy;

// Each segment weighs as its length and the squares of its radii. Strands need velocities; gravity
// is in m/s2.
coif_energy coif_energy_of(const coif_strands *strands, const float gravity[3]);

// Of the simulated strands, or of some hundreds spread over them where a frame must not wait for
// it, by the method that knows what hair is made of; not a number by others.
double coif_energy_elastic(const struct coif_solver *solver, bool of_all);

#endif
