// middle, projecting: which points and middles have to look at bodies again, and what contacts do
// to middles. Compiled once per vector width.
#include "sim/solver/constraints_common.h"
#include "sim/solver/segment_contact.h"
#include "sim/solver/simd/simd_vec3.h"

// Share of the distance kept by points that middles keep: a segment that lies on a round body dips
// into it a little, and should lie on its points.
static const float KEPT = 0.25f;

// What places may be rounded by, in metres.
static const float ROUNDED = 1e-6f;

// Whether a point, of which nothing comes nearer than this where it is now, has met nothing on its
// way there either.
static inline coif_simd_mask is_free(coif_simd spare, simd_vec3 disp)
{
    return (spare > 0.0f) & (spare * spare > 1.0001f * dot3(disp, disp));
}

// How far above the surface of the contact of point k a place is. Far, where it has none.
static inline coif_simd above(const coif_strand_block *block, const coif_solver_scratch *scratch,
                              int32_t k, simd_vec3 place, coif_simd_mask *lies)
{
    const simd_vec3 n = load3(&scratch->contact_normal, k);
    *lies = dot3(n, n) > 0.5f;
    return dot3(n, place) - ((const coif_simd *)scratch->contact_offset)[k] +
           ((const coif_simd *)block->contact_distance)[k];
}

int32_t COIF_SIMD(coif_select_recheck)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const coif_substep *step, float *far)
{
    const coif_simd *reach = (const coif_simd *)block->contact_distance;
    coif_simd *want = (coif_simd *)coif_segment_contacts_of(block, scratch).contact_distance;
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd h = coif_simd_all(step->h);
    // Planes are made this early twice over, so a point that has moved by less has met none that it
    // did not know.
    const float known = 0.5f * coif_contact_margin(step);
    simd_vec3 before = {zero, zero, zero};
    coif_simd free_before = zero;
    coif_simd_mask some_far = {0};
    coif_simd_mask some_close = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 x = load3(&block->pos, k);
        const simd_vec3 q = load3(&scratch->v_pred, k);
        const simd_vec3 moved = sub3(p, add3(x, scale3(q, h)));
        const coif_simd moved2 = dot3(moved, moved);
        // Nothing is nearer than to where the point wanted to go, less the way from there.
        const coif_simd free = ((const coif_simd *)scratch->min_body_distance)[k] -
                               (1.0001f * coif_simd_sqrt(moved2) + ROUNDED);
        const coif_simd_mask is_far =
            (moved2 > known * known) & (reach[k] > 0.0f) & ~is_free(free - reach[k], sub3(p, x));
        ((coif_simd *)far)[k] = coif_simd_select(is_far, reach[k], zero);
        some_far |= is_far;
        if (k > 0) {
            const coif_simd keep = KEPT * coif_simd_min(reach[k], reach[k - 1]);
            const simd_vec3 d = sub3(p, before);
            const coif_simd spare = coif_simd_max(free, free_before) - keep;
            coif_simd_mask close =
                ~((spare > 0.0f) & (spare * spare > 0.25f * dot3(d, d))) & (keep > 0.0f);
            if (scratch->has_contacts && any_of(close)) {
                const simd_vec3 middle = scale3(add3(p, before), coif_simd_all(0.5f));
                coif_simd_mask lies[2];
                const coif_simd first = above(block, scratch, k - 1, middle, &lies[0]);
                const coif_simd second = above(block, scratch, k, middle, &lies[1]);
                close &= ~(lies[0] & lies[1] & ((first > keep) | (second > keep)));
            }
            want[k - 1] = coif_simd_select(close, keep, zero);
            some_close |= close;
        }
        before = p;
        free_before = free;
    }
    return (any_of(some_far) ? COIF_RECHECK_POINTS : 0) |
           (any_of(some_close) ? COIF_RECHECK_SEGMENTS : 0);
}

// C(p) = n . (p_k + p_k+1) / 2 - offset >= 0; each end takes the part its inverse mass gives it:
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

// Coulomb's friction on the way of a middle along the surface, as for points: see constraints.c.
void COIF_SIMD(coif_segment_friction)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                      const coif_substep *step)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 n = load3(&m.normal, k);
        const simd_vec3 a = load3(&scratch->predicted, k);
        const simd_vec3 b = load3(&scratch->predicted, k + 1);
        const simd_vec3 ways =
            add3(sub3(a, load3(&block->pos, k)), sub3(b, load3(&block->pos, k + 1)));
        const simd_vec3 d = sub3(scale3(ways, coif_simd_all(0.5f)), load3(&m.surface_disp, k));
        const simd_vec3 t = sub3(d, scale3(n, dot3(n, d)));
        const coif_simd push = ((const coif_simd *)m.normal_push)[k];
        const coif_simd most =
            coif_point_param(block, COIF_FIELD_FRICTION, step->friction, k) * push;
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
