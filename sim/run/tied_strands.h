// tied_strands: where ties hold the strands of a groom at rest, for the interpolation of children.
#ifndef COIF_SIM_RUN_TIED_STRANDS_H
#define COIF_SIM_RUN_TIED_STRANDS_H

#include "core/hair/groom.h"
#include "core/scene/scene.h"

// Sets ties and tie_fraction, in arena, where the node of the groom has ties with a body or
// locator. Of two ties of a strand the first counts.
void coif_groom_find_ties(coif_groom *groom, const coif_node *node, double frame,
                          coif_arena *arena);

#endif
