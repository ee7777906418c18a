// groom_sim: simulation of one groom of a scene: its rest shape, which keys may animate, its
// varying parameters and its solver. Batch runs and live sessions step it frame by frame.
#ifndef COIF_SIM_RUN_GROOM_SIM_H
#define COIF_SIM_RUN_GROOM_SIM_H

#include "core/base/arena.h"
#include "sim/run/goal_cache.h"
#include "sim/run/sim_scene.h"
#include "sim/run/solver_setup.h"

typedef struct coif_groom_sim {
    coif_sim_scene *scene;
    const coif_node *node;       // the entry of "grooms"
    const coif_node *settings;   // its simulation parameters: "sim" with its overrides
    coif_sim_params params;      // these at the first frame
    const coif_groom *groom;     // at the first frame
    int32_t body;                // index of the body it grows on
    coif_partition partition;    // strands that are simulated, set before the solver is created
    bool animated;               // the groom has keys
    bool has_rest_collider;      // contact distances change over time
    coif_collider rest_collider; // then: of the body at rest
    coif_groom current;          // at the end of the frame
    coif_arena arenas[2];        // of the current animated groom and of the next
    int turn;                    // arena of the current one
    coif_param_fields fields;
    coif_constraints constraints;
    coif_goal_cache goals;
    coif_force_mask *force_masks; // per force of the scene
    coif_collider *colliders;     // of the scene that touch the groom; NULL: those of the scene
    int32_t collider_count;
    coif_groom_solver solver;
} coif_groom_sim;

// groom was generated at the first frame.
void coif_groom_sim_open(coif_groom_sim *sim, coif_sim_scene *scene, const coif_node *node,
                         const coif_groom *groom, int32_t body);
void coif_groom_sim_close(coif_groom_sim *sim);

// The entry of "grooms" and its parameters in a version of the scene.
void coif_groom_sim_set_node(coif_groom_sim *sim, const coif_node *node);

// Evaluates maps and ramps of parameters and forces; then the solver can be created with its
// constraints, at rest.
coif_status coif_groom_sim_open_fields(coif_groom_sim *sim, coif_arena *arena, coif_error *error);
coif_status coif_groom_sim_create_solver(coif_groom_sim *sim, coif_arena *arena, coif_error *error);

// Advances keyed materials and an animated groom to a frame: roots, point counts and guide binding
// stay those of the first frame. After a failure the groom is the last one. immediate: the solver
// is already at that frame.
coif_status coif_groom_sim_set_frame(coif_groom_sim *sim, int frame, bool immediate,
                                     coif_error *error);

// Begin and end are frame numbers, equal during warm-up. Seconds are simulated time.
typedef struct coif_time_span {
    double begin, end;
    double time, seconds;
} coif_time_span;

// Forces and goals at the end of a time span.
coif_status coif_groom_sim_begin_span(coif_groom_sim *sim, const coif_time_span *span,
                                      coif_error *error);

// Step of the solver over a time span, from one pose of all bodies to another.
coif_groom_solver_frame coif_groom_sim_frame(coif_groom_sim *sim, const coif_sim_params *params,
                                             const coif_time_span *span, const coif_mesh *begin,
                                             const coif_mesh *end);

// The simulated strands with velocities, and the rest shape of animated children.
coif_status coif_groom_sim_strands(coif_strands *strands, const coif_groom_sim *sim,
                                   coif_arena *arena, coif_error *error);

#endif
