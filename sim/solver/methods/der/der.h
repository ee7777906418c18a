// rod: a block of strands as discrete elastic rods.
//
// Each segment carries a unit director u across it; the material frame of the segment is (u, t x u,
// t) with t along it. A joint between two segments has a curvature (two numbers, in the material
// frames) and a twist; bending and twisting away from those at rest costs energy. The root is held
// by half a joint against a frame fixed to the scalp, not by pinning a second point, which would
// make the hair half a segment too short.
//
// Positions and velocities are those of the coif_strand_block; here is what a rod knows beside
// them. Mass is counted in mean masses of a point of the same strand, so that single floats are
// enough.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_H

#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"
#include "sim/solver/strand_material.h"

// What changes from substep to substep, rows of one point k and the segment from it to k + 1: the
// state of the block, see block.h.
enum {
    COIF_DER_UX, // director of the segment
    COIF_DER_UY,
    COIF_DER_UZ,
    COIF_DER_TENSION,       // of the segment: multiplier of its length, as an acceleration
    COIF_DER_CONTACT_FORCE, // of the point on a body: multiplier of its contact, likewise
    COIF_DER_STATE_ROWS
};

// What is known at rest of the joint at point k, between the segments before and after it. Row r in
// a lane is rows[(k * COIF_DER_ROWS + r) * lanes + lane].
enum {
    COIF_DER_KAPPA_1, // radians
    COIF_DER_KAPPA_2,
    COIF_DER_TWIST,
    COIF_DER_SQRT_BEND_1, // sqrt(B / (m l)), m/s, across the long axis of the section, along u
    COIF_DER_SQRT_BEND_2, // and about it
    COIF_DER_SQRT_TWIST,  // of the stiffness against twist, likewise
    COIF_DER_ROWS
};

// Rows of a lane.
enum {
    COIF_DER_CLAMP_T,                             // direction of the first segment at rest and its
    COIF_DER_CLAMP_U = COIF_DER_CLAMP_T + 3,      // director, in the frame of the root
    COIF_DER_TIP_U = COIF_DER_CLAMP_U + 3,        // director of the last segment, likewise
    COIF_DER_MAX_INV_LENGTH = COIF_DER_TIP_U + 3, // most that 1 / length of a segment counts, 1/m
    COIF_DER_LANE_ROWS
};

typedef struct coif_der {
    float *rows;
    float *lane_rows;
} coif_der;

static inline coif_der *coif_der_of(const coif_strand_block *block)
{
    return block->method_data;
}

typedef struct coif_der_kernels {
    // Curvature and twist at rest are those of the shape (lx, ly, lz) of the block. Needs rest
    // lengths and stiffnesses; there is no tension yet.
    void (*precompute_rest)(coif_strand_block *block, coif_solver_scratch *scratch);

    // Changes curvature and twist at rest so that the shape is in balance under gravity, three rows
    // in the frame of the root: closed form from tip to root, since one end is free. Joints that
    // would have to be bent far of their own accord are stiffened instead.
    void (*preload_gravity)(coif_strand_block *block, coif_solver_scratch *scratch,
                            const float *gravity);

    // Turns the directors of the shape at rest to where the root is when the frame begins.
    void (*reset_to_rest)(coif_strand_block *block);

    // Predicted points p of the work to the points of one implicit step.
    void (*step)(coif_strand_block *block, coif_solver_scratch *scratch, const coif_substep *step);

    // Strands that no contact has pushed go back to where they were remembered. False: none of the
    // block was, and nothing is remembered.
    bool (*save_untouched)(const coif_strand_block *block, coif_solver_scratch *scratch);
    void (*restore_untouched)(const coif_strand_block *block, coif_solver_scratch *scratch);
} coif_der_kernels;

extern const coif_der_kernels coif_der_kernels_wide4, coif_der_kernels_wide8;
const coif_der_kernels *coif_der_kernels_of(int32_t lanes);

// Room for the rod of a block, with its state.
void coif_der_init(coif_strand_block *block, coif_arena *arena);

// Stiffnesses of the strand in one lane; needs the rest lengths of the block.
void coif_der_fill(coif_strand_block *block, int32_t lane, const coif_strand_material *material);

// What the strand in a lane has stored in bends and twists that it has not at rest, J/kg, where the
// last frame ended.
double coif_der_energy(const coif_strand_block *block, int32_t lane);

// Rows of scratch per point, see coif_solver_scratch.
enum { COIF_DER_SCRATCH_ROWS = 56 + 19 };

#endif
