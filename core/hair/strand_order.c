// Strand order in which every prefix is evenly distributed over the scalp.
//
// Roots are sorted along a Morton curve (1966) and visited at its fractions 0, 1/2, 1/4, 3/4, ...
// (van der Corput 1935).
#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/hair/groom.h"

#include <stdlib.h>

enum { BITS = 10 };

typedef struct root_code {
    uint32_t code;
    int32_t strand;
} root_code;

// Inserts two zero bits between the lowest ten bits.
static uint32_t spread_bits(uint32_t x)
{
    x &= 0x3ffu;
    x = (x | (x << 16)) & 0x030000ffu;
    x = (x | (x << 8)) & 0x0300f00fu;
    x = (x | (x << 4)) & 0x030c30c3u;
    return (x | (x << 2)) & 0x09249249u;
}

static uint32_t quantise(float value, float low, float width)
{
    const float steps = (float)((1 << BITS) - 1);
    return (uint32_t)coif_clamp(width > 0.0f ? (value - low) / width * steps : 0.0f, 0.0f, steps);
}

static int compare_codes(const void *left, const void *right)
{
    const root_code *a = left;
    const root_code *b = right;
    if (a->code != b->code) {
        return a->code < b->code ? -1 : 1;
    }
    return (a->strand > b->strand) - (a->strand < b->strand);
}

static void sort_roots(root_code *codes, const coif_groom *groom)
{
    const coif_strands *rest = &groom->rest;
    coif_bounds bounds = coif_bounds_empty();
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        coif_bounds_add(&bounds, coif_vec4_xyz(rest->points[rest->first[s]]));
    }
    const coif_vec3 low = bounds.low;
    const float width = coif_bounds_extent(&bounds);
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        const coif_vec4 p = rest->points[rest->first[s]];
        codes[s].strand = s;
        codes[s].code = spread_bits(quantise(p.x, low.x, width)) |
                        (spread_bits(quantise(p.y, low.y, width)) << 1) |
                        (spread_bits(quantise(p.z, low.z, width)) << 2);
    }
    qsort(codes, (size_t)rest->strand_count, sizeof *codes, compare_codes);
}

void coif_groom_low_discrepancy_order(int32_t *order, const coif_groom *groom, coif_arena *scratch)
{
    const int32_t count = groom->rest.strand_count;
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    root_code *codes = coif_arena_new(scratch, count, root_code);
    sort_roots(codes, groom);
    int32_t bits = 0;
    while (((int64_t)1 << bits) < count) {
        ++bits;
    }
    int32_t found = 0;
    for (int64_t i = 0; i < (int64_t)1 << bits; ++i) {
        int64_t reversed = 0; // bits of i in reverse order
        for (int32_t b = 0; b < bits; ++b) {
            reversed |= ((i >> b) & 1) << (bits - 1 - b);
        }
        if (reversed < count) {
            order[found++] = codes[reversed].strand;
        }
    }
    coif_arena_rewind(scratch, mark);
}
