// validate: the subjects of `coif validate`, one function each, listed in cmd_validate.c.
#ifndef COIF_TOOLS_CLI_DEVTOOLS_VALIDATE_H
#define COIF_TOOLS_CLI_DEVTOOLS_VALIDATE_H

#include "sim/validation/validation_suite.h"
#include "tools/cli/command.h"

typedef struct coif_validate_options {
    const char *subject;
    const char *what; // an experiment or a table; NULL: all experiments
    const char *solver;
    const char *curves; // path of the JSON file of all series
    int32_t json, table;
    float params[COIF_EXPERIMENT_PARAM_COUNT]; // NAN: not given
} coif_validate_options;

// Solvers against reference solutions of mechanics.
coif_status coif_validate_sim(coif_app *app, const coif_validate_options *options,
                              coif_error *error);

// The hair BSDF against a table of reference values or of white furnace tests.
coif_status coif_validate_bsdf(coif_app *app, const coif_validate_options *options,
                               coif_error *error);

// The largest error of every series and the cost of every solver, side by side as Markdown.
coif_status coif_validate_table(coif_app *app, const coif_validation_result *results, int32_t count,
                                coif_error *error);

// Every series as JSON: results of all solvers, reference solution, strand shapes.
coif_status coif_validate_curves(const coif_validation_result *results, int32_t count,
                                 const char *path, coif_error *error);

#endif
