// point_targets_simd: targets in a substep, see point_targets.h. Compiled once per vector width. A
// strand without targets keeps every bit.
#include "sim/solver/point_targets_simd.h"

#include "sim/solver/constraints_common.h"
#include "sim/solver/length_solve.h"
#include "sim/solver/strand_frame.h"

// Fraction of the length between two held points that their distance may have: the lengths of a
// strand that is quite straight have no unique solution.
static const float MAX_REACH = 0.9998f;

enum { LAY_OUT_PASSES = 8 };

// Positions at the end of the substep and displacements, of targets given at both ends of a frame.
static void interpolate(coif_target_rows *rows, int32_t length, float begin, float end)
{
    const coif_simd *rate = (const coif_simd *)rows->rate;
    for (int32_t k = 0; k < length; ++k) {
        if (!any_of(rate[k] != 0.0f)) {
            continue;
        }
        const simd_vec3 from = load3(&rows->begin, k);
        const simd_vec3 travel = sub3(load3(&rows->end, k), from);
        const simd_vec3 now =
            end < 1.0f ? mad3(from, coif_simd_all(end), travel) : load3(&rows->end, k);
        store3(&rows->now, k, now);
        store3(&rows->disp, k, scale3(travel, coif_simd_all(end - begin)));
    }
}

// The same of the rest shape, which is in the targets of the scratch.
static void follow_rest(const coif_strand_block *block, const coif_solver_scratch *scratch,
                        coif_target_rows *rows, const coif_substep *step)
{
    const coif_simd *begin = (const coif_simd *)block->root_begin;
    const coif_simd *end = (const coif_simd *)block->root_end;
    simd_vec3 axes[3];
    root_axes_at(axes, block, step->begin);
    coif_simd at[3];
    for (int a = 0; a < 3; ++a) {
        at[a] = begin[a] + step->begin * (end[a] - begin[a]);
    }
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 now = load3(&scratch->target, k);
        const simd_vec3 was =
            add3((simd_vec3){at[0], at[1], at[2]}, from_axes3(axes, load3(&block->rest_local, k)));
        store3(&rows->now, k, now);
        store3(&rows->disp, k, sub3(now, was));
    }
}

// A point that the definition pins.
static simd_vec3 pinned_target(const coif_target_rows *rows, int32_t k, simd_vec3 pinned)
{
    coif_simd_mask pulls;
    const simd_vec3 near =
        target_near(rows, k, load3(&rows->now, k), pinned, axis_of(rows, k), &pulls);
    const coif_simd strength = ((const coif_simd *)rows->strength)[k];
    const simd_vec3 between = add3(pinned, scale3(sub3(near, pinned), strength));
    const simd_vec3 moved = select3(strength < 1.0f, between, near);
    return select3(pulls, moved, pinned);
}

// Targets of held points within the reach of the strand, from root to tip; those of neighbours are
// moved alike.
static void limit_reach(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd_mask *held = (const coif_simd_mask *)block->targets->held;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    simd_vec3 anchor = load3(&scratch->target, 0);
    coif_simd_mask anchored = w[0] == 0.0f;
    coif_simd_mask neighbour = anchored;
    coif_simd reach = coif_simd_all(0.0f);
    simd_vec3 shift = {0};
    for (int32_t k = 1; k < block->length; ++k) {
        const simd_vec3 target = load3(&scratch->target, k);
        reach += MAX_REACH * rest[k - 1];
        const simd_vec3 d = sub3(target, anchor);
        const coif_simd distance = coif_simd_sqrt(dot3(d, d));
        const coif_simd_mask far = anchored & ~neighbour & (distance > reach);
        const simd_vec3 back = scale3(d, reach / (distance + SIMD_TINY) - 1.0f);
        const simd_vec3 zero3 = {0};
        shift = select3(held[k], select3(neighbour, shift, select3(far, back, zero3)), zero3);
        const simd_vec3 moved = add3(target, shift);
        store3(&scratch->target, k, moved);
        store3(&scratch->predicted, k, select3(held[k], moved, load3(&scratch->predicted, k)));
        neighbour = w[k] == 0.0f;
        anchored |= neighbour;
        anchor = select3(neighbour, moved, anchor);
        reach = coif_simd_select(neighbour, coif_simd_all(0.0f), reach);
    }
}

static void pull(coif_strand_block *block, coif_solver_scratch *scratch, const coif_substep *step,
                 bool by_method)
{
    coif_block_targets *targets = block->targets;
    const coif_simd *w = (const coif_simd *)targets->rest_inv_mass;
    const coif_simd *distance = (const coif_simd *)targets->rest_contact_distance;
    const coif_simd h = coif_simd_all(step->h);
    const coif_simd rate = 1.0f / h;
    const coif_simd zero = coif_simd_all(0.0f);
    coif_simd_mask any_held = {0};
    coif_simd_mask any_free = {0};
    coif_simd_mask spans = {0};
    coif_simd *inv_mass = (coif_simd *)targets->inv_mass;
    coif_simd *across = (coif_simd *)targets->across;
    coif_simd *contact_distance = (coif_simd *)targets->contact_distance;
    coif_simd_mask *held_points = (coif_simd_mask *)targets->held;
    for (int32_t k = 0; k < block->length; ++k) {
        const coif_simd_mask pinned = w[k] == 0.0f;
        if (!row_has_target(targets, k)) {
            const coif_simd_mask none = {0};
            inv_mass[k] = w[k];
            across[k] = zero;
            contact_distance[k] = distance[k];
            held_points[k] = none;
            any_free |= ~pinned;
            continue;
        }
        const simd_vec3 predicted = load3(&scratch->predicted, k);
        pulled_point point = unpulled_point(load3(&block->pos, k), predicted);
        simd_vec3 target = load3(&scratch->target, k);
        for (int s = 0; s < 2; ++s) {
            const coif_target_rows *rows = &targets->sets[s];
            if (rows->active) {
                pull_point(&point, rows, k, load3(&rows->now, k), load3(&rows->disp, k), h,
                           coif_simd_all(1.0f));
                target = select3(pinned, pinned_target(rows, k, target), target);
            }
        }
        const coif_simd_mask held = point.held & ~pinned;
        coif_simd_mask moves = held;
        if (!by_method) {
            moves |= ((point.lightness < 1.0f) | (point.across > 0.0f)) & ~pinned;
        }
        const simd_vec3 p = select3(moves, point.p, predicted);
        const simd_vec3 faster = scale3(point.pull, rate);
        const simd_vec3 v = load3(&scratch->v_pred, k);
        store3(&scratch->predicted, k, p);
        store3(&targets->pulled, k, p);
        store3(&scratch->v_pred, k, select3(moves, add3(v, faster), v));
        store3(&scratch->target, k, select3(held, p, target));
        const coif_simd lightness = by_method ? coif_simd_all(1.0f) : point.lightness;
        inv_mass[k] = coif_simd_select(held, zero, w[k] * lightness);
        across[k] = coif_simd_select(moves & ~held, point.across * lightness, zero);
        contact_distance[k] = coif_simd_select(held, zero, distance[k]);
        held_points[k] = held;
        any_held |= held;
        spans |= held & any_free;
        any_free |= ~(held | pinned);
    }
    *(coif_simd_mask *)targets->spans = spans;
    targets->any_held = any_of(any_held);
    targets->any_span = any_of(spans);
    targets->all_held = !any_of(any_free);
}

void COIF_SIMD(coif_pull_targets)(coif_strand_block *block, coif_solver_scratch *scratch,
                                  const coif_substep *step, bool by_method)
{
    coif_block_targets *targets = block->targets;
    targets->rest_inv_mass = block->inv_mass;
    targets->rest_contact_distance = block->contact_distance;
    for (int s = 0; s < 2; ++s) {
        coif_target_rows *rows = &targets->sets[s];
        if (rows->active && rows->follows_rest) {
            follow_rest(block, scratch, rows, step);
        } else if (rows->active) {
            interpolate(rows, block->length, targets->begin, targets->end);
        }
    }
    pull(block, scratch, step, by_method);
    block->inv_mass = targets->inv_mass;
    block->contact_distance = targets->contact_distance;
    if (targets->any_span) {
        limit_reach(block, scratch);
    }
}

// Held strands with a larger length error, relative to their mean segment. A segment between two
// held points has the length of their targets.
static coif_simd_mask stretched_lanes(const coif_strand_block *block,
                                      const coif_solver_scratch *scratch, float max_error)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    coif_simd total = coif_simd_all(0.0f);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        total += rest[k];
    }
    const coif_simd most = max_error / (float)(block->length - 1) * total;
    coif_simd_mask stretched = {0};
    simd_vec3 a = load3(&scratch->predicted, 0);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 b = load3(&scratch->predicted, k + 1);
        const simd_vec3 d = sub3(b, a);
        const coif_simd error = coif_simd_sqrt(dot3(d, d)) - rest[k];
        stretched |= (error * error > most * most) & (w[k] + w[k + 1] > 0.0f);
        a = b;
    }
    return stretched & *(const coif_simd_mask *)block->targets->spans;
}

// Each free point at its rest distance from the one before, in turns from tip to root and from root
// to tip (FABRIK, Aristidou and Lasenby 2011).
static void lay_out(const coif_strand_block *block, coif_soa3 *points)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const int32_t last = block->length - 1;
    coif_simd_mask led = {0}; // some point behind is held
    for (int32_t k = last - 1; k >= 0; --k) {
        const simd_vec3 from = load3(points, k + 1);
        const simd_vec3 to = load3(points, k);
        led |= w[k + 1] == 0.0f;
        const simd_vec3 placed = at_distance3(from, to, rest[k]);
        store3(points, k, select3(led & (w[k] > 0.0f), placed, to));
    }
    led = w[0] == 0.0f;
    for (int32_t k = 0; k < last; ++k) {
        const simd_vec3 from = load3(points, k);
        const simd_vec3 to = load3(points, k + 1);
        led |= w[k] == 0.0f;
        const simd_vec3 placed = at_distance3(from, to, rest[k]);
        store3(points, k + 1, select3(led & (w[k + 1] > 0.0f), placed, to));
    }
}

// Held points end on their targets, not on a rounded sum of position and displacement. Held strands
// that Newton's method has left stretched are laid out between their held points. Returns whether
// there are any: positions before are in the smoothing rows of the scratch.
bool COIF_SIMD(coif_hold_targets)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  float max_error)
{
    const simd_vec3 zero3 = {0};
    const coif_simd_mask *held = (const coif_simd_mask *)block->targets->held;
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 error = load3(&scratch->rounding_error, k);
        store3(&scratch->predicted, k, select3(held[k], load3(&scratch->target, k), p));
        store3(&scratch->rounding_error, k, select3(held[k], zero3, error));
    }
    if (max_error == 0.0f || !block->targets->any_span) {
        return false;
    }
    const coif_simd_mask stretched = stretched_lanes(block, scratch, max_error);
    if (!any_of(stretched)) {
        return false;
    }
    coif_soa3 *const before = &scratch->smoothing;
    for (int32_t k = 0; k < block->length; ++k) {
        store3(before, k, load3(&scratch->predicted, k));
    }
    for (int i = 0; i < LAY_OUT_PASSES; ++i) {
        lay_out(block, &scratch->predicted);
    }
    COIF_SIMD(coif_project_lengths)(block, scratch);
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 error = load3(&scratch->rounding_error, k);
        store3(&scratch->predicted, k, select3(stretched, p, load3(before, k)));
        store3(&scratch->rounding_error, k, select3(stretched, zero3, error));
    }
    return true;
}

// Lengths move a point with an axis as if its target were none.
void COIF_SIMD(coif_project_targets)(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_block_targets *targets = block->targets;
    for (int32_t k = 0; k < block->length; ++k) {
        const coif_simd across = ((const coif_simd *)targets->across)[k];
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 axis = load3(&targets->sets[1].axis, k);
        const simd_vec3 back = across3(sub3(load3(&targets->pulled, k), p), axis);
        store3(&scratch->predicted, k,
               select3(across > 0.0f, mad3(p, across / (1.0f + across), back), p));
    }
}
