// poses: all bodies of a shot as they move from frame to frame.
//
// Colliders and roots go straight between two poses, together. So that bodies go smoothly all the
// same, a frame is cut into pieces, as many as it takes for the way to be off by less than a tenth
// of a millimetre, and at most one per substep.
#ifndef COIF_SIM_RUN_BODY_PLAYBACK_H
#define COIF_SIM_RUN_BODY_PLAYBACK_H

#include "sim/run/sim_scene.h"

// Bodies at one whole frame.
typedef struct coif_body_playback_pose {
    coif_arena arena;
    int frame;
    coif_mesh *meshes; // one per body; NULL: not there yet
} coif_body_playback_pose;

typedef struct coif_body_playback {
    coif_body_playback_pose store[4];
    coif_body_playback_pose *whole[4]; // the frames around the way: before, begin, end, after
    coif_arena pieces[2];              // poses within the frame
    coif_mesh *begin, *end;            // of the piece, one mesh per body
    int32_t piece_count;               // of the frame; 0: just from begin to end
    int32_t piece;                     // the next one
    int32_t substep, substeps;         // where the piece begins, and how many it lasts
    int32_t all_substeps;              // of the frame
} coif_body_playback;

void coif_body_playback_open(coif_body_playback *poses);
void coif_body_playback_close(coif_body_playback *poses);

// Both ends are the bodies at this frame: they stand still. Colliders are moved there.
coif_status coif_body_playback_hold_pose(coif_body_playback *poses, coif_sim_scene *shot, int frame,
                                         coif_error *error);

// On to the next frame, in so many substeps: the pieces are chosen, the first is still to come.
coif_status coif_body_playback_begin_frame(coif_body_playback *poses, coif_sim_scene *shot,
                                           int frame, int32_t substeps, coif_error *error);

// The next piece of the frame: begin, end and substeps; colliders move along. False after the last.
bool coif_body_playback_next_interval(coif_body_playback *poses, coif_sim_scene *shot);

// From where bodies are to a share of the way from rest to their pose at a frame.
coif_status coif_body_playback_ramp_from_rest(coif_body_playback *poses, coif_sim_scene *shot,
                                              int frame, double share, coif_error *error);

#endif
