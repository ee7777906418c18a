// method_xpbd: Cosserat rods with quaternions, compliant constraints swept from root to tip and
// back.
//
// Takes the same material as the rod, in SI units; but a sweep carries a moment one joint further,
// and the stiffness of hair couples its root to its tip. So hair comes out softer than it is until
// substeps and iterations are very many. Kept for comparison, as a method in common use.
#include "sim/solver/method.h"
#include "sim/solver/methods/xpbd/cosserat_rod.h"
#include "sim/solver/solver_internal.h"

static void precompute_rest(const coif_solver *solver, coif_strand_block *block,
                            coif_solver_scratch *scratch)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        coif_cosserat_fill(block, lane, &solver->materials[block->strands[lane]]);
    }
    solver->kernels->cosserat->precompute_rest(block, scratch);
}

static void reset_to_rest(const coif_kernels *kernels, coif_strand_block *block)
{
    kernels->cosserat->reset_to_rest(block);
}

static void solve(const coif_kernels *kernels, coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_cosserat_kernels *rod = kernels->cosserat;
    // Lengths are solved first and after every iteration: quaternions that turn towards a stretched
    // strand would destabilise it.
    const bool exact = step->length_constraint != COIF_LENGTH_NONE;
    rod->begin_substep(block, scratch, step);
    if (exact) {
        kernels->project_lengths(block, scratch);
    }
    for (int32_t i = 0; i < step->iterations; ++i) {
        rod->sweep(block, scratch, step);
        if (exact) {
            kernels->project_lengths(block, scratch);
        }
        if (scratch->has_contacts) {
            kernels->project_contact(block, scratch, 0.0f);
        }
    }
    rod->end_substep(block, scratch, step);
    if (exact) {
        rod->ftl_fallback(block, scratch);
    }
    if (scratch->has_contacts) {
        kernels->project_friction(block, scratch, step);
    }
    coif_method_finish(kernels, block, scratch, step, 0.0f);
}

const coif_solver_vtable COIF_METHOD_XPBD = {.name = "xpbd",
                                             .pinned_points = 1,
                                             .state_rows = COIF_COSSERAT_STATE_ROWS,
                                             .free_state_rows = COIF_COSSERAT_STATE_ROWS,
                                             .rows = COIF_COSSERAT_ROWS,
                                             .lane_rows = COIF_COSSERAT_LANE_ROWS,
                                             .scratch_rows = COIF_COSSERAT_SCRATCH_ROWS,
                                             .has_material_frames = true,

                                             .precompute_rest = precompute_rest,
                                             .reset_to_rest = reset_to_rest,
                                             .solve = solve,
                                             .max_length_error = 0.02f,
                                             .restore_lengths = coif_method_restore_lengths};
