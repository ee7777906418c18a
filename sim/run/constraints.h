// constraints: targets of the points that pins, ties and attachments of a groom hold.
//
// A constraint is bound to the rest mesh of its body: to the surface point closest to each of its
// points, or to one for all of them. On a posed mesh points follow the frames of these triangles.
// Ties: tie_ring.h.
#ifndef COIF_SIM_RUN_CONSTRAINTS_H
#define COIF_SIM_RUN_CONSTRAINTS_H

#include "core/body/body.h"
#include "sim/run/constraint_select.h"
#include "sim/run/surface_anchor.h"
#include "sim/run/tie_ring.h"
#include "sim/solver/solver.h"

typedef struct coif_constraint {
    const coif_node *node;
    coif_constraint_params params; // at the first frame
    int32_t body;                  // -1: none
    coif_constraint_points points;
    int32_t anchor_count; // 0: none, 1: of all points, or one per point
    coif_surface_anchor *anchors;
    coif_anchor_frame rest_frame; // of the anchor of a ring or locator at rest
    float radius;                 // of a ring
    // Per point: position in the frame of its anchor, or from the locator in rest space; of a tie
    // x is the position along the axis.
    coif_vec3 *local;
    // Per point: position where it was caught, or the multiplier of a tie; NULL: none.
    coif_vec3 *state;
    bool caught;
    float set_strength, set_slack;       // of the targets of the solver
    coif_tie_point *located;             // the points in the blocks of the solver
    int32_t *block_first, *block_points; // of a tie: points by block, with offsets per block
    coif_tie_ring ring; // of a body: at the begin of the step, and its displacement in the step
} coif_constraint;

typedef struct coif_constraints {
    int32_t count;
    coif_constraint *items;
    int32_t state_count; // vectors of state, of all constraints
    coif_vec3 *state;
    bool active, has_ring, has_free_ring, has_axis; // in the current step
    bool changed;                                   // other strengths than in the step before
    double set_seconds;                             // frame duration of the targets of the solver
    // Targets per point of the solver, and the constraint that sets them.
    int32_t point_count;
    int32_t *owner;
    coif_vec3 *begin, *end, *axis;
    float *strength, *slack;
    coif_arena *arena;
} coif_constraints;

typedef struct coif_constraints_desc {
    coif_param_fields_desc groom; // its frame is the first one
    const coif_body *bodies;
    int32_t body_count, body; // body: that of the groom
    const coif_sim_params *params;
    int32_t clamped_points; // at a clamped root that are held there
} coif_constraints_desc;

// Opens the constraints of a groom and binds them at rest; one that chooses no point is a warning.
coif_status coif_constraints_open(coif_constraints *constraints, const coif_constraints_desc *desc,
                                  coif_arena *arena, coif_error *error);

// The state is that of a run that has simulated this frame.
void coif_constraints_restore(coif_constraints *constraints, double frame);

// A step of the solver: a frame, or a part of it.
typedef struct coif_constraints_step {
    const coif_mesh *begin, *end;  // all bodies, at both ends of the step
    double frame_begin, frame_end; // frame numbers, for keys
    double seconds;                // of the step
    int32_t substeps;
    int32_t substeps_before, substeps_in_all; // of the frame; 0: the step is all of it
    coif_vec3 gravity;
} coif_constraints_step;

// Sets the targets of a step.
void coif_constraints_begin_step(coif_constraints *constraints, coif_solver *solver,
                                 const coif_constraints_step *step, coif_jobs *jobs);

// Moves free rings before a substep of the step; needed while has_free_ring.
void coif_constraints_begin_substep(coif_constraints *constraints, coif_solver *solver,
                                    const coif_constraints_step *step, int32_t substep,
                                    coif_jobs *jobs);

// The same for the points that rings with a body hold in a block; needed while has_ring. [worker]
void coif_constraints_update_block(coif_constraints *constraints, coif_strand_block *blocks,
                                   const coif_constraints_step *step, int32_t block,
                                   int32_t substep);

static inline bool coif_constraint_is_tie(const coif_constraint *constraint)
{
    return constraint->params.type == COIF_CONSTRAINT_TIE;
}

static inline bool coif_constraint_is_free(const coif_constraint *constraint)
{
    return constraint->params.target == COIF_CONSTRAINT_FREE;
}

// Whether the points follow `position`, which may have keys.
static inline bool coif_constraint_has_locator(const coif_constraint *constraint)
{
    return constraint->params.target == COIF_CONSTRAINT_TO_LOCATOR ||
           (coif_constraint_is_tie(constraint) && !coif_constraint_is_free(constraint));
}

#endif
