// spring: a block of strands as masses and springs.
//
// A spring along each segment, a bending spring that draws it to where it lies at rest, and a core
// spring that keeps a curl from unwinding; after Iben et al. 2013. Where a segment lies is known in
// a frame carried along a smoothed curve of the segments before it, so that a curl turns with its
// course. Steps are explicit and as many as are stable, inside a substep.
//
// Positions and velocities are those of the coif_strand_block. Mass is counted in mean masses of a
// point of the same strand, so spring constants are accelerations per length.
#ifndef COIF_SIM_SOLVER_METHODS_SPRING_MASS_SPRING_H
#define COIF_SIM_SOLVER_METHODS_SPRING_MASS_SPRING_H

#include "sim/solver/simd_dispatch.h"
#include "sim/solver/strand_material.h"

// What is known at rest of segment k. Row r in a lane is
// rows[(k * COIF_SPRING_ROWS + r) * lanes + lane].
enum {
    COIF_SPRING_TARGET,                          // the segment in the frame before it, m
    COIF_SPRING_LENGTH = COIF_SPRING_TARGET + 3, // of its spring, m
    COIF_SPRING_CORE_LENGTH,                     // of the smoothed curve, m
    COIF_SPRING_STRETCH,                         // constants of the springs, 1/s2
    COIF_SPRING_BEND,
    COIF_SPRING_CORE,
    COIF_SPRING_TWIST,  // constant of the twist from the segment before, or the clamp, m2/s2
    COIF_SPRING_MOMENT, // of that twist when there is none, m2/s2
    COIF_SPRING_ROWS
};

// Rows of a lane.
enum {
    COIF_SPRING_CLAMP_T,                           // direction of the first segment at rest and a
    COIF_SPRING_CLAMP_U = COIF_SPRING_CLAMP_T + 3, // director across it, in the root's frame
    COIF_SPRING_CLAMPED = COIF_SPRING_CLAMP_U + 3, // 1: the root is clamped
    COIF_SPRING_MIN_LENGTH,                        // length that a segment counts for at least, m
    COIF_SPRING_SMOOTHING,                         // how fast the smoothed curves follow, 0 to 1:
    COIF_SPRING_CORE_SMOOTHING,                    // for frames, and for cores
    COIF_SPRING_DAMPING_TIME,                      // damping over stiffness, s
    COIF_SPRING_MAX_STEP,                          // longest stable step, s
    COIF_SPRING_MAX_STEP_BENDING,                  // and if segments kept their lengths
    COIF_SPRING_MAX_STEPS,                         // most steps in a substep
    COIF_SPRING_ELLIPTICITY,                       // long over short axis of sections; 1: round
    COIF_SPRING_LANE_ROWS
};

// State: where the root is not clamped, at point 0 the director across the first segment; and of
// every strand how far each segment is twisted against the one before, radians.
enum { COIF_SPRING_STATE_ROWS = 1, COIF_SPRING_FREE_STATE_ROWS = 4 };

typedef struct coif_spring {
    float *rows;
    float *lane_rows;
    bool has_elliptic_sections; // some strand is not round
} coif_spring;

static inline coif_spring *coif_spring_of(const coif_strand_block *block)
{
    return block->method_data;
}

typedef struct coif_spring_kernels {
    // Targets and cores are those of the shape (lx, ly, lz) of the block.
    void (*precompute_rest)(coif_strand_block *block, coif_solver_scratch *scratch);

    // Changes targets and lengths so that the shape is in balance under gravity, three rows in the
    // frame of the root. Segments that would have to be drawn far are held by stiffer springs.
    void (*preload_gravity)(coif_strand_block *block, coif_solver_scratch *scratch,
                            const float *gravity);

    void (*reset_to_rest)(coif_strand_block *block);
    void (*step)(coif_strand_block *block, coif_solver_scratch *scratch,
                 const coif_substep *step);

    // Draws in segments that are far too long.
    void (*limit_stretch)(const coif_strand_block *block, coif_solver_scratch *scratch,
                          const coif_substep *step);

    // After a second look at bodies: lengths of taut strands, and velocities.
    void (*restore_lengths)(const coif_kernels *kernels, const coif_strand_block *block,
                            coif_solver_scratch *scratch, const coif_substep *step,
                            bool keep_contacts);
    void (*after_contact_push)(const coif_strand_block *block, coif_solver_scratch *scratch,
                               const coif_substep *step, const coif_soa3 *before);

    // Velocities at the end of the last step, and what contacts do to them.
    void (*end_substep)(coif_strand_block *block, coif_solver_scratch *scratch,
                        const coif_substep *step);
} coif_spring_kernels;

extern const coif_spring_kernels coif_spring_kernels_wide4, coif_spring_kernels_wide8;
const coif_spring_kernels *coif_spring_kernels_of(int32_t lanes);

void coif_spring_init(coif_strand_block *block, bool clamped, coif_arena *arena);

// Springs of the strand in one lane; needs the rest lengths of the block. Measure finds the longest
// stable step, when all is known.
void coif_spring_fill(coif_strand_block *block, int32_t lane, const coif_strand_material *material,
                      const coif_spring_material *settings, int32_t max_steps);
void coif_spring_measure(coif_strand_block *block, int32_t lane);

// How a strand goes through a substep of h seconds. Springs along segments that are stiff make
// steps very short, though nobody sees them swing: then the strand is taut, its steps are as long
// as bending allows, and these springs are solved for at the end of each.
typedef struct coif_spring_substeps {
    float steps;
    float unlimited_steps; // steps without the most that are allowed
    float softness;        // of springs, at most 1
    bool implicit_lengths;
} coif_spring_substeps;

coif_spring_substeps coif_spring_substeps_of(const coif_strand_block *block, int32_t lane, float h);

// Rows of scratch per point, see coif_solver_scratch.
enum { COIF_SPRING_SCRATCH_ROWS = 34 };

#endif
