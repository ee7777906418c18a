// pace: live frames get fewer substeps when they take too long, and theirs back when there is time.
#include "tests/test.h"
#include "tools/studio/pace.h"

static const double BUDGET = 1.0 / 24.0;

// Plays frames that take so long and so much more per substep; the substeps of the last.
static int32_t play(coif_pace *pace, int frames, int32_t wanted, double other, double each)
{
    int32_t substeps = 0;
    for (int i = 0; i < frames; ++i) {
        substeps = coif_pace_substeps(pace, wanted);
        coif_pace_note(pace, other + each * substeps, BUDGET);
    }
    return substeps;
}

static void who_keeps_up_keeps_all_substeps(void)
{
    coif_pace pace = {0};
    CHECK(play(&pace, 200, 8, 0.005, 0.004) == 8);
}

static void who_does_not_gets_as_many_as_there_is_time_for(void)
{
    coif_pace pace = {0};
    CHECK(play(&pace, COIF_PACE_FRAMES, 8, 0.005, 0.006) == 8);
    const int32_t fewer = play(&pace, 30, 8, 0.005, 0.006);
    CHECK(fewer == 5 || fewer == 6);
    CHECK(0.005 + 0.006 * fewer < BUDGET);
    // It stays so, and does not go back and forth.
    for (int i = 0; i < 300; ++i) {
        CHECK(play(&pace, 1, 8, 0.005, 0.006) == fewer);
    }
}

static void five_eighths_are_the_fewest(void)
{
    coif_pace pace = {0};
    CHECK(play(&pace, 100, 8, 0.0, 0.1) == 5);
    CHECK(play(&pace, 100, 5, 0.0, 0.1) == 4);
    CHECK(play(&pace, 100, 1, 0.0, 0.1) == 1);
}

static void one_late_frame_changes_nothing(void)
{
    coif_pace pace = {0};
    for (int i = 0; i < 100; ++i) {
        CHECK(coif_pace_substeps(&pace, 8) == 8);
        coif_pace_note(&pace, i % 5 == 3 ? 0.5 : 0.03, BUDGET);
    }
}

static void they_come_back_when_there_is_time_again(void)
{
    coif_pace pace = {0};
    CHECK(play(&pace, 100, 8, 0.0, 0.1) == 5);
    CHECK(play(&pace, 400, 8, 0.005, 0.002) == 8);
    // Another wish begins anew.
    CHECK(play(&pace, 100, 8, 0.0, 0.1) == 5);
    CHECK(play(&pace, 1, 10, 0.0, 0.001) == 10);
}

TEST_MAIN(TEST(who_keeps_up_keeps_all_substeps),
          TEST(who_does_not_gets_as_many_as_there_is_time_for), TEST(five_eighths_are_the_fewest),
          TEST(one_late_frame_changes_nothing), TEST(they_come_back_when_there_is_time_again))
