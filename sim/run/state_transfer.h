// state_transfer: the state of a simulated groom for a version of it with other strands.
#ifndef COIF_SIM_RUN_STATE_TRANSFER_H
#define COIF_SIM_RUN_STATE_TRANSFER_H

#include "sim/run/groom_sim.h"

// Every simulated strand of the target gets the shape and velocities of the strand of the source
// with the nearest root, scaled to its own length. strands: all strands of the source, at least
// one.
void coif_transfer_state(coif_groom_sim *target, const coif_groom_sim *source,
                         const coif_strands *strands);

#endif
