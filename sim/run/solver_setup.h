// solver_setup: a solver for the strands of a groom: scene parameters, maps, bodies and plugin
// forces translated to the definition and the step arguments of the solver library.
//
// The one driver of batch runs, live sessions, validation and benchmarks.
#ifndef COIF_SIM_RUN_SOLVER_SETUP_H
#define COIF_SIM_RUN_SOLVER_SETUP_H

#include "core/hair/groom.h"
#include "plugins/host/host.h"
#include "sim/interaction/hair_interaction.h"
#include "sim/interaction/lock_cohesion.h"
#include "sim/run/constraints.h"
#include "sim/run/force_region.h"
#include "sim/run/param_fields.h"
#include "sim/run/partition.h"
#include "sim/run/rigid_strands.h"
#include "sim/solver/method.h"
#include "sim/solver/solver.h"

typedef struct coif_groom_solver_desc {
    const coif_groom *groom;
    const coif_mesh *rest;           // the body the groom grows on, at rest
    const coif_collider *body;       // the same, at rest; NULL: no contact with it
    const coif_sim_params *params;   // of the first frame; copied
    const coif_param_fields *fields; // mapped and ramped parameters; NULL: none
    const coif_kernels *kernels;
    bool animated;  // the rest shape is animated
    bool imported;  // strands of a file: locks are found where the groom has no clumps
    bool rigid;     // strands follow the body in their rest shape: nothing is simulated
    int32_t pinned; // points at a clamped root that follow the body exactly
    uint64_t seed;
    coif_partition partition; // strands that are simulated
} coif_groom_solver_desc;

typedef struct coif_groom_solver {
    coif_solver *core;
    coif_groom_solver_desc desc;
    coif_sim_params params;                              // of the current masses and materials
    float *stiffness_along, *stretch_along, *core_along; // ramps per point; NULL: none
    coif_hair_interaction interaction;
    coif_lock_cohesion cohesion; // of the clumps of the groom
    coif_rigid_strands rigid;
    coif_root_pose *root_begin, *root_end; // of the current step
    float goal_strength;                   // of the current targets,
    float goal_frame_seconds;              // per frame of this duration
} coif_groom_solver;

// Strands are in their rest shape on the body at rest, with zero velocity.
void coif_groom_solver_init(coif_groom_solver *solver, const coif_groom_solver_desc *desc,
                            coif_arena *arena, coif_jobs *jobs);

// Puts every strand into its rest shape on the posed body, at rest.
void coif_groom_solver_reset_to_rest(coif_groom_solver *solver, const coif_mesh *posed);

// Sets masses, materials, goals and contact distances anew if their parameters, or the fields
// (fields_changed), have changed. The rest shape stays in equilibrium with the gravity of the first
// frame. Contact distances of an animated rest shape come with the shape.
void coif_groom_solver_set_params(coif_groom_solver *solver, const coif_sim_params *params,
                                  bool fields_changed, coif_jobs *jobs);

// The rest shape at the end of the next frame is that of groom, which has the same roots and point
// counts; immediate: from now on.
void coif_groom_solver_set_rest_shape(coif_groom_solver *solver, const coif_groom *groom,
                                      bool immediate, coif_jobs *jobs);

typedef struct coif_groom_solver_frame {
    const coif_sim_params *params;
    const coif_mesh *begin, *end; // the body the groom grows on, at both ends
    const coif_collider *bodies;  // already moved from begin to end
    int32_t body_count;
    coif_plugin_instance *const *forces;
    coif_force_region *force_regions;   // per force; NULL: all act everywhere
    const coif_force_mask *force_masks; // per force, of this groom; NULL: none
    int32_t force_count;
    double frame_begin, frame_end; // frame numbers, for animated parameters of forces
    double time, seconds;          // begin and duration
    int32_t substeps_before;       // a frame may be divided into several steps: substeps before
    int32_t substeps_in_all;       // this one, and of all; 0: this one is all
    coif_constraints *constraints; // NULL: none
    coif_vec3 gravity;             // mean of all strands, for these
    const coif_mesh *poses_begin, *poses_end; // all bodies at both ends, for these
    const coif_vec3 *goal_begin, *goal_end;   // goals of the frame per point; NULL: the rest shape
} coif_groom_solver_frame;

// Moves every strand over one frame, see coif_solver_step.
coif_status coif_groom_solver_step(coif_groom_solver *solver, const coif_groom_solver_frame *frame,
                                   coif_solver_report *report, coif_jobs *jobs,
                                   coif_progress *progress);

// Root frames of the simulated strands on a posed body.
void coif_eval_roots(coif_root_pose *roots, const coif_groom *groom, const coif_mesh *mesh,
                     coif_jobs *jobs);

// Parameters of interaction, and of a step of the solver.
coif_interaction_params coif_interaction_params_of(const coif_sim_params *params);
coif_solver_params coif_solver_params_of(const coif_sim_params *params);

// Blocks and roots of a solver, as hair interaction sees them.
coif_interaction_strands coif_groom_solver_strands(coif_groom_solver *solver, coif_jobs *jobs);

#endif
