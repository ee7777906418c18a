// der_contact: friction of points resting on a body. Compiled once per vector width.
//
// Coulomb friction acts as a drag of mu force / (tangential displacement), exact if the
// displacement is. For a point kept sliding by its own weight and momentum the displacement is
// known in advance and nothing is corrected afterwards. For other sliding points that of the last
// substep is taken, and the excess is given back. For a point at rest a tiny displacement is taken,
// so that all points of a strand about to slip carry a fraction of what they can carry. The
// resulting tangential force is compared with the friction cone: if friction can carry it, the
// point stays where it is, to the bit.
//
// All of this is evaluated for a point together with its neighbours. Hair is so stiff that normal
// and tangential forces jump from point to point: a rounding error of positions bends a joint of a
// millimetre more than its weight does. Evaluated point by point, some would always be outside
// their friction cone and creep while others are far inside, but hair of a few centimetres sticks
// or slides as a whole. So forces are smoothed along the strand, conserving their sum:
//
//   (m + C) y = force        C: couplings of (L / length)^2 between neighbouring resting points
//
// and the normal force for friction is m y. L is the length over which hair of bending stiffness B
// and weight q per length deflects by some millimetres, (9 mm B / q)^1/4: 3 cm. Limp chains have no
// coupling.
#include "sim/solver/methods/der/der_contact.h"

// Stiffness of a contact times h^2 / m: enough for a strand as heavy as a hundred points to hang on
// one.
static const float CONTACT = 1000.0f;

// Displacement per substep below which a point sticks: this fraction of the displacement by its
// contact force, clamped to these limits in metres.
static const float STICK_FRACTION = 0.01f;
static const float STICK_MIN = 1e-7f;
static const float STICK_MAX = 2e-6f;

// Fraction of the contact force that is steady, and limit of a slide relative to the last slip.
static const float STEADY_FRACTION = 0.99f;
static const float MAX_SPEEDUP = 3.0f;

// L^2 over the square root of B per mass and length, s; and the strongest coupling.
static const float COUPLING = 0.03f;
static const float MAX_COUPLING = 1e5f;

static inline simd_vec3 tangential3(simd_vec3 a, simd_vec3 n)
{
    return sub3(a, scale3(n, dot3(a, n)));
}

static inline coif_simd length3(simd_vec3 a)
{
    return coif_simd_sqrt(dot3(a, a));
}

static inline simd_vec3 normal_at(const der_step_ctx *ctx, int32_t k)
{
    return load3(&ctx->scratch->contact_normal, k);
}

static inline coif_simd_mask is_active(const der_contact *contact)
{
    return contact->stiffness > 0.0f;
}

// Displacement of a point per force in a substep.
static inline coif_simd disp_per_force(const der_step_ctx *ctx, int32_t k)
{
    return ((const coif_simd *)ctx->block->inv_mass)[k] / ctx->inertia_rate;
}

// Mass of a point; 1 for a pinned one.
static inline coif_simd mass_of(const der_step_ctx *ctx, int32_t k)
{
    const coif_simd w = ((const coif_simd *)ctx->block->inv_mass)[k];
    return 1.0f / coif_simd_select(w > 0.0f, w, coif_simd_all(1.0f));
}

static inline coif_simd friction_at(const der_step_ctx *ctx, int32_t k)
{
    return coif_contact_friction(ctx->block, ctx->scratch, ctx->friction, k);
}

// Largest squared slip of a point and its neighbours: where one moves, so will the others.
static inline coif_simd slip_around2(const der_step_ctx *ctx, int32_t k, const der_contact *contact)
{
    const coif_solver_scratch *scratch = ctx->scratch;
    const simd_vec3 n = normal_at(ctx, k);
    const simd_vec3 surface = load3(&scratch->surface_disp, k);
    coif_simd largest = dot3(contact->slip, contact->slip);
    for (int32_t beside = k > 0 ? k - 1 : 1; beside <= k + 1 && beside < ctx->block->length;
         beside += 2) {
        const simd_vec3 slip = tangential3(sub3(segments_of(scratch)[beside].disp, surface), n);
        largest = coif_simd_max(largest, dot3(slip, slip));
    }
    return largest;
}

// Activates the contact of point k. A point that approaches slowly is supported from now on, with
// the force it takes to stop it.
static void activate(der_contact *contact, const der_step_ctx *ctx, int32_t k)
{
    const coif_strand_block *block = ctx->block;
    const coif_solver_scratch *scratch = ctx->scratch;
    const coif_simd zero = coif_simd_all(0.0f);
    const simd_vec3 n = normal_at(ctx, k);
    const simd_vec3 disp = segments_of(scratch)[k].disp;
    const simd_vec3 change = predicted_change(ctx, k);
    const simd_vec3 surface = load3(&scratch->surface_disp, k);
    const coif_simd_mask has_plane =
        (dot3(n, n) > 0.5f) & (((const coif_simd *)block->inv_mass)[k] > 0.0f);
    contact->gap = dot3(n, add3(load3(&block->pos, k), disp)) -
                   ((const coif_simd *)scratch->contact_offset)[k];
    const coif_simd stiffness = CONTACT * ctx->inertia_rate;
    coif_simd force = states_of(block)[k].contact_force;
    const coif_simd gap_ahead = contact->gap + dot3(n, change);
    const coif_simd approach = dot3(n, sub3(surface, add3(disp, change)));
    // Smallest separation per substep that counts as lifting off.
    const coif_simd lift_off =
        2.0f * coif_gravity_magnitude_at(block, ctx->gravity, k) * ctx->h * ctx->h;
    const coif_simd_mask is_new =
        (force == 0.0f) & (gap_ahead < 0.0f) & (approach < lift_off) & has_plane;
    force = coif_simd_select(is_new, -gap_ahead / (disp_per_force(ctx, k) + SIMD_TINY), force);
    const coif_simd_mask active = ((force > stiffness * contact->gap) |
                                   ((force > 0.0f) & (contact->gap < lift_off)) | is_new) &
                                  has_plane;
    contact->force = coif_simd_select(active, force, zero);
    contact->stiffness = coif_simd_select(active, stiffness, zero);
    contact->drag = zero;
    contact->slip = tangential3(sub3(disp, surface), n);
    contact->smoothed_force = contact->force;
    contact->smoothed_sum = scale3(add3(contact->slip, tangential3(change, n)), mass_of(ctx, k));
    contact->smoothed_sum = select3(active, contact->smoothed_sum, (simd_vec3){0});
}

// Couplings between neighbouring resting points and the pivots of the smoothing system. Eliminated
// without subtractions, so single precision suffices.
static void couple(const der_step_ctx *ctx)
{
    der_contact *contacts = contacts_of(ctx->block, ctx->scratch);
    const coif_simd *rest_length = (const coif_simd *)ctx->block->rest_length;
    const der_rest_joint *rest = rest_joints_of(ctx->block);
    const coif_simd zero = coif_simd_all(0.0f);
    coif_simd left = zero; // remainder of the pivot before, relative to that pivot
    for (int32_t k = ctx->resting_rows.begin; k < ctx->resting_rows.end; ++k) {
        der_contact *contact = &contacts[k];
        coif_simd next = zero;
        if (k + 1 < ctx->resting_rows.end) {
            const coif_simd root = coif_simd_max(rest[k].sqrt_bend1, rest[k + 1].sqrt_bend1);
            const coif_simd strength = coif_simd_min(COUPLING * root / (rest_length[k] + SIMD_TINY),
                                                     coif_simd_all(MAX_COUPLING));
            next = coif_simd_select(is_active(contact) & is_active(contact + 1), strength, zero);
            contact[1].coupling = next;
        }
        if (k == ctx->resting_rows.begin) {
            contact->coupling = zero;
        }
        const coif_simd own_part = mass_of(ctx, k) + contact->coupling * left;
        contact->inv_pivot = 1.0f / (own_part + next);
        left = own_part * contact->inv_pivot;
    }
}

// Solves for the smoothed force and sum of all resting points, in place.
static void smooth_along(const der_step_ctx *ctx)
{
    der_contact *contact = contacts_of(ctx->block, ctx->scratch);
    const int32_t first = ctx->resting_rows.begin;
    const int32_t last = ctx->resting_rows.end - 1;
    for (int32_t k = first + 1; k <= last; ++k) {
        const coif_simd fraction = contact[k].coupling * contact[k - 1].inv_pivot;
        contact[k].smoothed_force += fraction * contact[k - 1].smoothed_force;
        contact[k].smoothed_sum =
            add3(contact[k].smoothed_sum, scale3(contact[k - 1].smoothed_sum, fraction));
    }
    coif_simd force = coif_simd_all(0.0f);
    simd_vec3 sum = {0};
    for (int32_t k = last; k >= first; --k) {
        const coif_simd next = k < last ? contact[k + 1].coupling : coif_simd_all(0.0f);
        force = (contact[k].smoothed_force + next * force) * contact[k].inv_pivot;
        sum = scale3(add3(contact[k].smoothed_sum, scale3(sum, next)), contact[k].inv_pivot);
        contact[k].smoothed_force = force * mass_of(ctx, k);
        contact[k].smoothed_sum = sum;
    }
}

static void classify(der_contact *contact, const der_step_ctx *ctx, int32_t k)
{
    const coif_simd_mask active = is_active(contact);
    const coif_simd mu = friction_at(ctx, k);
    const coif_simd length = length3(contact->slip);
    const coif_simd moved = contact->smoothed_force * disp_per_force(ctx, k);
    const coif_simd stuck = coif_simd_max(
        coif_simd_min(STICK_FRACTION * moved, coif_simd_all(STICK_MAX)), coif_simd_all(STICK_MIN));
    // Displacement by its own momentum, less friction.
    const coif_simd alone =
        length3(tangential3(contact->smoothed_sum, normal_at(ctx, k))) - mu * moved;
    const coif_simd around = coif_simd_sqrt(slip_around2(ctx, k, contact));
    contact->slides = active & (around > stuck) & (alone > stuck);
    contact->sticks = active & ~contact->slides & (length < stuck) & (mu > 0.0f);
    const coif_simd likely = coif_simd_select(
        contact->slides, coif_simd_min(alone, MAX_SPEEDUP * around), coif_simd_max(length, stuck));
    contact->max_slip = coif_simd_max(MAX_SPEEDUP * likely, alone);
    contact->drag = mu * contact->smoothed_force / likely;
}

// Most contact planes carry no force. Only rows with resting points are processed further.
void COIF_SIMD(coif_der_contact_begin)(der_step_ctx *ctx)
{
    der_contact *contact = contacts_of(ctx->block, ctx->scratch);
    ctx->resting_rows = (row_range){ctx->contact_rows.end, ctx->contact_rows.end};
    for (int32_t k = ctx->contact_rows.end - 1; k >= ctx->contact_rows.begin; --k) {
        activate(&contact[k], ctx, k);
        if (any_of(is_active(&contact[k]))) {
            ctx->resting_rows.end =
                ctx->resting_rows.begin == ctx->contact_rows.end ? k + 1 : ctx->resting_rows.end;
            ctx->resting_rows.begin = k;
        }
    }
    couple(ctx);
    smooth_along(ctx);
    for (int32_t k = ctx->resting_rows.begin; k < ctx->resting_rows.end; ++k) {
        classify(&contact[k], ctx, k);
    }
}

// Contact force for the next substep. A point that passes its plane unsupported will be stopped by
// the projection; that force is expected.
static void update_force(der_contact *contact, const der_step_ctx *ctx, int32_t k)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd_mask active = is_active(contact);
    const simd_vec3 n = normal_at(ctx, k);
    const coif_simd moved = disp_per_force(ctx, k);
    const coif_simd gap = contact->gap + dot3(n, contact->disp_change);
    const coif_simd unheld = coif_simd_select(moved > 0.0f, -gap / (moved + SIMD_TINY), zero);
    const coif_simd now = coif_simd_max(
        coif_simd_select(active, contact->force - contact->stiffness * gap, unheld), zero);
    mutable_states_of(ctx->block)[k].contact_force = now;
    if (!is_among(&ctx->resting_rows, k)) {
        return;
    }
    contact->force = contact->smoothed_force;
    contact->slip = add3(contact->slip, tangential3(contact->disp_change, n));
    contact->smoothed_force = coif_simd_select(active, now, zero);
    // A sticking point moves a little all the same: its inertia has to be carried too.
    const coif_simd inertia =
        coif_simd_select(contact->sticks, ctx->inertia_rate * mass_of(ctx, k), zero);
    contact->smoothed_sum = scale3(contact->slip, contact->drag + inertia);
}

// The unused part of the friction cone is added to normal_push, so that sticking points are held
// whatever the length solve does; less a little, as contact forces are never quite steady. A point
// held by too large a force is released.
static void correct_slip(const der_contact *contact, const der_step_ctx *ctx, int32_t k)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd tiny = coif_simd_all(SIMD_TINY);
    const coif_simd_mask active = is_active(contact);
    const coif_simd mu = friction_at(ctx, k);
    const coif_simd moved = disp_per_force(ctx, k);
    const simd_vec3 pull = scale3(contact->smoothed_sum, mass_of(ctx, k));
    const coif_simd size = length3(pull);
    const coif_simd used = size / coif_simd_max(mu, tiny);
    const coif_simd left =
        coif_simd_max(STEADY_FRACTION * contact->smoothed_force - used, zero) * moved;
    ((coif_simd *)ctx->scratch->normal_push)[k] +=
        coif_simd_select(active & ~contact->slides, left, zero);
    const coif_simd largest = coif_simd_max(contact->smoothed_force, contact->force);
    const coif_simd on =
        coif_simd_min(coif_simd_max(size - mu * largest, zero) * moved, contact->max_slip);
    const simd_vec3 further = scale3(pull, on / (size + tiny));
    const simd_vec3 disp = segments_of(ctx->scratch)[k].disp;
    const simd_vec3 from = select3(contact->sticks, sub3(disp, contact->slip), disp);
    segments_of(ctx->scratch)[k].disp =
        select3(active & ~contact->slides, add3(from, further), disp);
}

void COIF_SIMD(coif_der_contact_end)(const der_step_ctx *ctx)
{
    der_contact *contact = contacts_of(ctx->block, ctx->scratch);
    for (int32_t k = ctx->contact_rows.begin; k < ctx->contact_rows.end; ++k) {
        update_force(&contact[k], ctx, k);
    }
    smooth_along(ctx);
    for (int32_t k = ctx->resting_rows.begin; k < ctx->resting_rows.end; ++k) {
        correct_slip(&contact[k], ctx, k);
    }
}
