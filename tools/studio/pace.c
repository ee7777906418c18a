#include "tools/studio/pace.h"

#include <stdlib.h>

// Shares of the time there is: above the first is too slow, the second is aimed at, and one substep
// more must stay below the third, several times in a row.
static const double TOO_LONG = 0.97, AIM = 0.9, ROOM = 0.85;
enum { CALM = 5 };

int32_t coif_pace_substeps(coif_pace *pace, int32_t wanted)
{
    if (pace->wanted != wanted) {
        *pace = (coif_pace){.substeps = wanted, .wanted = wanted};
    }
    return pace->substeps;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void coif_pace_note(coif_pace *pace, double seconds, double budget)
{
    pace->seconds[pace->count++] = seconds;
    if (pace->count < COIF_PACE_FRAMES) {
        return;
    }
    pace->count = 0;
    qsort(pace->seconds, COIF_PACE_FRAMES, sizeof *pace->seconds, compare);
    const double usual = pace->seconds[COIF_PACE_FRAMES / 2];
    const double each = usual / pace->substeps;
    const int32_t least = (5 * pace->wanted + 7) / 8;
    const bool room = usual + each < ROOM * budget;
    pace->calm = room ? pace->calm + 1 : 0;
    if (usual > TOO_LONG * budget && pace->substeps > least) {
        const int32_t fit = (int32_t)(AIM * budget / each);
        const int32_t fewer = fit < pace->substeps ? fit : pace->substeps - 1;
        pace->substeps = fewer > least ? fewer : least;
    } else if (pace->calm >= CALM && pace->substeps < pace->wanted) {
        pace->substeps += 1;
        pace->calm = 0;
    }
}
