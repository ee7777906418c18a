// farm_work: runs one unit of a plan, and verifies what units have made.
#ifndef COIF_TOOLS_CLI_FARM_FARM_WORK_H
#define COIF_TOOLS_CLI_FARM_FARM_WORK_H

#include "tools/cli/farm/farm_plan.h"

// Runs coif sim or coif render for a unit, again after exit codes that another try can cure, after
// a signal and after a kill. A unit that is done is not run again; a unit of another process is
// waited for. The result is in the units folder in any case.
coif_status coif_farm_work(const coif_farm_plan *plan, const coif_farm_unit *unit,
                           coif_progress *progress, coif_arena *arena, coif_error *error);

// Units whose files are missing or differ from their digests. Damaged images are deleted. Permanent
// is set to the first unit that failed with an exit code that no try cures.
typedef struct coif_farm_check {
    coif_farm_unit *missing;
    int32_t missing_count;
    int32_t frames; // verified
    const char *permanent;
    // Machines on which units failed, separated by commas; empty where no other machine has made
    // any.
    const char *failing;
} coif_farm_check;
coif_status coif_farm_verify(coif_farm_check *check, const coif_farm_plan *plan,
                             coif_progress *progress, coif_arena *arena, coif_error *error);

// Denoises a complete film over its frames, if it has inputs for that, and encodes its video.
coif_status coif_farm_encode(const coif_farm_plan *plan, coif_progress *progress, coif_arena *arena,
                             coif_error *error);

// Whether a further try can succeed after this exit code.
bool coif_farm_retries(int exit_code);

#endif
