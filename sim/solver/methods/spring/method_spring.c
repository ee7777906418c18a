// solver_spring: strands as masses and springs, moved by explicit steps as small as they must be.
//
// Bends and stretches as hair of this material does; springs along segments that would need steps
// of a microsecond are solved for instead of followed. What belongs to sweeps and goals (stretch,
// bend, shape, iterations, length_pass, hold) has no say here.
#include "core/base/log.h"
#include "sim/solver/methods/spring/mass_spring.h"
#include "sim/solver/solver.h"

static void init(const coif_solver_desc *desc, coif_strand_block *block, coif_arena *arena)
{
    coif_spring_init(block, coif_solver_clamps(desc), arena);
}

static coif_spring_settings settings_of(const coif_solver_desc *desc, int32_t strand)
{
    const coif_sim_params *params = desc->params;
    const coif_param_fields *vary = desc->vary;
    return (coif_spring_settings){
        .stretch = params->spring_stretch_force *
                   coif_param_fields_strand(vary, COIF_FIELD_SPRING_STRETCH, strand),
        .core = params->curl_core_force *
                coif_param_fields_strand(vary, COIF_FIELD_SPRING_CORE, strand),
        .damping = params->spring_damping_time *
                   coif_param_fields_strand(vary, COIF_FIELD_SPRING_DAMPING, strand),
        .smooth = params->spring_frame_smoothing *
                  coif_param_fields_strand(vary, COIF_FIELD_SPRING_SMOOTH, strand),
        .core_smooth = params->curl_core_smoothing *
                       coif_param_fields_strand(vary, COIF_FIELD_SPRING_CORE_SMOOTH, strand),
        .most_steps = params->max_inner_steps};
}

static void learn(const coif_solver_desc *desc, coif_strand_block *block,
                  coif_solver_scratch *scratch)
{
    const coif_spring_kernels *kernels = coif_spring_kernels_of(block->lanes);
    float *along = scratch->method_rows + block->length; // after what the material has of it
    for (int32_t k = 0; k < block->length; ++k) {
        const float place = (float)k / (float)(block->length - 1);
        along[k] = coif_param_fields_along(desc->vary, COIF_FIELD_SPRING_STRETCH, place);
        along[block->length + k] =
            coif_param_fields_along(desc->vary, COIF_FIELD_SPRING_CORE, place);
    }
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const coif_rod_material material = coif_solver_material(desc, block, scratch, lane);
        coif_spring_settings settings = settings_of(desc, block->strands[lane]);
        settings.stretch_along = along;
        settings.core_along = along + block->length;
        settings.per_kilogram = block->inv_point_mass[lane];
        coif_spring_fill(block, lane, &material, &settings);
    }
    kernels->rest(block, scratch);
    if (coif_solver_supports(desc)) {
        kernels->sagfree(block, scratch, scratch->reference_axis_world);
    }
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        coif_spring_measure(block, lane);
    }
}

// Says when steps do not suffice: then hair is softer than it was asked to be.
static void check(const coif_solver *solver, const coif_solver_desc *desc)
{
    const float h = 1.0f / (desc->params->fps * (float)desc->params->substeps);
    float most = 0.0f;
    int32_t count = 0;
    for (int32_t b = 0; b < solver->block_count; ++b) {
        const coif_strand_block *block = &solver->blocks[b];
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            const float steps = coif_spring_substeps_of(block, lane, h).wanted;
            count += steps > (float)desc->params->max_inner_steps;
            most = steps > most ? steps : most;
        }
    }
    if (count > 0) {
        coif_log(COIF_LOG_WARNING,
                 "%d strands have springs that need up to %.0f steps in a substep, and "
                 "sim.spring_steps is %d: they are made softer; more substeps or fewer points help",
                 count, (double)most, desc->params->max_inner_steps);
    }
}

static void place(const coif_kernels *kernels, coif_strand_block *block)
{
    coif_spring_kernels_of(kernels->lanes)->place(block);
}

static void solve(const coif_kernels *kernels, const coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_spring_kernels *spring = coif_spring_kernels_of(kernels->lanes);
    spring->step(block, scratch, step);
    spring->limit(block, scratch, step);
    if (scratch->has_contacts) {
        kernels->project_contact(block, scratch, 0.75f);
    }
}

static void hold_lengths(const coif_kernels *kernels, const coif_strand_block *block,
                         coif_solver_scratch *scratch, const coif_substep *step)
{
    coif_spring_kernels_of(kernels->lanes)->hold(kernels, block, scratch, step);
}

static void pushed(const coif_kernels *kernels, const coif_strand_block *block,
                   coif_solver_scratch *scratch, const coif_substep *step, const coif_soa3 *before)
{
    coif_spring_kernels_of(kernels->lanes)->pushed(block, scratch, step, before);
}

static void finish(const coif_kernels *kernels, coif_strand_block *block,
                   coif_solver_scratch *scratch, const coif_substep *step)
{
    coif_spring_kernels_of(kernels->lanes)->finish(block, scratch, step);
}

const coif_solver_vtable COIF_METHOD_SPRING = {.name = "spring",
                                               .pinned_points = 1,
                                               .scratch_rows = COIF_SPRING_SCRATCH_ROWS,
                                               .builtin_gravity_compensation = true,
                                               .init = init,
                                               .precompute_rest = learn,
                                               .validate = check,
                                               .reset_to_rest = place,
                                               .solve = solve,
                                               .max_length_error = 0.1f,
                                               .restore_lengths = hold_lengths,
                                               .after_contact_push = pushed,
                                               .end_substep = finish};
