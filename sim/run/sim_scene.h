// shot: what all grooms of a scene share while they are simulated: bodies and how they move,
// forces, settings.
#ifndef COIF_SIM_RUN_SIM_SCENE_H
#define COIF_SIM_RUN_SIM_SCENE_H

#include "core/base/arena.h"
#include "core/body/body.h"
#include "sim/collision/primitive_colliders.h"
#include "sim/run/simulate.h"
#include "sim/run/solver_setup.h"

typedef struct coif_sim_scene {
    const coif_simulate_desc *desc;
    const coif_node *sim;
    coif_sim_params params; // at the first frame
    coif_body *bodies;
    int32_t body_count;
    coif_collider *colliders; // of the bodies that collide
    int32_t *collider_bodies; // which body each is
    int32_t collider_count;
    coif_primitive *rounds; // the last of the colliders: spheres, capsules and planes
    int32_t round_count;
    int still_before; // a frame: bodies stood still before it
    double *times;    // per frame from the first one on: seconds since then
    uint64_t *ways; // per frame from the first one on: digest of the files that move bodies so far
    coif_plugin_instance **forces;
    int32_t force_count;
    const coif_kernels *kernels;
    const struct coif_sim_scene *like; // NULL, or one whose bodies may be equal
    coif_arena *arena;
    coif_jobs *jobs;
    coif_progress *progress;
} coif_sim_scene;

// Bodies and settings; enough to grow.
coif_status coif_sim_scene_open(coif_sim_scene *shot, coif_error *error);

// Colliders, forces and kernels as well.
coif_status coif_sim_scene_prepare(coif_sim_scene *shot, coif_error *error);

// Those that a scene names, which may be a later version of the shot's own.
coif_status coif_sim_scene_open_forces(coif_sim_scene *shot, const coif_scene *scene,
                                       coif_arena *arena, coif_error *error);

// Moves the colliders that are formulas, from one frame to another.
void coif_sim_scene_move_primitives(coif_sim_scene *shot, double begin, double end);

// The body a groom names; an unknown one is an error that lists the known ones.
coif_status coif_sim_scene_body(const coif_body **body, const coif_sim_scene *shot,
                                const coif_node *groom, coif_error *error);

// Seconds since the first frame.
double coif_sim_scene_time(const coif_sim_scene *shot, int frame);

// Digest of all that the motion of a groom from the first frame on depends on, without files that
// bodies read later. With those until a frame: the settings of that frame.
uint64_t coif_sim_scene_digest(const coif_sim_scene *shot, const coif_groom *groom,
                               const coif_node *node);
uint64_t coif_sim_scene_settings(const coif_sim_scene *shot, uint64_t digest, int frame);

// Lines of metadata that say it: all of it, and what those can tell who only look at frames.
typedef struct coif_sim_scene_digests {
    uint64_t settings, inputs;
} coif_sim_scene_digests;
const char *coif_sim_scene_metadata(const coif_sim_scene *shot, const coif_groom *groom,
                                    const coif_sim_scene_digests *digests, coif_arena *arena);

#endif
