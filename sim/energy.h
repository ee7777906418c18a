// energy: of motion and of height, per kilogram of hair. Sums run in one order, so that figures are
// the same on every machine and number of threads.
#ifndef COIF_SIM_ENERGY_H
#define COIF_SIM_ENERGY_H

#include "core/strands.h"

typedef struct coif_energy {
    double kinetic, potential; // J/kg; height is counted from the origin, against gravity
} coif_energy;

// Each segment weighs as its length and the squares of its radii. Strands need velocities; gravity
// is in m/s2.
coif_energy coif_energy_of(const coif_strands *strands, const float gravity[3]);

#endif
