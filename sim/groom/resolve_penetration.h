// grow_lay: strands that ended up in the body are laid on it.
#ifndef COIF_SIM_GROOM_RESOLVE_PENETRATION_H
#define COIF_SIM_GROOM_RESOLVE_PENETRATION_H

#include "sim/collision/collider.h"
#include "sim/groom/modifiers.h"

// From root to tip each segment keeps its length and, where nothing is in the way, its direction;
// where it would come nearer to the body than clearance (of the strand), it turns along the surface
// and carries what follows with it, as a comb lays hair on a head.
void coif_resolve_penetration(coif_strand_buffer *growth, const coif_collider *body,
                              const coif_param_values *clearance, coif_jobs *jobs);

#endif
