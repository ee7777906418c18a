// sim_scene: bodies, colliders, forces and parameters shared by all grooms of a scene while they
// are simulated.
#ifndef COIF_SIM_RUN_SIM_SCENE_H
#define COIF_SIM_RUN_SIM_SCENE_H

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/body/body.h"
#include "core/collision/collider.h"
#include "sim/groom/groom_generate.h"
#include "sim/run/collider_params.h"
#include "sim/run/solver_setup.h"

typedef struct coif_sim_scene {
    const coif_scene *scene;
    coif_frame_range frames;   // none given: those of the scene
    const char *initial_state; // NULL: that of the scene, and NULL after opening: none
    const char *kernel;        // see coif_kernels_find
    const coif_node *sim;
    coif_sim_params params;      // at the first frame; grooms may override them
    coif_child_params *children; // per groom
    coif_body *bodies;
    int32_t body_count;
    coif_collider *colliders;             // of the bodies that collide
    int32_t *collider_bodies;             // body of each; -1: primitive
    coif_contact_params *collider_params; // of each
    int32_t collider_count;
    coif_primitive *primitives;       // the last of the colliders: spheres, capsules and planes
    const coif_node *primitive_nodes; // and their parameters
    coif_attachment *primitive_attachments;
    int32_t primitive_count;
    int static_before;   // bodies do not move before this frame
    double *frame_times; // per frame from the first one on: seconds since then
    uint64_t
        *motion_digests; // per frame from the first one on: digest of the body files read so far
    coif_plugin_instance **forces;
    coif_force_region *force_regions; // per force
    int32_t force_count;
    const coif_kernels *kernels;
    const struct coif_sim_scene *reuse_from; // NULL, or one whose colliders may be copied
    coif_arena *arena;
    coif_jobs *jobs;
    coif_progress *progress;
} coif_sim_scene;

// Loads bodies and parameters; enough to generate grooms. scene, frames, initial_state, kernel,
// arena, jobs and progress are given.
coif_status coif_sim_scene_open(coif_sim_scene *sim_scene, coif_error *error);

// Builds colliders, opens forces and selects kernels.
coif_status coif_sim_scene_prepare(coif_sim_scene *sim_scene, coif_error *error);

// Builds the colliders alone, at rest; prepare includes it. An unknown parent is an error.
coif_status coif_sim_scene_build_colliders(coif_sim_scene *sim_scene, coif_error *error);

// Opens the forces of a scene, which may be a later version of its own.
coif_status coif_sim_scene_open_forces(coif_sim_scene *sim_scene, const coif_scene *scene,
                                       coif_arena *arena, coif_error *error);

// Whether a collider touches a groom.
bool coif_sim_scene_collider_touches(const coif_sim_scene *sim_scene, int32_t collider,
                                     const coif_node *groom);

// Whether all colliders touch a groom that grows on a body, with all of their parameters: the
// margin of that body does not count, as hair near its root is within it.
bool coif_sim_scene_is_uniform(const coif_sim_scene *sim_scene, const coif_node *groom,
                               int32_t body);

// Copies the colliders that act on a groom, in their present pose, to an array of collider_count
// elements. Returns their number.
int32_t coif_sim_scene_select_colliders(coif_collider *selected, const coif_sim_scene *sim_scene,
                                        const coif_node *groom, int32_t body);

// Moves the colliders of bodies from one pose of all bodies to another. Static bodies may stay.
void coif_sim_scene_move_bodies(coif_sim_scene *sim_scene, const coif_mesh *begin,
                                const coif_mesh *end, bool include_static);

// Poses of all bodies at a frame; meshes NULL: at rest.
typedef struct coif_posed_frame {
    double frame;
    const coif_mesh *meshes;
} coif_posed_frame;

// Moves the primitive colliders from one frame to another.
void coif_sim_scene_move_primitives(coif_sim_scene *sim_scene, coif_posed_frame begin,
                                    coif_posed_frame end);

// The body that a groom names; an unknown one is an error that lists the known ones.
coif_status coif_sim_scene_body(const coif_body **body, const coif_sim_scene *sim_scene,
                                const coif_node *groom, coif_error *error);

// Simulation parameters of a groom: its own "sim", or that of the scene where the section tree has
// none.
const coif_node *coif_sim_scene_settings_node(const coif_sim_scene *sim_scene,
                                              const coif_node *groom);

// Generation of a groom at the first frame.
coif_groom_generate_desc coif_sim_scene_groom_desc(const coif_sim_scene *sim_scene,
                                                   const coif_node *groom, const coif_body *body);

// Seconds since the first frame.
double coif_sim_scene_time(const coif_sim_scene *sim_scene, int frame);

// Digest of everything that the motion of a groom depends on, except files that bodies read
// after the first frame; and with those until a frame.
uint64_t coif_sim_scene_digest(const coif_sim_scene *sim_scene, const coif_groom *groom,
                               const coif_node *node);
uint64_t coif_sim_scene_settings(const coif_sim_scene *sim_scene, uint64_t digest, int frame);

// Metadata lines: settings, and inputs for tools that only read frames.
typedef struct coif_sim_scene_digests {
    uint64_t settings, inputs;
} coif_sim_scene_digests;
const char *coif_sim_scene_metadata(const coif_sim_scene *sim_scene, const coif_groom *groom,
                                    const coif_sim_params *params,
                                    const coif_sim_scene_digests *digests, coif_arena *arena);

#endif
