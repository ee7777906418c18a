// bench_table: what a head of hair costs over strands, points and solvers.
#ifndef COIF_TOOLS_CLI_DEVTOOLS_BENCH_TABLE_H
#define COIF_TOOLS_CLI_DEVTOOLS_BENCH_TABLE_H

#include "sim/bench/sim_bench.h"
#include "tools/cli/command.h"

// Heads like this one with a thousand strands up to one and a half times as many, then with other
// points, then under every solver. Each line is printed as soon as it is known; JSON at the end.
coif_status coif_bench_table(coif_app *app, const coif_bench_desc *head, bool json,
                             coif_error *error);

#endif
