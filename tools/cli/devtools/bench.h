// bench: options of `coif bench`, and its two subjects.
#ifndef COIF_TOOLS_CLI_DEVTOOLS_BENCH_H
#define COIF_TOOLS_CLI_DEVTOOLS_BENCH_H

#include "core/json/json_writer.h"
#include "tools/cli/command.h"

typedef struct coif_bench_options {
    const char *subject;
    int32_t only, json, table;
    int32_t strands, points, substeps, frames;
    int32_t kernel;
    int32_t hairball, curves, filter, compact, motion;
    int32_t size, samples, seed, depth, indirect_cache, unfiltered;
    const char *image, *hair, *environment;
} coif_bench_options;

// Choices of --only and --kernel.
enum {
    COIF_BENCH_ALL,
    COIF_BENCH_PBD,
    COIF_BENCH_DER,
    COIF_BENCH_DER_KERNEL,
    COIF_BENCH_SCALING,
    COIF_BENCH_FULL_SIM
};
extern const char *const COIF_BENCH_KERNELS[];

// One result: its JSON key, which ends with its unit.
typedef struct coif_bench_value {
    const char *name;
    double value;
} coif_bench_value;

void coif_bench_write_values(coif_json_writer *writer, const coif_bench_value *values,
                             size_t count);

// Prints the results as one JSON object, or as one line each.
coif_status coif_bench_print_values(coif_app *app, const coif_bench_value *values, size_t count,
                                    bool json, coif_error *error);

coif_status coif_bench_sim(coif_app *app, const coif_bench_options *options, coif_error *error);
coif_status coif_bench_render(coif_app *app, const coif_bench_options *options, coif_error *error);

#endif
