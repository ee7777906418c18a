// living: what the files of live share.
#ifndef COIF_SIM_RUN_LIVE_SESSION_INTERNAL_H
#define COIF_SIM_RUN_LIVE_SESSION_INTERNAL_H

#include "sim/run/groom_animation.h"
#include "sim/run/live_session.h"
#include "sim/run/sim_scene.h"

// Where somebody holds the body, on top of what the scene says.
typedef struct coif_live_body_drag {
    float translate[3], rotate[3];
} coif_live_body_drag;

struct coif_live {
    coif_sim_scene shot;
    coif_simulate_desc desc;
    const coif_scene *scene; // the present version
    int32_t index;           // of the groom
    const coif_node *node;
    int32_t body;
    coif_groom groom; // at the first frame
    bool grows;       // with the frame: then regrow has the groom of now
    coif_groom_animation regrow;
    coif_collider body_collider; // for it: the shot's own goes where the body goes
    uint64_t growth, bodies;     // digests of what the groom and the colliders were made from
    coif_param_fields vary;
    coif_groom_solver solver;
    coif_live_body_drag grabbed;
    int32_t hold; // most substeps of a frame; 0: any
    int frame;
    double time;
    coif_mesh *begin, *end; // one per body
    coif_mesh *posed[2];    // memory of both; NULL: not there yet
    int pose_turn;

    coif_arena heavy;    // groom, bodies, colliders
    coif_arena light[2]; // solver, forces, settings: of the present scene and of the next
    int light_turn;
};

// In the shape at rest, at its frame and in its hand.
coif_status coif_live_hold_pose(coif_live *live, coif_error *error);

#endif
