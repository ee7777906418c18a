// rod_hold: what holds a point of a rod in the implicit step: its inertia, air and bodies.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_MASS_MATRIX_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_MASS_MATRIX_H

#include "sim/solver/drag.h"
#include "sim/solver/methods/der/der_band_factor.h"
#include "sim/solver/methods/der/der_contact.h"

static inline rod_motion motion_of(const coif_strand_block *block, coif_solver_scratch *scratch,
                                   const rod_root *root, const coif_substep *step)
{
    return (rod_motion){.block = block,
                        .work = scratch,
                        .near = {scratch->has_contacts ? scratch->contact_begin : 0,
                                 scratch->has_contacts ? scratch->contact_end : 0},
                        .rate2 = root->rate2,
                        .h = step->h,
                        .per_h = 1.0f / step->h,
                        .per_h2 = 1.0f / (step->h * step->h),
                        .friction = step->friction,
                        .drag = step->drag,
                        .fall = coif_length(step->gravity),
                        .cylindrical = coif_drag_is_cylindrical(step)};
}

// What a contact adds. Out of line and through a copy: most blocks have no use for it, and the loop
// around it has no register to spare.
static __attribute__((noinline)) void hold_on_body(hold *both, const rod_motion *all, int32_t k)
{
    const rod_press *press = &presses_of(all->block, all->work)[k];
    const wide3 n = load3(&all->work->contact_normal, k);
    add_outer(&both->d, scale3(n, press->stiffness - press->drag), n);
    add_diagonal(&both->d, press->drag);
    both->r = add3(both->r, scale3(n, press->force - press->stiffness * press->gap));
    both->r = sub3(both->r, scale3(press->slip, press->drag));
}

// Mass of a point, times the rate of its substep squared; none for one that is held.
static inline coif_simd inertia_of(const rod_motion *all, int32_t k)
{
    const coif_simd w = ((const coif_simd *)all->block->inv_mass)[k];
    coif_simd rate2 = all->rate2;
    // The same as rate2 of the strand, see find_root, for a point with drag of its own.
    if (all->cylindrical) {
        const coif_simd c = ((const coif_simd *)all->work->drag_normal)[k];
        rate2 = (1.0f + all->h * c) * all->per_h2;
    } else if (all->block->param_scale[COIF_FIELD_DRAG] != NULL) {
        const coif_simd c = coif_point_param(all->block, COIF_FIELD_DRAG, all->drag, k) /
                            *(const coif_simd *)all->block->mass_scale;
        rate2 = (1.0f + all->h * c) * all->per_h2;
    }
    return coif_simd_select(w > 0.0f, rate2 / w, coif_simd_all(0.0f));
}

// Air holds a strand less along itself than across: M (1 + h C), see air.h.
ROD_INLINE void slip_along(hold *both, const rod_motion *all, int32_t k, wide3 change)
{
    const coif_simd w = ((const coif_simd *)all->block->inv_mass)[k];
    const coif_simd less = ((const coif_simd *)all->work->drag_normal)[k] -
                           ((const coif_simd *)all->work->drag_tangential)[k];
    const wide3 t = load3(&all->work->tangent, k);
    const coif_simd m = coif_simd_select(w > 0.0f, less * all->per_h / w, coif_simd_all(0.0f));
    add_outer(&both->d, scale3(t, -m), t);
    both->r = sub3(both->r, scale3(t, m * dot3(t, change)));
}

// Inertia pulls a point to where it was predicted.
ROD_INLINE hold hold_of(const rod_motion *all, int32_t k)
{
    const coif_simd m = inertia_of(all, k);
    const wide3 change = predicted_change(all, k);
    hold own = {.d = {.xx = m, .yy = m, .zz = m}, .r = scale3(change, m)};
    if (all->cylindrical) {
        slip_along(&own, all, k, change);
    }
    if (is_among(&all->borne, k)) {
        hold both = own;
        hold_on_body(&both, all, k);
        own = both;
    }
    return own;
}

// rod_free.c: after the solve, and after lengths are right.
void COIF_SIMD(coif_der_put_back)(const rod_motion *all);
void COIF_SIMD(coif_der_turn_back)(const rod_motion *all, const rod_root *root);

#endif
