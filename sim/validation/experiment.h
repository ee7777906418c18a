// experiment: a question to a solver that mechanics can answer as well.
//
// Quantities have the names of the columns of tests/data/reference, and so have the figures of an
// answer: value is what the solver gave, truth what mechanics says.
#ifndef COIF_SIM_VALIDATION_EXPERIMENT_H
#define COIF_SIM_VALIDATION_EXPERIMENT_H

#include "core/base/error.h"
#include "sim/validation/single_strand_rig.h"

// Name in the enum, name of the option, how its value is shown, help, whether whole, range.
// clang-format off
#define COIF_EXPERIMENT_PARAM_ROWS(ROW) \
    ROW(SEGMENTS, segments, "N", "segments of the strand", true, 1, 4000) \
    ROW(SUBSTEPS, substeps, "N", "steps per frame", true, 1, 1000) \
    ROW(FPS, fps, "N", "frames per second", false, 1, 1000) \
    ROW(GAMMA, gamma, "X", "weight against stiffness, rho A g L^3 / B", false, 0.001, 1e5) \
    ROW(LENGTH, length, "X", "length of the strand, m", false, 0.001, 10) \
    ROW(PITCH, pitch_deg, "X", "pitch of a helix, degrees", false, 0.1, 89) \
    ROW(TURNS, turns, "X", "turns of a helix", false, 0.1, 100) \
    ROW(RATIO, c_over_b, "X", "twisting over bending stiffness, C / B", false, 0.6666, 1) \
    ROW(WEIGHT, weight_r2_over_b, "X", "weight of a helix, rho A g L R^2 / B", false, 1e-4, 100) \
    ROW(FORCE, f_r2_over_b, "X", "pull on a helix, F R^2 / B", false, 0, 100) \
    ROW(SPAN, l_over_span, "X", "length of a chain over the span of its ends", false, 1.01, 10) \
    ROW(MODE, mode, "N", "mode of a vibration, 1 is the slowest", true, 1, 5) \
    ROW(THETA, theta0_deg, "X", "amplitude of a pendulum, degrees", false, 0.1, 175) \
    ROW(DRAG, c_per_s, "X", "linear drag, 1/s", false, 0, 1000) \
    ROW(TERMINAL, v_terminal, "X", "final speed in quadratic drag, m/s", false, 0.01, 1000) \
    ROW(TIME, t_s, "X", "how long, s", false, 0.001, 100) \
    ROW(WIND, fdrag_over_weight, "X", "push of the wind over weight", false, 0, 100) \
    ROW(MU, mu, "X", "coefficient of friction", false, 0, 10) \
    ROW(INCLINE, incline_deg, "X", "slope, degrees", false, 0, 89) \
    ROW(BOUNCE, e, "X", "coefficient of restitution", false, 0, 1) \
    ROW(EPS, eps, "X", "how far a clamp is lowered, in lengths", false, 0.01, 0.9)
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
    double asked[COIF_EXPERIMENT_PARAM_COUNT]; // NAN: what the experiment asks by itself
    const char *solver;
    const char *const *sets; // as of --set, sim/... only
    int32_t set_count;
    coif_plugins *plugins;
} coif_experiment_input;

// Everything left to the experiment.
coif_experiment_input coif_experiment_input_open(const char *solver, coif_plugins *plugins);

typedef struct coif_measurement {
    const char *key;
    double value, truth; // truth NAN: mechanics was not asked
} coif_measurement;

enum { COIF_MEASUREMENTS_MAX = 8 };

typedef struct coif_experiment_result {
    coif_experiment_input question; // with nothing left open that the experiment understands
    coif_measurement figures[COIF_MEASUREMENTS_MAX]; // the first is what a limit is about
    int32_t figure_count;
    double max_stretch;     // over the whole run, as a share of a segment
    int32_t healed;         // times the strand left physics and was put back
    const coif_vec3 *shape; // where the points ended
    int32_t point_count;
    double length; // at rest
} coif_experiment_result;

// |value - truth| of the first figure over |truth|; of a truth of 0 the value itself.
double coif_experiment_result_error(const coif_experiment_result *answer);

typedef struct coif_experiment_param_default {
    coif_experiment_param ask;
    double value;
} coif_experiment_param_default;

typedef struct coif_experiment {
    const char *name;
    const char *help;
    const coif_experiment_param_default *asks;
    int32_t ask_count;
    coif_status (*run)(coif_experiment_result *answer, coif_arena *arena, coif_error *error);
} coif_experiment;

extern const coif_experiment COIF_EXPERIMENT_CANTILEVER, COIF_EXPERIMENT_HELIX,
    COIF_EXPERIMENT_PULL, COIF_EXPERIMENT_CATENARY, COIF_EXPERIMENT_GREENHILL, COIF_EXPERIMENT_SAG,
    COIF_EXPERIMENT_FREE_FALL, COIF_EXPERIMENT_DRAG, COIF_EXPERIMENT_WIND, COIF_EXPERIMENT_PENDULUM,
    COIF_EXPERIMENT_CHAIN, COIF_EXPERIMENT_BEAM, COIF_EXPERIMENT_MOMENTUM, COIF_EXPERIMENT_INCLINE,
    COIF_EXPERIMENT_CAPSTAN, COIF_EXPERIMENT_STICK_SLIP, COIF_EXPERIMENT_RESTITUTION;

// NULL-terminated.
extern const coif_experiment *const COIF_EXPERIMENTS[];

// The experiment of that name; COIF_ERR_ARGUMENT with the nearest name otherwise.
coif_status coif_experiment_find(const coif_experiment **experiment, const char *name,
                                 coif_error *error);

// Asks the solver. What is asked and means nothing to the experiment is COIF_ERR_ARGUMENT; what the
// answer points to lives in arena.
coif_status coif_experiment_run(coif_experiment_result *answer, const coif_experiment *experiment,
                                const coif_experiment_input *question, coif_arena *arena,
                                coif_error *error);

// For experiments: what was asked, and one more figure.
static inline double coif_experiment_param_value(const coif_experiment_result *answer,
                                                 coif_experiment_param ask)
{
    return answer->question.asked[ask];
}
void coif_experiment_result_add(coif_experiment_result *answer, const char *key, double value,
                                double truth);

// For experiments: opens a trial with the solver, the sets, substeps and frame rate of the
// question; closes it into the answer.
coif_status coif_experiment_result_open(coif_strand_rig *trial,
                                        const coif_experiment_result *answer,
                                        coif_strand_rig_desc desc, coif_arena *arena,
                                        coif_error *error);
void coif_experiment_result_close(coif_experiment_result *answer, const coif_strand_rig *trial);

// Settings that make a chain of any strand: nothing resists bending.
#define COIF_STRAND_RIG_LIMP " stiffness=0 bend_stiffness=0 shape_stiffness=0 curl_core_force=0"

#endif
