// Experiments: parameters reach the solver, results hold measured and reference values, the default
// solver keeps its tolerances. The whole suite is `coif validate sim`; here is a part of it.
#include "core/base/jobs.h"
#include "sim/validation/validation_suite.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static coif_plugins *plugins(void)
{
    static coif_plugins *all;
    coif_error error = {0};
    if (all == NULL) {
        CHECK_OK(coif_plugins_open(&all, NULL, &arena, &error), error);
    }
    return all;
}

static coif_experiment_result ask(const coif_experiment *experiment, const char *solver,
                                  coif_experiment_param which, double value)
{
    coif_experiment_input question = coif_experiment_input_open(solver, plugins());
    question.params[which] = value;
    coif_experiment_result answer;
    coif_error error = {0};
    CHECK_OK(coif_experiment_run(&answer, experiment, &question, &arena, &error), error);
    return answer;
}

TEST(rods_bend_as_elasticas)
{
    for (double gamma = 10.0; gamma <= 1000.0; gamma *= 100.0) {
        const coif_experiment_result answer =
            ask(&COIF_EXPERIMENT_CANTILEVER, "der", COIF_EXPERIMENT_PARAM_GAMMA, gamma);
        CHECK_TEXT(answer.measurements[0].key, "H_over_W");
        CHECK_NEAR(coif_experiment_result_error(&answer), 0.0, 0.02);
        CHECK_NEAR(answer.max_stretch, 0.0, 1e-4);
        CHECK(answer.reset_count == 0 && answer.point_count == 65);
    }
}

// Soft solvers are reported as soft: the values are measured, not copied from the reference.
TEST(sweeps_are_soft_and_it_shows)
{
    const coif_experiment_result answer =
        ask(&COIF_EXPERIMENT_CANTILEVER, "pbd", COIF_EXPERIMENT_PARAM_GAMMA, 10.0);
    CHECK_NEAR(answer.measurements[0].reference, 1.0668, 1e-4);
    CHECK(coif_experiment_result_error(&answer) > 1.0);
}

// Springs have the stiffness of hair, and twist as hair does: tight curls open as they should.
LONG_TEST(springs_bend_and_curls_of_springs_open)
{
    const coif_experiment_result answers[] = {
        ask(&COIF_EXPERIMENT_CANTILEVER, "spring", COIF_EXPERIMENT_PARAM_GAMMA, 30.0),
        ask(&COIF_EXPERIMENT_HELIX, "spring", COIF_EXPERIMENT_PARAM_WEIGHT, 0.1),
        ask(&COIF_EXPERIMENT_HELIX, "spring", COIF_EXPERIMENT_PARAM_WEIGHT, 0.5),
        ask(&COIF_EXPERIMENT_PULL, "spring", COIF_EXPERIMENT_PARAM_FORCE, 0.1),
    };
    for (size_t i = 0; i < COIF_COUNT_OF(answers); ++i) {
        CHECK_NEAR(coif_experiment_result_error(&answers[i]), 0.0, 0.03);
        CHECK_NEAR(answers[i].max_stretch, 0.0, 1e-4);
        CHECK(answers[i].reset_count == 0);
    }
    const coif_experiment_result curl =
        ask(&COIF_EXPERIMENT_SAG, "spring", COIF_EXPERIMENT_PARAM_WEIGHT, 0.3);
    CHECK_NEAR(coif_experiment_result_error(&curl), 0.0, 1e-4);
}

TEST(rods_match_reference_solutions_at_rest_and_oscillating)
{
    const coif_experiment_result answers[] = {
        ask(&COIF_EXPERIMENT_HELIX, "der", COIF_EXPERIMENT_PARAM_WEIGHT, 0.3),
        ask(&COIF_EXPERIMENT_CATENARY, "der", COIF_EXPERIMENT_PARAM_SPAN, 1.25),
        ask(&COIF_EXPERIMENT_CHAIN, "der", COIF_EXPERIMENT_PARAM_MODE, 1.0),
        ask(&COIF_EXPERIMENT_BEAM, "der", COIF_EXPERIMENT_PARAM_MODE, 2.0),
        ask(&COIF_EXPERIMENT_PENDULUM, "der", COIF_EXPERIMENT_PARAM_THETA, 60.0),
        ask(&COIF_EXPERIMENT_DRAG, "der", COIF_EXPERIMENT_PARAM_DRAG, 5.0),
        ask(&COIF_EXPERIMENT_WIND, "der", COIF_EXPERIMENT_PARAM_WIND, 0.5),
        ask(&COIF_EXPERIMENT_INCLINE, "der", COIF_EXPERIMENT_PARAM_INCLINE, 30.0),
        ask(&COIF_EXPERIMENT_RESTITUTION, "der", COIF_EXPERIMENT_PARAM_BOUNCE, 0.5),
    };
    for (size_t i = 0; i < COIF_COUNT_OF(answers); ++i) {
        CHECK_NEAR(coif_experiment_result_error(&answers[i]), 0.0, 0.03);
        CHECK(answers[i].reset_count == 0);
    }
}

TEST(free_rods_fall_and_keep_their_momentum)
{
    for (double seconds = 0.25; seconds < 1.1; seconds *= 2.0) {
        const coif_experiment_result fall =
            ask(&COIF_EXPERIMENT_FREE_FALL, "der", COIF_EXPERIMENT_PARAM_TIME, seconds);
        const coif_experiment_result flight =
            ask(&COIF_EXPERIMENT_MOMENTUM, "der", COIF_EXPERIMENT_PARAM_TIME, seconds);
        CHECK_NEAR(coif_experiment_result_error(&fall), 0.0, 1e-6);
        CHECK_NEAR(coif_experiment_result_error(&flight), 0.0, 1e-6);
        CHECK_TEXT(flight.measurements[1].key, "angular_change_m2_s");
        CHECK_NEAR(flight.measurements[1].value, 0.0, 1e-6);
    }
}

// A turn given back in one piece would stretch what turns far in a substep by some percent.
TEST(free_rods_turn_on_at_any_substep)
{
    for (double substeps = 1.0; substeps < 50.0; substeps *= 6.0) {
        const coif_experiment_result flight =
            ask(&COIF_EXPERIMENT_MOMENTUM, "der", COIF_EXPERIMENT_PARAM_SUBSTEPS, substeps);
        CHECK_NEAR(coif_experiment_result_error(&flight), 0.0, 1e-6);
        CHECK_NEAR(flight.measurements[1].value, 0.0, 1e-6);
        CHECK_NEAR(flight.max_stretch, 0.0, 1e-4);
    }
}

// The friction angle of mu = 0.3 is 16.699 degrees: close below nothing moves at all, close above
// it slides as fast as it should.
TEST(rods_stick_or_slide_at_the_friction_angle)
{
    static const double still[] = {5.0, 14.0, 16.0, 16.3, 16.5};
    for (size_t i = 0; i < COIF_COUNT_OF(still); ++i) {
        const coif_experiment_result answer =
            ask(&COIF_EXPERIMENT_INCLINE, "der", COIF_EXPERIMENT_PARAM_INCLINE, still[i]);
        CHECK_TEXT(answer.measurements[1].key, "distance_m");
        CHECK_NEAR(answer.measurements[1].value, 0.0, 1e-7);
    }
    static const double sliding[] = {16.8, 17.0, 17.5, 18.0, 20.0, 45.0};
    for (size_t i = 0; i < COIF_COUNT_OF(sliding); ++i) {
        const coif_experiment_result answer =
            ask(&COIF_EXPERIMENT_INCLINE, "der", COIF_EXPERIMENT_PARAM_INCLINE, sliding[i]);
        CHECK_NEAR(coif_experiment_result_error(&answer), 0.0, i == 0 ? 0.01 : 0.003);
    }
}

// So do long ones of short segments, of which every point has a press and a pull of its own.
TEST(long_rods_stick_and_slide_as_a_whole)
{
    static const double cases[][3] = {
        {40, 1, 16.2},   {40, 1, 17.7},   {40, 10, 15.5}, {40, 10, 16.5}, {40, 10, 17.7},
        {40, 10, 30.0},  {40, 40, 16.2},  {40, 40, 17.7}, {100, 1, 16.2}, {100, 1, 17.7},
        {100, 10, 16.2}, {100, 10, 17.7}, {100, 40, 17.7}};
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        const double slope = cases[i][2];
        coif_experiment_input question = coif_experiment_input_open("der", plugins());
        question.params[COIF_EXPERIMENT_PARAM_SEGMENTS] = cases[i][0];
        question.params[COIF_EXPERIMENT_PARAM_SUBSTEPS] = cases[i][1];
        question.params[COIF_EXPERIMENT_PARAM_INCLINE] = slope;
        coif_experiment_result answer;
        coif_error error = {0};
        CHECK_OK(coif_experiment_run(&answer, &COIF_EXPERIMENT_INCLINE, &question, &arena, &error),
                 error);
        if (slope < 16.7) {
            CHECK_NEAR(answer.measurements[1].value, 0.0, 1e-7);
        } else {
            CHECK_NEAR(coif_experiment_result_error(&answer), 0.0, 0.01);
        }
        CHECK_NEAR(answer.max_stretch, 0.0, 1e-4);
    }
}

// Euler and Eytelwein, for few and for many points on the cylinder.
LONG_TEST(chains_slip_over_a_capstan_as_they_should)
{
    static const double segments[] = {16.0, 24.0, 48.0, 64.0};
    for (size_t i = 0; i < COIF_COUNT_OF(segments); ++i) {
        const coif_experiment_result answer =
            ask(&COIF_EXPERIMENT_CAPSTAN, "der", COIF_EXPERIMENT_PARAM_SEGMENTS, segments[i]);
        CHECK_NEAR(coif_experiment_result_error(&answer), 0.0, 0.02);
        CHECK_NEAR(answer.max_stretch, 0.0, 1e-4);
    }
}

// A clamped strand whose tip is pressed against a floor: it sticks as long as it may.
TEST(tips_slip_when_they_should)
{
    for (double mu = 0.1; mu < 0.35; mu += 0.1) {
        const coif_experiment_result answer =
            ask(&COIF_EXPERIMENT_STICK_SLIP, "der", COIF_EXPERIMENT_PARAM_MU, mu);
        CHECK_TEXT(answer.measurements[0].key, "mu_required");
        CHECK_NEAR(coif_experiment_result_error(&answer), 0.0, 0.03);
        CHECK_NEAR(answer.max_stretch, 0.0, 1e-4);
    }
}

TEST(questions_that_make_no_sense_are_refused)
{
    coif_error error = {0};
    coif_experiment_result answer;
    coif_experiment_input question = coif_experiment_input_open("der", plugins());
    question.params[COIF_EXPERIMENT_PARAM_MU] = 0.5;
    CHECK(coif_experiment_run(&answer, &COIF_EXPERIMENT_CANTILEVER, &question, &arena, &error) ==
          COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "cantilever has no parameter mu");

    error = (coif_error){0};
    question = coif_experiment_input_open("der", plugins());
    question.params[COIF_EXPERIMENT_PARAM_SEGMENTS] = 3.5;
    CHECK(coif_experiment_run(&answer, &COIF_EXPERIMENT_CANTILEVER, &question, &arena, &error) ==
          COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "segments: 3.5 is not a whole number");

    static const char *const foreign[] = {"grooms/0/count=5"};
    error = (coif_error){0};
    question = coif_experiment_input_open("der", plugins());
    question.sets = foreign;
    question.set_count = 1;
    CHECK(coif_experiment_run(&answer, &COIF_EXPERIMENT_CANTILEVER, &question, &arena, &error) ==
          COIF_ERR_ARGUMENT);

    static const char *const wrong[] = {"sim/youngs_modulus=-5"};
    error = (coif_error){0};
    question.sets = wrong;
    CHECK(coif_experiment_run(&answer, &COIF_EXPERIMENT_CANTILEVER, &question, &arena, &error) ==
          COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "young");

    const coif_experiment *found;
    error = (coif_error){0};
    CHECK(coif_experiment_find(&found, "cantilver", &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "did you mean 'cantilever'?");
}

// A setting reaches the solver: a strand ten times as stiff sinks less.
TEST(settings_reach_the_solver)
{
    static const char *const sets[] = {"sim/stiffness=10"};
    coif_experiment_input question = coif_experiment_input_open("der", plugins());
    coif_experiment_result answer;
    coif_error error = {0};
    question.sets = sets;
    question.set_count = 1;
    CHECK_OK(coif_experiment_run(&answer, &COIF_EXPERIMENT_CANTILEVER, &question, &arena, &error),
             error);
    CHECK(answer.measurements[0].value < 0.3 * answer.measurements[0].reference);
}

// Findings come in the same order with the same numbers for any threads, and limits are judged.
TEST(the_suite_does_not_depend_on_threads)
{
    const coif_validation_desc desc = {.only = "drag", .plugins = plugins()};
    coif_validation_result *findings[2];
    int32_t counts[2];
    for (int i = 0; i < 2; ++i) {
        coif_jobs *jobs;
        coif_error error = {0};
        CHECK_OK(coif_jobs_open(&jobs, 1 + 2 * i, &arena, &error), error);
        CHECK_OK(coif_validation_run(&findings[i], &counts[i], &desc, &arena, jobs, NULL, &error),
                 error);
        coif_jobs_close(jobs);
    }
    CHECK(counts[0] == counts[1] && counts[0] >= 10);
    for (int32_t i = 0; i < counts[0]; ++i) {
        const coif_validation_result *a = &findings[0][i];
        const coif_validation_result *b = &findings[1][i];
        CHECK(a->series == b->series && a->solver == b->solver && a->value == b->value);
        CHECK(a->has_limit == (strcmp(a->solver, "der") == 0));
        CHECK(!a->has_limit || a->within_limit);
        CHECK(a->point_count == 5 && isfinite(a->shape[4].x));
    }
}
