#include "sim/solver/method.h"

void coif_method_restore_lengths(const coif_kernels *kernels, const coif_strand_block *block,
                                 coif_solver_scratch *scratch, const coif_substep *step,
                                 bool keep_contacts)
{
    if (step->length_constraint == COIF_LENGTH_FTL) {
        kernels->ftl_project(block, scratch);
    } else if (step->length_constraint == COIF_LENGTH_DIRECT) {
        coif_method_project_lengths(kernels, block, scratch, keep_contacts);
    }
}

void coif_method_finish(const coif_kernels *kernels, const coif_strand_block *block,
                        coif_solver_scratch *scratch, const coif_substep *step, float max_error)
{
    coif_method_restore_lengths(kernels, block, scratch, step, false);
    if (scratch->has_contacts) {
        kernels->project_contact(block, scratch, 0.0f);
    }
    coif_method_project_targets(kernels, block, scratch);
    coif_method_restore_lengths(kernels, block, scratch, step, false);
    coif_method_project_targets(kernels, block, scratch);
    if (max_error > 0.0f && step->length_constraint == COIF_LENGTH_DIRECT) {
        kernels->ftl_fallback(block, scratch, max_error);
    }
    if (scratch->has_contacts) {
        kernels->project_contact(block, scratch, 0.75f);
    }
}
