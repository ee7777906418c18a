// rod_wide: what the kernels of the rod share: the scratch of one joint.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_SIMD_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_SIMD_H

#include "sim/solver/methods/der/der.h"
#include "sim/solver/simd/simd_vec3.h"

#define ROD_TINY WIDE3_TINY

// Stiffness of a segment against stretching in the implicit step, times h^2 / m. Hair is a thousand
// times stiffer, but single floats are happier so, and lengths are made exact afterwards.
#define ROD_STRETCH 1e4f

// Rows as rod.h enumerates them.
typedef struct rod_state {
    wide3 u;
    coif_simd tension;
    coif_simd press;
} rod_state;

typedef struct rod_point {
    coif_simd curve1, curve2, twist;
    coif_simd bend_root1, bend_root2, twist_root;
} rod_point;

typedef struct rod_lane {
    wide3 clamp_t, clamp_u, tip_u;
    coif_simd steepest;
} rod_lane;

// A material frame.
typedef struct rod_frame {
    wide3 t, u, v; // direction of the segment, its director and t x u
} rod_frame;

// How far the joint between two frames is bent and twisted. The curvature binormal kb, 2 tan(angle
// / 2) long, and its products p and b with the directors of both segments follow Bergou et al.
// 2008.
typedef struct rod_bend {
    coif_simd fold;           // 1 / (1 + t_e . t_f)
    coif_simd angle, flatten; // see bend_metric
    coif_simd p1, p2;         // kb in the frame of the segment before
    coif_simd b1, b2;         // kb in the frame of this segment
    coif_simd twist;          // radians
} rod_bend;

// The scratch of a point and the segment from it to the next, within a substep.
typedef struct rod_link {
    rod_frame frame;
    coif_simd steep;   // 1 / length, at most steepest; 0 for a short segment
    coif_simd stretch; // length - rest length
    wide3 way;         // of the point, see coif_der_newton
    union {
        rod_bend bend; // of the joint at the point, first
        // Of the segment's change f and its turn, as far as they are solved for, see halves:
        struct {
            wide3 by_place[3], by_before[3];
            wide3 by_turn, free, below, root; // and L and D^-1/2 of the pivot
            wide3 turn_own, turn_place, turn_before;
            coif_simd turn_turn, turn, turn_root;
        };
        // Of the tridiagonal system of lengths, later.
        struct {
            coif_simd inverse, side, right;
        };
    };
} rod_link;

_Static_assert(sizeof(rod_state) == sizeof(coif_simd) * COIF_DER_STATE_ROWS, "rows of a state");
_Static_assert(sizeof(rod_point) == sizeof(coif_simd) * COIF_DER_ROWS, "rows of a point");
_Static_assert(sizeof(rod_lane) == sizeof(coif_simd) * COIF_DER_LANE_ROWS, "rows of a lane");

static inline rod_link *links_of(const coif_solver_scratch *scratch)
{
    return (rod_link *)scratch->method_rows;
}

static inline rod_state *states_of(const coif_strand_block *block)
{
    return (rod_state *)block->state;
}

static inline rod_point *points_of(const coif_strand_block *block)
{
    return (rod_point *)block->der->rows;
}

static inline rod_lane *lane_of(const coif_strand_block *block)
{
    return (rod_lane *)block->der->lane_rows;
}

// A segment too short to have a direction of its own goes on as the one before. It stays so: what
// counts is its length at rest.
static inline coif_simd_mask is_short(const coif_strand_block *block, int32_t k)
{
    return ((const coif_simd *)block->rest_length)[k] * lane_of(block)->steepest < 1.0f;
}

// Strands whose last segment is held at both ends are clamped there: its director is held too.
static inline coif_simd_mask has_clamped_tip(const coif_strand_block *block)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass + block->length;
    return (w[-1] == 0.0f) & (w[-2] == 0.0f);
}

// Components of kb in the mean material frame of a joint.
typedef struct rod_curve {
    coif_simd k1, k2;
} rod_curve;

static inline rod_curve curve_of(const rod_bend *bend)
{
    return (rod_curve){0.5f * (bend->p2 + bend->b2), -0.5f * (bend->p1 + bend->b1)};
}

// What holds for a whole strand within a substep.
typedef struct rod_root {
    rod_frame clamp; // of the root, at the end of the substep
    rod_curve lag;   // beta / h times how the clamp's own way bends the half joint at the root
    coif_simd rate2; // mass against length per time squared, see find_root
} rod_root;

// rod_frames.c
void COIF_SIMD(coif_der_clamp)(rod_frame *clamp, const coif_strand_block *block, float moment);
void COIF_SIMD(coif_der_hold_tip)(const coif_strand_block *block, float moment);
void COIF_SIMD(coif_der_frames)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                const rod_frame *clamp, float h);

// rod_band.c
void COIF_SIMD(coif_der_newton)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                const rod_root *root, const coif_substep *step);

// rod_lengths.c
void COIF_SIMD(coif_der_lengths)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                 const rod_root *root);
// One Newton step more for those of the strands that need it; which then are these.
void COIF_SIMD(coif_der_lengths_again)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const rod_root *root, coif_simd_mask *which);

// rod_rest.c
void COIF_SIMD(coif_der_rest)(coif_strand_block *block, coif_solver_scratch *scratch);
void COIF_SIMD(coif_der_place)(coif_strand_block *block);
void COIF_SIMD(coif_der_sagfree)(coif_strand_block *block, coif_solver_scratch *scratch,
                                 const float *gravity);

#endif
