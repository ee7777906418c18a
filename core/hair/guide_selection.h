// Selection of the simulated strands (guides), at least one per region.
#ifndef COIF_CORE_HAIR_GUIDE_SELECTION_H
#define COIF_CORE_HAIR_GUIDE_SELECTION_H

#include "core/hair/groom.h"

typedef struct coif_region_count {
    int32_t region, guides;
} coif_region_count;

// Regions of a groom and their number of guides.
typedef struct coif_region_counts {
    coif_region_count *all; // ascending region
    int32_t count;
} coif_region_counts;

// Lists the regions with zero guides. Region is per strand; NULL: region 0 only.
coif_region_counts coif_regions_list(const int32_t *region, int32_t strands, coif_arena *scratch);

coif_region_count *coif_region_of(const coif_region_counts *counts, int32_t region);

// Sets guides (per strand, all false before), counts them per region and lists them in the groom in
// ascending strand order.
void coif_groom_select_guides(coif_groom *groom, const coif_guide_binding_desc *binding,
                              bool *guides, const coif_region_counts *counts);

#endif
