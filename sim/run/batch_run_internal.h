// batch_run_internal: state of a run, shared by the batch_run files.
#ifndef COIF_SIM_RUN_BATCH_RUN_INTERNAL_H
#define COIF_SIM_RUN_BATCH_RUN_INTERNAL_H

#include "core/base/strbuf.h"
#include "sim/run/body_playback.h"
#include "sim/run/groom_sim.h"
#include "sim/run/run_report.h"
#include "sim/run/solver_checkpoint.h"

typedef struct coif_batch_run {
    coif_sim_scene *sim_scene;
    coif_groom_sim sim;
    const char *name;
    const char *folder; // of the cache
    bool redo;          // also frames that the cache has
    coif_frame_range frames;
    bool *pending; // per frame from frames.first on: still to be written
    coif_body_playback playback;
    coif_solver_checkpoint checkpoint;
    uint64_t input_digest;    // of the scene and its files
    uint64_t settings_digest; // of everything but the sequence files of bodies
    double seconds;           // spent in the solver
    double frame_seconds;     // on the last frame
    coif_strbuf stats_lines;  // one line of JSON per frame
    int32_t frames_stepped;
    coif_run_report report;
    float time_scale; // at this frame
    bool warned_corrected;
} coif_batch_run;

// batch_run_output.c: cached frames, checkpoints and statistics.

// Whether the cache has this frame, complete and with the same settings.
// A corrected frame does not count; a warning is logged once.
bool coif_batch_run_frame_is_cached(coif_batch_run *run, int frame);

// Whether a frame is requested and not cached.
bool coif_batch_run_frame_requested(const coif_batch_run *run, int frame);

// Saves frame and checkpoint if requested.
coif_status coif_batch_run_save_frame(coif_batch_run *run, int frame, const coif_step_stats *stats,
                                      coif_error *error);

// Statistics for the log and for files that nothing reads.
coif_status coif_batch_run_write_frame_stats(const coif_batch_run *run, coif_error *error);
coif_status coif_batch_run_write_summary(const coif_batch_run *run, coif_error *error);

// batch_run.c: adds an interval to the report of a frame. Stretch and contacts are those at the end
// of the frame; a strand may diverge in every interval, so the largest number of resets counts.
void coif_batch_run_add_report(coif_solver_report *frame, const coif_solver_report *interval);

#endif
