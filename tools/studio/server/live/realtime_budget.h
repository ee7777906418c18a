// realtime_budget: quality control that keeps the live simulation in real time.
//
// Late frames first reduce the substeps, down to half, then the simulated strands, then the
// displayed ones; spare time undoes this in reverse order. Decisions use the median time of several
// frames, or two frames of more than a second. An increase that had to be reverted soon waits
// longer the next time (no oscillation).
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_REALTIME_BUDGET_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_REALTIME_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum { COIF_BUDGET_FRAMES = 5 }; // of one window

typedef struct coif_realtime_budget {
    int32_t substeps;      // per frame, 0: not known yet
    int32_t requested;     // by the scene
    float solve_fraction;  // of the strands that the scene simulates
    float strand_fraction; // of the displayed strands
    float min_strand_fraction;
    double seconds[COIF_BUDGET_FRAMES]; // of the frames of the current window
    int32_t count;
    int32_t stuck_frames;           // the last ones, of more than a second each
    int32_t fast_windows;           // consecutive ones with spare time
    int32_t late_windows;           // consecutive ones that are late at minimum substeps
    int32_t windows_since_increase; // of quality
    int32_t backoff;                // factor on the windows before an increase
    int32_t frame_rate_level;       // of CPU-rendered pages: 0 every frame, 1 fewer, 2 fewest
} coif_realtime_budget;

// Full quality, of which at least this fraction of strands is kept.
void coif_realtime_budget_begin(coif_realtime_budget *budget, float min_strand_fraction);

// Substeps of the next frame.
int32_t coif_realtime_budget_substeps(coif_realtime_budget *budget, int32_t requested);

// Adds the time of a frame. True: the number of strands has changed.
bool coif_realtime_budget_note(coif_realtime_budget *budget, double seconds, double frame_time);

// Start time of the frame after one that was due at `before`: at most real time. Delays of up to
// six frames are caught up with.
double coif_realtime_budget_due(double before, double now, double frame_time);

// Seconds between frames for a page that renders on the CPU.
double coif_realtime_budget_pause(const coif_realtime_budget *budget);

#endif
