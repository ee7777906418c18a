// groom_generate: rest strands of a groom: roots, straight strands or guides, modifiers, and
// resolution of penetration with the body.
#ifndef COIF_SIM_GROOM_GROOM_GENERATE_H
#define COIF_SIM_GROOM_GROOM_GENERATE_H

#include "sim/groom/groom_params.h"

// An animated groom (coif_groom_is_animated) has the same point counts at every frame, enough
// for each of its keys. The result has the same bits for any number of threads. Everything lives
// in arena.
coif_status coif_groom_generate(coif_groom *groom, const coif_groom_generate_desc *desc,
                                coif_arena *arena, coif_jobs *jobs, coif_error *error);

#endif
