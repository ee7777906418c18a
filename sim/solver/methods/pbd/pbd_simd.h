// pbd_wide: what the kernels of pbd share.
#ifndef COIF_SIM_SOLVER_METHODS_PBD_PBD_SIMD_H
#define COIF_SIM_SOLVER_METHODS_PBD_PBD_SIMD_H

#include "sim/solver/methods/pbd/pbd.h"
#include "sim/solver/simd/simd_vec3.h"

// What a round takes of a stiffness at point i: k, where all points have the same.
static inline coif_wide round_at(const coif_block *block, int row, int32_t i, float k)
{
    const coif_wide *own = (const coif_wide *)block->round[row];
    return own != NULL ? own[i] : coif_wide_all(k);
}

// What bending about point i takes of it.
static inline coif_wide bend_at(const coif_block *block, int32_t i, float k)
{
    const coif_wide *stiffness = (const coif_wide *)block->pbd->stiffness;
    return coif_wide_min(round_at(block, COIF_ROUND_BEND, i, k) * stiffness[i],
                         coif_wide_all(1.0f));
}

// chain.c
void COIF_WIDE(coif_project_chain)(const coif_block *block, coif_work *work, const float *distances,
                                   const coif_substep *step);
void COIF_WIDE(coif_project_stretch)(const coif_block *block, coif_work *work,
                                     const coif_substep *step);
void COIF_WIDE(coif_project_pairs)(const coif_block *block, coif_work *work, int32_t span,
                                   const float *distances, float k);
void COIF_WIDE(coif_project_attachment)(const coif_block *block, coif_work *work, float k);

// bend.c
void COIF_WIDE(coif_project_angles)(const coif_block *block, coif_work *work, int32_t span,
                                    const float *angles, float k);
void COIF_WIDE(coif_project_dihedrals)(const coif_block *block, coif_work *work,
                                       const float *angles, float k);

#endif
