// constraints: the position corrections of Position Based Dynamics (Mueller et al. 2007), one
// function per constraint. Compiled once per vector width; reached through coif_kernels.
#ifndef COIF_SIM_SOLVER_CONSTRAINTS_COMMON_H
#define COIF_SIM_SOLVER_CONSTRAINTS_COMMON_H

#include "sim/solver/simd/simd.h"
#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"

void COIF_SIMD(coif_project_goal)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  const coif_substep *step);
void COIF_SIMD(coif_project_contact)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                     float slack);
void COIF_SIMD(coif_project_friction)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                      const coif_substep *step);
void COIF_SIMD(coif_project_lengths)(const coif_strand_block *block, coif_solver_scratch *scratch);
void COIF_SIMD(coif_ftl_project)(const coif_strand_block *block, coif_solver_scratch *scratch);
bool COIF_SIMD(coif_ftl_fallback)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  float worst);
void COIF_SIMD(coif_ftl_velocity_correction)(coif_strand_block *block,
                                             const coif_solver_scratch *scratch,
                                             const coif_substep *step);
void COIF_SIMD(coif_precompute_shape)(const coif_strand_block *block, coif_solver_scratch *scratch);
void COIF_SIMD(coif_project_shape)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                   const coif_substep *step);
void COIF_SIMD(coif_smooth_centreline)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const coif_soa3 *positions);
void COIF_SIMD(coif_apply_gravity_compensation)(const coif_strand_block *block,
                                                coif_solver_scratch *scratch,
                                                const coif_soa3 *positions);

// The distance to keep from bodies of the points that ended far from where they wanted to go, 0 for
// others, into far; and that of middles that bodies may be near to into the rows of middle.h. Which
// of the two there are.
int32_t COIF_SIMD(coif_select_recheck)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const coif_substep *step, float *far);
void COIF_SIMD(coif_project_lengths_with_contacts)(const coif_strand_block *block,
                                                   coif_solver_scratch *scratch);
void COIF_SIMD(coif_project_segment_contacts)(const coif_strand_block *block,
                                              coif_solver_scratch *scratch);
void COIF_SIMD(coif_segment_friction)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                      const coif_substep *step);

// Settings of a substep as they are at point k: times what the block has of its own there.
static inline coif_simd coif_point_param(const coif_strand_block *block, int row, float value,
                                         int32_t k)
{
    const coif_simd *own = (const coif_simd *)block->param_scale[row];
    if (own == NULL) {
        return coif_simd_all(value);
    }
    return value * own[k];
}

// How large gravity is at point k: as the substep has it, where it does not differ.
static inline coif_simd coif_gravity_magnitude_at(const coif_strand_block *block, float plain,
                                                  int32_t k)
{
    const coif_simd *own = (const coif_simd *)block->gravity_magnitude;
    return own != NULL ? own[k] : coif_simd_all(plain);
}

// The rate at which point k takes on the speed of the air.
static inline coif_simd coif_drag_rate_linear(const coif_strand_block *block,
                                              const coif_substep *step, int32_t k)
{
    return coif_point_param(block, COIF_FIELD_DRAG, step->drag, k) /
           *(const coif_simd *)block->mass_scale;
}

#endif
