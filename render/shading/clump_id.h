// Clump of a strand, by the rule of groom.clump: the first strands of a groom, which are evenly
// distributed, are clump centres, and each strand belongs to the nearest.
#ifndef COIF_RENDER_SHADING_CLUMP_ID_H
#define COIF_RENDER_SHADING_CLUMP_ID_H

#include "core/hair/strands.h"
#include "core/scene/scene.h"

// Clump count of the last groom.clump modifier; fallback when there is none.
int32_t coif_clump_count(const coif_node *groom, int32_t fallback);

// The centre strand of the clump that a strand belongs to; clumps is at least 1.
int32_t coif_clump_of_strand(const coif_strands *rest, int32_t strand, int32_t clumps);

#endif
