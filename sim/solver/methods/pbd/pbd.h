// pbd: the constraints of plain Position Based Dynamics (Mueller et al. 2007) along a strand, and
// what a block knows of them at rest.
//
// A constraint C(p) = 0 with inverse masses w and stiffness k moves its points by
//
//   dp_i = -k s w_i grad_i C        s = C / sum_j w_j |grad_j C|^2
//
// one constraint after the other, from the scalp outwards. Bending takes k times the stiffness of
// the strand at the point in its middle, at most 1. Segments keep their length; bending is resisted
// by the distance of other pairs of points, by the angle between two stretches of the strand, or by
// the dihedral angle of four points in a row.
#ifndef COIF_SIM_SOLVER_METHODS_PBD_PBD_H
#define COIF_SIM_SOLVER_METHODS_PBD_PBD_H

#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"
#include "sim/solver/strand_material.h"

typedef struct coif_pbd {
    int32_t bending;
    coif_bend_spans spans; // those that fit into the strand, the last point by its number
    // A row of each point: of pair i the distance or the angle that it has at rest, and the
    // dihedral angle with the three points that follow. NULL where bending does not ask for it.
    float *rest_values[COIF_BEND_SPANS_MAX];
    float *rest_dihedrals;
    float *stiffness; // row of each point: by what bending there is multiplied
} coif_pbd;

static inline coif_pbd *coif_pbd_of(const coif_strand_block *block)
{
    return block->method_data;
}

// Room for the rest of a block, for these pairs and this bending.
void coif_pbd_init(coif_strand_block *block, const coif_bend_spans *spans, int32_t bending,
                   coif_arena *arena);

typedef struct coif_pbd_kernels {
    // Distances and angles of the shape (lx, ly, lz) of the block.
    void (*precompute_rest)(coif_strand_block *block);

    // All segments, then all pairs two apart with these distances, in one sweep: the bits are those
    // of project_stretch and project_pairs, at half the time.
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
const coif_pbd_kernels *coif_pbd_kernels_of(int32_t lanes);

// One round of all constraints of a strand but contacts, as the settings of the substep say.
void coif_pbd_iterate(const coif_pbd_kernels *kernels, const coif_strand_block *block,
                      coif_solver_scratch *scratch, const coif_substep *step);

#endif
