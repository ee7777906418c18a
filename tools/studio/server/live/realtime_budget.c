#include "tools/studio/server/live/realtime_budget.h"

#include <stdlib.h>

// Shares of the time there is: above the first is too slow, the second is aimed at, and more must
// stay below the third, several times in a row; strands change only above the fourth, soon above
// the fifth.
static const double TOO_LONG = 0.97, AIM = 0.9, ROOM = 0.85, FAR_TOO_LONG = 1.1, HOPELESS = 1.8;

// How often in a row: room for a substep, room for strands, too late for strands. Other strands
// cost more time than they save in a second, and a page that has just been opened is busy with
// itself for that long.
enum { CALM = 5, CALM_STRANDS = 10, LATE = 10, HOPELESSLY_LATE = 3 };

// Given back and taken away within so many figures: a mistake. Without one for so many: forgiven.
enum { SOON = 30, FORGIVEN = 200, MOST_DOUBTS = 8 };

// Frames that come late are made up for, a quarter of a second of them.
static const double MADE_UP = 6.0;

static const float LEAST_SOLVED = 0.25f;

// Shares of the time above which pictures come less often, and below which more often again.
static const double BUSY[] = {0.5, 1.0}, IDLE[] = {0.3, 0.85};
static const double PAUSES[] = {0.0, 1.0 / 12.5, 1.0 / 8.5};

void coif_realtime_budget_begin(coif_realtime_budget *pace, float fewest)
{
    *pace = (coif_realtime_budget){.solve = 1.0f,
                                   .strands = 1.0f,
                                   .fewest = fewest < 1.0f ? fewest : 1.0f,
                                   .given = FORGIVEN,
                                   .doubts = 1,
                                   .rest = 1};
}

int32_t coif_realtime_budget_substeps(coif_realtime_budget *pace, int32_t wanted)
{
    if (pace->wanted != wanted) {
        pace->substeps = pace->wanted = wanted;
        pace->count = pace->calm = pace->late = 0;
    }
    return pace->substeps;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// Something was given back, or taken away.
static void give(coif_realtime_budget *pace)
{
    pace->calm = pace->given = 0;
}

static void take(coif_realtime_budget *pace)
{
    if (pace->given < SOON && pace->doubts < MOST_DOUBTS) {
        pace->doubts *= 2;
    }
    pace->calm = pace->late = 0;
    pace->given = FORGIVEN; // it has been counted
}

static float clamp(double share, double low, double high)
{
    return (float)(share < low ? low : share > high ? high : share);
}

// Fewer that are solved, while that is not a quarter, then fewer strands. False: there is nothing
// left to take.
static bool thin_out(coif_realtime_budget *pace, double usual, double budget)
{
    if (pace->solve > LEAST_SOLVED) {
        pace->solve *= clamp(AIM * budget / usual, 0.6, 0.85);
        pace->solve = pace->solve > LEAST_SOLVED ? pace->solve : LEAST_SOLVED;
    } else if (pace->strands > pace->fewest) {
        pace->strands *= 0.6f;
        pace->strands = pace->strands > pace->fewest ? pace->strands : pace->fewest;
    } else {
        return false;
    }
    take(pace);
    return true;
}

// As much more as there is room for, a seventh at least: each change costs a frame or two.
static bool thicken(coif_realtime_budget *pace, double usual, double budget)
{
    const float least = 1.15f;
    float *share = pace->strands < 1.0f ? &pace->strands : &pace->solve;
    const double room = ROOM * budget / usual;
    pace->calm = room >= (double)least ? pace->calm + 1 : 0;
    if (pace->calm < CALM_STRANDS * pace->doubts) {
        return false;
    }
    *share *= clamp(room, (double)least, 1.0 / 0.6);
    *share = *share < 1.0f ? *share : 1.0f;
    give(pace);
    return true;
}

static void change_substeps(coif_realtime_budget *pace, double usual, double budget, int32_t least)
{
    const double each = usual / pace->substeps;
    if (usual > TOO_LONG * budget && pace->substeps > least) {
        const int32_t fit = (int32_t)(AIM * budget / each);
        const int32_t fewer = fit < pace->substeps ? fit : pace->substeps - 1;
        pace->substeps = fewer > least ? fewer : least;
        take(pace);
        return;
    }
    pace->calm = usual + each < ROOM * budget ? pace->calm + 1 : 0;
    if (pace->calm >= CALM * pace->doubts && pace->substeps < pace->wanted) {
        pace->substeps += 1;
        give(pace);
    }
}

// Substeps and strands come before pictures.
static void change_rest(coif_realtime_budget *pace, double busy)
{
    const bool whole =
        pace->substeps == pace->wanted && pace->solve == 1.0f && pace->strands == 1.0f;
    if (pace->rest < 2 && (busy > BUSY[pace->rest] || (pace->rest == 0 && !whole))) {
        pace->rest += 1;
    } else if (pace->rest > 0 && busy < IDLE[pace->rest - 1] && (pace->rest > 1 || whole)) {
        pace->rest -= 1;
    }
}

bool coif_realtime_budget_note(coif_realtime_budget *pace, double seconds, double budget)
{
    pace->seconds[pace->count++] = seconds;
    if (pace->count < COIF_PACE_FRAMES) {
        return false;
    }
    pace->count = 0;
    qsort(pace->seconds, COIF_PACE_FRAMES, sizeof *pace->seconds, compare);
    const double usual = pace->seconds[COIF_PACE_FRAMES / 2];
    const int32_t least = (pace->wanted + 1) / 2;
    change_rest(pace, usual / budget);
    if (pace->given < FORGIVEN && ++pace->given == FORGIVEN) {
        pace->doubts = 1;
    }
    const bool thinned = pace->solve < 1.0f || pace->strands < 1.0f;
    pace->late = usual > FAR_TOO_LONG * budget && pace->substeps <= least ? pace->late + 1 : 0;
    if (pace->late >= (usual > HOPELESS * budget ? HOPELESSLY_LATE : LATE)) {
        return thin_out(pace, usual, budget);
    }
    // The last that was taken comes back first.
    if (thinned && pace->substeps <= least) {
        return thicken(pace, usual, budget);
    }
    change_substeps(pace, usual, budget, least);
    return false;
}

double coif_realtime_budget_pause(const coif_realtime_budget *pace)
{
    return PAUSES[pace->rest];
}

double coif_realtime_budget_due(double before, double now, double budget)
{
    const double due = before + budget;
    return due > now - MADE_UP * budget ? due : now;
}
