// length_solve: Thomas algorithm on the lengths of all segments of a strand, and the fallback from
// root to tip.
//
//   (w_k + w_k+1 + c_k) l_k - w_k (n_k-1 . n_k) l_k-1 - w_k+1 (n_k . n_k+1) l_k+1 = C_k
//
// with w the inverse masses, n the directions of segments, c their compliance over h^2 and C the
// length errors. A point held on a plane of normal m has w (I - m m) instead of w. The diagonal is
// raised by a millionth: the system of a taut strand pinned at both ends is singular. Callers
// compute diagonals and errors, each in its own order of operations.
#ifndef COIF_SIM_SOLVER_LENGTH_SOLVE_H
#define COIF_SIM_SOLVER_LENGTH_SOLVE_H

#include "core/simd/simd_vec3.h"
#include "sim/solver/point_targets.h"
#include "sim/solver/solver_scratch.h"

// Fraction of the normal freedom that a resting point loses. All of it would leave a singular
// system where a segment stands upright between two bodies.
#define LENGTH_HELD_FRACTION 0.999f

// Rows of the system; row k of each is stride vectors behind row k - 1. Diagonal holds the inverse
// of the eliminated diagonal, or the diagonal itself where the solve divides by it. Lambda holds
// errors, then multipliers.
typedef struct length_rows {
    coif_simd *diagonal, *off_diagonal, *lambda;
    int64_t stride;
    bool divides;
    float pivot_floor; // added to eliminated diagonals
} length_rows;

static inline length_rows length_rows_of(const coif_solver_scratch *scratch)
{
    return (length_rows){(coif_simd *)scratch->diagonal,
                         (coif_simd *)scratch->off_diagonal,
                         (coif_simd *)scratch->lambda,
                         1,
                         false,
                         0.0f};
}

// Diagonal of a segment between points of inverse masses a and b, without compliance.
static inline coif_simd length_diagonal(coif_simd a, coif_simd b)
{
    return (a + b) * 1.000001f;
}

// Eliminates row k. Off_diagonal, the coefficient of row k - 1, is not used for k = 0.
static inline void eliminate_length(const length_rows *rows, int32_t k, coif_simd diagonal,
                                    coif_simd off_diagonal, coif_simd error)
{
    const int64_t at = k * rows->stride;
    if (k > 0) {
        const coif_simd before = rows->diagonal[at - rows->stride];
        const coif_simd factor = rows->divides ? off_diagonal / before : off_diagonal * before;
        diagonal -= factor * off_diagonal;
        error -= factor * rows->lambda[at - rows->stride];
        rows->off_diagonal[at] = off_diagonal;
    }
    if (rows->pivot_floor > 0.0f) {
        diagonal += rows->pivot_floor;
    }
    if (!rows->divides) {
        diagonal = 1.0f / diagonal;
    }
    rows->diagonal[at] = diagonal;
    rows->lambda[at] = error;
}

// Multiplier of segment k, from tip to root.
static inline coif_simd substitute_length(const length_rows *rows, int32_t k, int32_t segments)
{
    const int64_t at = k * rows->stride;
    coif_simd lambda = rows->lambda[at];
    if (k + 1 < segments) {
        lambda -= rows->off_diagonal[at + rows->stride] * rows->lambda[at + rows->stride];
    }
    lambda = rows->divides ? lambda / rows->diagonal[at] : lambda * rows->diagonal[at];
    rows->lambda[at] = lambda;
    return lambda;
}

// Strands that are held beyond their root: at the tip, or by targets.
static inline coif_simd_mask held_lanes(const coif_strand_block *block)
{
    const coif_simd *w = (const coif_simd *)coif_defined_inv_mass(block);
    coif_simd_mask held = w[block->length - 1] == 0.0f;
    if (block->targets != NULL) {
        held |= *(const coif_simd_mask *)block->targets->spans;
    }
    return held;
}

// Damping factor of a Newton step in the lanes of the mask, 1 in others: a strand nearly taut
// between two held points would diverge. No point moves farther than half a mean segment. Counts:
// segments of each strand, NULL: all.
static inline coif_simd newton_damping(const coif_strand_block *block,
                                       const coif_solver_scratch *scratch, int32_t segments,
                                       const coif_simd *w, coif_simd_mask held,
                                       const coif_simd *counts)
{
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd *lambda = (const coif_simd *)scratch->lambda;
    const coif_simd one = coif_simd_all(1.0f);
    coif_simd length = rest[0];
    coif_simd most = coif_simd_all(SIMD_TINY);
    for (int32_t k = 1; k < segments; ++k) {
        const simd_vec3 own = scale3(load3(&scratch->tangent, k), lambda[k]);
        const simd_vec3 before = scale3(load3(&scratch->tangent, k - 1), lambda[k - 1]);
        const simd_vec3 disp = scale3(sub3(own, before), w[k]);
        most = coif_simd_max(most, dot3(disp, disp));
        const coif_simd zero = coif_simd_all(0.0f);
        length += counts != NULL ? coif_simd_select(*counts > (float)k, rest[k], zero) : rest[k];
    }
    const coif_simd count = counts != NULL ? *counts : coif_simd_all((float)segments);
    const coif_simd reach = 0.5f * length / count;
    return coif_simd_select(held, coif_simd_min(reach / coif_simd_sqrt(most), one), one);
}

// The point on the ray from one point to another at a distance; where Newton's method does not
// converge, strands are laid out like this from root to tip. (Follow-the-leader normalises first;
// der_inextensibility.c corrects displacements, which are more accurate than positions.)
static inline simd_vec3 at_distance3(simd_vec3 from, simd_vec3 to, coif_simd distance)
{
    const simd_vec3 d = sub3(to, from);
    return add3(from, scale3(d, distance / (coif_simd_sqrt(dot3(d, d)) + SIMD_TINY)));
}

#endif
