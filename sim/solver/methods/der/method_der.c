// solver_rod: strands as discrete elastic rods, each solved directly from tip to root.
//
// Knows what a hair is made of in SI units and keeps its rest shape by its own stiffness, so the
// number of substeps changes cost and damping, not how stiff hair is. What belongs to sweeps and
// goals (stretch, bend, shape, iterations, hold) has no say here.
#include "core/base/rng.h"
#include "sim/solver/methods/der/der.h"
#include "sim/solver/solver.h"

#include <string.h>

enum { RANDOM_STIFFNESS = 201 };

static coif_rod_material material_of(const coif_solver_desc *desc, int32_t strand)
{
    const coif_sim_params *params = desc->params;
    const coif_param_fields *vary = desc->vary;
    const float chance = coif_random_unit(desc->seed, (uint64_t)strand, RANDOM_STIFFNESS);
    const float most = params->stiffness_variation *
                       coif_param_fields_strand(vary, COIF_FIELD_STIFFNESS_VARIATION, strand);
    const float variation = 1.0f + most * (2.0f * chance - 1.0f);
    return (coif_rod_material){
        .young = params->youngs_modulus * coif_param_fields_strand(vary, COIF_FIELD_YOUNG, strand),
        .poisson =
            params->poisson_ratio * coif_param_fields_strand(vary, COIF_FIELD_POISSON, strand),
        .ellipticity =
            params->ellipticity * coif_param_fields_strand(vary, COIF_FIELD_ELLIPTICITY, strand),
        .density =
            params->hair_density * coif_param_fields_strand(vary, COIF_FIELD_HAIR_DENSITY, strand),
        .radius = coif_solver_radius(desc, strand),
        .stiffness = params->stiffness * variation *
                     coif_param_fields_strand(vary, COIF_FIELD_STIFFNESS, strand),
        .clamped = coif_solver_clamps(desc)};
}

coif_rod_material coif_solver_material(const coif_solver_desc *desc, const coif_strand_block *block,
                                       coif_solver_scratch *scratch, int32_t lane)
{
    const int32_t strand = block->strands[lane];
    const int32_t last = block->length - 1;
    coif_rod_material material = material_of(desc, strand);
    for (int32_t k = 0; k < block->length; ++k) {
        scratch->method_rows[k] = coif_param_fields_stiffness(desc->vary, (float)k / (float)last);
    }
    material.along = scratch->method_rows;
    const float support = desc->params->gravity_compensation *
                          coif_param_fields_strand(desc->vary, COIF_FIELD_SUPPORT, strand);
    coif_mat3 frame;
    memcpy(&frame, desc->groom->root_frame + 9 * (int64_t)desc->groom->simulated[strand],
           sizeof frame);
    const coif_vec3 g =
        coif_param_fields_vector(desc->vary, COIF_FIELD_GRAVITY, desc->params->gravity, strand);
    const coif_vec3 borne = coif_scale(coif_mat3_apply(&frame, g), support);
    scratch->reference_axis_world[lane] = borne.x;
    scratch->reference_axis_world[block->lanes + lane] = borne.y;
    scratch->reference_axis_world[2 * block->lanes + lane] = borne.z;
    return material;
}

bool coif_solver_supports(const coif_solver_desc *desc)
{
    return desc->params->gravity_compensation > 0.0f && coif_solver_clamps(desc) &&
           desc->params->tip_boundary == COIF_TIP_FREE;
}

static void init(const coif_solver_desc *desc, coif_strand_block *block, coif_arena *arena)
{
    (void)desc;
    coif_der_init(block, arena);
}

static void learn(const coif_solver_desc *desc, coif_strand_block *block,
                  coif_solver_scratch *scratch)
{
    const coif_der_kernels *kernels = coif_der_kernels_of(block->lanes);
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const coif_rod_material material = coif_solver_material(desc, block, scratch, lane);
        coif_der_fill(block, lane, &material);
    }
    kernels->rest(block, scratch);
    if (coif_solver_supports(desc)) {
        kernels->sagfree(block, scratch, scratch->reference_axis_world);
    }
}

static void place(const coif_kernels *kernels, coif_strand_block *block)
{
    coif_der_kernels_of(kernels->lanes)->place(block);
}

static void solve(const coif_kernels *kernels, const coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_der_kernels *rod = coif_der_kernels_of(kernels->lanes);
    scratch->method_handles_resting = true;
    rod->step(block, scratch, step);
    if (!scratch->has_contacts) {
        return;
    }
    kernels->project_contact(block, scratch, 0.0f);
    kernels->project_friction(block, scratch, step);
    if (!rod->remember(block, scratch)) {
        return;
    }
    scratch->lengths_keep_contacts = true;
    kernels->project_lengths(block, scratch);
    kernels->project_contact(block, scratch, 0.0f);
    kernels->project_lengths(block, scratch);
    scratch->lengths_keep_contacts = false;
    kernels->project_contact(block, scratch, 0.75f);
    rod->recall(block, scratch);
}

static void make_lengths_exact(const coif_kernels *kernels, const coif_strand_block *block,
                               coif_solver_scratch *scratch, const coif_substep *step)
{
    (void)step;
    kernels->project_lengths(block, scratch);
}

const coif_solver_vtable COIF_METHOD_ROD = {.name = "der",
                                            .pinned_points = 1,
                                            .scratch_rows = COIF_DER_SCRATCH_ROWS,
                                            .builtin_gravity_compensation = true,
                                            .init = init,
                                            .precompute_rest = learn,
                                            .reset_to_rest = place,
                                            .solve = solve,
                                            .max_length_error = 1e-3f,
                                            .restore_lengths = make_lengths_exact};
