// strand_energy: kinetic and gravitational energy per mass of hair.
#ifndef COIF_SIM_RUN_STRAND_ENERGY_H
#define COIF_SIM_RUN_STRAND_ENERGY_H

#include "core/hair/strands.h"

typedef struct coif_energy {
    double kinetic, potential; // J/kg; potential is relative to the origin
    double elastic;            // of bending and twist; NaN where the method does not know it
} coif_energy;

// A segment has the mass of its length times the mean square of its radii. Strands need velocities;
// gravity in m/s2.
coif_energy coif_energy_of(const coif_strands *strands, const float gravity[3]);

#endif
