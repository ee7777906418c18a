// tally: figures of one frame of the solver, the same on every machine.
#ifndef COIF_SIM_SOLVER_STEP_STATS_H
#define COIF_SIM_SOLVER_STEP_STATS_H

#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"

typedef struct coif_step_stats {
    int32_t reset_strands; // strands put back
    int32_t not_finite;    // of these, those whose numbers were not finite
    int64_t contacts;      // points that a body pushed in the last substep
    float stretch;         // the largest error of a segment's length at the end, as a share of it
} coif_step_stats;

// What is true of both together.
void coif_step_stats_add(coif_step_stats *all, const coif_step_stats *more);

// Counts contacts of the substep just done, and measures segments as they are.
void coif_step_stats_measure(coif_step_stats *stats, const coif_strand_block *block,
                             const coif_solver_scratch *scratch);

// Whether all places and velocities of a strand are finite.
bool coif_step_stats_is_finite(const coif_strand_block *block, int32_t lane);

#endif
