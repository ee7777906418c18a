// ftl: dynamic follow-the-leader (Mueller, Kim and Chentanez 2012). Compiled once per vector width.
//
// Each point is placed at its rest distance from the one before, from root to tip: lengths are
// exact after one pass, however long the strand. That ignores the mass behind every point, which
// adds energy; so a part of the displacement of a point is subtracted from the velocity of the
// point before it.
#include "core/simd/simd_vec3.h"
#include "sim/solver/constraints_common.h"
#include "sim/solver/point_targets.h"
#include "sim/solver/segment_contact.h"

// Position of a point that would be below the plane n . p = offset of its contact: along the
// surface as far as its segment reaches. When that is still below, along the normal.
//
//   p = q + h n + sqrt(l^2 - h^2) t        h = min(l, offset - n . q)
//
// For a midpoint contact the plane is mirrored at the leader.
typedef struct surface_point {
    simd_vec3 position;
    coif_simd depth; // penetration without the contact; positive only then
} surface_point;

static inline surface_point place_on_plane(simd_vec3 q, simd_vec3 direction, coif_simd length,
                                           simd_vec3 n, coif_simd offset)
{
    const coif_simd above = offset - dot3(n, q);
    const coif_simd height = coif_simd_min(above, length);
    const coif_simd left = length * length - height * height;
    const simd_vec3 along = perpendicular3(direction, n);
    const coif_simd disp = coif_simd_sqrt(coif_simd_max(left, coif_simd_all(0.0f)));
    return (surface_point){.position = add3(q, add3(scale3(n, height), scale3(along, disp))),
                           .depth = above - length * dot3(n, direction)};
}

// Mass-weighted mean of ftl_disp, of the points that many ahead.
static inline simd_vec3 mean_disp(const coif_strand_block *block,
                                  const coif_solver_scratch *scratch, int32_t ahead)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    coif_simd mass = coif_simd_all(0.0f);
    simd_vec3 sum = {mass, mass, mass};
    for (int32_t k = 0; k < block->length; ++k) {
        const coif_simd m = 1.0f / (w[k] + SIMD_TINY);
        mass += m;
        if (k + ahead < block->length) {
            sum = add3(sum, scale3(load3(&scratch->ftl_disp, k + ahead), m));
        }
    }
    return scale3(sum, 1.0f / mass);
}

// Moves the predicted positions of the points of each strand after one of this number, and stores
// the displacements in ftl_disp.
static inline void follow(const coif_strand_block *block, coif_solver_scratch *scratch,
                          coif_simd after)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd *offset = (const coif_simd *)scratch->contact_offset;
    coif_simd *push = (coif_simd *)scratch->normal_push;
    const bool has_contacts = scratch->has_contacts;
    const coif_segment_contacts segments = coif_segment_contacts_of(block, scratch);
    simd_vec3 leader = load3(&scratch->predicted, 0);
    store3(&scratch->ftl_disp, 0, (simd_vec3){0});
    for (int32_t k = 1; k < block->length; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 d = sub3(p, leader);
        // Coincident points separate in the direction of the rest shape.
        const simd_vec3 goal = sub3(load3(&scratch->target, k), load3(&scratch->target, k - 1));
        coif_simd inverse;
        const simd_vec3 direction = direction3(select3(dot3(d, d) < 1e-18f, goal, d), &inverse);
        const coif_simd length = rest[k - 1];
        const coif_simd_mask pinned = (w[k] == 0.0f) | (after >= (float)k);
        simd_vec3 next = select3(pinned, p, add3(leader, scale3(direction, length)));
        store3(&scratch->ftl_disp, k, sub3(next, p));
        if (has_contacts) {
            const surface_point on = place_on_plane(leader, direction, length,
                                                    load3(&scratch->contact_normal, k), offset[k]);
            const coif_simd_mask below = (on.depth > 0.0f) & ~pinned;
            next = select3(below, on.position, next);
            push[k] = coif_simd_select(below, push[k] + on.depth, push[k]);
        }
        if (scratch->has_segment_contacts) {
            const simd_vec3 n = load3(&segments.normal, k - 1);
            const coif_simd above = 2.0f * ((const coif_simd *)segments.offset)[k - 1];
            const simd_vec3 now =
                select3(pinned, direction, scale3(sub3(next, leader), 1.0f / length));
            const surface_point on =
                place_on_plane(leader, now, length, n, above - dot3(n, leader));
            next = select3((on.depth > 0.0f) & ~pinned, on.position, next);
        }
        store3(&scratch->predicted, k, next);
        leader = next;
    }
}

// Follow-the-leader moves the centre of mass of a free strand: it is moved back, to conserve
// momentum. Not where contacts push.
static inline void keep_centre(const coif_strand_block *block, coif_solver_scratch *scratch,
                               coif_simd_mask follows)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *push = (const coif_simd *)scratch->normal_push;
    coif_simd_mask loose = follows & (w[0] > 0.0f);
    for (int32_t k = 0; scratch->has_contacts && k < block->length; ++k) {
        loose &= push[k] <= 0.0f;
    }
    const simd_vec3 mean = mean_disp(block, scratch, 0);
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        store3(&scratch->predicted, k, select3(loose, sub3(p, mean), p));
    }
}

// Fraction of its length from which on the part of a strand between two held points is taut.
static const float TAUT = 0.9997f;

// Newton's method converges slowly where a strand is nearly taut: such parts are straight lines,
// whose segments are too short by less than the tolerance of the length solve.
static void straighten_taut(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd_mask *held = (const coif_simd_mask *)block->targets->held;
    const coif_simd zero = coif_simd_all(0.0f);
    simd_vec3 anchor = load3(&scratch->predicted, 0);
    coif_simd_mask anchored = w[0] == 0.0f;
    coif_simd reach = zero;
    for (int32_t k = 1; k < block->targets->span_end; ++k) {
        const coif_simd_mask fixed = w[k] == 0.0f;
        reach += rest[k - 1];
        if (!any_of(fixed)) {
            continue;
        }
        const simd_vec3 p = load3(&scratch->predicted, k);
        const simd_vec3 d = sub3(anchor, p);
        const coif_simd limit = TAUT * reach;
        coif_simd_mask taut = held[k] & anchored & (dot3(d, d) > limit * limit);
        coif_simd along = zero;
        for (int32_t j = k - 1; j > 0 && any_of(taut); --j) {
            along += rest[j];
            taut &= w[j] > 0.0f;
            const simd_vec3 on = mad3(p, along / reach, d);
            store3(&scratch->predicted, j, select3(taut, on, load3(&scratch->predicted, j)));
        }
        anchor = select3(fixed, p, anchor);
        anchored |= fixed;
        reach = coif_simd_select(fixed, zero, reach);
    }
}

void COIF_SIMD(coif_ftl_project)(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_simd zero = coif_simd_all(0.0f);
    coif_simd_mask follows = zero == 0.0f;
    coif_simd after = zero;
    if (coif_targets_have_spans(block)) {
        // They are led from both ends, and one pass cannot follow both.
        const coif_simd_mask held = *(const coif_simd_mask *)block->targets->spans;
        straighten_taut(block, scratch);
        COIF_SIMD(coif_project_held_lengths)(block, scratch, held);
        follows = ~held;
        after = coif_simd_select(held, *(const coif_simd *)block->targets->span_last, zero);
    }
    follow(block, scratch, after);
    keep_centre(block, scratch, follows);
}

// A strand stretched over many segments is too far off for Newton's method, which then increases
// length errors. Such strands, and no others, are laid out from root to tip. max_error is relative
// to the mean segment. Returns whether there are any.
bool COIF_SIMD(coif_ftl_fallback)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  float max_error)
{
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    coif_simd total = coif_simd_all(0.0f);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        total += rest[k];
    }
    const coif_simd max_length_error = max_error * total / (float)(block->length - 1);
    coif_simd_mask stretched = {0};
    simd_vec3 a = load3(&scratch->predicted, 0);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 b = load3(&scratch->predicted, k + 1);
        const simd_vec3 d = sub3(b, a);
        const coif_simd off = coif_simd_sqrt(dot3(d, d)) - rest[k];
        stretched |= (off * off > max_length_error * max_length_error) &
                     (((const coif_simd *)block->inv_mass)[k + 1] > 0.0f);
        a = b;
    }
    if (block->targets != NULL) {
        stretched &= ~*(const coif_simd_mask *)block->targets->spans;
    }
    if (!any_of(stretched)) {
        return false;
    }
    follow(block, scratch,
           coif_simd_select(stretched, coif_simd_all(0.0f), coif_simd_all((float)block->length)));
    keep_centre(block, scratch, stretched);
    return true;
}

// v_k -= s d_k+1 / h, where d is the displacement by follow-the-leader. Conserves the momentum of a
// free strand.
void COIF_SIMD(coif_ftl_velocity_correction)(coif_strand_block *block,
                                             const coif_solver_scratch *scratch,
                                             const coif_substep *step)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const simd_vec3 mean = select3(w[0] > 0.0f, mean_disp(block, scratch, 1), (simd_vec3){0});
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 v = load3(&block->vel, k);
        const simd_vec3 d =
            k + 1 < block->length ? load3(&scratch->ftl_disp, k + 1) : (simd_vec3){0};
        const coif_simd rate = coif_point_param(block, COIF_FIELD_FTL_VELOCITY_CORRECTION,
                                                step->ftl_velocity_correction, k) /
                               step->h;
        const simd_vec3 corrected = sub3(v, scale3(sub3(d, mean), rate));
        store3(&block->vel, k, select3(w[k] == 0.0f, v, corrected));
    }
}
