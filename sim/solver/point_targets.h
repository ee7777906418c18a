// point_targets: targets of the points of a block, see coif_point_targets.
//
// In each substep, after the prediction, coif_pull_targets moves predicted positions and replaces
// two rows of the block until coif_targets_release: inverse masses, less by what the targets add to
// the mass of a point, and contact distances, zero for held points. A held point (strength 1) has
// no inverse mass and its target in the row of targets of the scratch: to all methods it is a point
// that the definition pins.
//
// With rho = r h, g the target at the end of the substep and d its displacement, the implicit step
// of a critically damped spring of rate r is
//
//   p += kappa / (1 + kappa) (q - p)     kappa = rho (2 + rho)     w = w / (1 + kappa)
//   q = g + 2 / (2 + rho) (x + d - g)
#ifndef COIF_SIM_SOLVER_POINT_TARGETS_H
#define COIF_SIM_SOLVER_POINT_TARGETS_H

#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"

// Rate of a target of strength 1.
#define COIF_TARGET_HELD (-1.0f)

// One set of targets.
typedef struct coif_target_rows {
    bool active, follows_rest, has_slack, has_axis, has_held;
    int32_t first_row, end_row; // points with a target are in these rows
    coif_soa3 begin, end;       // of the frame
    coif_soa3 now, disp;        // at the end of the substep, and the displacement in it
    float *strength;
    float *rate; // 1/s; 0: none
    float *slack;
    coif_soa3 axis;
} coif_target_rows;

typedef struct coif_block_targets {
    coif_target_rows sets[2]; // in the order of COIF_TARGETS_...
    float begin, end;         // of the substep, as fractions of the frame
    // Of the substep.
    float *inv_mass, *contact_distance;
    float *rest_inv_mass, *rest_contact_distance; // those of the block between substeps
    int32_t *held;                                // mask of held points
    int32_t *spans;                               // mask of lanes with one behind a free point
    bool any_held, any_span;
    // Number of the last point of each lane that is held behind a free one; and the largest of
    // them, plus one.
    float *span_last;
    int32_t span_end;
    bool all_held;    // no point is free
    coif_soa3 pulled; // predicted positions, and the mass by targets with an axis across it,
    float *across;    // relative to the mass along it
} coif_block_targets;

// Moves a target that is set, at an element of the block and in the unused lanes that repeat it.
static inline void coif_target_move(coif_strand_block *block, int set, int64_t element,
                                    coif_vec3 begin, coif_vec3 end, coif_vec3 axis)
{
    coif_target_rows *rows = &block->target_rows->sets[set];
    const int32_t lane = (int32_t)(element % block->lanes);
    const int32_t copies = lane + 1 == block->strand_count ? block->lanes - lane : 1;
    for (int64_t at = element; at < element + copies; ++at) {
        coif_soa3_set(&rows->begin, at, begin);
        coif_soa3_set(&rows->end, at, end);
        coif_soa3_set(&rows->axis, at, axis);
    }
}

// Ends the substep: the block has its own rows again.
void coif_targets_release(coif_strand_block *block);

// Whether a strand of the block is held behind free points in this substep.
static inline bool coif_targets_have_spans(const coif_strand_block *block)
{
    return block->targets != NULL && block->targets->any_span;
}

// Whether some point is drawn across an axis; only then the rows for that are set.
static inline bool coif_targets_have_axis(const coif_strand_block *block)
{
    return block->targets != NULL && block->targets->sets[1].active &&
           block->targets->sets[1].has_axis;
}

// Inverse masses of the definition.
static inline const float *coif_defined_inv_mass(const coif_strand_block *block)
{
    return block->targets != NULL ? block->targets->rest_inv_mass : block->inv_mass;
}

#endif
