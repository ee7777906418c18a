// der_mass_matrix: diagonal blocks of the implicit step: inertia, drag and contacts of a point.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_MASS_MATRIX_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_MASS_MATRIX_H

#include "sim/solver/drag.h"
#include "sim/solver/methods/der/der_band_factor.h"
#include "sim/solver/methods/der/der_contact.h"

static inline der_step_ctx step_ctx_of(coif_strand_block *block, coif_solver_scratch *scratch,
                                       const der_root *root, const coif_substep *step)
{
    return (der_step_ctx){.block = block,
                          .scratch = scratch,
                          .contact_rows = {scratch->has_contacts ? scratch->contact_begin : 0,
                                           scratch->has_contacts ? scratch->contact_end : 0},
                          .inertia_rate = root->inertia_rate,
                          .h = step->h,
                          .inv_h = 1.0f / step->h,
                          .inv_h2 = 1.0f / (step->h * step->h),
                          .friction = step->friction,
                          .drag = step->drag,
                          .gravity = coif_length(step->gravity),
                          .cylindrical = coif_drag_is_cylindrical(step),
                          .has_axis = coif_targets_have_axis(block)};
}

// Adds the contact of a point. Out of line and through a copy: most blocks have no contacts, and
// the surrounding loop has no register to spare.
static __attribute__((noinline)) void add_contact(point_diagonal *diagonal, const der_step_ctx *ctx,
                                                  int32_t k)
{
    const der_contact *contact = &contacts_of(ctx->block, ctx->scratch)[k];
    const simd_vec3 n = load3(&ctx->scratch->contact_normal, k);
    add_outer(&diagonal->matrix, scale3(n, contact->stiffness - contact->drag), n);
    add_diagonal(&diagonal->matrix, contact->drag);
    diagonal->rhs =
        add3(diagonal->rhs, scale3(n, contact->force - contact->stiffness * contact->gap));
    diagonal->rhs = sub3(diagonal->rhs, scale3(contact->slip, contact->drag));
}

// Mass of a point times inertia_rate; 0 for a pinned point.
static inline coif_simd inertia_of(const der_step_ctx *ctx, int32_t k)
{
    const coif_simd w = ((const coif_simd *)ctx->block->inv_mass)[k];
    coif_simd rate2 = ctx->inertia_rate;
    // As inertia_rate of the strand, see find_root, for a point with its own drag.
    if (ctx->cylindrical) {
        const coif_simd c = ((const coif_simd *)ctx->scratch->drag_normal)[k];
        rate2 = (1.0f + ctx->h * c) * ctx->inv_h2;
    } else if (ctx->block->param_scale[COIF_FIELD_DRAG] != NULL) {
        const coif_simd c = coif_point_param(ctx->block, COIF_FIELD_DRAG, ctx->drag, k) /
                            *(const coif_simd *)ctx->block->mass_scale;
        rate2 = (1.0f + ctx->h * c) * ctx->inv_h2;
    }
    return coif_simd_select(w > 0.0f, rate2 / w, coif_simd_all(0.0f));
}

// Drag is smaller along the strand than across it: M (1 + h C), see drag.h.
ALWAYS_INLINE void add_tangential_drag(point_diagonal *diagonal, const der_step_ctx *ctx, int32_t k,
                                       simd_vec3 change)
{
    const coif_simd w = ((const coif_simd *)ctx->block->inv_mass)[k];
    const coif_simd less = ((const coif_simd *)ctx->scratch->drag_normal)[k] -
                           ((const coif_simd *)ctx->scratch->drag_tangential)[k];
    const simd_vec3 t = load3(&ctx->scratch->drag_axis, k);
    const coif_simd m = coif_simd_select(w > 0.0f, less * ctx->inv_h / w, coif_simd_all(0.0f));
    add_outer(&diagonal->matrix, scale3(t, -m), t);
    diagonal->rhs = sub3(diagonal->rhs, scale3(t, m * dot3(t, change)));
}

// A target with an axis adds to the mass of the point across it.
static __attribute__((noinline)) void add_target(point_diagonal *diagonal, const der_step_ctx *ctx,
                                                 int32_t k, simd_vec3 change)
{
    const coif_block_targets *targets = ctx->block->targets;
    const coif_simd m = inertia_of(ctx, k) * ((const coif_simd *)targets->across)[k];
    const simd_vec3 axis = load3(&targets->sets[1].axis, k);
    add_diagonal(&diagonal->matrix, m);
    add_outer(&diagonal->matrix, scale3(axis, -m), axis);
    diagonal->rhs = add3(diagonal->rhs, scale3(sub3(change, scale3(axis, dot3(axis, change))), m));
}

// Inertia pulls a point to its predicted position.
ALWAYS_INLINE point_diagonal point_diagonal_of(const der_step_ctx *ctx, int32_t k)
{
    const coif_simd m = inertia_of(ctx, k);
    const simd_vec3 change = predicted_change(ctx, k);
    point_diagonal diagonal = {.matrix = {.xx = m, .yy = m, .zz = m}, .rhs = scale3(change, m)};
    if (ctx->cylindrical) {
        add_tangential_drag(&diagonal, ctx, k, change);
    }
    if (ctx->has_axis) {
        point_diagonal with_target = diagonal;
        add_target(&with_target, ctx, k, change);
        diagonal = with_target;
    }
    if (is_among(&ctx->resting_rows, k)) {
        point_diagonal with_contact = diagonal;
        add_contact(&with_contact, ctx, k);
        diagonal = with_contact;
    }
    return diagonal;
}

// der_momentum.c: after the Newton solve, and after the length solve.
void COIF_SIMD(coif_der_fix_momentum)(const der_step_ctx *ctx);
void COIF_SIMD(coif_der_fix_angular_momentum)(const der_step_ctx *ctx, const der_root *root);

#endif
