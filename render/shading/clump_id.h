// clump_id: the clump of each strand, for mattes and streaks.
//
// A groom made with groom.clump stores its clumps. Strays, grooms without clumps and files of
// earlier versions use the rule of that modifier: the first strands of a groom, which are evenly
// distributed, are centres of clumps, and each strand belongs to the nearest centre of its region.
#ifndef COIF_RENDER_SHADING_CLUMP_ID_H
#define COIF_RENDER_SHADING_CLUMP_ID_H

#include "core/hair/groom.h"
#include "core/scene/scene.h"

// Number of clumps of the last enabled groom.clump of a groom; fallback when it has none.
int32_t coif_clump_count(const coif_node *groom, int32_t fallback);

// The centre of the clump of a strand: as stored, or the nearest of count centres, at least 1.
int32_t coif_clump_of_strand(const coif_groom *groom, int32_t strand, int32_t count);

// The same, ignoring stored clumps.
int32_t coif_nearest_clump(const coif_groom *groom, int32_t strand, int32_t count);

#endif
