// coif validate: solvers and the hair BSDF against reference values.
#include "tools/cli/devtools/validate.h"

#include <string.h>

#define PARAM(id_, name_, unit_, help_, whole_, low_, high_)                                       \
    {.name = #name_,                                                                               \
     .help = help_,                                                                                \
     .unit = unit_,                                                                                \
     .type = COIF_PARAM_FLOAT,                                                                     \
     .offset =                                                                                     \
         offsetof(coif_validate_options, params) + sizeof(float) * COIF_EXPERIMENT_PARAM_##id_,    \
     .fallback = {NAN},                                                                            \
     .low = low_,                                                                                  \
     .high = high_},

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, coif_validate_options, subject, COIF_PARAM_STRING, "", "what to validate: sim or bsdf"),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, coif_validate_options, what, COIF_PARAM_STRING, "", "sim: one experiment (default: all); bsdf: a table (CSV), or ellipse"),
    COIF_ARG(coif_validate_options, json, COIF_PARAM_BOOL, "", "print JSON"),
    COIF_ARG_HEADING("options of sim"),
    COIF_ARG(coif_validate_options, solver, COIF_PARAM_STRING, "NAME", "one solver, as in sim/solver (default: der for one experiment, else all)"),
    COIF_ARG(coif_validate_options, curves, COIF_PARAM_PATH, "FILE", "write results, reference solutions and strand shapes of whole series as JSON"),
    COIF_ARG(coif_validate_options, table, COIF_PARAM_BOOL, "", "largest errors and costs of the solvers side by side, as Markdown"),
    COIF_ARG_HEADING("parameters of one experiment"),
    COIF_EXPERIMENT_PARAM_ROWS(PARAM)
};
// clang-format on

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    static const char *const names[] = {"sim", "bsdf"};
    const coif_validate_options *validate = options;
    if (strcmp(validate->subject, "sim") == 0) {
        return coif_validate_sim(app, validate, error);
    }
    if (strcmp(validate->subject, "bsdf") == 0) {
        return coif_validate_bsdf(app, validate, error);
    }
    return coif_fail(
        error, COIF_ERR_ARGUMENT, "cannot validate '%s'%s", validate->subject,
        coif_suggest(validate->subject, names, COIF_COUNT_OF(names), "; known: sim, bsdf").text);
}

const coif_command COIF_COMMAND_VALIDATE = {
    .name = "validate",
    .help = "compare solvers and the hair BSDF with reference values",
    .more =
        "\n"
        "'coif validate sim' runs every experiment over a range of parameters with every solver "
        "and\n"
        "prints result, reference, error and tolerance. Tolerances apply to the solver der; the\n"
        "other solvers are only measured. The exit code is 8 when a tolerance is exceeded. It "
        "takes\n"
        "about two CPU minutes.\n"
        "\n"
        "'coif validate sim EXPERIMENT' runs one experiment and prints all of its results.\n"
        "Parameters not given have the defaults below; results have the names of the columns of\n"
        "tests/data/reference. --set sim/NAME=VALUE changes any parameter of the solver.\n"
        "\n"
        "  experiment   parameters (defaults)                       results\n"
        "  cantilever   gamma 10, segments 64                       H_over_W\n"
        "  helix        pitch-deg 10, turns 5, c-over-b 2/3,        z_over_L\n"
        "               weight-r2-over-b 0.1, segments 80\n"
        "  pull         pitch-deg 10, turns 8, c-over-b 2/3,        z_over_L\n"
        "               f-r2-over-b 0.1, segments 128\n"
        "  catenary     l-over-span 1.5, length 0.15, segments 64   sag\n"
        "  greenhill    segments 32                                 gamma_at_buckling\n"
        "  sag          pitch-deg 20, turns 3, segments 48,         drift_over_L\n"
        "               weight-r2-over-b 0.1\n"
        "  beam         mode 1, length 0.1, segments 32             omega_norm\n"
        "  chain        length 0.2, mode 1, segments 32             omega_rad_s, period_s\n"
        "  pendulum     theta0-deg 60, length 0.25                  T_over_T0\n"
        "  free_fall    t-s 0.25, segments 8                        drop_m\n"
        "  drag         c-per-s 5, or v-terminal (quadratic),       v_m_s, drop_m\n"
        "               t-s 0.5, segments 4\n"
        "  wind         fdrag-over-weight 1, length 0.1,            tip_x_over_L, angle_deg\n"
        "               segments 16\n"
        "  momentum     t-s 0.5, segments 31                        momentum_change_m_s\n"
        "  incline      mu 0.3, incline-deg 30, segments 5          accel_m_s2\n"
        "  capstan      mu 0.2, length 0.15 of the light leg,       tension_ratio_at_slip\n"
        "               segments 16 on the half turn\n"
        "  stick_slip   mu 0.2, length 0.05, segments 32            mu_required, eps\n"
        "  restitution  e 0.5, segments 3                           height_over_h0\n"
        "\n"
        "All experiments take substeps and fps and report max_stretch, the largest relative error\n"
        "of a segment length. B and C are the bending and twisting stiffness.\n"
        "\n"
        "'coif validate bsdf TABLE' evaluates the hair BSDF on every row of a table with the "
        "columns\n"
        "of tests/data/reference/hair_bsdf_pbrt.csv and prints the relative error to exact_fcos "
        "over\n"
        "all rows and channels (values below 1e-30 are clamped to that). A table with the columns\n"
        "beta_m, beta_n, sin_theta_o and h (optionally eta, alpha_deg; defaults 1.55, 2) holds "
        "white\n"
        "furnace tests: the error is the deviation of the albedo of non-absorbing hair from 1.\n"
        "'coif validate bsdf ellipse' compares fibres of elliptical section with ray tracing of a\n"
        "dielectric cylinder, over random directions, offsets, indices and ratios of the axes: "
        "the\n"
        "largest errors of energy and azimuth (radians) of R, TT and TRT and of the energy of all\n"
        "further exits, half the difference of the azimuthal distributions, and the white "
        "furnace.\n",
    .examples = "  coif validate sim wind --solver der --curves curves.json\n"
                "  coif validate sim wind --table\n"
                "  coif validate sim cantilever --gamma 10 --segments 64 --substeps 10 --json\n"
                "  coif validate sim helix --turns 3 --segments 96 --weight-r2-over-b 0.3\n"
                "  coif validate bsdf tests/data/reference/hair_bsdf_pbrt.csv --json\n"
                "  coif validate bsdf ellipse\n",
    COIF_COMMAND_OPTIONS(coif_validate_options, OPTIONS),
    .run = run,
};
