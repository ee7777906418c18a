// low_discrepancy: Halton and Sobol sequences, each number computed from its index alone.
#ifndef COIF_SIM_GROOM_LOW_DISCREPANCY_H
#define COIF_SIM_GROOM_LOW_DISCREPANCY_H

#include "core/base/base.h"

enum { COIF_SEQUENCE_DIMENSIONS = 4 };

// Distribution of root candidates, in the order of COIF_SEQUENCE_NAMES.
typedef enum coif_sequence_kind {
    COIF_SEQUENCE_HALTON = 0,     // Halton sequence, shifted by the seed
    COIF_SEQUENCE_SOBOL = 1,      // Sobol sequence, scrambled by the seed (Owen 1995)
    COIF_SEQUENCE_BLUE_NOISE = 2, // no two closer than a distance, see root_blue_noise.h
} coif_sequence_kind;

extern const char *const COIF_SEQUENCE_NAMES[]; // NULL-terminated

typedef struct coif_low_discrepancy {
    coif_sequence_kind kind; // BLUE_NOISE uses the thresholds of the Halton sequence
    uint64_t seed;
    double shift[COIF_SEQUENCE_DIMENSIONS];
} coif_low_discrepancy;

void coif_low_discrepancy_init(coif_low_discrepancy *sequence, coif_sequence_kind kind,
                               uint64_t seed);

// In [0, 1).
double coif_low_discrepancy_at(const coif_low_discrepancy *sequence, int64_t index, int dimension);

#endif
