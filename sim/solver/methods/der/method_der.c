// method_der: discrete elastic rods, each strand solved directly from tip to root.
//
// Takes the material in SI units and keeps the rest shape by its own stiffness, so the number of
// substeps changes cost and damping, not the stiffness of hair. Parameters of iterations and goals
// (stretch, bend, shape, iterations, goals) have no effect.
#include "sim/solver/method.h"
#include "sim/solver/methods/der/der.h"
#include "sim/solver/solver_internal.h"

static void precompute_rest(const coif_solver *solver, coif_strand_block *block,
                            coif_solver_scratch *scratch)
{
    const coif_der_kernels *kernels = solver->kernels->der;
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        coif_der_fill(block, lane, &solver->materials[block->strands[lane]]);
    }
    kernels->precompute_rest(block, scratch);
    if (solver->compensates_gravity) {
        coif_solver_load_supported_gravity(solver, block, scratch);
        kernels->preload_gravity(block, scratch, scratch->supported_gravity);
    }
}

static void reset_to_rest(const coif_kernels *kernels, coif_strand_block *block)
{
    kernels->der->reset_to_rest(block);
}

static void solve(const coif_kernels *kernels, coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_der_kernels *rod = kernels->der;
    rod->step(block, scratch, step);
    if (!scratch->has_contacts) {
        return;
    }
    kernels->project_contact(block, scratch, 0.0f);
    kernels->project_friction(block, scratch, step);
    if (!rod->save_untouched(block, scratch)) {
        return;
    }
    kernels->project_lengths_with_contacts(block, scratch);
    kernels->project_contact(block, scratch, 0.0f);
    kernels->project_lengths_with_contacts(block, scratch);
    kernels->project_contact(block, scratch, 0.75f);
    rod->restore_untouched(block, scratch);
}

static void restore_lengths(const coif_kernels *kernels, const coif_strand_block *block,
                            coif_solver_scratch *scratch, const coif_substep *step,
                            bool keep_contacts)
{
    (void)step;
    coif_method_project_lengths(kernels, block, scratch, keep_contacts);
}

const coif_solver_vtable COIF_METHOD_DER = {.name = "der",
                                            .pinned_points = 1,
                                            .state_rows = COIF_DER_STATE_ROWS,
                                            .free_state_rows = COIF_DER_STATE_ROWS,
                                            .rows = COIF_DER_ROWS,
                                            .lane_rows = COIF_DER_LANE_ROWS,
                                            .scratch_rows = COIF_DER_SCRATCH_ROWS,
                                            .builtin_gravity_compensation = true,
                                            .supports_resting = true,
                                            .has_material_frames = true,
                                            .elastic_energy = coif_der_energy,

                                            .precompute_rest = precompute_rest,
                                            .reset_to_rest = reset_to_rest,
                                            .solve = solve,
                                            .max_length_error = 1e-3f,
                                            .restore_lengths = restore_lengths};
