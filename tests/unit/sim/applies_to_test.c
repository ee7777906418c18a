// applies_to: parameters of "sim" change the result under the solvers of their rule and no others.
#include "core/scene/applies_to.h"

#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "sim/run/simulate.h"
#include "tests/support/sim_scene.h"

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
    coif_error error = {0};
    const coif_scene scene = ball_scene(coif_arena_print(&arena, SCENE, solver, row), NULL, &arena);
    const coif_simulate_desc desc = {
        .scene = &scene, .folder = coif_test_folder(), .kernel = "auto", .redo = true};
    coif_jobs *jobs;
    CHECK_OK(coif_jobs_open(&jobs, 1, &arena, &error), error);
    CHECK_OK(coif_simulate(&desc, jobs, NULL, &error), error);
    coif_jobs_close(jobs);
    coif_strands strands;
    coif_groom groom;
    CHECK_OK(coif_groom_load(&groom, coif_test_path("hair.groom"), &arena, &error), error);
    CHECK_OK(coif_frame_cache_load(&strands, NULL, &groom, coif_test_path("hair.0002.strands"),
                                   &arena, &error),
             error);
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

static void parameters_act_under_the_solvers_of_their_rule_alone(void)
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

static void every_rule_on_the_solver_is_tried(void)
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

TEST_LIST(TEST(parameters_act_under_the_solvers_of_their_rule_alone),
          TEST(every_rule_on_the_solver_is_tried))
