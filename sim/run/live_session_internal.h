// live_session_internal: state of a live session.
#ifndef COIF_SIM_RUN_LIVE_SESSION_INTERNAL_H
#define COIF_SIM_RUN_LIVE_SESSION_INTERNAL_H

#include "sim/run/groom_animation.h"
#include "sim/run/live_session.h"
#include "sim/run/sim_scene.h"

// Transform of the body on top of its animation.
typedef struct coif_live_body_drag {
    float translate[3], rotate[3];
} coif_live_body_drag;

struct coif_live {
    coif_sim_scene sim_scene;
    const coif_scene *scene; // the current version
    int32_t index;           // of the groom
    const coif_node *node;
    int32_t body;
    coif_groom groom; // at the first frame
    bool animated;    // the groom has keys
    coif_groom_animation animation;
    coif_collider body_collider;          // then: the body at rest
    uint64_t groom_digest, bodies_digest; // of the settings they were made from
    coif_param_fields fields;
    coif_groom_solver solver;
    coif_live_body_drag drag;
    int32_t max_substeps; // of a frame; 0: any
    bool force_warned;    // about a force that returned values that are not finite
    int frame;
    double time;
    coif_mesh *begin, *end; // one per body
    coif_mesh *poses[2];    // memory of both
    int pose_turn;

    coif_arena scene_arena;     // groom, bodies, colliders
    coif_arena solver_arena[2]; // solver, forces, parameters: of the current scene and of the next
    int solver_turn;
};

// Resets to the rest shape, at the current frame and drag.
coif_status coif_live_hold_pose(coif_live *live, coif_error *error);

#endif
