// reset_diverged: puts strands that have diverged back to where they were.
#ifndef COIF_SIM_SOLVER_RESET_DIVERGED_H
#define COIF_SIM_SOLVER_RESET_DIVERGED_H

#include "sim/solver/step_stats.h"

// Resets and counts diverged strands: they get their positions at the begin of the step, moved
// along with their roots. Seconds: duration of the step.
void coif_reset_diverged_strands(coif_strand_block *block, double seconds, coif_step_stats *stats);

#endif
