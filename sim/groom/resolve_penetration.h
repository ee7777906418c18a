// resolve_penetration: pushes rest strands out of the body.
#ifndef COIF_SIM_GROOM_RESOLVE_PENETRATION_H
#define COIF_SIM_GROOM_RESOLVE_PENETRATION_H

#include "sim/collision/collider.h"
#include "sim/groom/varying_params.h"

// From root to tip each segment keeps its length and, without penetration, its direction. A
// segment that ends closer to the body than the clearance of the strand is rotated along the
// surface, and the rest of the strand is translated with it.
void coif_resolve_penetration(coif_strand_buffer *buffer, const coif_collider *body,
                              const coif_param_values *clearance, coif_jobs *jobs);

#endif
