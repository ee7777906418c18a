// constraints_common: kernels shared by the methods: goal, contact, friction, length and shape
// constraints (Position Based Dynamics, Mueller et al. 2007). Compiled once per vector width;
// called through coif_kernels.
#ifndef COIF_SIM_SOLVER_CONSTRAINTS_COMMON_H
#define COIF_SIM_SOLVER_CONSTRAINTS_COMMON_H

#include "sim/simd/simd.h"
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

// Selects what the second contact pass has to query: contact distances of points that ended far
// from their prediction into recheck_distance, 0 for others; and those of segment midpoints near
// bodies into the segment rows. Returns COIF_RECHECK_... flags.
int32_t COIF_SIMD(coif_select_recheck)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const coif_substep *step, float *far);
void COIF_SIMD(coif_project_lengths_with_contacts)(const coif_strand_block *block,
                                                   coif_solver_scratch *scratch);
void COIF_SIMD(coif_project_segment_contacts)(const coif_strand_block *block,
                                              coif_solver_scratch *scratch);
void COIF_SIMD(coif_segment_friction)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                      const coif_substep *step);

// Value of a substep parameter at point k: times the multiplier of the block.
static inline coif_simd coif_point_param(const coif_strand_block *block, int row, float value,
                                         int32_t k)
{
    const coif_simd *own = (const coif_simd *)block->param_scale[row];
    if (own == NULL) {
        return coif_simd_all(value);
    }
    return value * own[k];
}

// Magnitude of gravity at point k.
static inline coif_simd coif_gravity_magnitude_at(const coif_strand_block *block, float plain,
                                                  int32_t k)
{
    const coif_simd *own = (const coif_simd *)block->gravity_magnitude;
    return own != NULL ? own[k] : coif_simd_all(plain);
}

// Fraction of its velocity that damping leaves to point k.
static inline coif_simd coif_velocity_retention_at(const coif_strand_block *block,
                                                   const coif_substep *step, int32_t k)
{
    const coif_simd *own = (const coif_simd *)block->velocity_retention;
    return own != NULL ? own[k] : coif_simd_all(step->velocity_retention);
}

// Linear drag rate of point k.
static inline coif_simd coif_drag_rate_linear(const coif_strand_block *block,
                                              const coif_substep *step, int32_t k)
{
    return coif_point_param(block, COIF_FIELD_DRAG, step->drag, k) /
           *(const coif_simd *)block->mass_scale;
}

#endif
