// Log lines on stderr, and progress reports with cancellation.
//
// Command output goes to stdout, log and progress to stderr. The log is the only process-wide
// state: it is written to, and read back only to drop repeated lines.
#ifndef COIF_CORE_BASE_LOG_H
#define COIF_CORE_BASE_LOG_H

#include "core/base/base.h"

typedef enum coif_log_level {
    COIF_LOG_ERROR = 0,
    COIF_LOG_WARNING = 1,
    COIF_LOG_INFO = 2,
    COIF_LOG_DETAIL = 3
} coif_log_level;

// Lines above level are dropped; json gives one object per line instead of text.
void coif_log_setup(coif_log_level level, bool json);

// One event, no newline. In text: "coif: warning: head.obj: 3 degenerate faces left out". A warning
// with the same text is printed once per process.
void coif_log(coif_log_level level, const char *format, ...) COIF_PRINTF(2, 3);

// Prints a line of any level once per process.
void coif_log_once(coif_log_level level, const char *format, ...) COIF_PRINTF(2, 3);

// Progress of long work: a bar with rate and ETA on a terminal, a line every few seconds in a pipe,
// JSON lines with --log json. Steps may be reported from any thread.
struct coif_progress;

coif_progress *coif_progress_open(coif_arena *arena);

// Starts a task of `total` units; unit is plural: "frames", "samples".
void coif_progress_begin(coif_progress *progress, const char *task, int64_t total,
                         const char *unit);

// Adds completed units. Returns false after a cancel request; the caller then returns
// COIF_ERR_CANCELLED. A NULL progress is allowed everywhere and never cancels.
bool coif_progress_step(coif_progress *progress, int64_t units);
void coif_progress_end(coif_progress *progress);

// Requests cancellation. Safe in a signal handler and from any thread.
void coif_progress_cancel(coif_progress *progress);
bool coif_progress_cancelled(const coif_progress *progress);

// Seconds of the monotonic clock; for the log only, never for results.
double coif_clock_seconds(void);

#endif
