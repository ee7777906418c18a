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
    const char *name;                      // of its files: that of the groom, or of a partition
    const char *folder;                    // of the cache, or of the partitions
    const char *cache_name, *cache_folder; // of the whole groom
    coif_partition partition;              // index 0: of the partitions that are joined
    bool redo;                             // also frames that the cache has
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

// Writes a frame or a checkpoint, with its metadata.
const char *coif_batch_run_metadata(const coif_batch_run *run, int frame, coif_arena *arena);
coif_status coif_batch_run_write_frame(const coif_batch_run *run, int frame, coif_strands *strands,
                                       const coif_step_stats *stats, coif_error *error);
coif_status coif_batch_run_write_checkpoint(coif_batch_run *run, int frame, coif_error *error);

// partition_join.c: the requested frames, and the checkpoints of the same range, from the files of
// the partitions, which are deleted afterwards.
coif_status coif_batch_run_join(coif_batch_run *run, coif_error *error);
void coif_batch_run_delete_parts(const coif_batch_run *run);

// FOLDER/partitions, and NAME.2-of-8
char *coif_partition_folder(const char *folder, coif_arena *arena);
char *coif_partition_name(const char *name, coif_partition partition, coif_arena *arena);

// Whether a frame is requested and not cached.
bool coif_batch_run_frame_requested(const coif_batch_run *run, int frame);

// Saves frame and checkpoint if requested.
coif_status coif_batch_run_save_frame(coif_batch_run *run, int frame, const coif_step_stats *stats,
                                      coif_error *error);

// Statistics for the log and for files that nothing reads.
coif_status coif_batch_run_write_frame_stats(const coif_batch_run *run, coif_error *error);
coif_status coif_batch_run_write_summary(const coif_batch_run *run, coif_error *error);

// Removes what a run left that was killed after its last frame.
void coif_batch_run_clean(const coif_batch_run *run);

// batch_run.c: fails when too many strands diverged; a few are in the report of the run.
coif_status coif_batch_run_check_resets(const coif_batch_run *run, const coif_sim_params *params,
                                        double frame, const coif_step_stats *stats,
                                        coif_error *error);

// Adds an interval to the report of a frame. Stretch and contacts are those at the end
// of the frame; a strand may diverge in every interval, so the largest number of resets counts.
void coif_batch_run_add_report(coif_solver_report *frame, const coif_solver_report *interval);

#endif
