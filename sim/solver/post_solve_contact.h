// again: a second look at bodies, once constraints have moved the points.
//
// Contacts are found on the way to where points want to go. What holds a strand together may take
// them elsewhere, into a body that was not in their way. Points that end far from where they wanted
// to go look again, and middles of segments that bodies may be near to do for the first time, see
// middle.h. Strands with any that are inside get the planes found there, friction and their lengths
// once more, and not being inside wins. All other strands keep every bit.
#ifndef COIF_SIM_SOLVER_POST_SOLVE_CONTACT_H
#define COIF_SIM_SOLVER_POST_SOLVE_CONTACT_H

#include "sim/solver/simd_dispatch.h"

// Rows of a coif_solver_scratch for this.
enum { COIF_RECHECK_ROWS = 16 };

typedef struct coif_post_contact {
    const coif_kernels *kernels;
    const coif_contact_query *contacts; // of the first look
    const coif_collider *bodies;
    int32_t body_count;
    // Gives the strands of a block their lengths back.
    void (*lengths)(const coif_kernels *kernels, const coif_strand_block *block,
                    coif_solver_scratch *work, const coif_substep *step);
    bool lengths_win; // over bodies
    float torn;       // share of a segment by which bodies may leave it off; 0: any
    // NULL, or makes of it what it does to velocities; before: three rows of places.
    void (*pushed)(const coif_kernels *kernels, const coif_strand_block *block,
                   coif_solver_scratch *work, const coif_substep *step,
                   const float *const before[3]);
} coif_post_contact;

void coif_resolve_missed_contacts(const coif_post_contact *again, const coif_strand_block *block,
                                  coif_solver_scratch *work, const coif_substep *step);

#endif
