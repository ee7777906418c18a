// rod, press: friction of points that lie on a body. Compiled once per vector width.
//
// Coulomb's force is a drag of mu press / (way along the surface) if the way is right. For a point
// that its own weight and motion keep sliding the way is known beforehand, and nothing is put right
// afterwards. For others that slide the way of the last substep is taken, and what that makes too
// much is given back. For a point that has not moved a tiny way is taken, so that all points of a
// strand that is about to slip bear their share of what they can bear. This tells the force that
// holds it: if friction can bear that, the point stays where it is, to the bit.
//
// All of it is asked of a point together with its neighbours. A hair is so stiff that what it
// presses with and what pulls at it hop from point to point: a rounding error of its places bends a
// joint of a millimetre more than its weight does. Point by point some would always be beyond their
// cone of friction and creep, while others are far within, but hair of a few centimetres sticks or
// slides as a whole. So presses and pulls are spread along the strand, and none of them is lost:
//
//   (m + C) y = press        C: ties of (L / length)^2 between neighbours that lie on a body
//
// and the press that counts for friction is m y. L is the length over which hair of bending
// stiffness B and weight q per length gives way by some millimetres, (9 mm B / q)^1/4: 3 cm.
// Limp chains have no ties.
#include "sim/solver/methods/der/der_contact.h"

// Stiffness of a contact times h^2 / m: a strand as heavy as a hundred points may hang on one.
static const float CONTACT = 1000.0f;

// The way per substep below which a point sticks: this share of what its press would move it by,
// and not less or more than so many metres.
static const float STUCK = 0.01f;
static const float STUCK_LEAST = 1e-7f;
static const float STUCK_MOST = 2e-6f;

// Share of the press that is sure to be there, and how many times its slip a point may slide on.
static const float STEADY = 0.99f;
static const float FASTER = 3.0f;

// L^2 over the root of B per mass and length, seconds; and the strongest tie.
static const float JOINED = 0.03f;
static const float TIE_MOST = 1e5f;

static inline wide3 along3(wide3 a, wide3 n)
{
    return sub3(a, scale3(n, dot3(a, n)));
}

static inline coif_simd size3(wide3 a)
{
    return coif_simd_sqrt(dot3(a, a));
}

static inline wide3 normal_at(const rod_motion *all, int32_t k)
{
    return load3(&all->work->contact_normal, k);
}

static inline coif_simd_mask is_active(const rod_press *own)
{
    return own->stiffness > 0.0f;
}

// Distance a force moves a point in a substep.
static inline coif_simd per_force(const rod_motion *all, int32_t k)
{
    return ((const coif_simd *)all->block->inv_mass)[k] / all->rate2;
}

// Mass of a point that is not held.
static inline coif_simd mass_of(const rod_motion *all, int32_t k)
{
    const coif_simd w = ((const coif_simd *)all->block->inv_mass)[k];
    return 1.0f / coif_simd_select(w > 0.0f, w, coif_simd_all(1.0f));
}

static inline coif_simd grip_of(const rod_motion *all, int32_t k)
{
    return coif_point_param(all->block, COIF_FIELD_FRICTION, all->friction, k);
}

// The longest slip of a point and its neighbours, squared: where one moves, so will the others.
static inline coif_simd slip_around2(const rod_motion *all, int32_t k, const rod_press *own)
{
    const coif_solver_scratch *scratch = all->work;
    const wide3 n = normal_at(all, k);
    const wide3 surface = load3(&scratch->surface_disp, k);
    coif_simd most = dot3(own->slip, own->slip);
    for (int32_t beside = k > 0 ? k - 1 : 1; beside <= k + 1 && beside < all->block->length;
         beside += 2) {
        const wide3 slip = along3(sub3(links_of(scratch)[beside].way, surface), n);
        most = coif_simd_max(most, dot3(slip, slip));
    }
    return most;
}

// A point that comes down slowly will be borne from now on, with as much as it takes to stop it.
static void find(rod_press *own, const rod_motion *all, int32_t k)
{
    const coif_strand_block *block = all->block;
    const coif_solver_scratch *scratch = all->work;
    const coif_simd zero = coif_simd_all(0.0f);
    const wide3 n = normal_at(all, k);
    const wide3 way = links_of(scratch)[k].way;
    const wide3 change = predicted_change(all, k);
    const wide3 surface = load3(&scratch->surface_disp, k);
    const coif_simd_mask faces =
        (dot3(n, n) > 0.5f) & (((const coif_simd *)block->inv_mass)[k] > 0.0f);
    own->gap =
        dot3(n, add3(load3(&block->pos, k), way)) - ((const coif_simd *)scratch->contact_offset)[k];
    const coif_simd stiffness = CONTACT * all->rate2;
    coif_simd force = states_of(block)[k].press;
    const coif_simd ahead = own->gap + dot3(n, change);
    const coif_simd fall = dot3(n, sub3(surface, add3(way, change)));
    // Way off a body in a substep that is no leaving.
    const coif_simd still = 2.0f * coif_gravity_magnitude_at(block, all->fall, k) * all->h * all->h;
    const coif_simd_mask fresh = (force == 0.0f) & (ahead < 0.0f) & (fall < still) & faces;
    force = coif_simd_select(fresh, -ahead / (per_force(all, k) + ROD_TINY), force);
    const coif_simd_mask active =
        ((force > stiffness * own->gap) | ((force > 0.0f) & (own->gap < still)) | fresh) & faces;
    own->force = coif_simd_select(active, force, zero);
    own->stiffness = coif_simd_select(active, stiffness, zero);
    own->drag = zero;
    own->slip = along3(sub3(way, surface), n);
    own->joined_force = own->force;
    own->sum = scale3(add3(own->slip, along3(change, n)), mass_of(all, k));
    own->sum = select3(active, own->sum, (wide3){0});
}

// Ties between neighbours that both lie on a body, and what is left of each equation once those
// before it are eliminated: nothing is taken away from anything on the way, so floats do.
static void tie(const rod_motion *all)
{
    rod_press *press = presses_of(all->block, all->work);
    const coif_simd *rest = (const coif_simd *)all->block->rest_length;
    const rod_point *point = points_of(all->block);
    const coif_simd zero = coif_simd_all(0.0f);
    coif_simd left = zero; // of the pivot before, over that pivot
    for (int32_t k = all->borne.begin; k < all->borne.end; ++k) {
        rod_press *own = &press[k];
        coif_simd next = zero;
        if (k + 1 < all->borne.end) {
            const coif_simd root = coif_simd_max(point[k].bend_root1, point[k + 1].bend_root1);
            const coif_simd strength =
                coif_simd_min(JOINED * root / (rest[k] + ROD_TINY), coif_simd_all(TIE_MOST));
            next = coif_simd_select(is_active(own) & is_active(own + 1), strength, zero);
            own[1].tie = next;
        }
        if (k == all->borne.begin) {
            own->tie = zero;
        }
        const coif_simd own_part = mass_of(all, k) + own->tie * left;
        own->pivot = 1.0f / (own_part + next);
        left = own_part * own->pivot;
    }
}

// Solves for the joined force and sum of all points, from their own ones.
static void join(const rod_motion *all)
{
    rod_press *press = presses_of(all->block, all->work);
    const int32_t first = all->borne.begin;
    const int32_t last = all->borne.end - 1;
    for (int32_t k = first + 1; k <= last; ++k) {
        const coif_simd share = press[k].tie * press[k - 1].pivot;
        press[k].joined_force += share * press[k - 1].joined_force;
        press[k].sum = add3(press[k].sum, scale3(press[k - 1].sum, share));
    }
    coif_simd force = coif_simd_all(0.0f);
    wide3 sum = {0};
    for (int32_t k = last; k >= first; --k) {
        const coif_simd next = k < last ? press[k + 1].tie : coif_simd_all(0.0f);
        force = (press[k].joined_force + next * force) * press[k].pivot;
        sum = scale3(add3(press[k].sum, scale3(sum, next)), press[k].pivot);
        press[k].joined_force = force * mass_of(all, k);
        press[k].sum = sum;
    }
}

static void choose(rod_press *own, const rod_motion *all, int32_t k)
{
    const coif_simd_mask active = is_active(own);
    const coif_simd grip = grip_of(all, k);
    const coif_simd length = size3(own->slip);
    const coif_simd moved = own->joined_force * per_force(all, k);
    const coif_simd stuck = coif_simd_max(coif_simd_min(STUCK * moved, coif_simd_all(STUCK_MOST)),
                                          coif_simd_all(STUCK_LEAST));
    // As it would go on by itself: the way it wants to go less what friction takes of it.
    const coif_simd alone = size3(along3(own->sum, normal_at(all, k))) - grip * moved;
    const coif_simd around = coif_simd_sqrt(slip_around2(all, k, own));
    own->runs = active & (around > stuck) & (alone > stuck);
    own->sticks = active & ~own->runs & (length < stuck) & (grip > 0.0f);
    const coif_simd likely = coif_simd_select(own->runs, coif_simd_min(alone, FASTER * around),
                                              coif_simd_max(length, stuck));
    own->most = coif_simd_max(FASTER * likely, alone);
    own->drag = grip * own->joined_force / likely;
}

// Most contacts are made early and bear nothing. What bears has little to say to the rest of the
// strand, so only rows with such points are gone through.
void COIF_SIMD(coif_der_meet)(rod_motion *all)
{
    rod_press *press = presses_of(all->block, all->work);
    all->borne = (rod_rows){all->near.end, all->near.end};
    for (int32_t k = all->near.end - 1; k >= all->near.begin; --k) {
        find(&press[k], all, k);
        if (any_of(is_active(&press[k]))) {
            all->borne.end = all->borne.begin == all->near.end ? k + 1 : all->borne.end;
            all->borne.begin = k;
        }
    }
    tie(all);
    join(all);
    for (int32_t k = all->borne.begin; k < all->borne.end; ++k) {
        choose(&press[k], all, k);
    }
}

// The press for the next substep. A point that passes its plane unheld, contacts will stop; that
// much press is to be expected.
static void remember(rod_press *own, const rod_motion *all, int32_t k)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd_mask active = is_active(own);
    const wide3 n = normal_at(all, k);
    const coif_simd moved = per_force(all, k);
    const coif_simd gap = own->gap + dot3(n, own->shift);
    const coif_simd unheld = coif_simd_select(moved > 0.0f, -gap / (moved + ROD_TINY), zero);
    const coif_simd now =
        coif_simd_max(coif_simd_select(active, own->force - own->stiffness * gap, unheld), zero);
    states_of(all->block)[k].press = now;
    if (!is_among(&all->borne, k)) {
        return;
    }
    own->force = own->joined_force;
    own->slip = add3(own->slip, along3(own->shift, n));
    own->joined_force = coif_simd_select(active, now, zero);
    // A point that is held moves a little all the same: its inertia would have to be borne too.
    const coif_simd inertia = coif_simd_select(own->sticks, all->rate2 * mass_of(all, k), zero);
    own->sum = scale3(own->slip, own->drag + inertia);
}

// What friction has not yet used of its press counts as a push of contacts, so that what may stick
// is held wholly whatever lengths do to it; but for a little, as press is never quite steady. One
// that was held by too much slides on.
static void put_right(const rod_press *own, const rod_motion *all, int32_t k)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd tiny = coif_simd_all(ROD_TINY);
    const coif_simd_mask active = is_active(own);
    const coif_simd grip = grip_of(all, k);
    const coif_simd moved = per_force(all, k);
    const wide3 pull = scale3(own->sum, mass_of(all, k));
    const coif_simd size = size3(pull);
    const coif_simd used = size / coif_simd_max(grip, tiny);
    const coif_simd left = coif_simd_max(STEADY * own->joined_force - used, zero) * moved;
    ((coif_simd *)all->work->normal_push)[k] += coif_simd_select(active & ~own->runs, left, zero);
    const coif_simd most = coif_simd_max(own->joined_force, own->force);
    const coif_simd on = coif_simd_min(coif_simd_max(size - grip * most, zero) * moved, own->most);
    const wide3 further = scale3(pull, on / (size + tiny));
    const wide3 way = links_of(all->work)[k].way;
    const wide3 from = select3(own->sticks, sub3(way, own->slip), way);
    links_of(all->work)[k].way = select3(active & ~own->runs, add3(from, further), way);
}

void COIF_SIMD(coif_der_rub)(const rod_motion *all)
{
    rod_press *press = presses_of(all->block, all->work);
    for (int32_t k = all->near.begin; k < all->near.end; ++k) {
        remember(&press[k], all, k);
    }
    join(all);
    for (int32_t k = all->borne.begin; k < all->borne.end; ++k) {
        put_right(&press[k], all, k);
    }
}
