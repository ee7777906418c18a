// constraints_common: see constraints_common.h. Every lane is a strand of its own, so no kernel
// branches on data and no graph colouring is needed: two lanes never share a point.
//
// All kernels read and write the predicted positions p of the scratch. A point with w = 0 is moved
// by the goal constraint only. A constraint that does not apply to a lane leaves its bits
// unchanged, including the sign of a zero, so that strands do not depend on which others share
// their block.
#include "sim/solver/constraints_common.h"

#include "sim/solver/length_solve.h"

// Newton steps, and those for a strand that is held beyond its root.
enum { NEWTON = 2, NEWTON_HELD = 6 };

// Relative length errors of a held strand at which the steps end; of one that is led from both
// ends, a last step from there leaves much less.
static const float HELD_TOLERANCE = 1e-5f, LED_TOLERANCE = 3.5e-4f;

// Pinned points move to their target; others are pulled towards it by a spring of frequency omega,
// solved implicitly, so that its strength does not depend on the number of substeps:
//
//   a = (omega h)^2 / (1 + (omega h)^2)        p += a (g - p)
void COIF_SIMD(coif_project_goal)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  const coif_substep *step)
{
    const float h2 = step->h * step->h;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *goal = (const coif_simd *)block->goal_stiffness;
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 g = load3(&scratch->target, k);
        const coif_simd a = goal[k] * h2 / (1.0f + goal[k] * h2);
        store3(&scratch->predicted, k, select3(w[k] == 0.0f, g, mad3(p, a, sub3(g, p))));
    }
}

// Contact constraint along the normal:  C(p) = n . p - offset >= 0. Slack is the fraction of the
// contact distance that may be used up. A point without contact has n = 0 and offset -1; rows
// without contacts are skipped.
void COIF_SIMD(coif_project_contact)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                     float slack)
{
    coif_simd *push = (coif_simd *)scratch->normal_push;
    const coif_simd *offset = (const coif_simd *)scratch->contact_offset;
    const coif_simd *distance = (const coif_simd *)block->contact_distance;
    for (int32_t k = scratch->contact_begin; k < scratch->contact_end; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 n = load3(&scratch->contact_normal, k);
        const coif_simd c = dot3(n, p) - (offset[k] - slack * distance[k]);
        const coif_simd_mask inside = c < 0.0f;
        store3(&scratch->predicted, k, select3(inside, sub3(p, scale3(n, c)), p));
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
    const coif_simd *push = (const coif_simd *)scratch->normal_push;
    for (int32_t k = scratch->contact_begin; k < scratch->contact_end; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 n = load3(&scratch->contact_normal, k);
        const simd_vec3 d = sub3(sub3(p, load3(&block->pos, k)), load3(&scratch->surface_disp, k));
        const simd_vec3 t = sub3(d, scale3(n, dot3(d, n)));
        const coif_simd disp = coif_simd_sqrt(dot3(t, t)) + SIMD_TINY;
        const coif_simd back =
            coif_simd_min(coif_contact_friction(block, scratch, step->friction, k) * push[k] / disp,
                          coif_simd_all(1.0f));
        store3(&scratch->predicted, k, select3(push[k] > 0.0f, sub3(p, scale3(t, back)), p));
    }
}

// Directions and errors of the segments, and their multipliers.
static inline void solve_segments(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  int32_t segments)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    length_rows rows = length_rows_of(scratch);
    rows.divides = true;
    simd_vec3 before = {0};
    for (int32_t k = 0; k < segments; ++k) {
        const simd_vec3 d = sub3(load3(&scratch->predicted, k + 1), load3(&scratch->predicted, k));
        const coif_simd length = coif_simd_sqrt(dot3(d, d));
        const simd_vec3 n = scale3(d, 1.0f / (length + SIMD_TINY));
        store3(&scratch->tangent, k, n);
        eliminate_length(&rows, k, length_diagonal(w[k], w[k + 1]) + SIMD_TINY,
                         -w[k] * dot3(before, n),
                         length - ((const coif_simd *)block->rest_length)[k]);
        before = n;
    }
    for (int32_t k = segments - 1; k >= 0; --k) {
        substitute_length(&rows, k, segments);
    }
}

// Moves the points of the strands in the mask; masked: not all of them.
static inline void move_points(const coif_strand_block *block, coif_solver_scratch *scratch,
                               int32_t segments, coif_simd_mask active, bool masked)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *lambda = (const coif_simd *)scratch->lambda;
    simd_vec3 p = load3(&scratch->predicted, 0);
    simd_vec3 was = p;
    for (int32_t k = 0; k < segments; ++k) {
        const simd_vec3 n = load3(&scratch->tangent, k);
        const simd_vec3 moved = add3(p, scale3(n, w[k] * lambda[k]));
        store3(&scratch->predicted, k, masked ? select3(active, moved, was) : moved);
        was = load3(&scratch->predicted, k + 1);
        p = sub3(was, scale3(n, w[k + 1] * lambda[k]));
    }
    store3(&scratch->predicted, segments, masked ? select3(active, p, was) : p);
}

// Strands with a segment out of tolerance, of these. Where targets hold both ends of a segment, its
// length is theirs.
static inline coif_simd_mask out_of_tolerance(const coif_strand_block *block,
                                              const coif_solver_scratch *scratch, int32_t segments,
                                              float tolerance, coif_simd_mask strands,
                                              const coif_simd *own)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const float longest = (1.0f + tolerance) * (1.0f + tolerance);
    const float shortest = (1.0f - tolerance) * (1.0f - tolerance);
    coif_simd_mask out = {0};
    simd_vec3 a = load3(&scratch->predicted, 0);
    for (int32_t k = 0; k < segments; ++k) {
        const coif_simd rest = ((const coif_simd *)block->rest_length)[k];
        const simd_vec3 b = load3(&scratch->predicted, k + 1);
        const simd_vec3 d = sub3(b, a);
        const coif_simd length2 = dot3(d, d);
        coif_simd_mask off =
            (length2 > longest * (rest * rest)) | (length2 < shortest * (rest * rest));
        if (block->targets != NULL) {
            off &= w[k] + w[k + 1] > 0.0f;
        }
        if (own != NULL) {
            off &= *own > (float)k;
        }
        out |= off;
        a = b;
    }
    return out & strands;
}

// Damped Newton steps of the held strands until their lengths are within tolerance, beside those of
// others. Segments: those from the root that are solved; own: their number per strand, NULL: all.
static void solve_held_lengths(const coif_strand_block *block, coif_solver_scratch *scratch,
                               int32_t segments, float tolerance, coif_simd_mask held,
                               coif_simd_mask others, const coif_simd *own)
{
    coif_simd *lambda = (coif_simd *)scratch->lambda;
    coif_simd_mask active = held;
    for (int newton = 0; newton < NEWTON_HELD; ++newton) {
        active = out_of_tolerance(block, scratch, segments, tolerance, active, own);
        const coif_simd_mask moved = newton < NEWTON ? active | others : active;
        if (!any_of(moved)) {
            return;
        }
        solve_segments(block, scratch, segments);
        for (int32_t k = 0; own != NULL && k < segments; ++k) {
            lambda[k] = coif_simd_select(*own > (float)k, lambda[k], coif_simd_all(0.0f));
        }
        const coif_simd damping =
            newton_damping(block, scratch, segments, (const coif_simd *)block->inv_mass, held, own);
        if (any_of(damping < 1.0f)) {
            for (int32_t k = 0; k < segments; ++k) {
                lambda[k] *= damping;
            }
        }
        move_points(block, scratch, segments, moved, true);
    }
}

void COIF_SIMD(coif_project_held_lengths)(const coif_strand_block *block,
                                          coif_solver_scratch *scratch, coif_simd_mask held)
{
    solve_held_lengths(block, scratch, block->targets->span_end - 1, LED_TOLERANCE, held,
                       held ^ held, (const coif_simd *)block->targets->span_last);
}

// All lengths of a strand at once: two Newton steps of J W J^T lambda = C, p -= W J^T lambda. A
// strand is a chain, so the matrix is tridiagonal and solved directly; Gauss-Seidel sweeps would
// need hundreds of iterations for the same (Han and Harada 2013). A strand that is held beyond its
// root needs more, damped steps.
void COIF_SIMD(coif_project_lengths)(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_simd_mask held = held_lanes(block);
    if (any_of(held)) {
        solve_held_lengths(block, scratch, block->length - 1, HELD_TOLERANCE, held, ~held, NULL);
        return;
    }
    for (int newton = 0; newton < NEWTON; ++newton) {
        solve_segments(block, scratch, block->length - 1);
        move_points(block, scratch, block->length - 1, held, false);
    }
}
