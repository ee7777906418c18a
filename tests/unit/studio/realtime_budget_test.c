// Real-time budget: quality is reduced while frames are late and restored afterwards.
#include "tools/studio/server/live/realtime_budget.h"

#include "tests/support/test.h"

#include <math.h>

static const double BUDGET = 1.0 / 24.0;

static coif_realtime_budget begin(void)
{
    coif_realtime_budget budget;
    coif_realtime_budget_begin(&budget, 0.15f);
    return budget;
}

// Seconds of a frame: constant, and per substep of all strands.
typedef struct costs {
    double other, each;
} costs;

static double frame_seconds(const costs *machine, const coif_realtime_budget *budget,
                            int32_t substeps)
{
    return machine->other + machine->each * substeps * (double)budget->solve_fraction *
                                (double)budget->strand_fraction;
}

// Simulates frames of these costs; returns the substeps of the last.
static int32_t play(coif_realtime_budget *budget, int frames, int32_t requested, double other,
                    double each)
{
    const costs machine = {other, each};
    int32_t substeps = 0;
    for (int i = 0; i < frames; ++i) {
        substeps = coif_realtime_budget_substeps(budget, requested);
        coif_realtime_budget_note(budget, frame_seconds(&machine, budget, substeps), BUDGET);
    }
    return substeps;
}

TEST(fast_frames_keep_all_substeps)
{
    coif_realtime_budget budget = begin();
    CHECK(play(&budget, 200, 8, 0.005, 0.004) == 8);
}

TEST(late_frames_reduce_substeps_to_the_budget)
{
    coif_realtime_budget budget = begin();
    CHECK(play(&budget, COIF_BUDGET_FRAMES, 8, 0.005, 0.006) == 8);
    const int32_t fewer = play(&budget, 30, 8, 0.005, 0.006);
    CHECK(fewer == 5 || fewer == 6);
    CHECK(0.005 + 0.006 * fewer < BUDGET);
    // No oscillation.
    for (int i = 0; i < 300; ++i) {
        CHECK(play(&budget, 1, 8, 0.005, 0.006) == fewer);
    }
}

TEST(half_of_the_substeps_is_the_minimum)
{
    coif_realtime_budget budget = begin();
    CHECK(play(&budget, 100, 8, 0.0, 0.1) == 4);
    budget = begin();
    CHECK(play(&budget, 100, 5, 0.0, 0.1) == 3);
    budget = begin();
    CHECK(play(&budget, 100, 1, 0.0, 0.1) == 1);
}

TEST(one_late_frame_changes_nothing)
{
    coif_realtime_budget budget = begin();
    for (int i = 0; i < 100; ++i) {
        CHECK(coif_realtime_budget_substeps(&budget, 8) == 8);
        coif_realtime_budget_note(&budget, i % 5 == 3 ? 0.5 : 0.03, BUDGET);
    }
}

TEST(substeps_are_restored_with_spare_time)
{
    coif_realtime_budget budget = begin();
    CHECK(play(&budget, 100, 8, 0.0, 0.1) == 4);
    CHECK(play(&budget, 400, 8, 0.005, 0.002) == 8);
    // Another request starts at full quality.
    CHECK(play(&budget, 100, 8, 0.0, 0.1) == 4);
    CHECK(play(&budget, 1, 10, 0.0, 0.001) == 10);
}

// First fewer simulated strands, then fewer displayed ones, after several late windows.
TEST(strands_are_reduced_at_minimum_substeps)
{
    coif_realtime_budget budget = begin();
    play(&budget, 4 * COIF_BUDGET_FRAMES - 1, 8, 0.0, 2.0 * BUDGET / 4);
    CHECK(budget.substeps == 4 && budget.solve_fraction == 1.0f);
    play(&budget, 1, 8, 0.0, 2.0 * BUDGET / 4);
    CHECK(budget.solve_fraction < 0.61f && budget.solve_fraction >= 0.6f &&
          budget.strand_fraction == 1.0f);
    play(&budget, 200, 8, 0.0, 2.0 * BUDGET / 4);
    CHECK(budget.solve_fraction > 0.4f && budget.strand_fraction == 1.0f);
    CHECK(frame_seconds(&(costs){0.0, 2.0 * BUDGET / 4}, &budget, 4) < 1.1 * BUDGET);
    // Slightly late frames wait longer.
    coif_realtime_budget nearly = begin();
    play(&nearly, 11 * COIF_BUDGET_FRAMES - 1, 8, 0.0, 1.3 * BUDGET / 4);
    CHECK(nearly.substeps == 4 && nearly.solve_fraction == 1.0f);
    play(&nearly, 1, 8, 0.0, 1.3 * BUDGET / 4);
    CHECK(nearly.solve_fraction < 1.0f);
    // The minimum: a quarter simulated, 15 % displayed.
    play(&budget, 2000, 8, 0.0, 100.0 * BUDGET);
    CHECK(budget.substeps == 4 && budget.solve_fraction == 0.25f &&
          budget.strand_fraction == 0.15f);
}

TEST(frames_of_seconds_reduce_quality_after_two_of_them)
{
    coif_realtime_budget budget = begin();
    CHECK(play(&budget, 2, 500, 0.0, 0.02) == 500);
    CHECK(play(&budget, 1, 500, 0.0, 0.02) == 250 && budget.solve_fraction == 1.0f);
    play(&budget, 1, 500, 0.0, 0.02);
    CHECK(budget.solve_fraction < 0.61f);
    play(&budget, 4, 500, 0.0, 0.02);
    CHECK(budget.solve_fraction == 0.25f);
    // One such frame, as when another program starts, changes nothing.
    budget = begin();
    for (int i = 0; i < 100; ++i) {
        CHECK(coif_realtime_budget_substeps(&budget, 8) == 8);
        coif_realtime_budget_note(&budget, i % 5 == 3 ? 3.0 : 0.03, BUDGET);
    }
}

// The machine was busy and is idle again: reductions are undone in reverse order.
TEST(full_quality_returns_in_reverse_order)
{
    coif_realtime_budget budget = begin();
    play(&budget, 400, 8, 0.002, 0.06); // ten times too slow
    CHECK(budget.substeps == 4 && budget.solve_fraction == 0.25f);
    int frames = 0;
    while ((budget.solve_fraction < 1.0f || budget.substeps < 8) && frames < 2000) {
        const bool whole = budget.strand_fraction == 1.0f && budget.solve_fraction == 1.0f;
        play(&budget, 1, 8, 0.002, 0.002);
        CHECK(whole || budget.substeps == 4);
        ++frames;
    }
    CHECK(budget.strand_fraction == 1.0f && budget.solve_fraction == 1.0f && budget.substeps == 8);
    CHECK(frames < 24 * 25); // within half a minute
}

// Number of strand changes in these frames, with random delays.
static int changes(coif_realtime_budget *budget, int frames, const costs *machine, double noise)
{
    int count = 0;
    uint32_t seed = 1;
    for (int i = 0; i < frames; ++i) {
        const int32_t substeps = coif_realtime_budget_substeps(budget, 8);
        seed = seed * 1664525u + 1013904223u;
        const double more = 1.0 + noise * (double)(seed >> 8) / (double)(1 << 24);
        count += coif_realtime_budget_note(budget, more * frame_seconds(machine, budget, substeps),
                                           BUDGET);
    }
    return count;
}

// With constant costs the number of strands converges.
TEST(strand_counts_do_not_oscillate)
{
    for (int k = 0; k < 40; ++k) {
        const costs machine = {0.0005 * (k % 7), 0.003 * pow(1.15, k)};
        coif_realtime_budget budget = begin();
        changes(&budget, 24 * 30, &machine, 0.3);
        const float solve_fraction = budget.solve_fraction,
                    strand_fraction = budget.strand_fraction;
        CHECK(changes(&budget, 24 * 60, &machine, 0.3) <= 2);
        CHECK(fabsf(budget.solve_fraction - solve_fraction) < 0.4f &&
              fabsf(budget.strand_fraction - strand_fraction) < 0.4f);
    }
}

// Full quality costs more than predicted: attempts become rarer.
TEST(reverted_increases_are_retried_less_often)
{
    coif_realtime_budget budget = begin();
    int tries = 0, last = 0, pause = 0;
    for (int i = 0; i < 24 * 240; ++i) {
        const int32_t substeps = coif_realtime_budget_substeps(&budget, 8);
        const double whole =
            budget.solve_fraction == 1.0f ? 2.0 : 0.5; // a step in the cost of full quality
        const float before = budget.solve_fraction;
        coif_realtime_budget_note(&budget, whole * BUDGET, BUDGET);
        CHECK(substeps >= 4);
        if (before < 1.0f && budget.solve_fraction == 1.0f) {
            pause = i - last;
            last = i;
            ++tries;
        }
    }
    CHECK(tries > 3 && tries < 25);
    CHECK(pause > 24 * 12);
}

// CPU-rendered pages get every frame with spare time, fewer under load.
TEST(the_frame_rate_of_cpu_rendered_pages_follows_the_load)
{
    coif_realtime_budget budget = begin();
    play(&budget, 50, 8, 0.2 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&budget) == 0.0);
    play(&budget, 50, 8, 0.4 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&budget) == 0.0); // hysteresis
    play(&budget, 50, 8, 0.7 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&budget) > 0.07 && coif_realtime_budget_pause(&budget) < 0.09);
    play(&budget, 50, 8, 0.4 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&budget) > 0.07);
    play(&budget, 50, 8, 1.5 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&budget) > 0.11 &&
          coif_realtime_budget_pause(&budget) < 0.125); // eight a second
    // Every frame only after all substeps are restored.
    while (budget.substeps < 8) {
        CHECK(coif_realtime_budget_pause(&budget) > 0.07);
        play(&budget, 1, 8, 0.2 * BUDGET, 0.0);
    }
    play(&budget, 10, 8, 0.2 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&budget) == 0.0);
}

TEST(short_delays_are_caught_up_with)
{
    CHECK(coif_realtime_budget_due(10.0, 10.01, 0.04) == 10.04);
    CHECK(coif_realtime_budget_due(10.0, 10.2, 0.04) == 10.04);   // caught up with
    CHECK(coif_realtime_budget_due(10.0, 10.4, 0.04) == 10.4);    // dropped
    CHECK(coif_realtime_budget_due(0.0, 1000.0, 0.04) == 1000.0); // the first frame
}
