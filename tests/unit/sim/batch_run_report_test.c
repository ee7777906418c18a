// batch_run: the report of a frame is that of all its intervals.
#include "sim/run/batch_run_internal.h"
#include "tests/support/test.h"

static void a_frame_reports_the_failures_of_all_its_intervals(void)
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

TEST_LIST(TEST(a_frame_reports_the_failures_of_all_its_intervals))
