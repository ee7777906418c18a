// groom_choose: which strands are simulated, so that every region has one of its own.
#ifndef COIF_CORE_HAIR_GUIDE_SELECTION_H
#define COIF_CORE_HAIR_GUIDE_SELECTION_H

#include "core/hair/groom.h"

typedef struct coif_region_count {
    int32_t region, guides;
} coif_region_count;

// What regions there are, and how many guides each of them has.
typedef struct coif_region_counts {
    coif_region_count *all; // ascending
    int32_t count;
} coif_region_counts;

// Without guides. Region is per strand; NULL: there is only region 0.
coif_region_counts coif_regions_list(const int32_t *region, int32_t strands, coif_arena *scratch);

coif_region_count *coif_region_of(const coif_region_counts *counts, int32_t region);

// Sets guides (per strand, all false before), counts them and lists them in the groom, in the order
// of strands, whatever order chose them.
void coif_groom_select_guides(coif_groom *groom, const coif_guide_binding_desc *binding,
                              bool *guides, const coif_region_counts *counts);

#endif
