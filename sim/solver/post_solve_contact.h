// post_solve_contact: a second contact pass, after the constraints have moved the points.
//
// Contact planes are found on the path to the predicted positions. Constraints may move points
// elsewhere, into a body that was not on that path. Points that end far from their prediction are
// queried again, and segment midpoints near bodies for the first time, see segment_contact.h.
// Strands that penetrate get the planes found there, friction and the length solve once more, and
// contacts have the last word. All other strands keep every bit.
#ifndef COIF_SIM_SOLVER_POST_SOLVE_CONTACT_H
#define COIF_SIM_SOLVER_POST_SOLVE_CONTACT_H

#include "sim/solver/contact_find.h"
#include "sim/solver/simd_dispatch.h"

typedef struct coif_post_contact {
    const coif_kernels *kernels;
    const coif_contact_query *query; // of the first pass
    const coif_collider *bodies;
    int32_t body_count;
    // Length solve of the method.
    void (*restore_lengths)(const coif_kernels *kernels, const coif_strand_block *block,
                            coif_solver_scratch *scratch, const coif_substep *step,
                            bool keep_contacts);
    bool lengths_override_contacts;
    float max_length_error; // relative length error that contacts may leave; 0: any
    // NULL, or updates velocities; before: positions before the pass.
    void (*after_contact_push)(const coif_kernels *kernels, const coif_strand_block *block,
                               coif_solver_scratch *scratch, const coif_substep *step,
                               const coif_soa3 *before);
} coif_post_contact;

void coif_resolve_missed_contacts(const coif_post_contact *recheck, const coif_strand_block *block,
                                  coif_solver_scratch *scratch, const coif_substep *step);

#endif
