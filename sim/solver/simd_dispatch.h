// kernels: the inner loops of the solver, once for each vector width.
//
// Kernel files (see CMakeLists.txt) are compiled twice; each compilation fills one of these
// tables. Which one runs is decided at start. Both give the same bits.
#ifndef COIF_SIM_SOLVER_SIMD_DISPATCH_H
#define COIF_SIM_SOLVER_SIMD_DISPATCH_H

#include "sim/solver/contact_plane.h"
#include "sim/solver/strand_block.h"

typedef struct coif_kernels {
    const char *name; // "wide4", "wide8"
    int32_t lanes;

    // motion.c
    void (*pose)(const coif_strand_block *block, coif_solver_scratch *work,
                 const coif_substep *step);
    void (*predict)(const coif_strand_block *block, coif_solver_scratch *work,
                    const coif_substep *step);
    void (*arrive)(coif_strand_block *block, coif_solver_scratch *work, const coif_substep *step);

    // course.c
    void (*learn_shape)(const coif_strand_block *block, coif_solver_scratch *work);
    void (*project_shape)(const coif_strand_block *block, coif_solver_scratch *work,
                          const coif_substep *step);
    void (*smooth)(const coif_strand_block *block, coif_solver_scratch *work,
                   const float *const places[3]);
    void (*hang)(const coif_strand_block *block, coif_solver_scratch *work,
                 const float *const places[3]);

    // constraints.c
    void (*project_position)(const coif_strand_block *block, coif_solver_scratch *work,
                             const coif_substep *step);
    void (*project_contact)(const coif_strand_block *block, coif_solver_scratch *work, float slack);
    void (*project_friction)(const coif_strand_block *block, coif_solver_scratch *work,
                             const coif_substep *step);
    void (*project_lengths)(const coif_strand_block *block, coif_solver_scratch *work);

    // leader.c
    void (*follow_leader)(const coif_strand_block *block, coif_solver_scratch *work);
    bool (*rescue_lengths)(const coif_strand_block *block, coif_solver_scratch *work, float worst);
    void (*correct_leader)(coif_strand_block *block, const coif_solver_scratch *work,
                           const coif_substep *step);

    // contact_points.c
    contact_bounds (*bound_points)(const coif_contact_query *contacts);
    void (*clear_planes)(const coif_contact_query *contacts); // no point has one

    // contact_shell.c: planes of bodies whose distances are sampled, to be the first that are found
    void (*meet_shells)(const coif_contact_query *contacts, const contact_bounds *bounds,
                        const coif_collider *bodies, int32_t body_count);

    // middle_project.c
    int32_t (*choose_again)(const coif_strand_block *block, coif_solver_scratch *work,
                            const coif_substep *step, float *far);
    void (*project_middles)(const coif_strand_block *block, coif_solver_scratch *work);
    void (*rub_middles)(const coif_strand_block *block, coif_solver_scratch *work,
                        const coif_substep *step);
} coif_kernels;

extern const coif_kernels coif_kernels_wide4, coif_kernels_wide8;

// The table of that name; "auto" (or NULL) is the widest this processor has. An unknown name, or
// one that this processor cannot run, is COIF_ERR_ARGUMENT.
coif_status coif_kernels_find(const coif_kernels **kernels, const char *name, coif_error *error);

#endif
