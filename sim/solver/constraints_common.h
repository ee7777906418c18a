// constraints_common: kernels shared by the methods: goal, contact, friction, length and shape
// constraints (Position Based Dynamics, Mueller et al. 2007). Compiled once per vector width;
// called through coif_kernels.
#ifndef COIF_SIM_SOLVER_CONSTRAINTS_COMMON_H
#define COIF_SIM_SOLVER_CONSTRAINTS_COMMON_H

#include "core/simd/simd.h"
#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"

void COIF_SIMD(coif_project_goal)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  const coif_substep *step);
void COIF_SIMD(coif_project_contact)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                     float slack);
void COIF_SIMD(coif_project_friction)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                      const coif_substep *step);
void COIF_SIMD(coif_project_lengths)(const coif_strand_block *block, coif_solver_scratch *scratch);
// The same up to the last held point, for the strands of the mask, which targets hold.
void COIF_SIMD(coif_project_held_lengths)(const coif_strand_block *block,
                                          coif_solver_scratch *scratch, coif_simd_mask held);
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

// Targets of a substep, see point_targets.h. By_method: the method itself pulls points, and only
// held ones are placed here.
void COIF_SIMD(coif_pull_targets)(coif_strand_block *block, coif_solver_scratch *scratch,
                                  const coif_substep *step, bool by_method);
// Held points on their targets; and points with an axis across it after a length solve.
bool COIF_SIMD(coif_hold_targets)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  float max_error);
void COIF_SIMD(coif_project_targets)(const coif_strand_block *block, coif_solver_scratch *scratch);

// Damps all motion of a strand but its rigid motion, see rigid_damping.c.
void COIF_SIMD(coif_damp_deformation)(coif_strand_block *block, const coif_substep *step);

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

// Friction coefficient at point k: of the surface it touches, where that has one of its own.
static inline coif_simd coif_friction_on(const coif_strand_block *block,
                                         const coif_solver_scratch *scratch, const float *surface,
                                         float value, int32_t k)
{
    const coif_simd hair = coif_point_param(block, COIF_FIELD_FRICTION, value, k);
    if (!scratch->has_surface_friction) {
        return hair;
    }
    const coif_simd own = ((const coif_simd *)surface)[k];
    return coif_simd_select(own >= 0.0f, own, hair);
}

static inline coif_simd coif_contact_friction(const coif_strand_block *block,
                                              const coif_solver_scratch *scratch, float value,
                                              int32_t k)
{
    return coif_friction_on(block, scratch, scratch->surface_friction, value, k);
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
