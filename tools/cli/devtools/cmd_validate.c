// coif validate: what coif computes against what is known to be true.
#include "tools/cli/devtools/validate.h"

#include <string.h>

#define ASK(id_, name_, unit_, help_, whole_, low_, high_)                                         \
    {.name = #name_,                                                                               \
     .help = help_,                                                                                \
     .unit = unit_,                                                                                \
     .type = COIF_PARAM_FLOAT,                                                                     \
     .offset =                                                                                     \
         offsetof(coif_validate_options, asked) + sizeof(float) * COIF_EXPERIMENT_PARAM_##id_,     \
     .fallback = {NAN},                                                                            \
     .low = low_,                                                                                  \
     .high = high_},

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, coif_validate_options, subject, COIF_PARAM_STRING, "", "what to validate: sim, bsdf"),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, coif_validate_options, what, COIF_PARAM_STRING, "", "sim: one experiment, left out: all of them; bsdf: a table (CSV)"),
    COIF_ARG(coif_validate_options, solver, COIF_PARAM_STRING, "NAME", "one solver, as in sim/solver; left out: rod for one experiment, all for the suite"),
    COIF_ARG(coif_validate_options, curves, COIF_PARAM_PATH, "FILE", "sim: write results, reference solutions and strand shapes of whole series as JSON"),
    COIF_ARG(coif_validate_options, json, COIF_PARAM_BOOL, "", "as JSON"),
    COIF_ARG(coif_validate_options, table, COIF_PARAM_BOOL, "", "sim: worst errors and costs, solvers side by side, as Markdown"),
    COIF_EXPERIMENT_PARAM_ROWS(ASK)
};
// clang-format on

typedef struct subject {
    const char *name;
    coif_status (*run)(coif_app *app, const coif_validate_options *options, coif_error *error);
} subject;

static const subject SUBJECTS[] = {{"sim", coif_validate_sim}, {"bsdf", coif_validate_bsdf}};

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const coif_validate_options *all = options;
    const char *names[COIF_COUNT_OF(SUBJECTS)];
    for (size_t i = 0; i < COIF_COUNT_OF(SUBJECTS); ++i) {
        names[i] = SUBJECTS[i].name;
        if (strcmp(all->subject, SUBJECTS[i].name) == 0) {
            return SUBJECTS[i].run(app, all, error);
        }
    }
    const char *nearest = coif_nearest_name(all->subject, names, COIF_COUNT_OF(names));
    return coif_fail(error, COIF_ERR_ARGUMENT, "cannot validate '%s'%s%s%s", all->subject,
                     nearest ? "; did you mean '" : "; known: sim, bsdf", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

const coif_command COIF_COMMAND_VALIDATE = {
    .name = "validate",
    .help = "compare solvers with exact mechanics, the hair BSDF with exact values",
    .more =
        "\n'coif validate sim' runs every experiment over a range, for every solver, and prints\n"
        "solver, result, truth, error and limit. Limits are promises of the solver rod; the "
        "others\n"
        "are measured and shown. When a limit is broken it ends with 8. It takes two minutes of\n"
        "one core. --table puts the solvers side by side, with what they cost on this machine.\n"
        "\n'coif validate sim EXPERIMENT' asks one question and prints all figures. What is left\n"
        "out has the default below; figures have the names of the columns of "
        "tests/data/reference.\n"
        "--set sim/NAME=VALUE changes any setting of the solver.\n"
        "\n"
        "  experiment   asks for (default)                          tells\n"
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
        "\nAll of them ask for substeps and fps, and tell max_stretch, the largest error of a\n"
        "segment's length as a share of it. B and C are the stiffnesses of bending and twisting.\n"
        "\n'coif validate bsdf TABLE' evaluates the hair BSDF on every row of a table with the\n"
        "columns of tests/data/reference/hair_bsdf_pbrt.csv and tells how far it is from "
        "exact_fcos, as a\n"
        "share of the value over all rows and channels (values below 1e-30 count as that).\n"
        "A table with the columns beta_m, beta_n, sin_theta_o and h (and eta and alpha_deg if\n"
        "they are not 1.55 and 2) asks for white furnaces: how far all light that white hair\n"
        "sends back is from all that it got.\n",
    .examples = "  coif validate sim --curves curves.json\n"
                "  coif validate sim --table\n"
                "  coif validate sim cantilever --solver rod --gamma 10 --segments 64 --substeps 10"
                " --json\n"
                "  coif validate sim helix --turns 3 --segments 96 --weight-r2-over-b 0.3\n"
                "  coif validate bsdf tests/data/reference/hair_bsdf_pbrt.csv --json\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(coif_validate_options),
    .run = run,
};
