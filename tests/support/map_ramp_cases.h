// A test image of two texels: black on the left, white on the right.
#ifndef COIF_TESTS_SUPPORT_MAP_RAMP_CASES_H
#define COIF_TESTS_SUPPORT_MAP_RAMP_CASES_H

#include "tests/support/test.h"

#include <stdio.h>

static inline void write_halves(const char *name)
{
    FILE *file = fopen(coif_test_path(name), "wb");
    const unsigned char head[54] = {
        'B', 'M', 54 + 8, [10] = 54, [14] = 40, [18] = 2, [22] = 1, [26] = 1, [28] = 24};
    const unsigned char texels[8] = {0, 0, 0, 255, 255, 255};
    CHECK(fwrite(head, 1, sizeof head, file) == sizeof head);
    CHECK(fwrite(texels, 1, sizeof texels, file) == sizeof texels);
    fclose(file);
}

#endif
