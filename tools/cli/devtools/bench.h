// bench: what `coif bench` was asked for. Only for cmd_bench.c and bench_render.c.
#ifndef COIF_TOOLS_CLI_DEVTOOLS_BENCH_H
#define COIF_TOOLS_CLI_DEVTOOLS_BENCH_H

#include "tools/cli/command.h"

typedef struct coif_bench_options {
    const char *subject;
    int32_t only, json, table;
    int32_t strands, points, substeps, frames;
    int32_t kernel;
    int32_t setting, curves, filter, compact, motion;
    int32_t size, samples, seed, depth;
    const char *picture, *hair, *sky;
} coif_bench_options;

coif_status coif_bench_render(coif_app *app, const coif_bench_options *options, coif_error *error);

#endif
