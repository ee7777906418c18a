// farm_engine: runs all units of a plan: in this program, through GNU parallel, or through Slurm.
#ifndef COIF_TOOLS_CLI_FARM_FARM_ENGINE_H
#define COIF_TOOLS_CLI_FARM_FARM_ENGINE_H

#include "tools/cli/farm/farm_plan.h"

// Local and parallel: runs what is missing until the film is complete, and encodes it. Slurm:
// submits what is missing as arrays, and an assembly job after them, which does the same for what
// they leave.
coif_status coif_farm_run(const coif_farm_plan *plan, coif_progress *progress, coif_arena *arena,
                          coif_error *error);

// The assembly job of Slurm: verifies the film and encodes it, or submits what is missing again.
// Round counts from 0.
coif_status coif_farm_assemble(const coif_farm_plan *plan, int32_t round, coif_progress *progress,
                               coif_arena *arena, coif_error *error);

// State of the assembly job in the queue of Slurm, as "PENDING"; "": it is not there, NULL:
// unknown.
const char *coif_farm_queue_state(const coif_farm_plan *plan, coif_arena *arena);

// The commands of the engine for the whole film, for --dry-run.
char *coif_farm_commands(const coif_farm_plan *plan, coif_arena *arena);

// Stops the units that run, and takes the jobs of Slurm out of its queue.
coif_status coif_farm_cancel(const coif_farm_plan *plan, coif_progress *progress, coif_arena *arena,
                             coif_error *error);

#endif
