// der: a block of strands as discrete elastic rods (Bergou et al. 2008, 2010).
//
// Each segment has a unit director u normal to it; its material frame is (u, t x u, t) with t its
// direction. A joint between two segments has a curvature (two components, in the material frames)
// and a twist; the energy is quadratic in their difference from rest. The root is held by half a
// joint against a frame fixed to the scalp, not by pinning a second point, which would make the
// hair half a segment too short.
//
// Positions and velocities are those of the coif_strand_block. Masses are relative to the mean
// point mass of the strand, so that single precision suffices.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_H

#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"
#include "sim/solver/strand_material.h"

// State of point k and the segment from k to k + 1, see coif_strand_block.
enum {
    COIF_DER_UX, // director of the segment
    COIF_DER_UY,
    COIF_DER_UZ,
    COIF_DER_TENSION,       // Lagrange multiplier of the length, as an acceleration
    COIF_DER_CONTACT_FORCE, // Lagrange multiplier of the contact of the point, likewise
    COIF_DER_STATE_ROWS
};

// Rest data of the joint at point k, between the segments before and after it. Row r in a lane is
// rows[(k * COIF_DER_ROWS + r) * lanes + lane].
enum {
    COIF_DER_KAPPA_1, // radians
    COIF_DER_KAPPA_2,
    COIF_DER_TWIST,
    COIF_DER_SQRT_BEND_1, // sqrt(B / (m l)), m/s, of bending across the long axis of the section,
                          // u,
    COIF_DER_SQRT_BEND_2, // and about it
    COIF_DER_SQRT_TWIST,  // of the twist stiffness, likewise
    COIF_DER_ROWS
};

// Rows of a lane.
enum {
    COIF_DER_CLAMP_T,                             // direction of the first segment at rest and its
    COIF_DER_CLAMP_U = COIF_DER_CLAMP_T + 3,      // director, in the root frame
    COIF_DER_TIP_U = COIF_DER_CLAMP_U + 3,        // director of the last segment, likewise
    COIF_DER_MAX_INV_LENGTH = COIF_DER_TIP_U + 3, // upper limit of 1 / length of a segment, 1/m
    COIF_DER_LANE_ROWS
};

typedef struct coif_der_kernels {
    // Rest curvature and twist of rest_local of the block. Needs rest lengths and stiffnesses;
    // tension is zero.
    void (*precompute_rest)(coif_strand_block *block, coif_solver_scratch *scratch);

    // Changes rest curvature and twist so that the shape is in equilibrium under gravity, three
    // rows in the root frame: closed form from tip to root, since one end is free. Joints that
    // would need a large preload are stiffened instead.
    void (*preload_gravity)(coif_strand_block *block, coif_solver_scratch *scratch,
                            const float *gravity);

    // Directors of the rest shape on root_begin.
    void (*reset_to_rest)(coif_strand_block *block);

    // One implicit step, from predicted positions to predicted positions.
    void (*step)(coif_strand_block *block, coif_solver_scratch *scratch, const coif_substep *step);

    // Saves positions, and restores those of strands that no contact has pushed. False: no strand
    // of the block was pushed, and nothing is saved.
    bool (*save_untouched)(const coif_strand_block *block, coif_solver_scratch *scratch);
    void (*restore_untouched)(const coif_strand_block *block, coif_solver_scratch *scratch);
} coif_der_kernels;

extern const coif_der_kernels coif_der_kernels_wide4, coif_der_kernels_wide8;

// Stiffnesses of the strand in a lane; needs the rest lengths of the block.
void coif_der_fill(coif_strand_block *block, int32_t lane, const coif_strand_material *material);

// Elastic energy of the strand in a lane at the end of the last step, J/kg.
double coif_der_energy(const coif_strand_block *block, int32_t lane);

// Rows of method_rows per point.
enum { COIF_DER_SCRATCH_ROWS = 56 + 19 };

#endif
