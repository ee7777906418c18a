// point_targets_simd: targets in a substep, see point_targets.h. Compiled once per vector width. A
// strand without targets keeps every bit.
#include "sim/solver/point_targets_simd.h"

#include "sim/solver/constraints_common.h"
#include "sim/solver/length_solve.h"
#include "sim/solver/solver.h"
#include "sim/solver/strand_frame.h"

#include <string.h>

// Fraction of the length between two held points that their distance may have: the lengths of a
// strand that is quite straight have no unique solution.
static const float MAX_REACH = 0.9998f;

enum { LAY_OUT_PASSES = 8 };

// Positions at the end of the substep and displacements, of targets given at both ends of a frame.
static void interpolate(coif_target_rows *rows, float begin, float end)
{
    for (int32_t k = rows->first_row; k < rows->end_row; ++k) {
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
    for (int32_t k = rows->first_row; k < rows->end_row; ++k) {
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
    for (int32_t k = 1; k < block->targets->span_end; ++k) {
        reach += MAX_REACH * rest[k - 1];
        if (!any_of(held[k] | (w[k] == 0.0f))) {
            const coif_simd_mask none = {0};
            neighbour = none;
            continue;
        }
        const simd_vec3 target = load3(&scratch->target, k);
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

// The set that alone acts on a row, without slack, axis or held points; NULL: others do.
static const coif_target_rows *plain_set(const coif_block_targets *targets, int32_t k)
{
    const coif_target_rows *plain = NULL;
    for (int s = 0; s < COIF_TARGET_SETS; ++s) {
        const coif_target_rows *rows = &targets->sets[s];
        if (target_acts(rows, k)) {
            if (plain != NULL || rows->has_slack || rows->has_axis || rows->has_held) {
                return NULL;
            }
            plain = rows;
        }
    }
    return plain;
}

// Pulls the free points of a row by plain targets, see pull_point; returns their inverse masses.
static coif_simd pull_plain(const coif_strand_block *block, coif_solver_scratch *scratch,
                            const coif_target_rows *rows, int32_t k, coif_simd h, coif_simd w)
{
    const simd_vec3 p = load3(&scratch->predicted, k);
    const simd_vec3 v = load3(&scratch->v_pred, k);
    const simd_vec3 g = load3(&rows->now, k);
    const coif_simd rho = target_rho(rows, k, h, coif_simd_all(1.0f));
    const coif_simd kappa = rho * (2.0f + rho);
    const coif_simd lightness = 1.0f / (1.0f + kappa);
    const simd_vec3 carried = sub3(add3(load3(&block->pos, k), load3(&rows->disp, k)), g);
    const simd_vec3 pull = scale3(mad3(scale3(sub3(g, p), kappa), 2.0f * rho, carried), lightness);
    const coif_simd_mask moves = lightness < 1.0f;
    store3(&scratch->predicted, k, select3(moves, add3(p, pull), p));
    store3(&scratch->v_pred, k, select3(moves, add3(v, scale3(pull, 1.0f / h)), v));
    return w * lightness;
}

// Masks of points over a block.
typedef struct held_masks {
    coif_simd_mask any_held, any_free, spans;
    coif_simd span_last;
    int32_t span_end;
} held_masks;

static void pull_row(coif_strand_block *block, coif_solver_scratch *scratch, int32_t k, coif_simd h,
                     bool by_method, held_masks *masks)
{
    coif_block_targets *targets = block->targets;
    const coif_simd w = ((const coif_simd *)targets->rest_inv_mass)[k];
    const coif_simd distance = ((const coif_simd *)targets->rest_contact_distance)[k];
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd_mask pinned = w == 0.0f;
    const simd_vec3 predicted = load3(&scratch->predicted, k);
    pulled_point point = unpulled_point(load3(&block->pos, k), predicted);
    simd_vec3 target = load3(&scratch->target, k);
    for (int s = 0; s < COIF_TARGET_SETS; ++s) {
        const coif_target_rows *rows = &targets->sets[s];
        if (target_acts(rows, k)) {
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
    const simd_vec3 faster = scale3(point.pull, 1.0f / h);
    const simd_vec3 v = load3(&scratch->v_pred, k);
    store3(&scratch->predicted, k, p);
    store3(&scratch->v_pred, k, select3(moves, add3(v, faster), v));
    store3(&scratch->target, k, select3(held, p, target));
    const coif_simd lightness = by_method ? coif_simd_all(1.0f) : point.lightness;
    ((coif_simd *)targets->inv_mass)[k] = coif_simd_select(held, zero, w * lightness);
    ((coif_simd *)targets->contact_distance)[k] = coif_simd_select(held, zero, distance);
    ((coif_simd_mask *)targets->held)[k] = held;
    if (coif_targets_have_axis(block)) {
        store3(&targets->pulled, k, p);
        ((coif_simd *)targets->across)[k] =
            coif_simd_select(moves & ~held, point.across * lightness, zero);
    }
    masks->any_held |= held;
    const coif_simd_mask spans = held & masks->any_free;
    if (any_of(spans)) {
        masks->spans |= spans;
        masks->span_last = coif_simd_select(spans, coif_simd_all((float)k), masks->span_last);
        masks->span_end = k + 1;
    }
    masks->any_free |= ~(held | pinned);
}

// Rows without targets keep inverse masses and contact distances.
static void copy_rows(coif_block_targets *targets, int32_t begin, int32_t end, int32_t lanes,
                      bool has_axis)
{
    const size_t first = (size_t)begin * (size_t)lanes;
    const size_t bytes = sizeof(float) * (size_t)(end - begin) * (size_t)lanes;
    memcpy(targets->inv_mass + first, targets->rest_inv_mass + first, bytes);
    memcpy(targets->contact_distance + first, targets->rest_contact_distance + first, bytes);
    memset(targets->held + first, 0, bytes);
    if (has_axis) {
        memset(targets->across + first, 0, bytes);
    }
}

static void pull(coif_strand_block *block, coif_solver_scratch *scratch, const coif_substep *step,
                 bool by_method)
{
    coif_block_targets *targets = block->targets;
    const coif_simd *w = (const coif_simd *)targets->rest_inv_mass;
    const coif_simd h = coif_simd_all(step->h);
    held_masks masks = {0};
    copy_rows(targets, 0, block->length, block->lanes, coif_targets_have_axis(block));
    for (int32_t k = 0; k < block->length; ++k) {
        const coif_simd_mask pinned = w[k] == 0.0f;
        const bool acts = target_acts(&targets->sets[0], k) || target_acts(&targets->sets[1], k);
        const coif_target_rows *plain = acts && !any_of(pinned) ? plain_set(targets, k) : NULL;
        if (acts && plain == NULL) {
            pull_row(block, scratch, k, h, by_method, &masks);
            continue;
        }
        if (plain != NULL && !by_method) {
            ((coif_simd *)targets->inv_mass)[k] = pull_plain(block, scratch, plain, k, h, w[k]);
        }
        masks.any_free |= ~pinned;
    }
    *(coif_simd_mask *)targets->spans = masks.spans;
    targets->any_held = any_of(masks.any_held);
    targets->any_span = any_of(masks.spans);
    *(coif_simd *)targets->span_last = masks.span_last;
    targets->span_end = masks.span_end;
    targets->all_held = !any_of(masks.any_free);
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
            interpolate(rows, targets->begin, targets->end);
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
        if (!any_of(held[k])) {
            continue;
        }
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
