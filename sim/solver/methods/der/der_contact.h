// der_contact: points resting on a body, within the implicit step.
//
// If the step ignored contacts, the projection would undo a part of it in every substep, and hair
// at rest on a head would chatter. So a point that rests on its contact plane, or is about to pass
// it, is held by a spring and the contact force of the last substep:
//
//   force = contact_force - k gap > 0       gap = n . p - offset
//
// the augmented Lagrangian of C(p) >= 0. A point that is pulled off loses its force and is free;
// one that only trembles keeps it, or a long strand would bounce on its support for ever.
//
// Friction along the surface is a drag, see der_contact.c.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_CONTACT_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_CONTACT_H

#include "sim/solver/constraints_common.h"
#include "sim/solver/methods/der/der_simd.h"

// Half-open range of rows.
typedef struct row_range {
    int32_t begin, end;
} row_range;

typedef struct der_step_ctx {
    coif_strand_block *block;
    coif_solver_scratch *scratch;
    row_range contact_rows; // rows with contact planes
    row_range resting_rows; // those with a resting point, see coif_der_contact_begin
    coif_simd inertia_rate; // see der_root
    float h, inv_h, inv_h2; // 1 / h and 1 / h^2
    float friction, drag;
    float gravity;    // magnitude, where it is the same for all points
    bool cylindrical; // anisotropic drag, see drag.h
    bool has_axis;    // some target has an axis
} der_step_ctx;

static inline bool is_among(const row_range *rows, int32_t k)
{
    return k >= rows->begin && k < rows->end;
}

// Scratch of a point in a row with contacts. Smoothed values are averaged along the strand, see
// der_contact.c.
typedef struct der_contact {
    coif_simd gap;
    coif_simd force;           // contact force of the last substep
    coif_simd stiffness, drag; // both zero for a point without support
    simd_vec3 slip;            // tangential displacement in the last substep
    coif_simd_mask slides;     // its own momentum keeps it sliding
    coif_simd_mask sticks;     // it has not moved
    coif_simd max_slip;        // largest tangential displacement when it is released
    coif_simd smoothed_force;
    coif_simd coupling, inv_pivot; // of the smoothing system: to the point before; 1 / pivot
    simd_vec3 smoothed_sum;        // its right-hand side and solution
    simd_vec3 disp_change;         // change of its displacement by the step
} der_contact;

_Static_assert(sizeof(der_segment) + sizeof(der_contact) ==
                   sizeof(coif_simd) * COIF_DER_SCRATCH_ROWS,
               "scratch");

static inline der_contact *contacts_of(const coif_strand_block *block,
                                       const coif_solver_scratch *scratch)
{
    return (der_contact *)(segments_of(scratch) + block->length);
}

// Change of the displacement of a point by the prediction. Not computed from predicted positions,
// which are rounded.
static inline simd_vec3 predicted_change(const der_step_ctx *ctx, int32_t k)
{
    const coif_solver_scratch *scratch = ctx->scratch;
    const simd_vec3 q = load3(&scratch->v_pred, k);
    const coif_simd_mask held = ((const coif_simd *)ctx->block->inv_mass)[k] == 0.0f;
    const simd_vec3 change = sub3(scale3(q, coif_simd_all(ctx->h)), segments_of(scratch)[k].disp);
    return select3(held, (simd_vec3){0}, change);
}

// Activates contacts before the step; afterwards stores contact forces for the next substep and
// corrects friction.
void COIF_SIMD(coif_der_contact_begin)(der_step_ctx *ctx);
void COIF_SIMD(coif_der_contact_end)(const der_step_ctx *ctx);

#endif
