// cosserat_rod: a block of strands as Cosserat rods with quaternions.
//
// Each segment has a unit quaternion that rotates the axes into its material frame; the third axis
// is constrained to the direction of the segment (stretch and shear), and the relative rotation of
// neighbours to that of the rest shape (bending and twist). Both are compliant constraints, swept
// from root to tip (Kugelstadt and Schoemer 2016; Macklin et al. 2016). The root is held by half a
// joint against a frame on the scalp, as in a discrete elastic rod.
//
// Positions and velocities are those of the coif_strand_block. Masses are relative to the mean
// point mass of the strand.
#ifndef COIF_SIM_SOLVER_METHODS_XPBD_COSSERAT_ROD_H
#define COIF_SIM_SOLVER_METHODS_XPBD_COSSERAT_ROD_H

#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"
#include "sim/solver/strand_material.h"

// State of the segment from point k to k + 1, see coif_strand_block.
enum {
    COIF_COSSERAT_ORIENTATION,                                      // quaternion x, y, z, w
    COIF_COSSERAT_ANGULAR_VELOCITY = COIF_COSSERAT_ORIENTATION + 4, // 1/s
    COIF_COSSERAT_STATE_ROWS = COIF_COSSERAT_ANGULAR_VELOCITY + 3
};

// Rest data of segment k and the joint at its begin. Row r in a lane is rows[(k *
// COIF_COSSERAT_ROWS + r) * lanes + lane].
enum {
    COIF_COSSERAT_REST,                          // rotation from the segment before, a quaternion
    COIF_COSSERAT_BEND = COIF_COSSERAT_REST + 4, // compliances l / 4 B about the first axis and
    COIF_COSSERAT_BEND_2,                        // the second, and l / 4 C, s2/m2
    COIF_COSSERAT_TWIST,                         //
    COIF_COSSERAT_STRETCH,                       // l / E A and l / k G A, s2
    COIF_COSSERAT_SHEAR,                         //
    COIF_COSSERAT_INV_INERTIA,                   // 1 / moment of inertia, 1/m2
    COIF_COSSERAT_ROWS
};

// Rows of a lane.
enum {
    COIF_COSSERAT_CLAMP_T,                             // direction of the first segment at rest
    COIF_COSSERAT_CLAMP_U = COIF_COSSERAT_CLAMP_T + 3, // and its first axis, in the root's frame
    COIF_COSSERAT_CLAMPED = COIF_COSSERAT_CLAMP_U + 3, // 1: the root is clamped, 0: it is free
    COIF_COSSERAT_MIN_LENGTH,                          // segments below it have no direction
    COIF_COSSERAT_LANE_ROWS
};

typedef struct coif_cosserat_kernels {
    // Rest rotations of rest_local of the block.
    void (*precompute_rest)(coif_strand_block *block, coif_solver_scratch *scratch);

    // Quaternions of the rest shape on root_begin.
    void (*reset_to_rest)(coif_strand_block *block);

    // A substep: begin, sweeps, end.
    void (*begin_substep)(const coif_strand_block *block, coif_solver_scratch *scratch,
                          const coif_substep *step);
    void (*sweep)(const coif_strand_block *block, coif_solver_scratch *scratch,
                  const coif_substep *step);
    void (*end_substep)(coif_strand_block *block, coif_solver_scratch *scratch,
                        const coif_substep *step);

    // Lays out strands that are stretched too far for Newton's method, from root to tip.
    void (*ftl_fallback)(const coif_strand_block *block, coif_solver_scratch *scratch);
} coif_cosserat_kernels;

extern const coif_cosserat_kernels coif_cosserat_kernels_wide4, coif_cosserat_kernels_wide8;

// Compliances of the strand in a lane; needs the rest lengths of the block.
void coif_cosserat_fill(coif_strand_block *block, int32_t lane,
                        const coif_strand_material *material);

// Rows of method_rows per point.
enum { COIF_COSSERAT_SCRATCH_ROWS = 18 };

#endif
