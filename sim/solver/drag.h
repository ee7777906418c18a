// air: drag on strands as thin cylinders.
//
// Across a strand air holds on at the rate c_n, along it at c_t, both in 1/s:
//
//   c_n = c + 1/2 rho C_d s |v_n|        c_t = (1 - slip) (c + 1/2 rho C_d s |v_t|)
//
// with c the rate of linear drag, v the velocity of the air against the hair and s the area that a
// kilogram of hair turns to the wind, 2 r / (pi r^2 rho_hair). A thin cylinder in slow flow has
// half the drag along itself (slender-body theory, Cox 1970). Implicit in both rates, so that no
// wind can blow a strand up.
#ifndef COIF_SIM_SOLVER_DRAG_H
#define COIF_SIM_SOLVER_DRAG_H

#include "sim/solver/constraints_common.h"
#include "sim/solver/simd/simd_vec3.h"

// Whether the direction of a strand matters, or speed more than linearly. Otherwise predict and the
// methods know drag as a single number per point.
static inline bool coif_drag_is_cylindrical(const coif_substep *step)
{
    return step->quadratic_drag > 0.0f ||
           (step->tangential_drag_reduction > 0.0f && step->drag > 0.0f);
}

// Along the strand at point k.
static inline simd_vec3 coif_drag_direction(const coif_strand_block *block, int32_t k)
{
    const int32_t a = k > 0 ? k - 1 : k;
    const int32_t b = k + 1 < block->length ? k + 1 : k;
    return normalize3(sub3(load3(&block->pos, b), load3(&block->pos, a)));
}

// The rate across the strand at point k, within a substep.
static inline coif_simd coif_drag_rate_normal(const coif_strand_block *block,
                                              const coif_solver_scratch *scratch,
                                              const coif_substep *step, int32_t k)
{
    if (coif_drag_is_cylindrical(step)) {
        return ((const coif_simd *)scratch->drag_normal)[k];
    }
    return coif_drag_rate_linear(block, step, k);
}

// The prediction of a substep; rates go to air_across and air_along of the work, directions of the
// strand to tx, ty and tz.
void COIF_SIMD(coif_drag_predict)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  const coif_substep *step);

#endif
