// solver: dynamics of strands. The public header of the solver library.
//
// A solver is created from a definition of flat arrays: rest positions, masses, material and
// per-point parameters. Each step moves all strands over a time span that is divided into substeps
// (Algorithm 1 of Position Based Dynamics, Mueller et al. 2007): forces, damping, prediction,
// contact planes along the predicted paths, projection of constraints, velocities from positions,
// friction and restitution. All but the projection is shared; the projection is a method, see
// method.h.
//
// Bodies, forces and hair-hair interaction are interfaces of the step. Results have the same bits
// for any number of threads, compiler and instruction set.
//
// All substeps of a block of strands run as one piece of work, in cache. Threads synchronise once
// per step, and within it where strands interact or forces have animated parameters.
#ifndef COIF_SIM_SOLVER_SOLVER_H
#define COIF_SIM_SOLVER_SOLVER_H

#include "core/base/jobs.h"
#include "core/base/log.h"
#include "sim/solver/simd_dispatch.h"
#include "sim/solver/solver_params.h"
#include "sim/solver/step_stats.h"
#include "sim/solver/strand_material.h"

// Methods, in the order of COIF_METHOD_NAMES.
extern const char *const COIF_METHOD_NAMES[]; // NULL-terminated
const struct coif_solver_vtable *coif_solver_vtable_at(int32_t index);

// Position and orthonormal frame of a root.
typedef struct coif_root_pose {
    coif_vec3 position, tangent, bitangent, normal;
} coif_root_pose;

// Arrays are read during creation only, except those that materials point to.
typedef struct coif_solver_def {
    const coif_kernels *kernels;
    int32_t method;
    int32_t strand_count;
    // Strands to simulate; both 0: all. The values of others are not read, and their state is
    // neither read nor written.
    int32_t strand_begin, strand_end;
    const int32_t *first_point; // strand_count + 1 offsets into the per-point arrays
    const int32_t *locality;    // per strand: strands of similar value share blocks

    // Per point.
    const coif_vec3 *rest_points;  // m
    const float *contact_distance; // distance to keep from bodies, m; 0: no contacts
    const float *inv_mass;         // relative to the mean point mass of the strand; 0: pinned
    const float *goal_stiffness;   // pull towards the rest shape, omega^2, 1/s2
    const float *gravity_ramp;     // multiplier of gravity along the strand; NULL: 1
    const float *param_scale[COIF_FIELD_BLOCK_ROWS]; // multipliers of step parameters; NULL: 1

    // Per strand.
    const coif_root_pose *rest_frame; // frame in which the rest shape is kept
    const coif_root_pose *rest_root;  // root on the body at rest
    const coif_strand_material *material;
    const coif_spring_material *spring; // for the mass-spring method, else NULL
    const coif_vec3 *tip_force_scale;   // NULL: 1

    bool root_clamped;        // roots are held in position and direction
    bool compensates_gravity; // rest shapes carry some of their weight
    bool animated_rest;       // coif_solver_set_rest_shape will be called
    float substep_seconds;    // of the steps to come
    int32_t max_spring_steps; // inner steps of the mass-spring method per substep
    int32_t bend_constraint;  // COIF_BEND_..., for PBD
    coif_bend_spans bend_spans;
} coif_solver_def;

typedef struct coif_solver coif_solver;

// Strands are in their rest shape on the rest roots, with zero velocity. The solver lives in the
// arena, or in one of its own where arena is NULL. jobs may be NULL.
coif_solver *coif_solver_create(const coif_solver_def *def, coif_arena *arena, coif_jobs *jobs);

// Frees the arena of a solver that has its own; the memory of any other goes with its arena.
void coif_solver_destroy(coif_solver *solver);

const char *coif_solver_method_name(const coif_solver *solver);
int32_t coif_solver_strand_count(const coif_solver *solver);
const int32_t *coif_solver_first_point(const coif_solver *solver); // strand_count + 1 offsets

// Puts every strand into its rest shape on these roots, at rest. Roots: one per strand.
void coif_solver_reset_to_rest(coif_solver *solver, const coif_root_pose *roots);

// Positions and velocities, in the order of the definition.
void coif_solver_get_points(const coif_solver *solver, coif_vec3 *positions, coif_vec3 *velocities);
void coif_solver_set_points(coif_solver *solver, const coif_vec3 *positions,
                            const coif_vec3 *velocities);

// State of the method beside them: floats per point, and their values.
int32_t coif_solver_state_rows(const coif_solver *solver);
void coif_solver_get_state(const coif_solver *solver, float *rows);
void coif_solver_set_state(coif_solver *solver, const float *rows);

// Masses, goals, parameter scales and materials of the definition, for the steps to come; contact
// distances too where they are given. Rest shape and state stay.
void coif_solver_set_materials(coif_solver *solver, const coif_solver_def *def, coif_jobs *jobs);

// Rest shape at the end of the next step: the shape is interpolated during the step. Immediate:
// from now on. Needs animated_rest.
typedef struct coif_rest_shape {
    const coif_vec3 *points;       // per point
    const float *contact_distance; // per point
    const coif_root_pose *frames;  // per strand
    bool immediate;
} coif_rest_shape;
void coif_solver_set_rest_shape(coif_solver *solver, const coif_rest_shape *shape, coif_jobs *jobs);

// Targets of points in the frames to come, until they are set again. A target moves linearly from
// begin to end during a frame (see substeps_before). The pull is a critically damped spring against
// the motion of the target, implicit, of rate r = s / ((1 - s) frame_seconds) for a strength s: an
// error decays by the fraction s per frame, in one step of a frame exactly; a target of constant
// velocity is followed without lag, one of acceleration a at the distance a / r^2. Its fraction of
// the mass of the point makes the point heavier in all length solves. Strength 1 is exactly the
// target: the point has no inverse mass and no contacts.
//
// Lengths win over targets that are out of reach: such a target is moved towards the point of the
// strand that is held before it, until the segments between them are as good as taut. Where there
// is no free point between two held ones their targets win over the length of their segment, so
// that strength 1 everywhere is the target whatever its lengths. A point that the definition pins
// is moved from the rest shape by the fraction s.
typedef struct coif_point_targets {
    const coif_vec3 *begin, *end; // per point, m; both NULL: the rest shape on the moving roots
    const float *strength;        // per point, 0 to 1; 0: none
    const float *slack;           // per point: radius without force, m; NULL: 0
    const coif_vec3 *axis;        // per point: unit direction along which the point is free, zero:
                                  // none; NULL: none. Of constraints only
    float frame_seconds;
} coif_point_targets;

// Two sets that act together. Of two strengths of 1 the constraint wins.
enum { COIF_TARGETS_GOAL, COIF_TARGETS_CONSTRAINT, COIF_TARGET_SETS };

// Targets NULL: none. The arrays are copied; blocks without targets cost nothing.
void coif_solver_set_targets(coif_solver *solver, int32_t set, const coif_point_targets *targets,
                             coif_jobs *jobs);

// Points at which forces are evaluated. Adds to wind and accel.
typedef struct coif_force_points {
    int32_t count;
    double time;
    coif_soa3 pos, vel;             // read only
    coif_soa3 wind;                 // velocity of the air, m/s
    coif_soa3 accel;                // m/s2
    const coif_strand_block *block; // whose points they are; NULL: points of no strand
} coif_force_points;

typedef struct coif_solver_forces {
    void *context;
    // Returns 0, or 1 + the index of the first force that gave a value that is not finite. NULL: no
    // forces. [worker]
    int32_t (*eval)(void *context, const coif_force_points *points);
    // Called before each substep with the fraction of the step at its end, for forces with animated
    // parameters; NULL: forces are constant during the step. [main]
    void (*set_time)(void *context, double fraction);
} coif_solver_forces;

// Forces between strands, as an acceleration in interaction_accel of the blocks.
typedef struct coif_solver_interaction {
    void *context;
    int32_t interval; // substeps between updates
    // Updates the blocks for the substeps from substep to before next. NULL: none. [main]
    void (*update)(void *context, int32_t substep, int32_t next);
    // Attenuates the wind of a block; NULL: none. [worker]
    void (*attenuate_wind)(const void *context, const coif_strand_block *block,
                           coif_solver_scratch *scratch);
} coif_solver_interaction;

// Targets that depend on the state of their own block.
typedef struct coif_solver_block_targets {
    void *context;
    // Called before a substep of a block; NULL: none. [worker]
    void (*update)(void *context, int32_t block, int32_t substep);
} coif_solver_block_targets;

typedef struct coif_solver_step_args {
    const coif_solver_params *params;
    double time, seconds;                        // begin and duration
    const coif_root_pose *root_begin, *root_end; // per strand
    const coif_collider *bodies;                 // their motion covers the step
    int32_t body_count;
    coif_solver_forces forces;
    coif_solver_interaction interaction;
    coif_solver_block_targets block_targets;
    // A step may be a part of a frame: substeps of the frame before it, and in all; 0: this is all.
    int32_t substeps_before, substeps_in_all;
} coif_solver_step_args;

typedef struct coif_solver_report {
    coif_step_stats stats;
    int32_t bad_force_count; // blocks in which a force gave values that are not finite
    int32_t bad_force;       // the first such force; -1: none
} coif_solver_report;

// Moves every strand over one step. Strands that diverge are reset and counted. COIF_OK, or
// COIF_ERR_CANCELLED, after which the solver must not be used.
coif_status coif_solver_step(coif_solver *solver, const coif_solver_step_args *args,
                             coif_solver_report *report, coif_jobs *jobs, coif_progress *progress);

// The blocks of a solver, for forces between strands. Scratch is for as many workers as jobs has.
typedef struct coif_solver_view {
    const coif_kernels *kernels;
    coif_strand_block *blocks;
    int32_t block_count;
    coif_solver_scratch *scratch;
    const coif_root_pose *rest_roots; // per strand
    coif_arena *arena;
} coif_solver_view;
coif_solver_view coif_solver_view_of(coif_solver *solver, coif_jobs *jobs);

// Copies roots in strand order to the COIF_ROOT_ROWS rows of a block.
void coif_solver_load_roots(const coif_strand_block *block, const coif_root_pose *roots,
                            float *rows);

#endif
