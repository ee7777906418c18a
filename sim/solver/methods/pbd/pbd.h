// pbd: the constraints of plain Position Based Dynamics (Mueller et al. 2007) along a strand, and
// their rest values.
//
// A constraint C(p) = 0 with inverse masses w and stiffness k moves its points by
//
//   dp_i = -k s w_i grad_i C        s = C / sum_j w_j |grad_j C|^2
//
// one constraint after the other, from root to tip. Bending uses k times the stiffness of the
// strand at the middle point, at most 1; spans may have their own k. Segments keep their length;
// bending is resisted by distances between points, by the angle between two parts of the strand, or
// by the dihedral angle of four consecutive points.
#ifndef COIF_SIM_SOLVER_METHODS_PBD_PBD_H
#define COIF_SIM_SOLVER_METHODS_PBD_PBD_H

#include "sim/solver/solver_params.h"
#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"
#include "sim/solver/strand_material.h"

// A span that fits into the strand.
typedef struct coif_pbd_span {
    coif_bend_pairs pairs;
    float scale, stiffness; // see coif_bend_span
    float *rest;            // distance or angle of pair i at row i - begin
    // Where stiffness is not 1, the stiffness per iteration, and its row per point where that of
    // the block has one.
    float k;
    float *k_rows;
} coif_pbd_span;

typedef struct coif_pbd {
    int32_t bending;
    int32_t span_count;
    coif_pbd_span *spans;
    float *rest_dihedrals; // per point, with the next three points; NULL: unused
    float *stiffness;      // per point: multiplier of the bending stiffness
} coif_pbd;

static inline coif_pbd *coif_pbd_of(const coif_strand_block *block)
{
    return block->method_data;
}

// Allocates the data of a block.
void coif_pbd_init(coif_strand_block *block, const coif_bend_spans *spans, int32_t bending,
                   coif_arena *arena);

// Stiffness of spans in the substeps of a step.
void coif_pbd_update_params(coif_strand_block *block, const coif_solver_params *params);

typedef struct coif_pbd_kernels {
    // Rest distances and angles of rest_local of the block.
    void (*precompute_rest)(coif_strand_block *block);

    // All segments, then all spans of two segments, in one sweep: the same bits as project_stretch
    // and project_bend_distances, in half the time.
    void (*project_stretch_bend)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                 const coif_pbd_span *span, const coif_substep *step);
    void (*project_stretch)(const coif_strand_block *block, coif_solver_scratch *scratch,
                            const coif_substep *step);
    void (*project_bend_distances)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                   const coif_pbd_span *span, const coif_substep *step);
    void (*project_bend_angles)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                const coif_pbd_span *span, const coif_substep *step);
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
