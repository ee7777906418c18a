// segment_contact_simd: selection of the second contact pass, and contact and friction of segment
// midpoints. Compiled once per vector width.
#include "core/simd/simd_vec3.h"
#include "sim/solver/constraints_common.h"
#include "sim/solver/segment_contact.h"

// Contact distance of midpoints relative to that of points: a segment on a curved body dips into it
// a little, and should rest on its points.
static const float MIDPOINT_DISTANCE = 0.25f;

// Rounding error of positions, m.
static const float ROUNDING = 1e-6f;

// Whether the path of a point is free, given the clearance at its end.
static inline coif_simd_mask is_free(coif_simd spare, simd_vec3 disp)
{
    return (spare > 0.0f) & (spare * spare > 1.0001f * dot3(disp, disp));
}

// Height of a position above the surface of the contact of point k, if it has one.
static inline coif_simd height_above(const coif_strand_block *block,
                                     const coif_solver_scratch *scratch, int32_t k,
                                     simd_vec3 position, coif_simd_mask *has_plane)
{
    const simd_vec3 n = load3(&scratch->contact_normal, k);
    *has_plane = dot3(n, n) > 0.5f;
    return dot3(n, position) - ((const coif_simd *)scratch->contact_offset)[k] +
           ((const coif_simd *)block->contact_distance)[k];
}

int32_t COIF_SIMD(coif_select_recheck)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const coif_substep *step, float *recheck_distance)
{
    const coif_simd *reach = (const coif_simd *)block->contact_distance;
    coif_simd *want = (coif_simd *)coif_segment_contacts_of(block, scratch).contact_distance;
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd h = coif_simd_all(step->h);
    // Contact planes exist within twice this margin, so a point that was moved by less has no
    // unknown contact.
    const float known = 0.5f * coif_contact_margin(step);
    simd_vec3 before = {0};
    coif_simd free_before = zero;
    coif_simd_mask some_far = {0};
    coif_simd_mask some_close = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 x = load3(&block->pos, k);
        const simd_vec3 q = load3(&scratch->v_pred, k);
        const simd_vec3 moved = sub3(p, add3(x, scale3(q, h)));
        const coif_simd moved2 = dot3(moved, moved);
        // Lower bound at the prediction, less the displacement from there.
        const coif_simd free = ((const coif_simd *)scratch->min_body_distance)[k] -
                               (1.0001f * coif_simd_sqrt(moved2) + ROUNDING);
        const coif_simd_mask is_far =
            (moved2 > known * known) & (reach[k] > 0.0f) & ~is_free(free - reach[k], sub3(p, x));
        ((coif_simd *)recheck_distance)[k] = coif_simd_select(is_far, reach[k], zero);
        some_far |= is_far;
        if (k > 0) {
            const coif_simd contact_distance =
                MIDPOINT_DISTANCE * coif_simd_min(reach[k], reach[k - 1]);
            const simd_vec3 d = sub3(p, before);
            const coif_simd spare = coif_simd_max(free, free_before) - contact_distance;
            coif_simd_mask close = ~((spare > 0.0f) & (spare * spare > 0.25f * dot3(d, d))) &
                                   (contact_distance > 0.0f);
            if (scratch->has_contacts && any_of(close)) {
                const simd_vec3 middle = scale3(add3(p, before), coif_simd_all(0.5f));
                coif_simd_mask has_plane[2];
                const coif_simd first = height_above(block, scratch, k - 1, middle, &has_plane[0]);
                const coif_simd second = height_above(block, scratch, k, middle, &has_plane[1]);
                close &= ~(has_plane[0] & has_plane[1] &
                           ((first > contact_distance) | (second > contact_distance)));
            }
            want[k - 1] = coif_simd_select(close, contact_distance, zero);
            some_close |= close;
        }
        before = p;
        free_before = free;
    }
    return (any_of(some_far) ? COIF_RECHECK_POINTS : 0) |
           (any_of(some_close) ? COIF_RECHECK_SEGMENTS : 0);
}

// C(p) = n . (p_k + p_k+1) / 2 - offset >= 0, distributed by inverse mass:
//
//   p_k -= 2 w_k / (w_k + w_k+1) C n
void COIF_SIMD(coif_project_segment_contacts)(const coif_strand_block *block,
                                              coif_solver_scratch *scratch)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    coif_simd *push = (coif_simd *)m.normal_push;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 n = load3(&m.normal, k);
        const simd_vec3 a = load3(&scratch->predicted, k);
        const simd_vec3 b = load3(&scratch->predicted, k + 1);
        const coif_simd c = 0.5f * dot3(n, add3(a, b)) - ((const coif_simd *)m.offset)[k];
        const coif_simd_mask inside = c < 0.0f;
        const coif_simd each = 2.0f * c / (w[k] + w[k + 1] + SIMD_TINY);
        const simd_vec3 first = sub3(a, scale3(n, each * w[k]));
        const simd_vec3 second = sub3(b, scale3(n, each * w[k + 1]));
        store3(&scratch->predicted, k, select3(inside, first, a));
        store3(&scratch->predicted, k + 1, select3(inside, second, b));
        push[k] = coif_simd_select(inside, push[k] - c, push[k]);
    }
}

// Coulomb friction on the tangential displacement of a midpoint, as for points, see
// constraints_common.c.
void COIF_SIMD(coif_segment_friction)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                      const coif_substep *step)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 n = load3(&m.normal, k);
        const simd_vec3 a = load3(&scratch->predicted, k);
        const simd_vec3 b = load3(&scratch->predicted, k + 1);
        const simd_vec3 disp_sum =
            add3(sub3(a, load3(&block->pos, k)), sub3(b, load3(&block->pos, k + 1)));
        const simd_vec3 d = sub3(scale3(disp_sum, coif_simd_all(0.5f)), load3(&m.surface_disp, k));
        const simd_vec3 t = sub3(d, scale3(n, dot3(n, d)));
        const coif_simd push = ((const coif_simd *)m.normal_push)[k];
        const coif_simd most =
            coif_friction_on(block, scratch, m.friction, step->friction, k) * push;
        const coif_simd back =
            coif_simd_min(most / (coif_simd_sqrt(dot3(t, t)) + SIMD_TINY), coif_simd_all(1.0f));
        const coif_simd each = 2.0f * back / (w[k] + w[k + 1] + SIMD_TINY);
        const coif_simd_mask pushed = push > 0.0f;
        const simd_vec3 first = sub3(a, scale3(t, each * w[k]));
        const simd_vec3 second = sub3(b, scale3(t, each * w[k + 1]));
        store3(&scratch->predicted, k, select3(pushed, first, a));
        store3(&scratch->predicted, k + 1, select3(pushed, second, b));
    }
}
