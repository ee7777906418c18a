// Strands that a reader has accepted.
#ifndef COIF_TESTS_FUZZ_STRANDS_H
#define COIF_TESTS_FUZZ_STRANDS_H

#include "core/hair/strands.h"

#include <stdlib.h>

// Offsets ascend, every strand has points, and all numbers are finite.
static inline void check_sound(const coif_strands *strands)
{
    if (coif_strands_find_invalid(strands) >= 0 ||
        strands->first[strands->strand_count] != strands->point_count) {
        abort();
    }
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        if (coif_strands_length(strands, s) < 2) {
            abort();
        }
    }
}

#endif
