// locks: which strands belong together. The same rule as that of groom.clump: the first strands of
// a groom, spread evenly, are the middles of locks, and each strand belongs to the nearest.
#ifndef COIF_RENDER_SHADING_CLUMP_ID_H
#define COIF_RENDER_SHADING_CLUMP_ID_H

#include "core/hair/strands.h"
#include "core/scene/scene.h"

// How many locks the last clumping modifier of a groom makes; otherwise when it has none.
int32_t coif_clump_count(const coif_node *groom, int32_t otherwise);

// The strand in the middle of the lock that a strand belongs to; locks is at least 1.
int32_t coif_clump_of_strand(const coif_strands *rest, int32_t strand, int32_t locks);

#endif
