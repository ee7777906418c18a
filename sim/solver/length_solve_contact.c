// middle, lengths: segments get their lengths back while points and middles that lie on bodies stay
// on them. Compiled once per vector width.
//
// A strand that hangs over an edge hangs on few points. If lengths knew nothing of it they would
// draw those in again as far as contacts have pushed them out, over and over.
#include "sim/solver/constraints_common.h"
#include "sim/solver/segment_contact.h"
#include "sim/solver/simd/simd_vec3.h"

enum { NEWTON_STEPS = 3 };

// Lengths are right between these shares of what they should be; places of points are rounded to
// not much less.
#define LONGEST  1.000004f
#define SHORTEST 0.999996f

// A point that has gone less than this along what it lies on sticks there: lengths rather move its
// neighbours if those are in the air, or it would creep. Where they lie on the body too, all have
// to give way alike, or a strand drawn over something would hang on single points that happen to
// stick. Metres; places are rounded to about a tenth of it.
static const float STUCK = 3e-7f;
static const float LIGHTER = 1e-3f;

// Share of the distance kept from a body by which a point that lies on it may be above that.
static const float DOWN = 0.1f;

// How much of its freedom across the surface a point on a body loses. All of it would leave nothing
// to solve for where a segment stands upright between two bodies.
static const float HELD = 0.999f;

// Lanes in which point k is not in the air. It need not have been pushed: what slides on a body has
// been held on it before.
static inline coif_simd_mask is_down(const coif_strand_block *block,
                                     const coif_solver_scratch *scratch, int32_t k)
{
    const simd_vec3 n = load3(&scratch->contact_normal, k);
    const simd_vec3 p = load3(&scratch->predicted, k);
    const coif_simd above = dot3(n, p) - ((const coif_simd *)scratch->contact_offset)[k];
    return (above < DOWN * ((const coif_simd *)block->contact_distance)[k]) & (dot3(n, n) > 0.5f);
}

static inline coif_simd_mask is_down_beside(const coif_strand_block *block,
                                            const coif_solver_scratch *scratch, int32_t k)
{
    coif_simd_mask down = {0};
    if (k > 0) {
        down |= is_down(block, scratch, k - 1);
    }
    if (k + 1 < block->length) {
        down |= is_down(block, scratch, k + 1);
    }
    return down;
}

// The normal of what point k lies on, by itself or by the middle of a segment of its; zero for
// none.
static void find_held(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const coif_simd zero = coif_simd_all(0.0f);
    for (int32_t k = 0; k < block->length; ++k) {
        simd_vec3 held = {zero, zero, zero};
        coif_simd weight = ((const coif_simd *)block->inv_mass)[k];
        if (scratch->has_contacts) {
            const coif_simd_mask lies = ((const coif_simd *)scratch->normal_push)[k] > 0.0f;
            const simd_vec3 n = load3(&scratch->contact_normal, k);
            const simd_vec3 disp = sub3(load3(&scratch->predicted, k), load3(&block->pos, k));
            const simd_vec3 d = sub3(disp, load3(&scratch->surface_disp, k));
            const simd_vec3 slip = sub3(d, scale3(n, dot3(n, d)));
            const coif_simd_mask sticks =
                lies & (dot3(slip, slip) < STUCK * STUCK) & ~is_down_beside(block, scratch, k);
            weight = coif_simd_select(sticks, LIGHTER * weight, weight);
            held = select3(lies, n, held);
        }
        for (int32_t s = k > 0 ? k - 1 : 0;
             scratch->has_segment_contacts && s <= k && s + 1 < block->length; ++s) {
            const coif_simd_mask lies = ((const coif_simd *)m.normal_push)[s] > 0.0f;
            held = select3(lies, load3(&m.normal, s), held);
        }
        store3(&m.held_normal, k, scale3(held, coif_simd_all(HELD)));
        ((coif_simd *)m.held_inv_mass)[k] = weight;
    }
}

// Thomas' algorithm as in constraints.c, with w_k (I - m m) instead of w_k where m is what holds.
static void solve(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const coif_simd *w = (const coif_simd *)m.held_inv_mass;
    coif_simd *inverse = (coif_simd *)scratch->diagonal;
    coif_simd *side = (coif_simd *)scratch->off_diagonal;
    coif_simd *lambda = (coif_simd *)scratch->lambda;
    const coif_simd zero = coif_simd_all(0.0f);
    simd_vec3 before = {zero, zero, zero};
    simd_vec3 held = load3(&m.held_normal, 0);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 d = sub3(load3(&scratch->predicted, k + 1), load3(&scratch->predicted, k));
        coif_simd scale;
        const simd_vec3 t = direction3(d, &scale);
        const simd_vec3 next = load3(&m.held_normal, k + 1);
        const coif_simd begin = dot3(held, t);
        const coif_simd end = dot3(next, t);
        coif_simd diagonal =
            (w[k] * (1.0f - begin * begin) + w[k + 1] * (1.0f - end * end)) * 1.000001f + SIMD_TINY;
        lambda[k] = dot3(d, t) - ((const coif_simd *)block->rest_length)[k];
        if (k > 0) {
            side[k] = -w[k] * (dot3(before, t) - dot3(held, before) * begin);
            const coif_simd factor = side[k] * inverse[k - 1];
            diagonal -= factor * side[k];
            lambda[k] -= factor * lambda[k - 1];
        }
        inverse[k] = 1.0f / diagonal;
        store3(&scratch->tangent, k, t);
        before = t;
        held = next;
    }
    for (int32_t k = block->length - 2; k >= 0; --k) {
        if (k + 2 < block->length) {
            lambda[k] -= side[k + 1] * lambda[k + 1];
        }
        lambda[k] *= inverse[k];
    }
}

// Strands that are not wrong keep every bit.
static void move_points(const coif_strand_block *block, coif_solver_scratch *scratch,
                        coif_simd_mask wrong)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const coif_simd *w = (const coif_simd *)m.held_inv_mass;
    const coif_simd *lambda = (const coif_simd *)scratch->lambda;
    const coif_simd zero = coif_simd_all(0.0f);
    simd_vec3 before = {zero, zero, zero};
    for (int32_t k = 0; k < block->length; ++k) {
        simd_vec3 own = {zero, zero, zero};
        if (k + 1 < block->length) {
            own = scale3(load3(&scratch->tangent, k), lambda[k]);
        }
        const simd_vec3 push = sub3(own, before);
        const simd_vec3 held = load3(&m.held_normal, k);
        const simd_vec3 free = sub3(push, scale3(held, dot3(held, push)));
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 moved = add3(p, scale3(free, w[k]));
        store3(&scratch->predicted, k, select3(wrong, moved, p));
        before = own;
    }
}

// Strands with a segment that is too long or too short.
static coif_simd_mask wrong_strands(const coif_strand_block *block,
                                    const coif_solver_scratch *scratch)
{
    coif_simd_mask wrong = {0};
    simd_vec3 a = load3(&scratch->predicted, 0);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const coif_simd rest = ((const coif_simd *)block->rest_length)[k];
        const simd_vec3 b = load3(&scratch->predicted, k + 1);
        const simd_vec3 d = sub3(b, a);
        const coif_simd length2 = dot3(d, d);
        wrong |= (length2 > LONGEST * LONGEST * (rest * rest)) |
                 (length2 < SHORTEST * SHORTEST * (rest * rest));
        a = b;
    }
    return wrong;
}

void COIF_SIMD(coif_project_lengths_with_contacts)(const coif_strand_block *block,
                                                   coif_solver_scratch *scratch)
{
    coif_simd_mask wrong = wrong_strands(block, scratch);
    if (!any_of(wrong)) {
        return;
    }
    find_held(block, scratch);
    for (int newton = 0; newton < NEWTON_STEPS && any_of(wrong); ++newton) {
        solve(block, scratch);
        move_points(block, scratch, wrong);
        wrong &= wrong_strands(block, scratch);
    }
}
