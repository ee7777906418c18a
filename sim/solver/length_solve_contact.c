// length_solve_contact: length solve that keeps points and segment midpoints on their contact
// planes. Compiled once per vector width.
//
// A strand over an edge rests on few points. A length solve without contacts would pull those in as
// far as contacts have pushed them out, over and over.
#include "core/simd/simd_vec3.h"
#include "sim/solver/constraints_common.h"
#include "sim/solver/length_solve.h"
#include "sim/solver/segment_contact.h"

// Newton steps, and those for a strand that targets hold.
enum { NEWTON_STEPS = 3, NEWTON_HELD = 6 };

// Relative length tolerance; rounding of positions is not much less.
#define MAX_RATIO 1.000004f
#define MIN_RATIO 0.999996f

// A point with less tangential displacement than this sticks: the solve rather moves its neighbours
// if those have no contact, or it would creep. Where they do have contacts all points move alike,
// or a strand pulled over something would hang on single sticking points. Metres; rounding of
// positions is about a tenth of it.
static const float STICK_DISTANCE = 3e-7f;
static const float STICK_INV_MASS = 1e-3f;

// Height above its plane, as a fraction of the contact distance, up to which a point counts as
// resting.
static const float RESTING_HEIGHT = 0.1f;

// Lanes in which point k rests on its plane. It need not have been pushed: a sliding point was held
// there before.
static inline coif_simd_mask rests(const coif_strand_block *block,
                                   const coif_solver_scratch *scratch, int32_t k)
{
    const simd_vec3 n = load3(&scratch->contact_normal, k);
    const simd_vec3 p = load3(&scratch->predicted, k);
    const coif_simd above = dot3(n, p) - ((const coif_simd *)scratch->contact_offset)[k];
    return (above < RESTING_HEIGHT * ((const coif_simd *)block->contact_distance)[k]) &
           (dot3(n, n) > 0.5f);
}

static inline coif_simd_mask neighbour_rests(const coif_strand_block *block,
                                             const coif_solver_scratch *scratch, int32_t k)
{
    coif_simd_mask down = {0};
    if (k > 0) {
        down |= rests(block, scratch, k - 1);
    }
    if (k + 1 < block->length) {
        down |= rests(block, scratch, k + 1);
    }
    return down;
}

// Constraint normals: of the contact of the point itself or of a midpoint of its segments; zero for
// none.
static void find_constraint_normals(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    for (int32_t k = 0; k < block->length; ++k) {
        simd_vec3 normal = {0};
        coif_simd weight = ((const coif_simd *)block->inv_mass)[k];
        if (scratch->has_contacts) {
            const coif_simd_mask resting = ((const coif_simd *)scratch->normal_push)[k] > 0.0f;
            const simd_vec3 n = load3(&scratch->contact_normal, k);
            const simd_vec3 disp = sub3(load3(&scratch->predicted, k), load3(&block->pos, k));
            const simd_vec3 d = sub3(disp, load3(&scratch->surface_disp, k));
            const simd_vec3 slip = sub3(d, scale3(n, dot3(n, d)));
            const coif_simd_mask sticks = resting &
                                          (dot3(slip, slip) < STICK_DISTANCE * STICK_DISTANCE) &
                                          ~neighbour_rests(block, scratch, k);
            weight = coif_simd_select(sticks, STICK_INV_MASS * weight, weight);
            normal = select3(resting, n, normal);
        }
        for (int32_t s = k > 0 ? k - 1 : 0;
             scratch->has_segment_contacts && s <= k && s + 1 < block->length; ++s) {
            const coif_simd_mask resting = ((const coif_simd *)m.normal_push)[s] > 0.0f;
            normal = select3(resting, load3(&m.normal, s), normal);
        }
        store3(&m.held_normal, k, scale3(normal, coif_simd_all(LENGTH_HELD_FRACTION)));
        ((coif_simd *)m.held_inv_mass)[k] = weight;
    }
}

static void solve(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const coif_simd *w = (const coif_simd *)m.held_inv_mass;
    const length_rows rows = length_rows_of(scratch);
    simd_vec3 before = {0};
    simd_vec3 normal = load3(&m.held_normal, 0);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 d = sub3(load3(&scratch->predicted, k + 1), load3(&scratch->predicted, k));
        const simd_vec3 t = unit3(d);
        const simd_vec3 next = load3(&m.held_normal, k + 1);
        const coif_simd begin = dot3(normal, t);
        const coif_simd end = dot3(next, t);
        const coif_simd diagonal =
            length_diagonal(w[k] * (1.0f - begin * begin), w[k + 1] * (1.0f - end * end));
        eliminate_length(&rows, k, diagonal + SIMD_TINY,
                         -w[k] * (dot3(before, t) - dot3(normal, before) * begin),
                         dot3(d, t) - ((const coif_simd *)block->rest_length)[k]);
        store3(&scratch->tangent, k, t);
        before = t;
        normal = next;
    }
    for (int32_t k = block->length - 2; k >= 0; --k) {
        substitute_length(&rows, k, block->length - 1);
    }
}

// Strands outside the mask keep every bit.
static void move_points(const coif_strand_block *block, coif_solver_scratch *scratch,
                        coif_simd_mask active)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const coif_simd *w = (const coif_simd *)m.held_inv_mass;
    const coif_simd *lambda = (const coif_simd *)scratch->lambda;
    simd_vec3 before = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        simd_vec3 own = {0};
        if (k + 1 < block->length) {
            own = scale3(load3(&scratch->tangent, k), lambda[k]);
        }
        const simd_vec3 push = sub3(own, before);
        const simd_vec3 normal = load3(&m.held_normal, k);
        const simd_vec3 free = sub3(push, scale3(normal, dot3(normal, push)));
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 moved = add3(p, scale3(free, w[k]));
        store3(&scratch->predicted, k, select3(active, moved, p));
        before = own;
    }
}

static void damp(const coif_strand_block *block, coif_solver_scratch *scratch, coif_simd_mask held)
{
    const float *w = coif_segment_contacts_of(block, scratch).held_inv_mass;
    const coif_simd damping =
        newton_damping(block, scratch, block->length - 1, (const coif_simd *)w, held, NULL);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        ((coif_simd *)scratch->lambda)[k] *= damping;
    }
}

// Strands with a segment out of tolerance.
static coif_simd_mask out_of_tolerance(const coif_strand_block *block,
                                       const coif_solver_scratch *scratch)
{
    coif_simd_mask active = {0};
    simd_vec3 a = load3(&scratch->predicted, 0);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const coif_simd rest = ((const coif_simd *)block->rest_length)[k];
        const simd_vec3 b = load3(&scratch->predicted, k + 1);
        const simd_vec3 d = sub3(b, a);
        const coif_simd length2 = dot3(d, d);
        active |= (length2 > MAX_RATIO * MAX_RATIO * (rest * rest)) |
                  (length2 < MIN_RATIO * MIN_RATIO * (rest * rest));
        a = b;
    }
    return active;
}

void COIF_SIMD(coif_project_lengths_with_contacts)(const coif_strand_block *block,
                                                   coif_solver_scratch *scratch)
{
    coif_simd_mask active = out_of_tolerance(block, scratch);
    if (!any_of(active)) {
        return;
    }
    find_constraint_normals(block, scratch);
    const bool any_held = coif_targets_have_spans(block);
    const coif_simd_mask held = held_lanes(block);
    for (int newton = 0; newton < (any_held ? NEWTON_HELD : NEWTON_STEPS) && any_of(active);
         ++newton) {
        solve(block, scratch);
        if (any_held) {
            damp(block, scratch, held);
        }
        move_points(block, scratch, newton < NEWTON_STEPS ? active : active & held);
        active &= out_of_tolerance(block, scratch);
    }
}
