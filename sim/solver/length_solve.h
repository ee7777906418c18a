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

#include "sim/simd/simd_vec3.h"
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

// The point on the ray from one point to another at a distance; where Newton's method does not
// converge, strands are laid out like this from root to tip. (Follow-the-leader normalises first;
// der_inextensibility.c corrects displacements, which are more accurate than positions.)
static inline simd_vec3 at_distance3(simd_vec3 from, simd_vec3 to, coif_simd distance)
{
    const simd_vec3 d = sub3(to, from);
    return add3(from, scale3(d, distance / (coif_simd_sqrt(dot3(d, d)) + SIMD_TINY)));
}

#endif
