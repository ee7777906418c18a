// live_sim: interactive simulation of one groom on a thread of its own.
//
// The thread works on a snapshot of the scene; a change of the scene text is applied at the next
// frame, with the current state where the groom allows it. Frames are streamed to the pages as fast
// as each can receive them, statistics are sent as events, see live_sim_stream.h.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SIM_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SIM_H

#include "sim/run/live_session.h"
#include "tools/studio/server/document/studio.h"

typedef enum coif_live_sim_action {
    COIF_LIVE_PLAY,
    COIF_LIVE_PAUSE,
    COIF_LIVE_STEP,
    COIF_LIVE_RESET,
    COIF_LIVE_STOP,          // frees the memory
    COIF_LIVE_RECORD,        // a take from the current frame on, see live_recording.h
    COIF_LIVE_RECORD_STOP,   // after the steps that were requested; also reset and stop end a take
    COIF_LIVE_RECORD_CANCEL, // nothing is kept
} coif_live_sim_action;

typedef struct coif_live_sim coif_live_sim;

coif_status coif_live_sim_open(coif_live_sim **sim, coif_studio *studio, coif_arena *arena,
                               coif_error *error);
void coif_live_sim_close(coif_live_sim *sim);

// The parameters apply to play, step, reset and record. Another groom restarts; another strand
// count keeps the current state. In real-time mode (not exact) substeps and strands are reduced
// while frames are late, see realtime_budget.h.
typedef struct coif_live_sim_command {
    coif_live_sim_action action;
    int32_t groom;
    int32_t strand_limit;
    bool exact;
    float solve_fraction; // of the strands that the scene simulates; the others are interpolated
    int32_t loop_first, loop_last; // frames that playing repeats; 0: those of the scene
} coif_live_sim_command;
void coif_live_sim_command_send(coif_live_sim *sim, const coif_live_sim_command *command);

// Displacement of the body by the mouse, see coif_live_set_body_drag.
void coif_live_sim_set_body_drag(coif_live_sim *sim, const float translate[3],
                                 const float rotate[3]);

// While held, for example by a render, the simulation does not play; single steps are simulated.
// Calls are counted.
void coif_live_sim_hold(coif_live_sim *sim, bool hold);

// A new stream client: sends the current frame to all that can receive it.
void coif_live_sim_request_frame(coif_live_sim *sim);

// The current frame as a strand packet; empty before the first.
void coif_live_sim_read(coif_strbuf *out, coif_live_sim *sim);

// The simulated groom and its frame; fails when nothing is simulated.
coif_status coif_live_sim_current(coif_live_sim *sim, int32_t *groom, int *frame,
                                  coif_error *error);

// Copies the state, body displacement included, to a session of the same groom with other strands.
coif_status coif_live_sim_transfer_to(coif_live_sim *sim, coif_live *live, coif_error *error);

#endif
