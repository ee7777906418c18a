// method_spring: mass-spring strands, integrated explicitly with as many inner steps as needed.
//
// Bends and stretches as hair of its material does; axial springs that would need steps of a
// microsecond are solved implicitly. Parameters of iterations and goals (stretch, bend, shape,
// iterations, length_constraint, goals) have no effect.
#include "core/base/log.h"
#include "sim/solver/method.h"
#include "sim/solver/methods/spring/mass_spring.h"
#include "sim/solver/solver_internal.h"

static void precompute_rest(const coif_solver *solver, coif_strand_block *block,
                            coif_solver_scratch *scratch)
{
    const coif_spring_kernels *kernels = solver->kernels->spring;
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const int32_t strand = block->strands[lane];
        coif_spring_fill(block, lane, &solver->materials[strand], &solver->springs[strand],
                         solver->max_spring_steps);
    }
    kernels->precompute_rest(block, scratch);
    if (solver->compensates_gravity) {
        coif_solver_load_supported_gravity(solver, block, scratch);
        kernels->preload_gravity(block, scratch, scratch->supported_gravity);
    }
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        coif_spring_measure(block, lane);
    }
}

// Warns when inner steps do not suffice, which makes hair softer than specified.
static void validate(const coif_solver *solver)
{
    float most = 0.0f;
    int32_t count = 0;
    for (int32_t b = 0; b < solver->block_count; ++b) {
        const coif_strand_block *block = &solver->blocks[b];
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            const float steps =
                coif_spring_substeps_of(block, lane, solver->substep_seconds).unlimited_steps;
            count += steps > (float)solver->max_spring_steps;
            most = steps > most ? steps : most;
        }
    }
    if (count > 0) {
        coif_log(COIF_LOG_WARNING,
                 "%d strands have springs that need up to %.0f inner steps per substep, and the "
                 "limit is %d: their springs are softened; more substeps or fewer points help",
                 count, (double)most, solver->max_spring_steps);
    }
}

static void reset_to_rest(const coif_kernels *kernels, coif_strand_block *block)
{
    kernels->spring->reset_to_rest(block);
}

static void solve(const coif_kernels *kernels, coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_spring_kernels *spring = kernels->spring;
    spring->step(block, scratch, step);
    spring->limit_stretch(block, scratch, step);
    if (scratch->has_contacts) {
        kernels->project_contact(block, scratch, 0.75f);
    }
}

static void restore_lengths(const coif_kernels *kernels, const coif_strand_block *block,
                            coif_solver_scratch *scratch, const coif_substep *step,
                            bool keep_contacts)
{
    kernels->spring->restore_lengths(kernels, block, scratch, step, keep_contacts);
}

static void after_contact_push(const coif_kernels *kernels, const coif_strand_block *block,
                               coif_solver_scratch *scratch, const coif_substep *step,
                               const coif_soa3 *before)
{
    kernels->spring->after_contact_push(block, scratch, step, before);
}

static void end_substep(const coif_kernels *kernels, coif_strand_block *block,
                        coif_solver_scratch *scratch, const coif_substep *step)
{
    kernels->spring->end_substep(block, scratch, step);
}

const coif_solver_vtable COIF_METHOD_SPRING = {.name = "spring",
                                               .pinned_points = 1,
                                               .state_rows = COIF_SPRING_STATE_ROWS,
                                               .free_state_rows = COIF_SPRING_FREE_STATE_ROWS,
                                               .rows = COIF_SPRING_ROWS,
                                               .lane_rows = COIF_SPRING_LANE_ROWS,
                                               .scratch_rows = COIF_SPRING_SCRATCH_ROWS,
                                               .builtin_gravity_compensation = true,
                                               .has_material_frames = true,
                                               .pulls_targets = true,

                                               .precompute_rest = precompute_rest,
                                               .validate = validate,
                                               .reset_to_rest = reset_to_rest,
                                               .solve = solve,
                                               .max_length_error = 0.1f,
                                               .restore_lengths = restore_lengths,
                                               .after_contact_push = after_contact_push,
                                               .end_substep = end_substep};
