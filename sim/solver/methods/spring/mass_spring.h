// mass_spring: a block of strands as masses and springs.
//
// An axial spring for each segment, a bending spring that pulls it to its rest direction, and a
// core spring that keeps a curl from unwinding (Iben et al. 2013). The rest direction is kept in a
// frame transported along a smoothed centreline of the segments before, so that a curl rotates with
// its centreline. Integrated with as many explicit inner steps per substep as stability needs.
//
// Positions and velocities are those of the coif_strand_block. Masses are relative to the mean
// point mass of the strand, so spring constants are accelerations per length.
#ifndef COIF_SIM_SOLVER_METHODS_SPRING_MASS_SPRING_H
#define COIF_SIM_SOLVER_METHODS_SPRING_MASS_SPRING_H

#include "sim/solver/simd_dispatch.h"
#include "sim/solver/strand_material.h"

// Rest data of segment k. Row r in a lane is rows[(k * COIF_SPRING_ROWS + r) * lanes + lane].
enum {
    COIF_SPRING_TARGET, // rest direction in the frame before the segment, m
    COIF_SPRING_LENGTH = COIF_SPRING_TARGET + 3, // of its spring, m
    COIF_SPRING_CORE_LENGTH,                     // of the smoothed centreline, m
    COIF_SPRING_STRETCH,                         // spring constants, 1/s2
    COIF_SPRING_BEND,
    COIF_SPRING_CORE,
    COIF_SPRING_TWIST,  // twist stiffness to the segment before, or the clamp, m2/s2
    COIF_SPRING_MOMENT, // preload of that twist, m2/s2
    COIF_SPRING_ROWS
};

// Rows of a lane.
enum {
    COIF_SPRING_CLAMP_T,                           // direction of the first segment at rest and a
    COIF_SPRING_CLAMP_U = COIF_SPRING_CLAMP_T + 3, // director across it, in the root's frame
    COIF_SPRING_CLAMPED = COIF_SPRING_CLAMP_U + 3, // 1: the root is clamped
    COIF_SPRING_MIN_LENGTH,                        // lower limit of segment lengths, m
    COIF_SPRING_SMOOTHING,                         // smoothing factors, 0 to 1: of the centreline
    COIF_SPRING_CORE_SMOOTHING,                    // of frames, and of cores
    COIF_SPRING_DAMPING_TIME,                      // damping over stiffness, s
    COIF_SPRING_MAX_STEP,                          // longest stable step, s
    COIF_SPRING_MAX_STEP_BENDING,                  // with implicit lengths
    COIF_SPRING_MAX_STEPS,                         // limit per substep
    COIF_SPRING_ELLIPTICITY,                       // long over short axis of sections; 1: round
    COIF_SPRING_LANE_ROWS
};

// State: for a root that is not clamped, at point 0 the director of the first segment; and for
// every strand the twist of each segment against the one before, radians.
enum { COIF_SPRING_STATE_ROWS = 1, COIF_SPRING_FREE_STATE_ROWS = 4 };

typedef struct coif_spring_kernels {
    // Targets and core lengths of rest_local of the block.
    void (*precompute_rest)(coif_strand_block *block, coif_solver_scratch *scratch);

    // Changes targets and lengths so that the shape is in equilibrium under gravity, three rows in
    // the root frame. Segments that would need a large preload get stiffer springs.
    void (*preload_gravity)(coif_strand_block *block, coif_solver_scratch *scratch,
                            const float *gravity);

    void (*reset_to_rest)(coif_strand_block *block);
    void (*step)(coif_strand_block *block, coif_solver_scratch *scratch, const coif_substep *step);

    // Limits the stretch of segments.
    void (*limit_stretch)(const coif_strand_block *block, coif_solver_scratch *scratch,
                          const coif_substep *step);

    // After the second contact pass: lengths of strands with implicit lengths, and velocities.
    void (*restore_lengths)(const coif_kernels *kernels, const coif_strand_block *block,
                            coif_solver_scratch *scratch, const coif_substep *step,
                            bool keep_contacts);
    void (*after_contact_push)(const coif_strand_block *block, coif_solver_scratch *scratch,
                               const coif_substep *step, const coif_soa3 *before);

    // Velocities of the last inner step, with restitution.
    void (*end_substep)(coif_strand_block *block, coif_solver_scratch *scratch,
                        const coif_substep *step);
} coif_spring_kernels;

extern const coif_spring_kernels coif_spring_kernels_wide4, coif_spring_kernels_wide8;

// Springs of the strand in a lane; needs the rest lengths of the block. Measure computes the
// longest stable step afterwards.
void coif_spring_fill(coif_strand_block *block, int32_t lane, const coif_strand_material *material,
                      const coif_spring_material *settings, int32_t max_steps);
void coif_spring_measure(coif_strand_block *block, int32_t lane);

// Inner steps of a strand in a substep of h seconds. Stiff axial springs would need very short
// steps for oscillations that nobody sees: then lengths are implicit, steps are as long as bending
// allows, and axial springs are solved at the end of each.
typedef struct coif_spring_substeps {
    float steps;
    float unlimited_steps; // steps needed without a limit
    float softness;        // factor of the spring constants, at most 1
    bool implicit_lengths;
} coif_spring_substeps;

coif_spring_substeps coif_spring_substeps_of(const coif_strand_block *block, int32_t lane, float h);

// Rows of method_rows per point.
enum { COIF_SPRING_SCRATCH_ROWS = 39 };

#endif
