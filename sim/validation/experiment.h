// experiment: compares a solver with a reference solution of mechanics.
//
// Quantities have the names of the columns of tests/data/reference: value is the result of the
// solver, reference that of mechanics.
#ifndef COIF_SIM_VALIDATION_EXPERIMENT_H
#define COIF_SIM_VALIDATION_EXPERIMENT_H

#include "core/base/error.h"
#include "sim/validation/single_strand_rig.h"

// Enumerator, option name, placeholder, help, integer, range.
#define COIF_EXPERIMENT_PARAM_ROWS(ROW)                                                            \
    ROW(SEGMENTS, segments, "N", "segments of the strand", true, 1, 4000)                          \
    ROW(SUBSTEPS, substeps, "N", "steps per frame", true, 1, 1000)                                 \
    ROW(FPS, fps, "N", "frames per second", false, 1, 1000)                                        \
    ROW(GAMMA, gamma, "X", "weight against stiffness, rho A g L^3 / B", false, 0.001, 1e5)         \
    ROW(LENGTH, length, "X", "length of the strand, m", false, 0.001, 10)                          \
    ROW(PITCH, pitch_deg, "X", "pitch of a helix, degrees", false, 0.1, 89)                        \
    ROW(TURNS, turns, "X", "turns of a helix", false, 0.1, 100)                                    \
    ROW(RATIO, c_over_b, "X", "twisting over bending stiffness, C / B", false, 0.6666, 1)          \
    ROW(WEIGHT, weight_r2_over_b, "X", "weight of a helix, rho A g L R^2 / B", false, 1e-4, 100)   \
    ROW(FORCE, f_r2_over_b, "X", "pull on a helix, F R^2 / B", false, 0, 100)                      \
    ROW(SPAN, l_over_span, "X", "length of a chain over the span of its ends", false, 1.01, 10)    \
    ROW(MODE, mode, "N", "mode of a vibration, 1 is the slowest", true, 1, 5)                      \
    ROW(THETA, theta0_deg, "X", "amplitude of a pendulum, degrees", false, 0.1, 175)               \
    ROW(DRAG, c_per_s, "X", "linear drag, 1/s", false, 0, 1000)                                    \
    ROW(TERMINAL, v_terminal, "X", "final speed in quadratic drag, m/s", false, 0.01, 1000)        \
    ROW(TIME, t_s, "X", "duration, s", false, 0.001, 100)                                          \
    ROW(WIND, fdrag_over_weight, "X", "push of the wind over weight", false, 0, 100)               \
    ROW(MU, mu, "X", "coefficient of friction", false, 0, 10)                                      \
    ROW(INCLINE, incline_deg, "X", "slope, degrees", false, 0, 89)                                 \
    ROW(BOUNCE, e, "X", "coefficient of restitution", false, 0, 1)                                 \
    ROW(EPS, eps, "X", "lowering of the clamp, in lengths", false, 0.01, 0.9)
// clang-format on

#define COIF_EXPERIMENT_PARAM_ENUM(id_, name_, unit_, help_, whole_, low_, high_)                  \
    COIF_EXPERIMENT_PARAM_##id_,
typedef enum coif_experiment_param {
    COIF_EXPERIMENT_PARAM_ROWS(COIF_EXPERIMENT_PARAM_ENUM) COIF_EXPERIMENT_PARAM_COUNT
} coif_experiment_param;

typedef struct coif_experiment_param_desc {
    const char *name; // of the option, with underscores
    const char *unit, *help;
    bool whole;
    double low, high;
} coif_experiment_param_desc;
extern const coif_experiment_param_desc COIF_EXPERIMENT_PARAMS[COIF_EXPERIMENT_PARAM_COUNT];

typedef struct coif_experiment_input {
    double params[COIF_EXPERIMENT_PARAM_COUNT]; // NAN: default of the experiment
    const char *solver;
    const char *const *sets; // as of --set, sim/... only
    int32_t set_count;
    coif_plugins *plugins;
} coif_experiment_input;

// Input with all parameters at their defaults.
coif_experiment_input coif_experiment_input_open(const char *solver, coif_plugins *plugins);

typedef struct coif_measurement {
    const char *key;
    double value, reference; // reference NAN: none
} coif_measurement;

enum { COIF_MEASUREMENTS_MAX = 8 };

typedef struct coif_experiment_result {
    coif_experiment_input input;                          // with defaults filled in
    coif_measurement measurements[COIF_MEASUREMENTS_MAX]; // the first is compared with the limit
    int32_t measurement_count;
    double max_stretch;     // over the whole run, relative to a segment
    int32_t reset_count;    // times the strand diverged and was reset
    const coif_vec3 *shape; // final positions
    int32_t point_count;
    double length; // at rest
} coif_experiment_result;

// |value - reference| / |reference| of the first measurement; the absolute error for a reference
// of 0.
double coif_experiment_result_error(const coif_experiment_result *result);

typedef struct coif_experiment_param_default {
    coif_experiment_param param;
    double value;
} coif_experiment_param_default;

typedef struct coif_experiment {
    const char *name;
    const char *help;
    const coif_experiment_param_default *defaults;
    int32_t default_count;
    coif_status (*run)(coif_experiment_result *result, coif_arena *arena, coif_error *error);
} coif_experiment;

extern const coif_experiment COIF_EXPERIMENT_CANTILEVER, COIF_EXPERIMENT_HELIX,
    COIF_EXPERIMENT_PULL, COIF_EXPERIMENT_CATENARY, COIF_EXPERIMENT_GREENHILL, COIF_EXPERIMENT_SAG,
    COIF_EXPERIMENT_FREE_FALL, COIF_EXPERIMENT_DRAG, COIF_EXPERIMENT_WIND, COIF_EXPERIMENT_PENDULUM,
    COIF_EXPERIMENT_CHAIN, COIF_EXPERIMENT_BEAM, COIF_EXPERIMENT_MOMENTUM, COIF_EXPERIMENT_INCLINE,
    COIF_EXPERIMENT_CAPSTAN, COIF_EXPERIMENT_STICK_SLIP, COIF_EXPERIMENT_RESTITUTION;

// NULL-terminated.
extern const coif_experiment *const COIF_EXPERIMENTS[];

// Finds an experiment by name; COIF_ERR_ARGUMENT with the nearest name otherwise.
coif_status coif_experiment_find(const coif_experiment **experiment, const char *name,
                                 coif_error *error);

// Runs the experiment. Parameters it does not have are COIF_ERR_ARGUMENT; the result points into
// arena.
coif_status coif_experiment_run(coif_experiment_result *result, const coif_experiment *experiment,
                                const coif_experiment_input *input, coif_arena *arena,
                                coif_error *error);

// For experiments: a parameter of the result, the points of its strand, and a new measurement.
#define COIF_EXPERIMENT_VALUE(id_) (result->input.params[COIF_EXPERIMENT_PARAM_##id_])
static inline int32_t coif_experiment_points(const coif_experiment_result *result)
{
    return (int32_t)COIF_EXPERIMENT_VALUE(SEGMENTS) + 1;
}
void coif_measure(coif_experiment_result *result, const char *key, double value, double reference);

// For experiments: opens a rig with solver, overrides, substeps and frame rate of the input;
// closes it into the result.
coif_status coif_experiment_open(coif_strand_rig *rig, const coif_experiment_result *result,
                                 coif_strand_rig_desc desc, coif_arena *arena, coif_error *error);
void coif_experiment_close(coif_experiment_result *result, const coif_strand_rig *rig);

// Defines COIF_EXPERIMENT_id with the function run_name and defaults, see COIF_EXPERIMENT_DEFAULT.
#define COIF_EXPERIMENT(id_, name_, help_, ...)                                                    \
    static const coif_experiment_param_default DEFAULTS_##id_[] = {__VA_ARGS__};                   \
    const coif_experiment COIF_EXPERIMENT_##id_ = {#name_, help_, DEFAULTS_##id_,                  \
                                                   COIF_COUNT_OF(DEFAULTS_##id_), run_##name_}
#define COIF_EXPERIMENT_DEFAULT(id_, value_)                                                       \
    {                                                                                              \
        COIF_EXPERIMENT_PARAM_##id_, value_                                                        \
    }

// Settings without bending stiffness: a chain.
#define COIF_STRAND_RIG_LIMP " stiffness=0 bend_stiffness=0 shape_stiffness=0 curl_core_force=0"

#endif
