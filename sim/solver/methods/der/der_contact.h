// rod_press: points that lie on a body, within the implicit step.
//
// If the step knew nothing of bodies, contacts would have to undo a part of it in every substep,
// and hair at rest on a head would chatter. So a point that rests on the plane of its contact, or
// is about to pass it, is held there by a spring and the press of the last substep:
//
//   force = press - k gap > 0       gap = n . p - offset
//
// the augmented Lagrangian of C(p) >= 0. A point that is drawn off loses its press and is free; one
// that only trembles is not drawn off, or a long strand would bounce on what it lies on for ever.
//
// Friction along the surface is a drag, see rod_press.c.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_CONTACT_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_CONTACT_H

#include "sim/solver/constraints_common.h"
#include "sim/solver/methods/der/der_simd.h"

// Rows from the first to before the second.
typedef struct rod_rows {
    int32_t begin, end;
} rod_rows;

typedef struct rod_motion {
    const coif_strand_block *block;
    coif_solver_scratch *work;
    rod_rows near;          // rows that have contacts
    rod_rows borne;         // and those of them where some point lies on a body, see coif_der_meet
    coif_simd rate2;        // see rod_root
    float h, per_h, per_h2; // 1 / h and 1 / h^2
    float friction, drag;
    float fall;       // how large gravity is, where it is the same for all points
    bool cylindrical; // see air.h
} rod_motion;

static inline bool is_among(const rod_rows *rows, int32_t k)
{
    return k >= rows->begin && k < rows->end;
}

// The scratch of a point in a row that has contacts, within a substep. Joined are its values with
// those of its neighbours.
typedef struct rod_press {
    coif_simd gap;
    coif_simd force;           // press of the last substep
    coif_simd stiffness, drag; // both zero for a point that lies on nothing
    wide3 slip;                // way along the surface in the last substep
    coif_simd_mask runs;       // it slides on of its own accord
    coif_simd_mask sticks;     // and it has not moved
    coif_simd most;            // way along the surface that it is let go at once
    coif_simd joined_force;
    coif_simd tie, pivot; // of the equations that join: to the point before, and 1 / pivot
    wide3 sum;            // right side and result of them
    wide3 shift;          // how much the step changes its way
} rod_press;

_Static_assert(sizeof(rod_link) + sizeof(rod_press) == sizeof(coif_simd) * COIF_DER_SCRATCH_ROWS,
               "scratch");

static inline rod_press *presses_of(const coif_strand_block *block,
                                    const coif_solver_scratch *scratch)
{
    return (rod_press *)(links_of(scratch) + block->length);
}

// How much the prediction wants to change the way of a point. Not taken from the predicted places,
// which are rounded.
static inline wide3 predicted_change(const rod_motion *all, int32_t k)
{
    const coif_solver_scratch *scratch = all->work;
    const wide3 q = load3(&scratch->v_pred, k);
    const coif_simd_mask held = ((const coif_simd *)all->block->inv_mass)[k] == 0.0f;
    const wide3 change = sub3(scale3(q, coif_simd_all(all->h)), links_of(scratch)[k].way);
    return select3(held, (wide3){0}, change);
}

// What bodies do in this substep, before the step; and what they did, after it: press for the next
// substep, and friction put right.
void COIF_SIMD(coif_der_meet)(rod_motion *all);
void COIF_SIMD(coif_der_rub)(const rod_motion *all);

#endif
