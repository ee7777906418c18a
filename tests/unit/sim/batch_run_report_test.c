// batch_run: the report of a frame is that of all its intervals.
#include "sim/run/batch_run_internal.h"
#include "tests/support/test.h"

TEST(a_frame_reports_the_failures_of_all_its_intervals)
{
    const coif_solver_report intervals[3] = {
        {.stats = {.reset_strands = 2, .not_finite = 2, .contacts = 9, .stretch = 0.5f},
         .bad_force_count = 3,
         .bad_force = 1},
        {.stats = {.reset_strands = 1, .contacts = 5, .stretch = 0.1f}, .bad_force = -1},
        {.stats = {.contacts = 4, .stretch = 0.2f}, .bad_force_count = 1, .bad_force = 0}};
    coif_solver_report frame = {.bad_force = -1};
    for (int i = 0; i < 3; ++i) {
        coif_batch_run_add_report(&frame, &intervals[i]);
    }
    CHECK(frame.stats.reset_strands == 2 && frame.stats.not_finite == 2);
    CHECK(frame.stats.contacts == 4 && frame.stats.stretch == 0.2f);
    CHECK(frame.bad_force == 1 && frame.bad_force_count == 4);
}

// The most frequent cause of a run names the parameters to change, with their values.
TEST(causes_of_divergence_name_their_cure)
{
    static const struct {
        int cause;
        const char *solver, *cure;
    } cases[] = {
        {COIF_DIVERGED_BODY, "der", "roots move at up to 900 m/s: check keys and units"},
        {COIF_DIVERGED_WIND, "der", "wind blows at up to 400 m/s"},
        {COIF_DIVERGED_FORCE, "ftl", "forces accelerate hair by up to 5e+06 m/s2"},
        {COIF_DIVERGED_INTERACTION, "der", "lower sim/interaction_stiffness (3)"},
        {COIF_DIVERGED_CONTACT, "pbd", "raise sim/substeps (8), lower sim/friction (0.5)"},
        {COIF_DIVERGED_SOLVER, "pbd",
         "raise sim/substeps (8) or sim/iterations (3), or set sim/length_constraint to direct"},
        {COIF_DIVERGED_SOLVER, "xpbd", "raise sim/substeps (8) or sim/iterations (3)"},
        {COIF_DIVERGED_SOLVER, "ftl", "lower sim/ftl_velocity_correction (0.9)"},
        {COIF_DIVERGED_SOLVER, "spring", "raise sim/max_inner_steps (1500)"},
        {COIF_DIVERGED_SOLVER, "der", "raise sim/substeps (8) or sim/bending_damping_time (0.005)"},
    };
    static coif_arena arena = {.name = "test"};
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        coif_sim_params params = {.substeps = 8,
                                  .iterations = 3,
                                  .length_constraint = COIF_LENGTH_NONE,
                                  .friction = 0.5f,
                                  .interaction_stiffness = 3.0f,
                                  .ftl_velocity_correction = 0.9f,
                                  .max_inner_steps = 1500,
                                  .bending_damping_time = 0.005f};
        while (strcmp(COIF_METHOD_NAMES[params.solver], cases[i].solver) != 0) {
            ++params.solver;
        }
        coif_step_stats stats = {.body_speed = 900.0f, .wind_speed = 400.0f, .force_accel = 5e6f};
        stats.causes[cases[i].cause] = 3;
        stats.causes[(cases[i].cause + 1) % COIF_DIVERGED_CAUSES] = 2;
        CHECK_CONTAINS(coif_divergence_cure(&stats, &params, &arena), cases[i].cure);
    }
}

TEST(a_run_counts_frames_and_keeps_the_first)
{
    coif_run_report run = {0};
    for (int frame = 1; frame <= 6; ++frame) {
        const coif_solver_report step = {
            .stats = {.reset_strands = frame % 2 == 0 ? frame : 0, .stretch = 0.1f * (float)frame},
            .bad_force = frame > 4 ? 2 : -1};
        coif_run_report_add(&run, frame, &step);
    }
    CHECK(run.reset_frames == 3 && run.first_reset_frame == 2.0 && run.max_resets == 6);
    CHECK(run.bad_frames == 2 && run.first_bad_frame == 5.0 && run.bad_force == 2);
    CHECK(run.stats.reset_strands == 12 && run.stats.stretch == 0.6f);
}
