// pace: live frames get fewer substeps when they take too long, and theirs back when there is time.
#include "tools/studio/server/live/realtime_budget.h"

#include "tests/support/test.h"

#include <math.h>

static const double BUDGET = 1.0 / 24.0;

static coif_realtime_budget begin(void)
{
    coif_realtime_budget pace;
    coif_realtime_budget_begin(&pace, 0.15f);
    return pace;
}

// A machine on which a frame takes so long, and so much more per substep of all strands.
typedef struct costs {
    double other, each;
} costs;

static double takes(const costs *machine, const coif_realtime_budget *pace, int32_t substeps)
{
    return machine->other + machine->each * substeps * (double)pace->solve * (double)pace->strands;
}

// Plays frames that take so long and so much more per substep; the substeps of the last.
static int32_t play(coif_realtime_budget *pace, int frames, int32_t wanted, double other,
                    double each)
{
    const costs machine = {other, each};
    int32_t substeps = 0;
    for (int i = 0; i < frames; ++i) {
        substeps = coif_realtime_budget_substeps(pace, wanted);
        coif_realtime_budget_note(pace, takes(&machine, pace, substeps), BUDGET);
    }
    return substeps;
}

static void who_keeps_up_keeps_all_substeps(void)
{
    coif_realtime_budget pace = begin();
    CHECK(play(&pace, 200, 8, 0.005, 0.004) == 8);
}

static void who_does_not_gets_as_many_as_there_is_time_for(void)
{
    coif_realtime_budget pace = begin();
    CHECK(play(&pace, COIF_PACE_FRAMES, 8, 0.005, 0.006) == 8);
    const int32_t fewer = play(&pace, 30, 8, 0.005, 0.006);
    CHECK(fewer == 5 || fewer == 6);
    CHECK(0.005 + 0.006 * fewer < BUDGET);
    // It stays so, and does not go back and forth.
    for (int i = 0; i < 300; ++i) {
        CHECK(play(&pace, 1, 8, 0.005, 0.006) == fewer);
    }
}

static void half_of_them_are_the_fewest(void)
{
    coif_realtime_budget pace = begin();
    CHECK(play(&pace, 100, 8, 0.0, 0.1) == 4);
    pace = begin();
    CHECK(play(&pace, 100, 5, 0.0, 0.1) == 3);
    pace = begin();
    CHECK(play(&pace, 100, 1, 0.0, 0.1) == 1);
}

static void one_late_frame_changes_nothing(void)
{
    coif_realtime_budget pace = begin();
    for (int i = 0; i < 100; ++i) {
        CHECK(coif_realtime_budget_substeps(&pace, 8) == 8);
        coif_realtime_budget_note(&pace, i % 5 == 3 ? 0.5 : 0.03, BUDGET);
    }
}

static void they_come_back_when_there_is_time_again(void)
{
    coif_realtime_budget pace = begin();
    CHECK(play(&pace, 100, 8, 0.0, 0.1) == 4);
    CHECK(play(&pace, 400, 8, 0.005, 0.002) == 8);
    // Another wish begins anew.
    CHECK(play(&pace, 100, 8, 0.0, 0.1) == 4);
    CHECK(play(&pace, 1, 10, 0.0, 0.001) == 10);
}

// Fewer that are solved, then fewer strands, and not for a moment's delay.
static void strands_go_when_substeps_are_not_enough(void)
{
    coif_realtime_budget pace = begin();
    play(&pace, 4 * COIF_PACE_FRAMES - 1, 8, 0.0, 2.0 * BUDGET / 4);
    CHECK(pace.substeps == 4 && pace.solve == 1.0f);
    play(&pace, 1, 8, 0.0, 2.0 * BUDGET / 4);
    CHECK(pace.solve < 0.61f && pace.solve >= 0.6f && pace.strands == 1.0f);
    play(&pace, 200, 8, 0.0, 2.0 * BUDGET / 4);
    CHECK(pace.solve > 0.4f && pace.strands == 1.0f);
    CHECK(takes(&(costs){0.0, 2.0 * BUDGET / 4}, &pace, 4) < 1.1 * BUDGET);
    // Not so soon where little is missing.
    coif_realtime_budget nearly = begin();
    play(&nearly, 11 * COIF_PACE_FRAMES - 1, 8, 0.0, 1.3 * BUDGET / 4);
    CHECK(nearly.substeps == 4 && nearly.solve == 1.0f);
    play(&nearly, 1, 8, 0.0, 1.3 * BUDGET / 4);
    CHECK(nearly.solve < 1.0f);
    // Whatever there is, a quarter is solved of fifteen hundredths.
    play(&pace, 2000, 8, 0.0, 100.0 * BUDGET);
    CHECK(pace.substeps == 4 && pace.solve == 0.25f && pace.strands == 0.15f);
}

// Somebody else used the machine, and does so no more: everything comes back, the last first.
static void all_comes_back_when_the_machine_is_free(void)
{
    coif_realtime_budget pace = begin();
    play(&pace, 400, 8, 0.002, 0.06); // ten times too slow
    CHECK(pace.substeps == 4 && pace.solve == 0.25f);
    int frames = 0;
    while ((pace.solve < 1.0f || pace.substeps < 8) && frames < 2000) {
        const bool whole = pace.strands == 1.0f && pace.solve == 1.0f;
        play(&pace, 1, 8, 0.002, 0.002);
        CHECK(whole || pace.substeps == 4);
        ++frames;
    }
    CHECK(pace.strands == 1.0f && pace.solve == 1.0f && pace.substeps == 8);
    CHECK(frames < 24 * 25); // within half a minute
}

// How often strands change in so many frames, on a machine that is sometimes slower.
static int changes(coif_realtime_budget *pace, int frames, const costs *machine, double noise)
{
    int count = 0;
    uint32_t seed = 1;
    for (int i = 0; i < frames; ++i) {
        const int32_t substeps = coif_realtime_budget_substeps(pace, 8);
        seed = seed * 1664525u + 1013904223u;
        const double more = 1.0 + noise * (double)(seed >> 8) / (double)(1 << 24);
        count += coif_realtime_budget_note(pace, more * takes(machine, pace, substeps), BUDGET);
    }
    return count;
}

// On a machine that is always as slow, strands find their number and keep it, whatever they cost.
static void nothing_goes_back_and_forth(void)
{
    for (int k = 0; k < 40; ++k) {
        const costs machine = {0.0005 * (k % 7), 0.003 * pow(1.15, k)};
        coif_realtime_budget pace = begin();
        changes(&pace, 24 * 30, &machine, 0.3);
        const float solve = pace.solve, strands = pace.strands;
        CHECK(changes(&pace, 24 * 60, &machine, 0.3) <= 2);
        CHECK(fabsf(pace.solve - solve) < 0.4f && fabsf(pace.strands - strands) < 0.4f);
    }
}

// What costs more than it was thought to: it is tried again, but ever more seldom.
static void what_was_a_mistake_is_tried_again_later(void)
{
    coif_realtime_budget pace = begin();
    int tries = 0, last = 0, pause = 0;
    for (int i = 0; i < 24 * 240; ++i) {
        const int32_t substeps = coif_realtime_budget_substeps(&pace, 8);
        const double whole = pace.solve == 1.0f ? 2.0 : 0.5; // a cliff between less and all
        const float before = pace.solve;
        coif_realtime_budget_note(&pace, whole * BUDGET, BUDGET);
        CHECK(substeps >= 4);
        if (before < 1.0f && pace.solve == 1.0f) {
            pause = i - last;
            last = i;
            ++tries;
        }
    }
    CHECK(tries > 3 && tries < 25);
    CHECK(pause > 24 * 12);
}

// Pictures are drawn with the same processors: all when there is room, fewer when time is short.
static void pictures_come_as_often_as_there_is_time(void)
{
    coif_realtime_budget pace = begin();
    play(&pace, 50, 8, 0.2 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&pace) == 0.0);
    play(&pace, 50, 8, 0.4 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&pace) == 0.0); // between the two borders nothing changes
    play(&pace, 50, 8, 0.7 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&pace) > 0.07 && coif_realtime_budget_pause(&pace) < 0.09);
    play(&pace, 50, 8, 0.4 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&pace) > 0.07);
    play(&pace, 50, 8, 1.5 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&pace) > 0.11 &&
          coif_realtime_budget_pause(&pace) < 0.125); // eight a second
    // All of them only after all substeps are back.
    while (pace.substeps < 8) {
        CHECK(coif_realtime_budget_pause(&pace) > 0.07);
        play(&pace, 1, 8, 0.2 * BUDGET, 0.0);
    }
    play(&pace, 10, 8, 0.2 * BUDGET, 0.0);
    CHECK(coif_realtime_budget_pause(&pace) == 0.0);
}

static void a_moment_lost_is_made_up_for(void)
{
    CHECK(coif_realtime_budget_due(10.0, 10.01, 0.04) == 10.04);
    CHECK(coif_realtime_budget_due(10.0, 10.2, 0.04) == 10.04);   // the next ones come at once
    CHECK(coif_realtime_budget_due(10.0, 10.4, 0.04) == 10.4);    // too long ago
    CHECK(coif_realtime_budget_due(0.0, 1000.0, 0.04) == 1000.0); // the first one
}

TEST_LIST(TEST(who_keeps_up_keeps_all_substeps),
          TEST(who_does_not_gets_as_many_as_there_is_time_for), TEST(half_of_them_are_the_fewest),
          TEST(one_late_frame_changes_nothing), TEST(they_come_back_when_there_is_time_again),
          TEST(strands_go_when_substeps_are_not_enough),
          TEST(all_comes_back_when_the_machine_is_free), TEST(nothing_goes_back_and_forth),
          TEST(what_was_a_mistake_is_tried_again_later),
          TEST(pictures_come_as_often_as_there_is_time), TEST(a_moment_lost_is_made_up_for))
