// validate: the subjects of `coif validate`, one function each.
//
// A subject compares what a room computes with what is known to be true from elsewhere. New ones
// are a row in cmd_validate.c.
#ifndef COIF_TOOLS_CLI_DEVTOOLS_VALIDATE_H
#define COIF_TOOLS_CLI_DEVTOOLS_VALIDATE_H

#include "sim/validation/validation_suite.h"
#include "tools/cli/command.h"

typedef struct coif_validate_options {
    const char *subject;
    const char *what; // an experiment, a table; NULL: everything
    const char *solver;
    const char *curves; // path of the JSON file of all series
    int32_t json, table;
    float asked[COIF_EXPERIMENT_PARAM_COUNT]; // NAN: not given
} coif_validate_options;

// The strands of sim against mechanics.
coif_status coif_validate_sim(coif_app *app, const coif_validate_options *options,
                              coif_error *error);

// The hair BSDF of render against a table of exact values.
coif_status coif_validate_bsdf(coif_app *app, const coif_validate_options *options,
                               coif_error *error);

// The worst error of every series and what a solver costs, solvers side by side.
coif_status coif_validate_table(coif_app *app, const coif_validation_result *findings,
                                int32_t count, coif_error *error);

// Every series as JSON: results of all solvers, reference solution, strand shapes.
coif_status coif_validate_curves(const coif_validation_result *findings, int32_t count,
                                 const char *path, coif_error *error);

// One white fibre and the direction it is seen from, as a table of furnaces names them.
enum {
    COIF_FURNACE_BETA_M,
    COIF_FURNACE_BETA_N,
    COIF_FURNACE_SINE,
    COIF_FURNACE_HEIGHT,
    COIF_FURNACE_ETA,
    COIF_FURNACE_ALPHA,
    COIF_FURNACE_COLUMNS
};
// How far the light that it sends into all directions is from what it got.
double coif_furnace_error(const double values[COIF_FURNACE_COLUMNS]);

#endif
