// run_report: what went wrong in a run, collected over its frames and logged once, with the likely
// cause and the parameters to change.
#ifndef COIF_SIM_RUN_RUN_REPORT_H
#define COIF_SIM_RUN_RUN_REPORT_H

#include "core/base/strbuf.h"
#include "sim/run/sim_params.h"
#include "sim/solver/solver.h"

typedef struct coif_run_report {
    int32_t reset_frames; // frames with diverged strands
    double first_reset_frame;
    int32_t max_resets; // in one frame
    int32_t bad_force;  // index of the first force with values that are not finite
    int32_t bad_frames; // frames with such values
    double first_bad_frame;
    coif_step_stats stats; // resets of all frames; stretch of the last
} coif_run_report;

void coif_run_report_add(coif_run_report *run, double frame, const coif_solver_report *step);

// The likely cause of resets and what to change, as in "constraints have not converged: raise
// sim/substeps (8) or sim/iterations (3)".
const char *coif_divergence_cure(const coif_step_stats *stats, const coif_sim_params *params,
                                 coif_arena *arena);

// Logs a warning each for diverged strands, for a force with values that are not finite and for
// stretched segments. Name: of the groom; force: id of the plugin of bad_force.
void coif_run_report_log(const coif_run_report *run, const char *name, const char *force,
                         int32_t strand_count, const coif_sim_params *params);

#endif
