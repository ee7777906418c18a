// drag: anisotropic drag on strands as thin cylinders.
//
// Drag rates normal to the strand, c_n, and along it, c_t, in 1/s:
//
//   c_n = c + 1/2 rho C_d s |v_n|        c_t = (1 - reduction) (c + 1/2 rho C_d s |v_t|)
//
// with c the linear drag rate, v the velocity of the air relative to the hair and s its projected
// area per mass, 2 r / (pi r^2 rho_hair). A thin cylinder in slow flow has half the drag along
// itself (slender-body theory, Cox 1970). Both rates are implicit, so that no wind can destabilise
// a strand.
#ifndef COIF_SIM_SOLVER_DRAG_H
#define COIF_SIM_SOLVER_DRAG_H

#include "core/simd/simd_vec3.h"
#include "sim/solver/constraints_common.h"

// Whether drag is anisotropic or quadratic. Otherwise it is a single rate per point.
static inline bool coif_drag_is_cylindrical(const coif_substep *step)
{
    return step->quadratic_drag > 0.0f ||
           (step->tangential_drag_reduction > 0.0f && step->drag > 0.0f);
}

// Direction of the strand at point k.
static inline simd_vec3 coif_drag_direction(const coif_strand_block *block, int32_t k)
{
    const int32_t a = k > 0 ? k - 1 : k;
    const int32_t b = k + 1 < block->length ? k + 1 : k;
    return normalize3(sub3(load3(&block->pos, b), load3(&block->pos, a)));
}

// Drag rate normal to the strand at point k, within a substep.
static inline coif_simd coif_drag_rate_normal(const coif_strand_block *block,
                                              const coif_solver_scratch *scratch,
                                              const coif_substep *step, int32_t k)
{
    if (coif_drag_is_cylindrical(step)) {
        return ((const coif_simd *)scratch->drag_normal)[k];
    }
    return coif_drag_rate_linear(block, step, k);
}

// Prediction with anisotropic drag; fills drag_normal, drag_tangential and drag_axis of the
// scratch.
void COIF_SIMD(coif_drag_predict)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  const coif_substep *step);

#endif
