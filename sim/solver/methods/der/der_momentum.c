// der_momentum: conserves linear and angular momentum of free strands. Compiled once per vector
// width.
#include "sim/solver/methods/der/der_mass_matrix.h"

// Residual of the force balance of point k after the step.
static void residual_of(point_diagonal *left, const der_step_ctx *ctx, int32_t k)
{
    *left = point_diagonal_of(ctx, k);
    if (is_among(&ctx->resting_rows, k)) {
        const der_contact *contact = &contacts_of(ctx->block, ctx->scratch)[k];
        const simd_vec3 n = load3(&ctx->scratch->contact_normal, k);
        const coif_simd across =
            (contact->stiffness - contact->drag) * dot3(n, contact->disp_change);
        left->rhs =
            sub3(left->rhs, add3(scale3(n, across), scale3(contact->disp_change, contact->drag)));
    }
}

// Internal forces of a strand add up to zero. The error by rounding in the solve or by added
// inertia is removed, where nothing holds the strand.
void COIF_SIMD(coif_der_fix_momentum)(const der_step_ctx *ctx)
{
    const coif_strand_block *block = ctx->block;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    coif_simd_mask loose = coif_simd_all(0.0f) == 0.0f;
    point_diagonal sum = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        point_diagonal diagonal;
        residual_of(&diagonal, ctx, k);
        const coif_simd *from = (const coif_simd *)&diagonal;
        coif_simd *to = (coif_simd *)&sum;
        for (size_t i = 0; i < sizeof diagonal / sizeof *from; ++i) {
            to[i] += from[i];
        }
        loose &= w[k] > 0.0f;
    }
    const ldlt3 d = ldlt3_of(&sum.matrix, coif_simd_all(0.0f), 0.25f * ctx->inv_h2);
    const simd_vec3 correction = backward(d.below, d.inv_sqrt, forward(&d, sum.rhs));
    for (int32_t k = 0; k < block->length; ++k) {
        simd_vec3 *disp = &segments_of(ctx->scratch)[k].disp;
        *disp = select3(loose, add3(*disp, correction), *disp);
        if (is_among(&ctx->contact_rows, k)) {
            simd_vec3 *shift = &contacts_of(block, ctx->scratch)[k].disp_change;
            *shift = select3(loose, add3(*shift, correction), *shift);
        }
    }
}

// Strands that are neither pinned nor in contact, and not drawn across an axis.
static coif_simd_mask are_free(const der_step_ctx *ctx)
{
    const coif_strand_block *block = ctx->block;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    coif_simd_mask free = coif_simd_all(0.0f) == 0.0f;
    for (int32_t k = 0; k < block->length; ++k) {
        free &= w[k] > 0.0f;
        if (ctx->has_axis) {
            free &= ((const coif_simd *)block->targets->across)[k] == 0.0f;
        }
        if (is_among(&ctx->contact_rows, k)) {
            const der_contact *contact = &contacts_of(block, ctx->scratch)[k];
            free &= (contact->stiffness == 0.0f) & (contact->drag == 0.0f);
            free &= states_of(block)[k].contact_force == 0.0f;
        }
    }
    return free;
}

// Point k relative to the root.
static inline simd_vec3 from_root(const coif_strand_block *block, int32_t k)
{
    return sub3(load3(&block->pos, k), load3(&block->pos, 0));
}

static simd_vec3 centre_of(const der_step_ctx *ctx, coif_simd *mass)
{
    simd_vec3 centre = {0};
    *mass = coif_simd_all(0.0f);
    for (int32_t k = 0; k < ctx->block->length; ++k) {
        const coif_simd m = inertia_of(ctx, k);
        centre = add3(centre, scale3(from_root(ctx->block, k), m));
        *mass += m;
    }
    return scale3(centre, 1.0f / *mass);
}

// An implicit step uses forces at its end, and lengths are corrected along segments at its end, so
// both exert a moment about the positions at its begin; of a rotation at omega a substep would take
// (omega h)^2. Since p x (p - x) = x x (p - x), angular momentum after the step is linear in the
// displacements u, and a rigid rotation about the centre of mass restores it in one step:
//
//   u_k += s + o x r_k       I o = sum r_k x m_k (h q_k - u_k)      M s = sum m_k (h q_k - u_k)
//
// with q the predicted velocity. A straight strand has no inertia about its axis, so a little is
// added.
static void restore_momentum(const der_step_ctx *ctx, coif_simd_mask free)
{
    const coif_strand_block *block = ctx->block;
    coif_simd mass;
    const simd_vec3 centre = centre_of(ctx, &mass);
    symmetric inertia = {0};
    simd_vec3 push = {0};
    simd_vec3 moment = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 r = sub3(from_root(block, k), centre);
        const coif_simd m = inertia_of(ctx, k);
        const simd_vec3 left = point_diagonal_of(ctx, k).rhs;
        push = add3(push, left);
        moment = add3(moment, cross3(r, left));
        add_outer(&inertia, scale3(r, -m), r);
        add_diagonal(&inertia, m * dot3(r, r));
    }
    add_diagonal(&inertia, 1e-5f * trace(&inertia) + SIMD_TINY * mass);
    const ldlt3 d = ldlt3_of(&inertia, coif_simd_all(0.0f), 0.0f);
    const simd_vec3 turn = backward(d.below, d.inv_sqrt, forward(&d, moment));
    const simd_vec3 shift = scale3(push, 1.0f / mass);
    for (int32_t k = 0; k < block->length; ++k) {
        simd_vec3 *disp = &segments_of(ctx->scratch)[k].disp;
        const simd_vec3 r = sub3(from_root(block, k), centre);
        const simd_vec3 back = add3(shift, cross3(turn, r));
        *disp = select3(free, add3(*disp, back), *disp);
    }
}

// A rotation by w stretches segments by w^2; where that exceeds the tolerance lengths are corrected
// once more, and have the last word.
enum { MAX_TURNS = 6, MAX_ITERATIONS = 10 };

void COIF_SIMD(coif_der_fix_angular_momentum)(const der_step_ctx *ctx, const der_root *root)
{
    coif_simd_mask turning = are_free(ctx);
    for (int i = 0; i < MAX_ITERATIONS && any_of(turning); ++i) {
        if (i < MAX_TURNS) {
            restore_momentum(ctx, turning);
        }
        COIF_SIMD(coif_der_refine_lengths)(ctx->block, ctx->scratch, root, &turning);
    }
}
