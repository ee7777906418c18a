// step_stats: statistics of one step, the same on every machine.
#ifndef COIF_SIM_SOLVER_STEP_STATS_H
#define COIF_SIM_SOLVER_STEP_STATS_H

#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"

// Likely causes of divergence, see reset_diverged.c.
enum {
    COIF_DIVERGED_BODY,        // roots move too fast
    COIF_DIVERGED_WIND,        // air moves too fast
    COIF_DIVERGED_FORCE,       // forces on points are too strong
    COIF_DIVERGED_INTERACTION, // forces by other hair are too strong
    COIF_DIVERGED_CONTACT,     // bodies touch the strand
    COIF_DIVERGED_SOLVER,      // none of these
    COIF_DIVERGED_CAUSES
};

typedef struct coif_step_stats {
    int32_t reset_strands;                // strands that diverged and were reset
    int32_t not_finite;                   // of these, strands with values that are not finite
    int64_t contacts;                     // points pushed by a contact in the last substep
    int32_t causes[COIF_DIVERGED_CAUSES]; // of these, by likely cause
    float body_speed, wind_speed;         // largest at reset strands, m/s
    float force_accel;                    // m/s2
    float stretch;                        // largest relative length error at the end
} coif_step_stats;

// Adds the statistics of other strands.
void coif_step_stats_add(coif_step_stats *all, const coif_step_stats *more);

// Counts contacts of the last substep and measures length errors.
void coif_step_stats_measure(coif_step_stats *stats, const coif_strand_block *block,
                             const coif_solver_scratch *scratch);

// Whether all positions and velocities of a strand are finite.
bool coif_step_stats_is_finite(const coif_strand_block *block, int32_t lane);

#endif
