// farm_report: how far a film is, per unit and per machine.
#ifndef COIF_TOOLS_CLI_FARM_FARM_REPORT_H
#define COIF_TOOLS_CLI_FARM_FARM_REPORT_H

#include "tools/cli/farm/farm_plan.h"

// Progress and ETA of the film, simulation, rate of each machine, failures with their last message.
char *coif_farm_report(const coif_farm_plan *plan, coif_arena *arena);

// The log of a unit; the logs of all units that failed when name is NULL.
coif_status coif_farm_logs(char **text, const coif_farm_plan *plan, const char *name,
                           coif_arena *arena, coif_error *error);

#endif
