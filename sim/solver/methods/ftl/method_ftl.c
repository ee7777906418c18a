// method_ftl: dynamic follow-the-leader, the cheapest method with exact lengths.
//
// Hair falls, hangs and lies on bodies at its exact length after one pass. It swings more slowly
// and is damped more than real hair, since each point moves as if nothing hung on it: a preview.
// The rest shape is kept by goals and the shape constraint as in PBD; there is no bending.
#include "sim/solver/method.h"

// A pinned tip leads as well as the root does, and one pass cannot follow both: such strands use
// the direct length solve.
static bool has_pinned_tip(const coif_strand_block *block)
{
    return coif_defined_inv_mass(block)[(int64_t)(block->length - 1) * block->lanes] == 0.0f;
}

static void solve(const coif_kernels *kernels, coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step)
{
    kernels->project_goal(block, scratch, step);
    for (int32_t i = 0; i < step->iterations && step->shape_stiffness > 0.0f; ++i) {
        kernels->project_shape(block, scratch, step);
    }
    if (scratch->has_contacts) {
        kernels->project_contact(block, scratch, 0.0f);
        kernels->project_friction(block, scratch, step);
    }
    if (has_pinned_tip(block)) {
        kernels->project_lengths(block, scratch);
        kernels->project_lengths(block, scratch);
        return;
    }
    kernels->ftl_project(block, scratch);
    coif_method_project_targets(kernels, block, scratch);
}

static void restore_lengths(const coif_kernels *kernels, const coif_strand_block *block,
                            coif_solver_scratch *scratch, const coif_substep *step,
                            bool keep_contacts)
{
    (void)step;
    if (has_pinned_tip(block)) {
        coif_method_project_lengths(kernels, block, scratch, keep_contacts);
    } else {
        kernels->ftl_project(block, scratch);
    }
}

static void end_substep(const coif_kernels *kernels, coif_strand_block *block,
                        coif_solver_scratch *scratch, const coif_substep *step)
{
    if (!has_pinned_tip(block)) {
        kernels->ftl_velocity_correction(block, scratch, step);
    }
}

const coif_solver_vtable COIF_METHOD_FTL = {.name = "ftl",
                                            .pinned_points = 2,
                                            .solve = solve,
                                            .restore_lengths = restore_lengths,
                                            .lengths_override_contacts = true,
                                            .end_substep = end_substep};
