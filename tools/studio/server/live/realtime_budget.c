#include "tools/studio/server/live/realtime_budget.h"

#include <stdlib.h>

// Load: median time of a frame / available time. Substeps are reduced above LATE_LOAD, aiming at
// TARGET_LOAD; quality is increased only if the load stays below SPARE_LOAD. Strands are reduced
// above VERY_LATE_LOAD, sooner above HOPELESS_LOAD.
static const double LATE_LOAD = 0.97, TARGET_LOAD = 0.9, SPARE_LOAD = 0.85;
static const double VERY_LATE_LOAD = 1.1, HOPELESS_LOAD = 1.8;

// Consecutive windows of frames before a change: one more substep, more strands, fewer strands.
// Changing strands costs more time than it saves in a second, and a page that is just loading keeps
// the machine busy for about as long.
enum { SUBSTEP_WINDOWS = 5, STRAND_WINDOWS = 10, LATE_WINDOWS = 10, HOPELESS_WINDOWS = 3 };

// After so many frames in a row that take longer than this the window ends at once: a scene that is
// far too heavy would otherwise hardly move for minutes.
static const double STUCK_SECONDS = 1.0;
enum { STUCK_FRAMES = 2 };

// Windows: an increase reverted this soon doubles the wait for the next one; the wait is reset
// after so many without.
enum { QUICK_REVERT = 30, BACKOFF_RESET = 200, MAX_BACKOFF = 8 };

// Late frames that are caught up with: a quarter of a second.
static const double MAX_CATCH_UP = 6.0;

static const float MIN_SOLVE_FRACTION = 0.25f;

// Loads above which CPU-rendered pages get fewer frames, and below which they get more again.
static const double BUSY[] = {0.5, 1.0}, IDLE[] = {0.3, 0.85};
static const double FRAME_PAUSES[] = {0.0, 1.0 / 12.5, 1.0 / 8.5};

void coif_realtime_budget_begin(coif_realtime_budget *budget, float min_strand_fraction)
{
    *budget = (coif_realtime_budget){.solve_fraction = 1.0f,
                                     .strand_fraction = 1.0f,
                                     .min_strand_fraction =
                                         min_strand_fraction < 1.0f ? min_strand_fraction : 1.0f,
                                     .windows_since_increase = BACKOFF_RESET,
                                     .backoff = 1,
                                     .frame_rate_level = 1};
}

int32_t coif_realtime_budget_substeps(coif_realtime_budget *budget, int32_t requested)
{
    if (budget->requested != requested) {
        budget->substeps = budget->requested = requested;
        budget->count = budget->fast_windows = budget->late_windows = 0;
    }
    return budget->substeps;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void note_increase(coif_realtime_budget *budget)
{
    budget->fast_windows = budget->windows_since_increase = 0;
}

static void note_reduction(coif_realtime_budget *budget)
{
    if (budget->windows_since_increase < QUICK_REVERT && budget->backoff < MAX_BACKOFF) {
        budget->backoff *= 2;
    }
    budget->fast_windows = budget->late_windows = 0;
    budget->windows_since_increase = BACKOFF_RESET; // counted once
}

static float clamp(double value, double low, double high)
{
    return (float)(value < low ? low : value > high ? high : value);
}

// Simulates fewer strands, down to a quarter, then displays fewer. False: already at the minimum.
static bool reduce_strands(coif_realtime_budget *budget, double median, double frame_time)
{
    if (budget->solve_fraction > MIN_SOLVE_FRACTION) {
        budget->solve_fraction *= clamp(TARGET_LOAD * frame_time / median, 0.6, 0.85);
        budget->solve_fraction = budget->solve_fraction > MIN_SOLVE_FRACTION
                                     ? budget->solve_fraction
                                     : MIN_SOLVE_FRACTION;
    } else if (budget->strand_fraction > budget->min_strand_fraction) {
        budget->strand_fraction *= 0.6f;
        budget->strand_fraction = budget->strand_fraction > budget->min_strand_fraction
                                      ? budget->strand_fraction
                                      : budget->min_strand_fraction;
    } else {
        return false;
    }
    note_reduction(budget);
    return true;
}

// As many more as the load allows, at least 15 %: each change costs a frame or two.
static bool increase_strands(coif_realtime_budget *budget, double median, double frame_time)
{
    const float min_factor = 1.15f;
    float *fraction =
        budget->strand_fraction < 1.0f ? &budget->strand_fraction : &budget->solve_fraction;
    const double factor = SPARE_LOAD * frame_time / median;
    budget->fast_windows = factor >= (double)min_factor ? budget->fast_windows + 1 : 0;
    if (budget->fast_windows < STRAND_WINDOWS * budget->backoff) {
        return false;
    }
    *fraction *= clamp(factor, (double)min_factor, 1.0 / 0.6);
    *fraction = *fraction < 1.0f ? *fraction : 1.0f;
    note_increase(budget);
    return true;
}

static void change_substeps(coif_realtime_budget *budget, double median, double frame_time,
                            int32_t min_substeps)
{
    const double each = median / budget->substeps;
    if (median > LATE_LOAD * frame_time && budget->substeps > min_substeps) {
        const int32_t fit = (int32_t)(TARGET_LOAD * frame_time / each);
        const int32_t fewer = fit < budget->substeps ? fit : budget->substeps - 1;
        budget->substeps = fewer > min_substeps ? fewer : min_substeps;
        note_reduction(budget);
        return;
    }
    budget->fast_windows = median + each < SPARE_LOAD * frame_time ? budget->fast_windows + 1 : 0;
    if (budget->fast_windows >= SUBSTEP_WINDOWS * budget->backoff &&
        budget->substeps < budget->requested) {
        budget->substeps += 1;
        note_increase(budget);
    }
}

// Substeps and strands have priority over the displayed frame rate.
static void change_frame_rate(coif_realtime_budget *budget, double load)
{
    const bool full_quality = budget->substeps == budget->requested &&
                              budget->solve_fraction == 1.0f && budget->strand_fraction == 1.0f;
    if (budget->frame_rate_level < 2 && (load > BUSY[budget->frame_rate_level] ||
                                         (budget->frame_rate_level == 0 && !full_quality))) {
        budget->frame_rate_level += 1;
    } else if (budget->frame_rate_level > 0 && load < IDLE[budget->frame_rate_level - 1] &&
               (budget->frame_rate_level > 1 || full_quality)) {
        budget->frame_rate_level -= 1;
    }
}

bool coif_realtime_budget_note(coif_realtime_budget *budget, double seconds, double frame_time)
{
    budget->seconds[budget->count++] = seconds;
    budget->stuck_frames = seconds > STUCK_SECONDS ? budget->stuck_frames + 1 : 0;
    const bool stuck = budget->stuck_frames >= STUCK_FRAMES;
    if (budget->count < COIF_BUDGET_FRAMES && !stuck) {
        return false;
    }
    budget->count = 0;
    qsort(budget->seconds, COIF_BUDGET_FRAMES, sizeof *budget->seconds, compare);
    const double median = stuck ? seconds : budget->seconds[COIF_BUDGET_FRAMES / 2];
    const int32_t min_substeps = (budget->requested + 1) / 2;
    change_frame_rate(budget, median / frame_time);
    if (budget->windows_since_increase < BACKOFF_RESET &&
        ++budget->windows_since_increase == BACKOFF_RESET) {
        budget->backoff = 1;
    }
    const bool reduced = budget->solve_fraction < 1.0f || budget->strand_fraction < 1.0f;
    budget->late_windows = median > VERY_LATE_LOAD * frame_time && budget->substeps <= min_substeps
                               ? budget->late_windows + (stuck ? HOPELESS_WINDOWS : 1)
                               : 0;
    budget->stuck_frames = stuck ? 0 : budget->stuck_frames;
    if (budget->late_windows >=
        (median > HOPELESS_LOAD * frame_time ? HOPELESS_WINDOWS : LATE_WINDOWS)) {
        return reduce_strands(budget, median, frame_time);
    }
    // Reductions are undone in reverse order.
    if (reduced && budget->substeps <= min_substeps) {
        return increase_strands(budget, median, frame_time);
    }
    change_substeps(budget, median, frame_time, min_substeps);
    return false;
}

double coif_realtime_budget_pause(const coif_realtime_budget *budget)
{
    return FRAME_PAUSES[budget->frame_rate_level];
}

double coif_realtime_budget_due(double before, double now, double frame_time)
{
    const double due = before + frame_time;
    return due > now - MAX_CATCH_UP * frame_time ? due : now;
}
