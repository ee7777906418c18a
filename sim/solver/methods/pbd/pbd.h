// pbd: the constraints of plain Position Based Dynamics (Mueller et al. 2007) along a strand, and
// their rest values.
//
// A constraint C(p) = 0 with inverse masses w and stiffness k moves its points by
//
//   dp_i = -k s w_i grad_i C        s = C / sum_j w_j |grad_j C|^2
//
// one constraint after the other, from root to tip. Bending uses k times the stiffness of the
// strand at the middle point, at most 1. Segments keep their length; bending is resisted by
// distances between points, by the angle between two parts of the strand, or by the dihedral angle
// of four consecutive points.
#ifndef COIF_SIM_SOLVER_METHODS_PBD_PBD_H
#define COIF_SIM_SOLVER_METHODS_PBD_PBD_H

#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"
#include "sim/solver/strand_material.h"

typedef struct coif_pbd {
    int32_t bending;
    coif_bend_spans spans; // those that fit into the strand
    // Per point: rest distance or angle of each span, and the dihedral angle with the next three
    // points. NULL where the bend constraint does not use it.
    float *rest_values[COIF_BEND_SPANS_MAX];
    float *rest_dihedrals;
    float *stiffness; // per point: multiplier of the bending stiffness
} coif_pbd;

static inline coif_pbd *coif_pbd_of(const coif_strand_block *block)
{
    return block->method_data;
}

// Allocates the data of a block.
void coif_pbd_init(coif_strand_block *block, const coif_bend_spans *spans, int32_t bending,
                   coif_arena *arena);

typedef struct coif_pbd_kernels {
    // Rest distances and angles of rest_local of the block.
    void (*precompute_rest)(coif_strand_block *block);

    // All segments, then all spans of two segments, in one sweep: the same bits as project_stretch
    // and project_bend_distances, in half the time.
    void (*project_stretch_bend)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                 const float *distances, const coif_substep *step);
    void (*project_stretch)(const coif_strand_block *block, coif_solver_scratch *scratch,
                            const coif_substep *step);
    void (*project_bend_distances)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                   int32_t span, const float *distances, float k);
    void (*project_bend_angles)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                int32_t span, const float *angles, float k);
    void (*project_dihedrals)(const coif_strand_block *block, coif_solver_scratch *scratch,
                              const float *angles, float k);
    void (*project_attachment)(const coif_strand_block *block, coif_solver_scratch *scratch,
                               float k);
} coif_pbd_kernels;

extern const coif_pbd_kernels coif_pbd_kernels_wide4, coif_pbd_kernels_wide8;

// One iteration of all constraints but contacts.
void coif_pbd_iterate(const coif_pbd_kernels *kernels, const coif_strand_block *block,
                      coif_solver_scratch *scratch, const coif_substep *step);

#endif
