// der_inextensibility: restores segment lengths and accumulates their tension. Compiled once per
// vector width.
//
// The implicit step leaves segments some hundredths of a percent off. Newton steps on all lengths
// of a strand at once (see length_solve.h) correct that. The tension found is the start of
// the next substep: at rest the step then finds nothing left to do, so the shape does not depend on
// the number of substeps. Points pressed against bodies move along the surface only, and the
// constraint force adds to their contact force: else a strand wrapped around something would be
// drawn into it by its lengths and thrown out by contacts, over and over.
#include "sim/solver/length_solve.h"
#include "sim/solver/methods/der/der_simd.h"

// Newton steps for every strand, and more for those that have not converged.
enum { NEWTON_STEPS = 2, MORE_STEPS = 6 };

// Segment vector at the end of the substep. Displacements are small and the positions they are
// added to exact, so this is more accurate than the difference of two positions.
static inline simd_vec3 segment_now(const coif_soa3 *pos, const der_segment *segment, int32_t k)
{
    const simd_vec3 d = sub3(load3(pos, k + 1), load3(pos, k));
    return add3(d, sub3(segment[k + 1].disp, segment[k].disp));
}

// Normal of the surface that point k is pressed against, scaled by LENGTH_HELD_FRACTION; zero for
// none.
static inline simd_vec3 held_normal(const coif_strand_block *block,
                                    const coif_solver_scratch *scratch, int32_t k)
{
    const coif_simd held =
        coif_simd_select(states_of(block)[k].contact_force > 0.0f,
                         coif_simd_all(LENGTH_HELD_FRACTION), coif_simd_all(0.0f));
    return scale3(load3(&scratch->contact_normal, k), held);
}

static inline length_rows rows_of(const coif_solver_scratch *scratch)
{
    der_segment *first = segments_of(scratch);
    return (length_rows){&first->inv_diagonal,
                         &first->off_diagonal,
                         &first->length_rhs,
                         (int64_t)(sizeof *first / sizeof(coif_simd)),
                         false,
                         0.0f};
}

static inline void eliminate(const coif_strand_block *block, coif_solver_scratch *scratch,
                             bool pressed)
{
    der_segment *segment = segments_of(scratch);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const length_rows rows = rows_of(scratch);
    const coif_soa3 pos = block->pos;
    simd_vec3 before = {0};
    simd_vec3 held = {0};
    if (pressed) {
        held = held_normal(block, scratch, 0);
    }
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 d = segment_now(&pos, segment, k);
        const simd_vec3 n = select3(segment[k].inv_length == 0.0f, before, unit3(d));
        coif_simd diagonal = length_diagonal(w[k], w[k + 1]) + SIMD_TINY;
        coif_simd turn = dot3(before, n);
        segment[k].frame.t = n;
        if (pressed) {
            const coif_simd begin = dot3(held, n);
            turn -= dot3(held, before) * begin;
            held = held_normal(block, scratch, k + 1);
            const coif_simd end = dot3(held, n);
            diagonal -= w[k] * (begin * begin) + w[k + 1] * (end * end);
        }
        eliminate_length(&rows, k, diagonal, -w[k] * turn, dot3(d, n) - rest[k]);
        before = n;
    }
}

// Tangential part of the constraint force on point k; the normal part adds to its contact force.
static inline simd_vec3 apply_contact(coif_strand_block *block, const coif_solver_scratch *scratch,
                                      const der_root *root, int32_t k, simd_vec3 push)
{
    const simd_vec3 held = held_normal(block, scratch, k);
    const coif_simd borne = dot3(held, push);
    coif_simd *press = &mutable_states_of(block)[k].contact_force;
    *press = coif_simd_max(*press - borne * root->inertia_rate, coif_simd_all(0.0f));
    return sub3(push, scale3(held, borne));
}

// Damping factor of a Newton step in the lanes that targets hold, see newton_damping. Most: the
// square of the largest displacement.
static inline coif_simd damping_for(const coif_strand_block *block, coif_simd most)
{
    const coif_simd one = coif_simd_all(1.0f);
    const coif_simd reach = 0.5f / lane_of(block)->max_inv_length;
    const coif_simd_mask held = *(const coif_simd_mask *)block->targets->spans;
    return coif_simd_select(held, coif_simd_min(reach / coif_simd_sqrt(most), one), one);
}

static inline coif_simd damping_of(const coif_strand_block *block,
                                   const coif_solver_scratch *scratch)
{
    const der_segment *segment = segments_of(scratch);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd zero = coif_simd_all(0.0f);
    coif_simd most = coif_simd_all(SIMD_TINY);
    coif_simd lambda = zero;
    simd_vec3 pull = {0}; // of the segment after the point
    for (int32_t k = block->length - 2; k >= 0; --k) {
        const coif_simd after = k + 2 < block->length ? segment[k + 1].off_diagonal : zero;
        lambda = (segment[k].length_rhs - after * lambda) * segment[k].inv_diagonal;
        const simd_vec3 own = scale3(segment[k].frame.t, lambda);
        const simd_vec3 disp = scale3(sub3(pull, own), w[k + 1]);
        most = coif_simd_max(most, dot3(disp, disp));
        pull = own;
    }
    return damping_for(block, most);
}

// Takes back the part of a Newton step beyond its damping.
static inline void take_back(coif_strand_block *block, coif_solver_scratch *scratch,
                             const der_root *root, coif_simd damping)
{
    if (!any_of(damping < 1.0f)) {
        return;
    }
    der_segment *segment = segments_of(scratch);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    simd_vec3 pull = {0};
    for (int32_t k = block->length - 2; k >= 0; --k) {
        const coif_simd less = (1.0f - damping) * segment[k].length_rhs;
        mutable_states_of(block)[k].tension -= less * root->inertia_rate;
        const simd_vec3 own = scale3(segment[k].frame.t, less);
        const simd_vec3 back = scale3(sub3(pull, own), w[k + 1]);
        segment[k + 1].disp = sub3(segment[k + 1].disp, back);
        pull = own;
    }
    segment[0].disp = sub3(segment[0].disp, scale3(pull, w[0]));
}

// A segment between two held points has no tension: nothing depends on it.
static inline void clear_held_tension(coif_strand_block *block)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd_mask *held = (const coif_simd_mask *)block->targets->held;
    const coif_simd zero = coif_simd_all(0.0f);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        coif_simd *tension = &mutable_states_of(block)[k].tension;
        const coif_simd_mask none = (held[k] | held[k + 1]) & (w[k] + w[k + 1] == 0.0f);
        *tension = coif_simd_select(none, zero, *tension);
    }
}

// Back substitution from tip to root. Strands outside the mask keep every bit.
static inline void move_points(coif_strand_block *block, coif_solver_scratch *scratch,
                               const der_root *root, coif_simd_mask active, bool pressed)
{
    der_segment *segment = segments_of(scratch);
    der_state *state = mutable_states_of(block);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd zero = coif_simd_all(0.0f);
    const int32_t last = block->length - 1;
    const length_rows rows = rows_of(scratch);
    const bool spans = coif_targets_have_spans(block);
    const coif_simd damping = spans && pressed ? damping_of(block, scratch) : coif_simd_all(1.0f);
    coif_simd most = coif_simd_all(SIMD_TINY);
    simd_vec3 pull = {0}; // of the segment after the point
    for (int32_t k = last - 1; k >= 0; --k) {
        coif_simd lambda = coif_simd_select(active, substitute_length(&rows, k, last), zero);
        if (spans) {
            lambda *= damping;
            rows.lambda[k * rows.stride] = lambda;
        }
        state[k].tension += lambda * root->inertia_rate;
        const simd_vec3 own = scale3(segment[k].frame.t, lambda);
        simd_vec3 push = sub3(pull, own);
        if (pressed) {
            push = apply_contact(block, scratch, root, k + 1, push);
        }
        const simd_vec3 moved = scale3(push, w[k + 1]);
        if (spans) {
            most = coif_simd_max(most, dot3(moved, moved));
        }
        segment[k + 1].disp = add3(segment[k + 1].disp, moved);
        pull = own;
    }
    if (pressed) {
        pull = apply_contact(block, scratch, root, 0, pull);
    }
    segment[0].disp = add3(segment[0].disp, scale3(pull, w[0]));
    if (spans && !pressed) {
        take_back(block, scratch, root, damping_for(block, most));
    }
}

// Whether some point has a contact force. The length solve does not create contact forces.
static inline bool is_pressed(const coif_strand_block *block, const coif_solver_scratch *scratch)
{
    coif_simd_mask pressed = {0};
    for (int32_t k = scratch->contact_begin; scratch->has_contacts && k < scratch->contact_end;
         ++k) {
        pressed |= states_of(block)[k].contact_force > 0.0f;
    }
    return any_of(pressed);
}

// Whether the length of segment d differs from rest by more than 0.005 percent of the mean.
// Any_held: a free point may precede a held one. Compares squares: this is evaluated for every
// segment.
static inline coif_simd_mask is_out_of_tolerance(const coif_strand_block *block, int32_t k,
                                                 simd_vec3 d, coif_simd most, bool spans)
{
    const coif_simd rest = ((const coif_simd *)block->rest_length)[k];
    const coif_simd longest = rest + most;
    const coif_simd shortest = coif_simd_max(rest - most, coif_simd_all(0.0f));
    const coif_simd length2 = dot3(d, d);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    coif_simd_mask free = w[k + 1] > 0.0f;
    if (spans) {
        free |= (w[k] > 0.0f) & *(const coif_simd_mask *)block->targets->spans;
    }
    return ((length2 > longest * longest) | (length2 < shortest * shortest)) & free;
}

static inline coif_simd length_tolerance(const coif_strand_block *block)
{
    return 0.0025f / lane_of(block)->max_inv_length;
}

static inline coif_simd_mask strands_out(const coif_strand_block *block, const der_segment *segment,
                                         bool spans)
{
    const coif_simd most = length_tolerance(block);
    coif_simd_mask active = {0};
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 d = segment_now(&block->pos, segment, k);
        active |= is_out_of_tolerance(block, k, d, most, spans);
    }
    return active;
}

static inline coif_simd_mask strands_out_of_tolerance(const coif_strand_block *block,
                                                      const der_segment *segment)
{
    return coif_targets_have_spans(block) ? strands_out(block, segment, true)
                                          : strands_out(block, segment, false);
}

// A strand whose root is torn about by many segments at once may still be far off. Segments out of
// tolerance are corrected from root to tip, whatever their mass.
static void lay_out(const coif_strand_block *block, der_segment *segment)
{
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd most = length_tolerance(block);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 d = segment_now(&block->pos, segment, k);
        const coif_simd_mask active = is_out_of_tolerance(block, k, d, most, false);
        const coif_simd length = coif_simd_sqrt(dot3(d, d));
        const simd_vec3 less = scale3(d, (length - rest[k]) / (length + SIMD_TINY));
        segment[k + 1].disp = select3(active, sub3(segment[k + 1].disp, less), segment[k + 1].disp);
    }
}

void COIF_SIMD(coif_der_lengths)(coif_strand_block *block, coif_solver_scratch *scratch,
                                 const der_root *root)
{
    if (block->targets != NULL && block->targets->all_held) {
        clear_held_tension(block);
        return;
    }
    der_segment *segment = segments_of(scratch);
    const coif_simd_mask all = coif_simd_all(0.0f) == 0.0f;
    const bool pressed = is_pressed(block, scratch);
    for (int newton = 0; newton < NEWTON_STEPS; ++newton) {
        eliminate(block, scratch, pressed);
        move_points(block, scratch, root, all, pressed);
    }
    coif_simd_mask active = strands_out_of_tolerance(block, segment);
    for (int newton = 0; newton < MORE_STEPS && any_of(active); ++newton) {
        eliminate(block, scratch, pressed);
        move_points(block, scratch, root, active, pressed);
        active = strands_out_of_tolerance(block, segment);
    }
    if (any_of(active)) {
        lay_out(block, segment);
    }
    if (block->targets != NULL && block->targets->any_held) {
        clear_held_tension(block);
    }
}

void COIF_SIMD(coif_der_refine_lengths)(coif_strand_block *block, coif_solver_scratch *scratch,
                                        const der_root *root, coif_simd_mask *which)
{
    *which &= strands_out_of_tolerance(block, segments_of(scratch));
    if (any_of(*which)) {
        const bool pressed = is_pressed(block, scratch);
        eliminate(block, scratch, pressed);
        move_points(block, scratch, root, *which, pressed);
    }
}
