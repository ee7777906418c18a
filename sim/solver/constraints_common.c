// constraints: see constraints.h. Every lane is a strand of its own, so no kernel branches on data
// and no graph colouring is needed: two lanes never share a point.
//
// All kernels read and write the predicted points p of the work. A point with w = 0 is never moved
// by anything but its position constraint. What does not apply to a lane leaves its bits alone,
// also the sign of a zero, so that strands do not feel which others they share a block with.
#include "sim/solver/constraints_common.h"

// Added to divisors: a collapsed segment, or two pinned points, must move by zero and not by NaN.
// Large enough that TINY * TINY is still a normal float.
static const float TINY = 1e-12f;

// Newton steps for the lengths of a strand that is held at both ends.
enum { NEWTON_HELD = 6 };

// Pinned points go to their goal; others are drawn to it by a spring of frequency omega, solved
// implicitly, so that the pull is the same for any number of substeps:
//
//   a = (omega h)^2 / (1 + (omega h)^2)        p += a (g - p)
void COIF_WIDE(coif_project_position)(const coif_block *block, coif_work *work,
                                      const coif_substep *step)
{
    const float h2 = step->h * step->h;
    coif_wide *x = (coif_wide *)work->px;
    coif_wide *y = (coif_wide *)work->py;
    coif_wide *z = (coif_wide *)work->pz;
    const coif_wide *gx = (const coif_wide *)work->gx;
    const coif_wide *gy = (const coif_wide *)work->gy;
    const coif_wide *gz = (const coif_wide *)work->gz;
    const coif_wide *w = (const coif_wide *)block->w;
    const coif_wide *hold = (const coif_wide *)block->hold;

    for (int32_t k = 0; k < block->length; ++k) {
        const coif_wide_mask pinned = w[k] == 0.0f;
        const coif_wide a = hold[k] * h2 / (1.0f + hold[k] * h2);
        x[k] = coif_wide_select(pinned, gx[k], x[k] + a * (gx[k] - x[k]));
        y[k] = coif_wide_select(pinned, gy[k], y[k] + a * (gy[k] - y[k]));
        z[k] = coif_wide_select(pinned, gz[k], z[k] + a * (gz[k] - z[k]));
    }
}

// Out of the body along the plane's normal:  C(p) = n . p - offset >= 0. Slack is the share of the
// distance kept that may be used up. A point without contact has n = 0 and offset -1, and rows
// without any are left out.
void COIF_WIDE(coif_project_contact)(const coif_block *block, coif_work *work, float slack)
{
    coif_wide *x = (coif_wide *)work->px;
    coif_wide *y = (coif_wide *)work->py;
    coif_wide *z = (coif_wide *)work->pz;
    coif_wide *push = (coif_wide *)work->push;
    const coif_wide *nx = (const coif_wide *)work->nx;
    const coif_wide *ny = (const coif_wide *)work->ny;
    const coif_wide *nz = (const coif_wide *)work->nz;
    const coif_wide *offset = (const coif_wide *)work->offset;
    const coif_wide *reach = (const coif_wide *)block->reach;

    for (int32_t k = work->touch_begin; k < work->touch_end; ++k) {
        const coif_wide c =
            nx[k] * x[k] + ny[k] * y[k] + nz[k] * z[k] - (offset[k] - slack * reach[k]);
        const coif_wide_mask inside = c < 0.0f;
        x[k] = coif_wide_select(inside, x[k] - c * nx[k], x[k]);
        y[k] = coif_wide_select(inside, y[k] - c * ny[k], y[k]);
        z[k] = coif_wide_select(inside, z[k] - c * nz[k], z[k]);
        push[k] = coif_wide_select(inside, push[k] - c, push[k]);
    }
}

// Coulomb friction on positions: of the way along the surface, relative to it, as much is taken
// back as mu times the push out of it; if that is all of it, the point sticks.
//
//   d = p - x - s        t = d - (d . n) n        p -= min(1, mu push / |t|) t
void COIF_WIDE(coif_project_friction)(const coif_block *block, coif_work *work,
                                      const coif_substep *step)
{
    coif_wide *x = (coif_wide *)work->px;
    coif_wide *y = (coif_wide *)work->py;
    coif_wide *z = (coif_wide *)work->pz;
    const coif_wide *nx = (const coif_wide *)work->nx;
    const coif_wide *ny = (const coif_wide *)work->ny;
    const coif_wide *nz = (const coif_wide *)work->nz;
    const coif_wide *push = (const coif_wide *)work->push;

    for (int32_t k = work->touch_begin; k < work->touch_end; ++k) {
        const coif_wide dx =
            x[k] - ((const coif_wide *)block->x)[k] - ((const coif_wide *)work->sx)[k];
        const coif_wide dy =
            y[k] - ((const coif_wide *)block->y)[k] - ((const coif_wide *)work->sy)[k];
        const coif_wide dz =
            z[k] - ((const coif_wide *)block->z)[k] - ((const coif_wide *)work->sz)[k];
        const coif_wide dn = dx * nx[k] + dy * ny[k] + dz * nz[k];
        const coif_wide tx = dx - dn * nx[k];
        const coif_wide ty = dy - dn * ny[k];
        const coif_wide tz = dz - dn * nz[k];
        const coif_wide way = coif_wide_sqrt(tx * tx + ty * ty + tz * tz) + TINY;
        const coif_wide back =
            coif_wide_min(coif_varied(block, COIF_VARY_FRICTION, step->friction, k) * push[k] / way,
                          coif_wide_all(1.0f));
        const coif_wide_mask pushed = push[k] > 0.0f;
        x[k] = coif_wide_select(pushed, x[k] - back * tx, x[k]);
        y[k] = coif_wide_select(pushed, y[k] - back * ty, y[k]);
        z[k] = coif_wide_select(pushed, z[k] - back * tz, z[k]);
    }
}

// Directions n of the segments and their errors C = |d| - rest, into the work.
static inline void measure_segments(const coif_block *block, coif_work *work)
{
    const coif_wide *x = (const coif_wide *)work->px;
    const coif_wide *y = (const coif_wide *)work->py;
    const coif_wide *z = (const coif_wide *)work->pz;
    const coif_wide *rest = (const coif_wide *)block->rest;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const coif_wide dx = x[k + 1] - x[k];
        const coif_wide dy = y[k + 1] - y[k];
        const coif_wide dz = z[k + 1] - z[k];
        const coif_wide length = coif_wide_sqrt(dx * dx + dy * dy + dz * dz);
        const coif_wide scale = 1.0f / (length + TINY);
        ((coif_wide *)work->tx)[k] = dx * scale;
        ((coif_wide *)work->ty)[k] = dy * scale;
        ((coif_wide *)work->tz)[k] = dz * scale;
        ((coif_wide *)work->lambda)[k] = length - rest[k];
    }
}

// Thomas' algorithm on the tridiagonal system of all segments of a strand.
//
//   (w_k + w_k+1) lambda_k - w_k (n_k-1 . n_k) lambda_k-1 - w_k+1 (n_k . n_k+1) lambda_k+1 = C_k
//
// The diagonal is raised by a millionth: a taut strand pinned at both ends has no solution.
static inline void solve_segments(const coif_block *block, coif_work *work)
{
    const int32_t segments = block->length - 1;
    const coif_wide *w = (const coif_wide *)block->w;
    const coif_wide *tx = (const coif_wide *)work->tx;
    const coif_wide *ty = (const coif_wide *)work->ty;
    const coif_wide *tz = (const coif_wide *)work->tz;
    coif_wide *diagonal = (coif_wide *)work->diagonal;
    coif_wide *side = (coif_wide *)work->side;
    coif_wide *lambda = (coif_wide *)work->lambda;

    for (int32_t k = 0; k < segments; ++k) {
        diagonal[k] = (w[k] + w[k + 1]) * 1.000001f + TINY;
        if (k > 0) {
            side[k] = -w[k] * (tx[k - 1] * tx[k] + ty[k - 1] * ty[k] + tz[k - 1] * tz[k]);
            const coif_wide m = side[k] / diagonal[k - 1];
            diagonal[k] -= m * side[k];
            lambda[k] -= m * lambda[k - 1];
        }
    }
    lambda[segments - 1] /= diagonal[segments - 1];
    for (int32_t k = segments - 2; k >= 0; --k) {
        lambda[k] = (lambda[k] - side[k + 1] * lambda[k + 1]) / diagonal[k];
    }
}

// By how much a Newton step is shortened in each lane: a strand that is nearly taut between two
// held ends would be thrown far off. No point goes further than half a mean segment.
static inline coif_wide newton_share(const coif_block *block, const coif_work *work)
{
    const coif_wide *w = (const coif_wide *)block->w;
    const coif_wide *rest = (const coif_wide *)block->rest;
    const coif_wide *lambda = (const coif_wide *)work->lambda;
    const float *const directions[3] = {work->tx, work->ty, work->tz};
    const int32_t segments = block->length - 1;
    coif_wide length = rest[0];
    coif_wide most = coif_wide_all(TINY);
    for (int32_t k = 1; k < segments; ++k) {
        coif_wide way2 = coif_wide_all(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            const coif_wide *t = (const coif_wide *)directions[axis];
            const coif_wide way = w[k] * (lambda[k] * t[k] - lambda[k - 1] * t[k - 1]);
            way2 += way * way;
        }
        most = coif_wide_max(most, way2);
        length += rest[k];
    }
    const coif_wide reach = 0.5f * length / (float)segments;
    return coif_wide_min(reach / coif_wide_sqrt(most), coif_wide_all(1.0f));
}

// All lengths of a strand at once: two Newton steps of J W J^T lambda = C, p -= W J^T lambda. A
// strand is a chain, so the matrix is tridiagonal and solved directly; iterated sweeps would need
// hundreds of rounds for the same (Han and Harada 2013). Held at both ends it needs more steps, and
// shorter ones; its tip is so in all lanes or in none.
void COIF_WIDE(coif_project_lengths)(const coif_block *block, coif_work *work)
{
    if (work->settling) {
        COIF_WIDE(coif_settle_lengths)(block, work);
        return;
    }
    coif_wide *x = (coif_wide *)work->px;
    coif_wide *y = (coif_wide *)work->py;
    coif_wide *z = (coif_wide *)work->pz;
    const coif_wide *w = (const coif_wide *)block->w;
    const coif_wide *tx = (const coif_wide *)work->tx;
    const coif_wide *ty = (const coif_wide *)work->ty;
    const coif_wide *tz = (const coif_wide *)work->tz;
    coif_wide *lambda = (coif_wide *)work->lambda;
    const bool held = w[block->length - 1][0] == 0.0f;

    for (int newton = 0; newton < (held ? NEWTON_HELD : 2); ++newton) {
        measure_segments(block, work);
        solve_segments(block, work);
        const coif_wide share = held ? newton_share(block, work) : coif_wide_all(1.0f);
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
