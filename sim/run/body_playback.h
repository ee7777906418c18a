// body_playback: poses of all bodies from frame to frame.
//
// Colliders and roots move linearly between two poses. For smooth motion a frame is divided into
// intervals; their number keeps the deviation from the curve below a tenth of a millimetre and is
// at most one per substep.
#ifndef COIF_SIM_RUN_BODY_PLAYBACK_H
#define COIF_SIM_RUN_BODY_PLAYBACK_H

#include "sim/run/sim_scene.h"

// Poses of all bodies at one frame.
typedef struct coif_body_playback_pose {
    coif_arena arena;
    int frame;
    coif_mesh *meshes; // one per body; NULL: not loaded
} coif_body_playback_pose;

typedef struct coif_body_playback {
    coif_body_playback_pose store[4];
    coif_body_playback_pose *window[4]; // frames before, begin, end, after
    coif_arena interval_arenas[2];      // poses within the frame
    coif_mesh *begin, *end;             // of the interval, one mesh per body
    int32_t interval_count;             // of the frame; 0: one, from begin to end
    int32_t interval;                   // the next one
    int32_t substep, substeps;          // first substep of the interval, and their number
    int32_t frame_substeps;
} coif_body_playback;

void coif_body_playback_open(coif_body_playback *playback);
void coif_body_playback_close(coif_body_playback *playback);

// Begin and end are the pose at this frame: bodies stand still. Colliders are refitted.
coif_status coif_body_playback_hold_pose(coif_body_playback *playback, coif_sim_scene *sim_scene,
                                         int frame, coif_error *error);

// Advances to the next frame: chooses its intervals, before the first of them.
coif_status coif_body_playback_begin_frame(coif_body_playback *playback, coif_sim_scene *sim_scene,
                                           int frame, int32_t substeps, coif_error *error);

// Advances to the next interval: begin, end and substeps; colliders are refitted. False after
// the last.
bool coif_body_playback_next_interval(coif_body_playback *playback, coif_sim_scene *sim_scene);

// From the current pose to a pose interpolated between the rest pose and that of a frame.
coif_status coif_body_playback_ramp_from_rest(coif_body_playback *playback,
                                              coif_sim_scene *sim_scene, int frame, double fraction,
                                              coif_error *error);

#endif
