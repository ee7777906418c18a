// constraints_common: see constraints_common.h. Every lane is a strand of its own, so no kernel
// branches on data and no graph colouring is needed: two lanes never share a point.
//
// All kernels read and write the predicted positions p of the scratch. A point with w = 0 is moved
// by the goal constraint only. A constraint that does not apply to a lane leaves its bits
// unchanged, including the sign of a zero, so that strands do not depend on which others share
// their block.
#include "sim/solver/constraints_common.h"

// Added to divisors: a collapsed segment, or two pinned points, must move by zero and not by NaN.
// Large enough that TINY * TINY is still a normal float.
static const float TINY = 1e-12f;

// Newton steps for a strand that is pinned at both ends.
enum { NEWTON_PINNED = 6 };

// Pinned points move to their target; others are pulled towards it by a spring of frequency omega,
// solved implicitly, so that its strength does not depend on the number of substeps:
//
//   a = (omega h)^2 / (1 + (omega h)^2)        p += a (g - p)
void COIF_SIMD(coif_project_goal)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  const coif_substep *step)
{
    const float h2 = step->h * step->h;
    coif_simd *x = (coif_simd *)scratch->predicted.x;
    coif_simd *y = (coif_simd *)scratch->predicted.y;
    coif_simd *z = (coif_simd *)scratch->predicted.z;
    const coif_simd *gx = (const coif_simd *)scratch->target.x;
    const coif_simd *gy = (const coif_simd *)scratch->target.y;
    const coif_simd *gz = (const coif_simd *)scratch->target.z;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *goal = (const coif_simd *)block->goal_stiffness;

    for (int32_t k = 0; k < block->length; ++k) {
        const coif_simd_mask pinned = w[k] == 0.0f;
        const coif_simd a = goal[k] * h2 / (1.0f + goal[k] * h2);
        x[k] = coif_simd_select(pinned, gx[k], x[k] + a * (gx[k] - x[k]));
        y[k] = coif_simd_select(pinned, gy[k], y[k] + a * (gy[k] - y[k]));
        z[k] = coif_simd_select(pinned, gz[k], z[k] + a * (gz[k] - z[k]));
    }
}

// Contact constraint along the normal:  C(p) = n . p - offset >= 0. Slack is the fraction of the
// contact distance that may be used up. A point without contact has n = 0 and offset -1; rows
// without contacts are skipped.
void COIF_SIMD(coif_project_contact)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                     float slack)
{
    coif_simd *x = (coif_simd *)scratch->predicted.x;
    coif_simd *y = (coif_simd *)scratch->predicted.y;
    coif_simd *z = (coif_simd *)scratch->predicted.z;
    coif_simd *push = (coif_simd *)scratch->normal_push;
    const coif_simd *nx = (const coif_simd *)scratch->contact_normal.x;
    const coif_simd *ny = (const coif_simd *)scratch->contact_normal.y;
    const coif_simd *nz = (const coif_simd *)scratch->contact_normal.z;
    const coif_simd *offset = (const coif_simd *)scratch->contact_offset;
    const coif_simd *reach = (const coif_simd *)block->contact_distance;

    for (int32_t k = scratch->contact_begin; k < scratch->contact_end; ++k) {
        const coif_simd c =
            nx[k] * x[k] + ny[k] * y[k] + nz[k] * z[k] - (offset[k] - slack * reach[k]);
        const coif_simd_mask inside = c < 0.0f;
        x[k] = coif_simd_select(inside, x[k] - c * nx[k], x[k]);
        y[k] = coif_simd_select(inside, y[k] - c * ny[k], y[k]);
        z[k] = coif_simd_select(inside, z[k] - c * nz[k], z[k]);
        push[k] = coif_simd_select(inside, push[k] - c, push[k]);
    }
}

// Coulomb friction on positions: the tangential displacement relative to the surface is reduced by
// mu times the normal push; if that is all of it, the point sticks.
//
//   d = p - x - s        t = d - (d . n) n        p -= min(1, mu push / |t|) t
void COIF_SIMD(coif_project_friction)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                      const coif_substep *step)
{
    coif_simd *x = (coif_simd *)scratch->predicted.x;
    coif_simd *y = (coif_simd *)scratch->predicted.y;
    coif_simd *z = (coif_simd *)scratch->predicted.z;
    const coif_simd *nx = (const coif_simd *)scratch->contact_normal.x;
    const coif_simd *ny = (const coif_simd *)scratch->contact_normal.y;
    const coif_simd *nz = (const coif_simd *)scratch->contact_normal.z;
    const coif_simd *push = (const coif_simd *)scratch->normal_push;

    for (int32_t k = scratch->contact_begin; k < scratch->contact_end; ++k) {
        const coif_simd dx = x[k] - ((const coif_simd *)block->pos.x)[k] -
                             ((const coif_simd *)scratch->surface_disp.x)[k];
        const coif_simd dy = y[k] - ((const coif_simd *)block->pos.y)[k] -
                             ((const coif_simd *)scratch->surface_disp.y)[k];
        const coif_simd dz = z[k] - ((const coif_simd *)block->pos.z)[k] -
                             ((const coif_simd *)scratch->surface_disp.z)[k];
        const coif_simd dn = dx * nx[k] + dy * ny[k] + dz * nz[k];
        const coif_simd tx = dx - dn * nx[k];
        const coif_simd ty = dy - dn * ny[k];
        const coif_simd tz = dz - dn * nz[k];
        const coif_simd disp = coif_simd_sqrt(tx * tx + ty * ty + tz * tz) + TINY;
        const coif_simd back = coif_simd_min(
            coif_point_param(block, COIF_FIELD_FRICTION, step->friction, k) * push[k] / disp,
            coif_simd_all(1.0f));
        const coif_simd_mask pushed = push[k] > 0.0f;
        x[k] = coif_simd_select(pushed, x[k] - back * tx, x[k]);
        y[k] = coif_simd_select(pushed, y[k] - back * ty, y[k]);
        z[k] = coif_simd_select(pushed, z[k] - back * tz, z[k]);
    }
}

// Directions n of the segments and their errors C = |d| - rest.
static inline void measure_segments(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_simd *x = (const coif_simd *)scratch->predicted.x;
    const coif_simd *y = (const coif_simd *)scratch->predicted.y;
    const coif_simd *z = (const coif_simd *)scratch->predicted.z;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const coif_simd dx = x[k + 1] - x[k];
        const coif_simd dy = y[k + 1] - y[k];
        const coif_simd dz = z[k + 1] - z[k];
        const coif_simd length = coif_simd_sqrt(dx * dx + dy * dy + dz * dz);
        const coif_simd scale = 1.0f / (length + TINY);
        ((coif_simd *)scratch->tangent.x)[k] = dx * scale;
        ((coif_simd *)scratch->tangent.y)[k] = dy * scale;
        ((coif_simd *)scratch->tangent.z)[k] = dz * scale;
        ((coif_simd *)scratch->lambda)[k] = length - rest[k];
    }
}

// Thomas algorithm on the tridiagonal system of all segments of a strand.
//
//   (w_k + w_k+1) lambda_k - w_k (n_k-1 . n_k) lambda_k-1 - w_k+1 (n_k . n_k+1) lambda_k+1 = C_k
//
// The diagonal is raised by a millionth: the system of a taut strand pinned at both ends is
// singular.
static inline void solve_segments(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const int32_t segments = block->length - 1;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *tx = (const coif_simd *)scratch->tangent.x;
    const coif_simd *ty = (const coif_simd *)scratch->tangent.y;
    const coif_simd *tz = (const coif_simd *)scratch->tangent.z;
    coif_simd *diagonal = (coif_simd *)scratch->diagonal;
    coif_simd *off_diagonal = (coif_simd *)scratch->off_diagonal;
    coif_simd *lambda = (coif_simd *)scratch->lambda;

    for (int32_t k = 0; k < segments; ++k) {
        diagonal[k] = (w[k] + w[k + 1]) * 1.000001f + TINY;
        if (k > 0) {
            off_diagonal[k] = -w[k] * (tx[k - 1] * tx[k] + ty[k - 1] * ty[k] + tz[k - 1] * tz[k]);
            const coif_simd m = off_diagonal[k] / diagonal[k - 1];
            diagonal[k] -= m * off_diagonal[k];
            lambda[k] -= m * lambda[k - 1];
        }
    }
    lambda[segments - 1] /= diagonal[segments - 1];
    for (int32_t k = segments - 2; k >= 0; --k) {
        lambda[k] = (lambda[k] - off_diagonal[k + 1] * lambda[k + 1]) / diagonal[k];
    }
}

// Damping factor of a Newton step in each lane: a strand nearly taut between two pinned ends would
// diverge. No point moves farther than half a mean segment.
static inline coif_simd newton_damping(const coif_strand_block *block,
                                       const coif_solver_scratch *scratch)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd *lambda = (const coif_simd *)scratch->lambda;
    const float *const directions[3] = {scratch->tangent.x, scratch->tangent.y, scratch->tangent.z};
    const int32_t segments = block->length - 1;
    coif_simd length = rest[0];
    coif_simd most = coif_simd_all(TINY);
    for (int32_t k = 1; k < segments; ++k) {
        coif_simd way2 = coif_simd_all(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            const coif_simd *t = (const coif_simd *)directions[axis];
            const coif_simd disp = w[k] * (lambda[k] * t[k] - lambda[k - 1] * t[k - 1]);
            way2 += disp * disp;
        }
        most = coif_simd_max(most, way2);
        length += rest[k];
    }
    const coif_simd reach = 0.5f * length / (float)segments;
    return coif_simd_min(reach / coif_simd_sqrt(most), coif_simd_all(1.0f));
}

// All lengths of a strand at once: two Newton steps of J W J^T lambda = C, p -= W J^T lambda. A
// strand is a chain, so the matrix is tridiagonal and solved directly; Gauss-Seidel sweeps would
// need hundreds of iterations for the same (Han and Harada 2013). A strand pinned at both ends
// needs more, damped steps; tips are pinned in all lanes or in none.
void COIF_SIMD(coif_project_lengths)(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    coif_simd *x = (coif_simd *)scratch->predicted.x;
    coif_simd *y = (coif_simd *)scratch->predicted.y;
    coif_simd *z = (coif_simd *)scratch->predicted.z;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *tx = (const coif_simd *)scratch->tangent.x;
    const coif_simd *ty = (const coif_simd *)scratch->tangent.y;
    const coif_simd *tz = (const coif_simd *)scratch->tangent.z;
    coif_simd *lambda = (coif_simd *)scratch->lambda;
    const bool held = w[block->length - 1][0] == 0.0f;

    for (int newton = 0; newton < (held ? NEWTON_PINNED : 2); ++newton) {
        measure_segments(block, scratch);
        solve_segments(block, scratch);
        const coif_simd share = held ? newton_damping(block, scratch) : coif_simd_all(1.0f);
        for (int32_t k = 0; held && k + 1 < block->length; ++k) {
            lambda[k] *= share;
        }
        for (int32_t k = 0; k + 1 < block->length; ++k) {
            x[k] += w[k] * lambda[k] * tx[k];
            y[k] += w[k] * lambda[k] * ty[k];
            z[k] += w[k] * lambda[k] * tz[k];
            x[k + 1] -= w[k + 1] * lambda[k] * tx[k];
            y[k + 1] -= w[k + 1] * lambda[k] * ty[k];
            z[k + 1] -= w[k + 1] * lambda[k] * tz[k];
        }
    }
}
