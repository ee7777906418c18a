// solver: the simulated strands of one groom, moving.
//
// Algorithm 1 of Position Based Dynamics, per substep: forces, damping, prediction, contacts on the
// way, projection of constraints, velocities from positions, friction and restitution. Everything
// but the projection is shared; how constraints are projected is a row of the table of methods.
//
// All substeps of a frame of one block run as one piece of work, in cache. Threads meet once per
// frame, and where strands feel each other or a force has keyed parameters, within it.
#ifndef COIF_SIM_SOLVER_SOLVER_H
#define COIF_SIM_SOLVER_SOLVER_H

#include "core/hair/groom.h"
#include "plugins/host/host.h"
#include "sim/interaction/hair_interaction.h"
#include "sim/run/param_fields.h"
#include "sim/run/sim_params.h"
#include "sim/solver/simd_dispatch.h"
#include "sim/solver/step_stats.h"

typedef struct coif_solver_desc coif_solver_desc;
typedef struct coif_solver coif_solver;

// Maps predicted points to points that satisfy the constraints, for one substep. Functions that are
// NULL have nothing to do.
typedef struct coif_solver_vtable {
    const char *name;
    int32_t pinned_points;             // points at the root that follow the body exactly
    int32_t scratch_rows;              // per point, in a coif_solver_scratch
    bool builtin_gravity_compensation; // the rest shape bears its weight by itself

    // Room for its state, see coif_strand_block.
    void (*init)(const coif_solver_desc *desc, coif_strand_block *block, coif_arena *arena);
    void (*precompute_rest)(const coif_solver_desc *desc, coif_strand_block *block,
                            coif_solver_scratch *scratch);                     // at rest
    void (*validate)(const coif_solver *solver, const coif_solver_desc *desc); // says what is wrong
    void (*reset_to_rest)(const coif_kernels *kernels,
                          coif_strand_block *block); // in the rest shape, posed
    void (*solve)(const coif_kernels *kernels, const coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step);
    // Gives strands their lengths back after a second look at bodies, see again.h.
    void (*restore_lengths)(const coif_kernels *kernels, const coif_strand_block *block,
                            coif_solver_scratch *scratch, const coif_substep *step);
    bool lengths_override_contacts; // over bodies
    float max_length_error; // share of a segment by which bodies may leave it off, see again.h
    // After that look, where velocities are not taken from positions; before: three rows of places.
    void (*after_contact_push)(const coif_kernels *kernels, const coif_strand_block *block,
                               coif_solver_scratch *scratch, const coif_substep *step,
                               const coif_soa3 *before);
    // After velocities have been taken from positions.
    void (*end_substep)(const coif_kernels *kernels, coif_strand_block *block,
                        coif_solver_scratch *scratch, const coif_substep *step);
} coif_solver_vtable;

extern const coif_solver_vtable COIF_METHOD_PBD, COIF_METHOD_ROD, COIF_METHOD_XPBD, COIF_METHOD_FTL,
    COIF_METHOD_SPRING;
extern const char *const COIF_METHOD_NAMES[]; // NULL-terminated, in the order of the table
const coif_solver_vtable *coif_solver_vtable_at(int32_t index);

struct coif_solver_desc {
    const coif_groom *groom;
    const coif_mesh *rest;         // the body it grew on, at rest
    const coif_collider *body;     // the same, still at rest; NULL when it is not to be touched
    const coif_sim_params *params; // the method and all about material are taken from it once
    const coif_param_fields *vary; // settings that differ over strands and points; NULL: none
    const coif_kernels *kernels;
    bool grows;     // the rest shape is to change, see sprout.h
    int32_t pinned; // points at the root of each strand that follow the body exactly, if clamped
    uint64_t seed;
};

struct coif_solver {
    const coif_groom *groom;
    const coif_kernels *kernels;
    const coif_solver_vtable *method;
    int32_t block_count;
    coif_strand_block *blocks;
    const coif_mesh *rest;
    int32_t max_length;          // points of the longest strand
    int32_t *first_point;        // of the simulated strands: simulated_count + 1 offsets
    const coif_collider *bodies; // of the last frame; what is known of them holds on
    int32_t body_count;
    coif_hair_interaction interaction;
    const coif_solver_desc *desc; // where the rest shape changes; else NULL
    coif_arena *arena;            // for what is made when it is first wanted
};

// What the hair in a lane is made of, for the methods that know of it, see rod.h; how it differs
// along the strand is in the work's scratch. The gravity that its rest shape is to bear, in the
// frame of the root, goes into work->across.
struct coif_rod_material coif_solver_material(const coif_solver_desc *desc,
                                              const coif_strand_block *block,
                                              coif_solver_scratch *scratch, int32_t lane);

// Whether rest shapes bear any weight of their own accord.
bool coif_solver_supports(const coif_solver_desc *desc);

// Whether roots are held in place and direction.
bool coif_solver_clamps(const coif_solver_desc *desc);

// Says that sections which are not round have no effect; for methods that know of none.
void coif_solver_check_round(const coif_solver *solver, const coif_solver_desc *desc);

// Radius of a strand as it bends, m.
float coif_solver_radius(const coif_solver_desc *desc, int32_t strand);

// Strands stand in their rest shape on the body at rest, and do not move.
void coif_solver_init(coif_solver *solver, const coif_solver_desc *desc, coif_arena *arena,
                      coif_jobs *jobs);

// Rows of a block that say its shape at rest, from the groom of the desc: places, lengths, and the
// distances kept from bodies.
void coif_solver_set_rest_shape(const coif_solver_desc *desc, coif_strand_block *block);

// Everything that follows from that shape. The roots of the block are those at rest, and the state
// of a method may be lost.
void coif_solver_precompute_rest(const coif_solver *solver, const coif_solver_desc *desc,
                                 coif_strand_block *block, coif_solver_scratch *scratch);

// Place and frame of the root in each lane of a block, on a posed body, into COIF_ROOT_ROWS rows.
void coif_solver_roots(const coif_solver *solver, const coif_strand_block *block,
                       const coif_mesh *mesh, float *rows);

// Puts every strand into its rest shape on the posed body, at rest.
void coif_solver_reset_to_rest(coif_solver *solver, const coif_mesh *posed);

// Puts strands of a block that have gone wrong in a frame of so many seconds back to where they
// were when it began, and counts them.
void coif_solver_reset_diverged_strands(coif_strand_block *block, double seconds,
                                        coif_step_stats *stats);

typedef struct coif_solver_frame {
    const coif_sim_params *params;
    const coif_mesh *begin, *end; // the body the groom grows on, at both ends of the frame
    const coif_collider *bodies;  // already moved from begin to end
    int32_t body_count;
    coif_plugin_instance *const *forces;
    int32_t force_count;
    double frame_begin, frame_end; // frame numbers, for keyed parameters of forces
    double time, seconds;          // when it begins and how long it lasts
    int32_t substeps_before;       // a frame may be cut into several steps: those before this one,
    int32_t substeps_in_all;       // and of all steps; 0: this one is all
    coif_solver_scratch *works;    // one per worker, see coif_solver_create_scratch
} coif_solver_frame;

// Scratch for as many workers as jobs has.
coif_solver_scratch *coif_solver_create_scratch(const coif_solver *solver, coif_arena *arena,
                                                coif_jobs *jobs);

typedef struct coif_solver_report {
    int32_t reset_strands;   // strands put back
    coif_step_stats stats;   // and more of the kind
    int32_t bad_force_count; // blocks in which a force gave numbers that are not finite
    int32_t bad_force;       // the first such force
} coif_solver_report;

// Moves every strand over one frame. COIF_OK, or COIF_ERR_CANCELLED: then the solver is of no use
// any more.
coif_status coif_solver_step(coif_solver *solver, const coif_solver_frame *frame,
                             coif_solver_report *report, coif_jobs *jobs, coif_progress *progress);

// Points and velocities in the order of the groom's simulated strands, 3 floats each.
void coif_solver_get_points(const coif_solver *solver, coif_vec3 *places, coif_vec3 *velocities);
void coif_solver_set_points(coif_solver *solver, const coif_vec3 *places,
                            const coif_vec3 *velocities);

// What the method keeps beside them: how many floats per point, and these.
int32_t coif_solver_state_rows(const coif_solver *solver);
void coif_solver_get_state(const coif_solver *solver, float *rows);
void coif_solver_set_state(coif_solver *solver, const float *rows);

#endif
