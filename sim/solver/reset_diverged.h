// reset_diverged: puts strands that have diverged back to where they were.
#ifndef COIF_SIM_SOLVER_RESET_DIVERGED_H
#define COIF_SIM_SOLVER_RESET_DIVERGED_H

#include "sim/solver/step_stats.h"

// Strands that diverged in a step of so many seconds get the positions of its begin, moved along
// with their roots, and are counted.
void coif_reset_diverged_strands(coif_strand_block *block, double seconds, coif_step_stats *stats);

#endif
