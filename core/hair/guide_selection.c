// Selection of the simulated strands.
#include "core/hair/guide_selection.h"

#include "core/base/arena.h"

#include <stdlib.h>

static int by_region(const void *left, const void *right)
{
    const int32_t a = ((const coif_region_count *)left)->region;
    const int32_t b = ((const coif_region_count *)right)->region;
    return (a > b) - (a < b);
}

coif_region_count *coif_region_of(const coif_region_counts *counts, int32_t region)
{
    const coif_region_count key = {.region = region};
    return bsearch(&key, counts->all, (size_t)counts->count, sizeof key, by_region);
}

coif_region_counts coif_regions_list(const int32_t *region, int32_t strands, coif_arena *scratch)
{
    coif_region_counts counts = {coif_arena_new(scratch, strands, coif_region_count), 0};
    for (int32_t s = 0; s < strands; ++s) {
        counts.all[s].region = region != NULL ? region[s] : 0;
    }
    qsort(counts.all, (size_t)strands, sizeof *counts.all, by_region);
    for (int32_t s = 0; s < strands; ++s) {
        if (counts.count == 0 || counts.all[counts.count - 1].region != counts.all[s].region) {
            counts.all[counts.count++] = counts.all[s];
        }
    }
    return counts;
}

// Counts the guides of every region; in a region without guides the first strand becomes one.
static void ensure_region_guides(bool *guides, const coif_region_counts *counts,
                                 const int32_t *region, int32_t strands)
{
    for (int32_t s = 0; s < strands; ++s) {
        coif_region_of(counts, region != NULL ? region[s] : 0)->guides += guides[s];
    }
    for (int32_t s = 0; s < strands && region != NULL; ++s) {
        coif_region_count *own = coif_region_of(counts, region[s]);
        if (own->guides == 0) {
            own->guides = 1;
            guides[s] = true;
        }
    }
}

// Number of guides for a fraction of the strands.
static int32_t guide_count(double fraction, int32_t count)
{
    // Tolerance: 0.1f is slightly more than a tenth and must not add a strand.
    const double guides = ceil(fraction * count - 2e-7 * count);
    return guides < 0.0 ? 0 : guides > count ? count : (int32_t)guides;
}

void coif_groom_select_guides(coif_groom *groom, const coif_guide_binding_desc *binding,
                              bool *guides, const coif_region_counts *counts)
{
    const int32_t count = groom->rest.strand_count;
    bool any = false;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t s = binding->order != NULL ? binding->order[i] : i;
        const double own = binding->fractions != NULL ? (double)binding->fractions[s] : 1.0;
        guides[s] = i < guide_count(binding->fraction * own, count);
        any |= guides[s];
    }
    if (any) {
        ensure_region_guides(guides, counts, binding->region, count);
    }
    int32_t found = 0;
    for (int32_t s = 0; s < count; ++s) {
        if (guides[s]) {
            groom->simulated[found++] = s;
        }
    }
    groom->simulated_count = found;
}
