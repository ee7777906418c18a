// running: a groom on its way through the frames; what the files of run share.
#ifndef COIF_SIM_RUN_BATCH_RUN_INTERNAL_H
#define COIF_SIM_RUN_BATCH_RUN_INTERNAL_H

#include "core/base/strbuf.h"
#include "sim/run/body_playback.h"
#include "sim/run/groom_animation.h"
#include "sim/run/solver_checkpoint.h"

typedef struct coif_batch_run {
    coif_sim_scene *shot;
    const coif_groom *groom;
    const coif_node *node; // the entry of "grooms"
    const char *name;
    int32_t body; // index of the one it grows on
    coif_frame_range frames;
    bool *wanted;           // per frame from frames.first on: still to be written
    coif_param_fields vary; // settings that come from maps and ramps
    coif_groom_solver solver;
    coif_solver_checkpoint state;
    coif_strands strands; // shaped like the simulated ones
    coif_body_playback poses;
    bool grows;                  // while it moves
    coif_groom_animation regrow; // then
    coif_collider body_collider; // then: the body at rest
    uint64_t inputs;             // digest of what the scene and its files say
    uint64_t digest;             // of all settings but the files of bodies
    double seconds;              // spent in the solver
    double last_seconds;         // on the last frame
    coif_strbuf notes;           // a line of JSON per frame
    int32_t frames_stepped;
    float speed; // how fast time passes for hair at this frame
} coif_batch_run;

// run_files.c: what is written and what is there already.

// Whether the file holds this frame, whole and made with the same settings.
bool coif_batch_run_frame_is_cached(const coif_batch_run *run, int frame);

// Whether a frame is asked for and not there yet.
bool coif_batch_run_frame_requested(const coif_batch_run *run, int frame);

// Takes places and velocities from the solver, and saves frame and state if they are wanted.
coif_status coif_batch_run_save_frame(coif_batch_run *run, int frame, const coif_step_stats *stats,
                                      coif_error *error);

// Figures for people, in the log and in files of their own that nothing reads.
coif_status coif_batch_run_write_frame_stats(const coif_batch_run *run, coif_error *error);
coif_status coif_batch_run_write_summary(const coif_batch_run *run, coif_error *error);

// run_step.c: motion.

// A frame, in as many pieces as its poses have; begin and end are frame numbers, equal while
// settling. Seconds are those that pass for hair.
typedef struct coif_time_span {
    double begin, end;
    double time, seconds;
} coif_time_span;
coif_status coif_batch_run_step(coif_batch_run *run, const coif_sim_params *params,
                                const coif_time_span *stretch, coif_step_stats *stats,
                                coif_error *error);

// Fails when too many strands went wrong, and tells of a few.
coif_status coif_batch_run_check(const coif_batch_run *run, int frame, int32_t healed,
                                 coif_error *error);

// run_begin.c: the first frame, from rest or from the state of another run.
coif_status coif_batch_run_start(coif_batch_run *run, coif_error *error);

// Digest of the state that the run begins from, 0 when it begins from rest.
coif_status coif_batch_run_start_digest(uint64_t *digest, const coif_batch_run *run,
                                        coif_error *error);

#endif
