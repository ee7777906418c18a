// method: the interface of a constraint solver. Functions that are NULL have nothing to do.
#ifndef COIF_SIM_SOLVER_METHOD_H
#define COIF_SIM_SOLVER_METHOD_H

#include "sim/solver/point_targets.h"
#include "sim/solver/solver.h"

typedef struct coif_solver_vtable {
    const char *name;
    int32_t pinned_points; // points at a clamped root that follow the body exactly
    // Rows of floats: of state per point where roots are clamped and where they are free, of rest
    // data per point and per lane, see coif_method_rows, and of scratch per point.
    int32_t state_rows, free_state_rows, rows, lane_rows, scratch_rows;
    bool builtin_gravity_compensation; // the rest shape carries its weight by its own stiffness
    bool supports_resting;             // the method itself carries points resting on bodies
    bool has_material_frames;          // sections may be elliptic
    bool pulls_targets;                // points that are not held are pulled by the method

    // Elastic energy of the strand in a lane, J/kg; NULL: unknown.
    double (*elastic_energy)(const coif_strand_block *block, int32_t lane);

    // Allocates the data of a block where rows do not suffice.
    void (*init)(const coif_solver *solver, coif_strand_block *block, coif_arena *arena);
    void (*precompute_rest)(const coif_solver *solver, coif_strand_block *block,
                            coif_solver_scratch *scratch);
    // Derived values of a block for the substeps of a step.
    void (*update_params)(coif_strand_block *block, const coif_solver_params *params);
    void (*validate)(const coif_solver *solver); // logs warnings after creation
    // State for the rest shape on root_begin.
    void (*reset_to_rest)(const coif_kernels *kernels, coif_strand_block *block);
    // Maps predicted positions to positions that satisfy the constraints, for one substep.
    void (*solve)(const coif_kernels *kernels, coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step);
    // Length solve after the second contact pass, see post_solve_contact.h. Keep_contacts: points
    // on contact planes stay on them.
    void (*restore_lengths)(const coif_kernels *kernels, const coif_strand_block *block,
                            coif_solver_scratch *scratch, const coif_substep *step,
                            bool keep_contacts);
    bool lengths_override_contacts;
    float max_length_error; // relative length error that contacts may leave
    // After that pass, where velocities are not taken from positions; before: positions before it.
    void (*after_contact_push)(const coif_kernels *kernels, const coif_strand_block *block,
                               coif_solver_scratch *scratch, const coif_substep *step,
                               const coif_soa3 *before);
    // After velocities have been taken from positions.
    void (*end_substep)(const coif_kernels *kernels, coif_strand_block *block,
                        coif_solver_scratch *scratch, const coif_substep *step);
} coif_solver_vtable;

extern const coif_solver_vtable COIF_METHOD_PBD, COIF_METHOD_DER, COIF_METHOD_XPBD, COIF_METHOD_FTL,
    COIF_METHOD_SPRING;

// Gravity that the rest shape of each lane carries, in the root frame, into supported_gravity.
void coif_solver_load_supported_gravity(const coif_solver *solver, const coif_strand_block *block,
                                        coif_solver_scratch *scratch);

// The direct length solve. Keep_contacts: points on contact planes stay on them.
static inline void coif_method_project_lengths(const coif_kernels *kernels,
                                               const coif_strand_block *block,
                                               coif_solver_scratch *scratch, bool keep_contacts)
{
    if (keep_contacts) {
        kernels->project_lengths_with_contacts(block, scratch);
    } else {
        kernels->project_lengths(block, scratch);
    }
}

// Points with an axis back across it, where targets have one.
static inline void coif_method_project_targets(const coif_kernels *kernels,
                                               const coif_strand_block *block,
                                               coif_solver_scratch *scratch)
{
    if (coif_targets_have_axis(block)) {
        kernels->project_targets(block, scratch);
    }
}

// The direct length solve or follow-the-leader, by the length constraint of the substep.
void coif_method_restore_lengths(const coif_kernels *kernels, const coif_strand_block *block,
                                 coif_solver_scratch *scratch, const coif_substep *step,
                                 bool keep_contacts);

// End of an iterative solve: lengths and contacts compete. The contact distance leaves some slack,
// and contacts win. Both length solves run for every block, in contact or not: a strand must not
// depend on which others share its block. After the direct solve strands with a larger relative
// length error than max_error are laid out from root to tip; 0: none.
void coif_method_finish(const coif_kernels *kernels, const coif_strand_block *block,
                        coif_solver_scratch *scratch, const coif_substep *step, float max_error);

#endif
