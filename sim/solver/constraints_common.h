// constraints: the position corrections of Position Based Dynamics (Mueller et al. 2007), one
// function per constraint. Compiled once per vector width; reached through coif_kernels.
#ifndef COIF_SIM_SOLVER_CONSTRAINTS_COMMON_H
#define COIF_SIM_SOLVER_CONSTRAINTS_COMMON_H

#include "sim/solver/strand_block.h"
#include "sim/solver/contact_plane.h"
#include "sim/solver/simd/simd.h"

void COIF_WIDE(coif_project_position)(const coif_block *block, coif_work *work,
                                      const coif_substep *step);
void COIF_WIDE(coif_project_contact)(const coif_block *block, coif_work *work, float slack);
void COIF_WIDE(coif_project_friction)(const coif_block *block, coif_work *work,
                                      const coif_substep *step);
void COIF_WIDE(coif_project_lengths)(const coif_block *block, coif_work *work);
void COIF_WIDE(coif_follow_leader)(const coif_block *block, coif_work *work);
bool COIF_WIDE(coif_rescue_lengths)(const coif_block *block, coif_work *work, float worst);
void COIF_WIDE(coif_correct_leader)(coif_block *block, const coif_work *work,
                                    const coif_substep *step);
void COIF_WIDE(coif_learn_shape)(const coif_block *block, coif_work *work);
void COIF_WIDE(coif_project_shape)(const coif_block *block, coif_work *work,
                                   const coif_substep *step);
void COIF_WIDE(coif_smooth)(const coif_block *block, coif_work *work, const float *const places[3]);
void COIF_WIDE(coif_hang)(const coif_block *block, coif_work *work, const float *const places[3]);

contact_bounds COIF_WIDE(coif_contacts_bound)(const coif_contacts *contacts);
void COIF_WIDE(coif_contacts_clear)(const coif_contacts *contacts);
void COIF_WIDE(coif_contacts_meet_shells)(const coif_contacts *contacts,
                                          const contact_bounds *bounds, const coif_collider *bodies,
                                          int32_t body_count);

// The distance to keep from bodies of the points that ended far from where they wanted to go, 0 for
// others, into far; and that of middles that bodies may be near to into the rows of middle.h. Which
// of the two there are.
int32_t COIF_WIDE(coif_choose_again)(const coif_block *block, coif_work *work,
                                     const coif_substep *step, float *far);
void COIF_WIDE(coif_settle_lengths)(const coif_block *block, coif_work *work);
void COIF_WIDE(coif_project_middles)(const coif_block *block, coif_work *work);
void COIF_WIDE(coif_rub_middles)(const coif_block *block, coif_work *work,
                                 const coif_substep *step);

// Settings of a substep as they are at point k: times what the block has of its own there.
static inline coif_wide coif_varied(const coif_block *block, int row, float value, int32_t k)
{
    const coif_wide *own = (const coif_wide *)block->vary[row];
    if (own == NULL) {
        return coif_wide_all(value);
    }
    return value * own[k];
}

// How large gravity is at point k: as the substep has it, where it does not differ.
static inline coif_wide coif_fall_at(const coif_block *block, float plain, int32_t k)
{
    const coif_wide *own = (const coif_wide *)block->fall;
    return own != NULL ? own[k] : coif_wide_all(plain);
}

// The rate at which point k takes on the speed of the air.
static inline coif_wide coif_drag_at(const coif_block *block, const coif_substep *step, int32_t k)
{
    return coif_varied(block, COIF_VARY_DRAG, step->drag, k) / *(const coif_wide *)block->mass;
}

#endif
