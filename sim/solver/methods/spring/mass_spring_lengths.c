// mass_spring_lengths: implicit axial springs and contacts of an inner step, and lengths and
// velocities after the second contact pass. Compiled once per vector width.
//
// Steps are small, so one iteration of each is enough: what contacts and friction do to lengths,
// the next step corrects (small steps, Macklin et al. 2019).
#include "sim/solver/length_solve.h"
#include "sim/solver/methods/spring/mass_spring_simd.h"
#include "sim/solver/segment_contact.h"
#include "sim/solver/simd_dispatch.h"

// Axial springs at the end of the step, implicitly: the compliance of a spring constant c is 1 / c.
static void solve_lengths(const spring_stepping *ctx, coif_solver_scratch *scratch,
                          coif_simd_mask active)
{
    const coif_strand_block *block = ctx->block;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd rate = 1.0f / ctx->h;
    length_rows rows = length_rows_of(scratch);
    rows.pivot_floor = SIMD_TINY;
    spring_point *points = ctx->points;
    simd_vec3 before = {0};
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const spring_rest *rest = &springs_of(block)[k];
        const simd_vec3 edge = add3(points[k].edge_begin, sub3(points[k + 1].disp, points[k].disp));
        const simd_vec3 n = unit3(edge);
        const coif_simd give = rate * rate / (rest->stretch + SIMD_TINY);
        eliminate_length(&rows, k, length_diagonal(w[k], w[k + 1]) + give, -w[k] * dot3(before, n),
                         dot3(edge, n) - rest->length);
        points[k].edge = n;
        before = n;
    }
    const coif_simd_mask taut = active & ctx->implicit_lengths;
    simd_vec3 pull = {0}; // of the segment after a point
    for (int32_t k = block->length - 1; k >= 0; --k) {
        simd_vec3 own = {0};
        if (k > 0) {
            own = scale3(points[k - 1].edge, substitute_length(&rows, k - 1, block->length - 1));
        }
        const simd_vec3 moved = scale3(sub3(pull, own), w[k]);
        const coif_simd_mask moves = taut & (w[k] > 0.0f);
        spring_point *point = &points[k];
        point->disp = select3(moves, add3(point->disp, moved), point->disp);
        point->vel = select3(moves, add3(point->vel, scale3(moved, rate)), point->vel);
        pull = own;
    }
}

// Contact and Coulomb friction on the displacement of this step. Motion of the body and
// depenetration are distributed evenly over the substep.
static void project_contacts(const spring_stepping *ctx, coif_solver_scratch *scratch,
                             const coif_substep *step, coif_simd fraction, coif_simd_mask active)
{
    const coif_strand_block *block = ctx->block;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    coif_simd *push = (coif_simd *)scratch->normal_push;
    const coif_simd rate = 1.0f / ctx->h;
    for (int32_t k = 0; k < block->length; ++k) {
        spring_point *point = &ctx->points[k];
        const simd_vec3 n = load3(&scratch->contact_normal, k);
        const simd_vec3 surface = load3(&scratch->surface_disp, k);
        const coif_simd above =
            dot3(n, load3(&block->pos, k)) - ((const coif_simd *)scratch->contact_offset)[k];
        const coif_simd least = (1.0f - fraction) * coif_simd_min(above, -dot3(n, surface));
        const coif_simd out = least - above - dot3(n, point->disp);
        const coif_simd_mask touches = active & (out > 0.0f) & (w[k] > 0.0f);
        const simd_vec3 outward = scale3(n, out);
        const simd_vec3 d = sub3(scale3(point->vel, ctx->h), scale3(surface, 1.0f / ctx->steps));
        const simd_vec3 t = sub3(d, scale3(n, dot3(n, d)));
        const coif_simd most = coif_contact_friction(block, scratch, step->friction, k) * out;
        const coif_simd back =
            coif_simd_min(most / (coif_simd_sqrt(dot3(t, t)) + SIMD_TINY), coif_simd_all(1.0f));
        const simd_vec3 moved = sub3(outward, scale3(t, back));
        point->disp = select3(touches, add3(point->disp, moved), point->disp);
        point->vel = select3(touches, add3(point->vel, scale3(moved, rate)), point->vel);
        push[k] = coif_simd_select(touches, push[k] + out, push[k]);
    }
}

void COIF_SIMD(coif_spring_constrain)(const spring_stepping *ctx, coif_solver_scratch *scratch,
                                      const coif_substep *step, coif_simd fraction,
                                      coif_simd_mask active)
{
    int32_t any = 0;
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        any |= ctx->implicit_lengths[lane] & active[lane];
    }
    if (any != 0) {
        solve_lengths(ctx, scratch, active);
    }
    if (scratch->has_contacts) {
        project_contacts(ctx, scratch, step, fraction, active);
    }
}

// Restores lengths of strands with implicit lengths; others are elastic.
void COIF_SIMD(coif_spring_restore_lengths)(const coif_kernels *kernels,
                                            const coif_strand_block *block,
                                            coif_solver_scratch *scratch, const coif_substep *step,
                                            bool keep_contacts)
{
    spring_point *points = points_in(scratch);
    coif_simd_mask taut = {0};
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        taut[lane] = coif_spring_substeps_of(block, lane, step->h).implicit_lengths ? -1 : 0;
    }
    for (int32_t k = 0; k < block->length; ++k) {
        points[k].edge = load3(&scratch->predicted, k);
    }
    if (keep_contacts) {
        kernels->project_lengths_with_contacts(block, scratch);
    } else {
        kernels->project_lengths(block, scratch);
    }
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        store3(&scratch->predicted, k, select3(taut, p, points[k].edge));
    }
}

// A midpoint on its contact plane has no velocity into it.
static void stop_segments(const coif_strand_block *block, coif_solver_scratch *scratch,
                          coif_simd_mask moved, coif_simd rate)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    spring_point *points = points_in(scratch);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 n = load3(&m.normal, k);
        const simd_vec3 speed = scale3(add3(points[k].vel, points[k + 1].vel), coif_simd_all(0.5f));
        const coif_simd off = dot3(n, sub3(speed, scale3(load3(&m.surface_disp, k), rate)));
        const coif_simd_mask stops =
            moved & (((const coif_simd *)m.normal_push)[k] > 0.0f) & (off < 0.0f);
        const coif_simd each = 2.0f * off / (w[k] + w[k + 1] + SIMD_TINY);
        for (int32_t end = k; end <= k + 1; ++end) {
            const simd_vec3 slower = sub3(points[end].vel, scale3(n, each * w[end]));
            points[end].vel = select3(stops, slower, points[end].vel);
        }
    }
}

void COIF_SIMD(coif_spring_after_contact_push)(const coif_strand_block *block,
                                               coif_solver_scratch *scratch,
                                               const coif_substep *step, const coif_soa3 *before)
{
    const coif_simd rate = coif_simd_all(1.0f / step->h);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    spring_point *points = points_in(scratch);
    coif_simd_mask moved = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 disp = sub3(load3(&scratch->predicted, k), load3(before, k));
        const coif_simd_mask moves = (dot3(disp, disp) > 0.0f) & (w[k] > 0.0f);
        points[k].vel = select3(moves, add3(points[k].vel, scale3(disp, rate)), points[k].vel);
        moved |= moves;
    }
    if (scratch->has_segment_contacts) {
        stop_segments(block, scratch, moved, rate);
    }
}
