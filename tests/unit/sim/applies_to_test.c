// applies_to: parameters of "sim" change the result under the solvers of their rule and no others.
#include "core/scene/applies_to.h"

#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "sim/run/sim_warnings.h"
#include "sim/run/simulate.h"
#include "tests/support/sim_run.h"

static const char SCENE[] =
    "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\", \"collide\": false,\n"
    "   \"rotate\": {\"keys\": [[1, [0, 0, 0]], [2, [0, 20, 10]]]}}],\n"
    " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\", \"count\": 4,\n"
    "   \"points\": 9, \"length\": 0.1}],\n"
    " \"sim\": {\"last_frame\": 2, \"substeps\": 4, \"warmup_time\": 0, \"quantise\": false,\n"
    "   \"solver\": \"%s\", %s \"comment\": \"\"}}\n";

// Another value than the default for each parameter with a rule on the solver.
typedef struct setting {
    const char *param, *value;
} setting;

static const setting SETTINGS[] = {
    {"iterations", "6"},
    {"stretch_stiffness", "0.5"},
    {"bend_stiffness", "0.1"},
    {"bend_constraint", "\"angle\""},
    {"bend_spans", "\"2 4\""},
    {"long_range_attachment", "0.7"},
    {"shape_stiffness", "0.1"},
    {"iteration_scaling", "\"raw\""},
    {"length_constraint", "\"none\""},
    {"ftl_velocity_correction", "0.3"},
    {"goal_frequency_root", "100"},
    {"goal_frequency_tip", "40"},
    {"goal_scale", "2"},
    {"youngs_modulus", "1e9"},
    {"ellipticity", "1.6"},
    {"poisson_ratio", "0.1"},
    {"stiffness", "0.2"},
    {"stiffness_variation", "0.6"},
    {"bending_damping_time", "0.05"},
    {"spring_stretch_force", "5"},
    {"curl_core_force", "1e-4"},
    {"spring_damping_time", "1e-5"},
    {"spring_frame_smoothing", "0.002"},
    {"curl_core_smoothing", "0.03"},
    {"max_inner_steps", "1"},
};

static const char *const SOLVERS[] = {"pbd", "der", "xpbd", "ftl", "spring"};

static coif_arena arena = {.name = "test"};

static uint64_t simulate(const char *solver, const char *row)
{
    const sim_run run = {.scene = coif_arena_print(&arena, SCENE, solver, row)};
    const coif_strands strands = simulate_scene(&run, "hair", 2, &arena);
    return coif_strands_digest(&strands);
}

static bool rule_names(const coif_applies_to *rule, const char *solver)
{
    char word[64];
    for (const char *list = rule->values; coif_next_word(&list, word, sizeof word);) {
        if (strcmp(word, solver) == 0) {
            return true;
        }
    }
    return false;
}

TEST(parameters_act_under_the_solvers_of_their_rule_alone)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    for (size_t s = 0; s < COIF_COUNT_OF(SOLVERS); ++s) {
        const uint64_t plain = simulate(SOLVERS[s], "");
        for (size_t i = 0; i < COIF_COUNT_OF(SETTINGS); ++i) {
            char row[128];
            snprintf(row, sizeof row, "\"%s\": %s,", SETTINGS[i].param, SETTINGS[i].value);
            const coif_applies_to *rule =
                coif_section_applies_to(&COIF_SIM_SECTION, SETTINGS[i].param);
            CHECK(rule != NULL);
            const bool changed = simulate(SOLVERS[s], row) != plain;
            if (rule != NULL && changed != rule_names(rule, SOLVERS[s])) {
                coif_test_failed(__FILE__, __LINE__, "%s under %s: %s", SETTINGS[i].param,
                                 SOLVERS[s], changed ? "changes the result" : "has no effect");
            }
        }
    }
}

// Goals and gravity compensation need clamped roots, spans a constraint between them.
TEST(parameters_act_under_the_other_choices_of_their_rules_alone)
{
    static const struct {
        const char *choice, *param, *value;
    } cases[] = {{"\"root_boundary\": \"pinned\",", "goal_frequency_root", "100"},
                 {"\"root_boundary\": \"pinned\",", "goal_frequency_tip", "40"},
                 {"\"root_boundary\": \"pinned\",", "goal_scale", "2"},
                 {"\"root_boundary\": \"pinned\",", "gravity_compensation", "0.3"},
                 {"\"root_boundary\": \"free\",", "gravity_compensation", "0.3"},
                 {"\"bend_constraint\": \"dihedral\",", "bend_spans", "\"2 4\""}};
    coif_log_setup(COIF_LOG_ERROR, false);
    for (size_t s = 0; s < COIF_COUNT_OF(SOLVERS); ++s) {
        for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
            char row[160];
            snprintf(row, sizeof row, "%s \"%s\": %s,", cases[i].choice, cases[i].param,
                     cases[i].value);
            const uint64_t plain = simulate(SOLVERS[s], cases[i].choice);
            if (simulate(SOLVERS[s], row) != plain) {
                coif_test_failed(__FILE__, __LINE__, "%s under %s: changes the result", row,
                                 SOLVERS[s]);
            }
            const coif_scene scene =
                ball_scene(coif_arena_print(&arena, SCENE, "pbd", row), NULL, &arena);
            CHECK(coif_scene_warn_without_effect(&scene, &arena) == 1);
        }
    }
}

// Counts of warnings agree with what changes the result.
static void check_value(const char *solver, const char *others, const char *param, bool acts)
{
    const char *row = coif_arena_print(&arena, "%s %s,", others, param);
    if ((simulate(solver, row) != simulate(solver, others)) != acts) {
        coif_test_failed(__FILE__, __LINE__, "%s under %s with %s: %s", param, solver, others,
                         acts ? "has no effect" : "changes the result");
    }
    const coif_scene scene = ball_scene(coif_arena_print(&arena, SCENE, solver, row), NULL, &arena);
    const int32_t warnings = coif_scene_warn_without_effect(&scene, &arena) +
                             coif_sim_warn_values_without_effect(&scene);
    CHECK(warnings == !acts);
}

TEST(radius_and_density_act_under_pbd_and_ftl_where_forces_do_not_grow_with_mass)
{
    static const char *const forces[] = {"\"drag_coefficient\": 1,", "\"tip_force\": [1e-6, 0, 0],",
                                         "\"wind_attenuation\": 500,"};
    coif_log_setup(COIF_LOG_ERROR, false);
    for (size_t s = 0; s < COIF_COUNT_OF(SOLVERS); ++s) {
        const bool projected = strcmp(SOLVERS[s], "pbd") == 0 || strcmp(SOLVERS[s], "ftl") == 0;
        check_value(SOLVERS[s], "", "\"hair_radius\": 8e-5", !projected);
        check_value(SOLVERS[s], "", "\"hair_density\": 5000", !projected);
        for (size_t i = 0; i < COIF_COUNT_OF(forces) && projected; ++i) {
            check_value(SOLVERS[s], forces[i], "\"hair_radius\": 8e-5", true);
        }
    }
}

TEST(parameters_of_what_is_absent_are_warnings)
{
    static const char *const params[] = {"\"friction\": 2",
                                         "\"restitution\": 0.5",
                                         "\"max_depenetration_speed\": 0",
                                         "\"contact_margin\": 0.02",
                                         "\"interaction_interval\": 2",
                                         "\"interaction_cell_size\": 0.02"};
    coif_log_setup(COIF_LOG_ERROR, false);
    for (size_t i = 0; i < COIF_COUNT_OF(params); ++i) {
        check_value("der", "", params[i], false);
    }
    check_value("der", "\"drag\": 0,", "\"tangential_drag_reduction\": 0", false);
}

TEST(every_rule_on_the_solver_is_tried)
{
    for (const coif_applies_to *rule = COIF_SIM_SECTION.applies_to; rule->params != NULL; ++rule) {
        char word[64];
        for (const char *list = rule->params;
             strcmp(rule->choice, "solver") == 0 && coif_next_word(&list, word, sizeof word);) {
            bool tried = false;
            for (size_t i = 0; i < COIF_COUNT_OF(SETTINGS); ++i) {
                tried |= strcmp(SETTINGS[i].param, word) == 0;
            }
            CHECK(tried);
        }
    }
}
