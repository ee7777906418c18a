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
    void (*update_targets)(const coif_strand_block *block, coif_solver_scratch *scratch,
                           const coif_substep *step);
    void (*predict)(const coif_strand_block *block, coif_solver_scratch *scratch,
                    const coif_substep *step);
    void (*integrate_velocity)(coif_strand_block *block, coif_solver_scratch *scratch,
                               const coif_substep *step);

    // course.c
    void (*precompute_shape)(const coif_strand_block *block, coif_solver_scratch *scratch);
    void (*project_shape)(const coif_strand_block *block, coif_solver_scratch *scratch,
                          const coif_substep *step);
    void (*smooth_centreline)(const coif_strand_block *block, coif_solver_scratch *scratch,
                              const float *const places[3]);
    void (*apply_gravity_compensation)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const float *const places[3]);

    // constraints.c
    void (*project_goal)(const coif_strand_block *block, coif_solver_scratch *scratch,
                         const coif_substep *step);
    void (*project_contact)(const coif_strand_block *block, coif_solver_scratch *scratch,
                            float slack);
    void (*project_friction)(const coif_strand_block *block, coif_solver_scratch *scratch,
                             const coif_substep *step);
    void (*project_lengths)(const coif_strand_block *block, coif_solver_scratch *scratch);

    // leader.c
    void (*ftl_project)(const coif_strand_block *block, coif_solver_scratch *scratch);
    bool (*ftl_fallback)(const coif_strand_block *block, coif_solver_scratch *scratch, float worst);
    void (*ftl_velocity_correction)(coif_strand_block *block, const coif_solver_scratch *scratch,
                                    const coif_substep *step);

    // contact_points.c
    contact_bounds (*point_bounds)(const coif_contact_query *query);
    void (*clear_contacts)(const coif_contact_query *query); // no point has one

    // contact_shell.c: planes of bodies whose distances are sampled, to be the first that are found
    void (*contact_sdf)(const coif_contact_query *query, const contact_bounds *bounds,
                        const coif_collider *bodies, int32_t body_count);

    // middle_project.c
    int32_t (*select_recheck)(const coif_strand_block *block, coif_solver_scratch *scratch,
                              const coif_substep *step, float *far);
    void (*project_segment_contacts)(const coif_strand_block *block, coif_solver_scratch *scratch);
    void (*segment_friction)(const coif_strand_block *block, coif_solver_scratch *scratch,
                             const coif_substep *step);
} coif_kernels;

extern const coif_kernels coif_kernels_wide4, coif_kernels_wide8;

// The table of that name; "auto" (or NULL) is the widest this processor has. An unknown name, or
// one that this processor cannot run, is COIF_ERR_ARGUMENT.
coif_status coif_kernels_find(const coif_kernels **kernels, const char *name, coif_error *error);

#endif
