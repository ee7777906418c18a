// reset_diverged: puts strands that have diverged back to where they were.
#ifndef COIF_SIM_SOLVER_RESET_DIVERGED_H
#define COIF_SIM_SOLVER_RESET_DIVERGED_H

#include "sim/solver/solver_params.h"
#include "sim/solver/step_stats.h"

// Resets and counts diverged strands: they get their positions at the begin of the step, moved
// along with their roots. Seconds: duration of the step; scratch: of its last substep.
void coif_reset_diverged_strands(coif_strand_block *block, const coif_solver_scratch *scratch,
                                 const coif_solver_params *params, double seconds,
                                 coif_step_stats *stats);

#endif
