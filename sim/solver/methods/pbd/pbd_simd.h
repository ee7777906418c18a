// pbd_simd: helpers shared by the kernels of PBD.
#ifndef COIF_SIM_SOLVER_METHODS_PBD_PBD_SIMD_H
#define COIF_SIM_SOLVER_METHODS_PBD_PBD_SIMD_H

#include "sim/simd/simd_vec3.h"
#include "sim/solver/methods/pbd/pbd.h"

// Stiffness per iteration at point i.
static inline coif_simd iteration_stiffness_at(const coif_strand_block *block, int row, int32_t i,
                                               float k)
{
    const coif_simd *own = (const coif_simd *)block->iteration_stiffness[row];
    return own != NULL ? own[i] : coif_simd_all(k);
}

// Bending stiffness per iteration at point i.
static inline coif_simd bend_at(const coif_strand_block *block, int32_t i, float k)
{
    const coif_simd *stiffness = (const coif_simd *)coif_pbd_of(block)->stiffness;
    return coif_simd_min(iteration_stiffness_at(block, COIF_ITERATION_BEND, i, k) * stiffness[i],
                         coif_simd_all(1.0f));
}

// pbd_distances.c
void COIF_SIMD(coif_project_stretch_bend)(const coif_strand_block *block,
                                          coif_solver_scratch *scratch, const float *distances,
                                          const coif_substep *step);
void COIF_SIMD(coif_project_stretch)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                     const coif_substep *step);
void COIF_SIMD(coif_project_bend_distances)(const coif_strand_block *block,
                                            coif_solver_scratch *scratch, int32_t span,
                                            const float *distances, float k);
void COIF_SIMD(coif_project_attachment)(const coif_strand_block *block,
                                        coif_solver_scratch *scratch, float k);

// pbd_angles.c
void COIF_SIMD(coif_project_bend_angles)(const coif_strand_block *block,
                                         coif_solver_scratch *scratch, int32_t span,
                                         const float *angles, float k);
void COIF_SIMD(coif_project_dihedrals)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const float *angles, float k);

#endif
