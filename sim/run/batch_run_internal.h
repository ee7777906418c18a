// running: a groom on its way through the frames; what the files of run share.
#ifndef COIF_SIM_RUN_BATCH_RUN_INTERNAL_H
#define COIF_SIM_RUN_BATCH_RUN_INTERNAL_H

#include "core/base/strbuf.h"
#include "sim/run/body_playback.h"
#include "sim/run/groom_animation.h"
#include "sim/run/solver_checkpoint.h"

typedef struct coif_running {
    coif_shot *shot;
    const coif_groom *groom;
    const coif_node *node; // the entry of "grooms"
    const char *name;
    int32_t body; // index of the one it grows on
    coif_frame_range frames;
    bool *wanted;   // per frame from frames.first on: still to be written
    coif_vary vary; // settings that come from maps and ramps
    coif_solver solver;
    coif_work *works;
    coif_state state;
    coif_strands strands; // shaped like the simulated ones
    coif_poses poses;
    bool grows;          // while it moves
    coif_regrow regrow;  // then
    coif_collider skin;  // then: the body at rest
    uint64_t inputs;     // digest of what the scene and its files say
    uint64_t digest;     // of all settings but the files of bodies
    double seconds;      // spent in the solver
    double last_seconds; // on the last frame
    coif_text notes;     // a line of JSON per frame
    int32_t frames_stepped;
    float speed; // how fast time passes for hair at this frame
} coif_running;

// run_files.c: what is written and what is there already.

// Whether the file holds this frame, whole and made with the same settings.
bool coif_running_has(const coif_running *run, int frame);

// Whether a frame is asked for and not there yet.
bool coif_running_wants(const coif_running *run, int frame);

// Takes places and velocities from the solver, and saves frame and state if they are wanted.
coif_status coif_running_keep(coif_running *run, int frame, const coif_tally *tally,
                              coif_error *error);

// Figures for people, in the log and in files of their own that nothing reads.
coif_status coif_running_note(const coif_running *run, coif_error *error);
coif_status coif_running_sum_up(const coif_running *run, coif_error *error);

// run_step.c: motion.

// A frame, in as many pieces as its poses have; begin and end are frame numbers, equal while
// settling. Seconds are those that pass for hair.
typedef struct coif_stretch {
    double begin, end;
    double time, seconds;
} coif_stretch;
coif_status coif_running_step(coif_running *run, const coif_sim_params *params,
                              const coif_stretch *stretch, coif_tally *tally, coif_error *error);

// Fails when too many strands went wrong, and tells of a few.
coif_status coif_running_check(const coif_running *run, int frame, int32_t healed,
                               coif_error *error);

// run_begin.c: the first frame, from rest or from the state of another run.
coif_status coif_running_begin(coif_running *run, coif_error *error);

// Digest of the state that the run begins from, 0 when it begins from rest.
coif_status coif_running_start_digest(uint64_t *digest, const coif_running *run, coif_error *error);

#endif
