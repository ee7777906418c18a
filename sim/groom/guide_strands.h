// guide_strands: drawn guides, which are strands of a groom by themselves.
#ifndef COIF_SIM_GROOM_GUIDE_STRANDS_H
#define COIF_SIM_GROOM_GUIDE_STRANDS_H

#include "core/hair/groom.h"
#include "core/hair/guide_edits.h"
#include "sim/groom/scalp_closest_point.h"

// Root attributes of a strand at a point of a triangle.
void coif_groom_set_root(coif_groom *groom, int32_t strand, const coif_mesh *mesh, int32_t triangle,
                         const float *weights);

// Guides that are strands; `count` of them, in arena.
int32_t *coif_guide_strands_list(int32_t *count, const coif_guide_edits *edits, coif_arena *arena);

// A groom of the listed guides. Each is rooted at the closest point of the surface, and moved there
// when the surface has changed.
coif_status coif_guide_strands_groom(coif_groom *groom, const coif_guide_edits *edits,
                                     const int32_t *guides, int32_t count,
                                     const coif_scalp_locator *scalp, int32_t seed,
                                     coif_arena *arena, coif_error *error);

// Appends strands, all of them simulated; regions and colours are those of the nearest strand.
coif_status coif_groom_append(coif_groom *groom, const coif_groom *added, coif_arena *arena,
                              coif_error *error);

#endif
