// step_stats: statistics of one step, the same on every machine.
#ifndef COIF_SIM_SOLVER_STEP_STATS_H
#define COIF_SIM_SOLVER_STEP_STATS_H

#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"

typedef struct coif_step_stats {
    int32_t reset_strands; // strands that diverged and were reset
    int32_t not_finite;    // of these, strands with values that are not finite
    int64_t contacts;      // points pushed by a contact in the last substep
    float stretch;         // largest relative length error at the end
} coif_step_stats;

// Adds the statistics of other strands.
void coif_step_stats_add(coif_step_stats *all, const coif_step_stats *more);

// Counts contacts of the last substep and measures length errors.
void coif_step_stats_measure(coif_step_stats *stats, const coif_strand_block *block,
                             const coif_solver_scratch *scratch);

// Whether all positions and velocities of a strand are finite.
bool coif_step_stats_is_finite(const coif_strand_block *block, int32_t lane);

#endif
