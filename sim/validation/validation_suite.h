// validation_suite: every experiment over a range of one parameter, for all solvers, with
// limits.
//
// Limits apply to the default solver; other solvers are measured and reported.
#ifndef COIF_SIM_VALIDATION_VALIDATION_SUITE_H
#define COIF_SIM_VALIDATION_VALIDATION_SUITE_H

#include "sim/validation/experiment.h"

enum { COIF_SERIES_POINTS = 12, COIF_SERIES_FIXED = 4 };

// The solver that limits apply to.
extern const char *const COIF_VALIDATION_SOLVER;

typedef struct coif_series {
    const coif_experiment *experiment;
    const char *name;
    coif_experiment_param param;
    int32_t count;
    double at[COIF_SERIES_POINTS];
    coif_experiment_param_default fixed[COIF_SERIES_FIXED]; // other parameters; 0: unused
    double limit;                   // of the relative error; absolute for a reference of 0
    double second_limit;            // of the second measurement, absolute; 0: none
    const char *source;             // of the limit: a table
    bool log_x;                     // the quantity is varied logarithmically
    double (*reference)(double at); // between the points; NULL: straight lines
} coif_series;

extern const coif_series COIF_VALIDATION[];
extern const int32_t COIF_VALIDATION_COUNT;

typedef struct coif_validation_result {
    const coif_series *series;
    const char *solver;
    double at, value, reference, error, max_stretch;
    int32_t reset_count;
    bool has_limit, within_limit;
    const char *key;        // of the measurement
    const coif_vec3 *shape; // final positions
    int32_t point_count;
    double length; // at rest
} coif_validation_result;

typedef struct coif_validation_desc {
    const char *only;   // one experiment, or NULL
    const char *solver; // one solver, or NULL for all
    const char *const *sets;
    int32_t set_count;
    coif_plugins *plugins;
} coif_validation_desc;

// Results in the order of series, solvers and points. Nothing depends on threads.
coif_status coif_validation_run(coif_validation_result **results, int32_t *count,
                                const coif_validation_desc *desc, coif_arena *arena,
                                coif_jobs *jobs, coif_progress *progress, coif_error *error);

#endif
