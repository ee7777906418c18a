// simd_dispatch: the table of solver kernels, one for each vector width.
//
// Kernel files (see CMakeLists.txt) are compiled twice; each compilation fills one table. One is
// selected at start by the instruction set. Both give the same bits.
#ifndef COIF_SIM_SOLVER_SIMD_DISPATCH_H
#define COIF_SIM_SOLVER_SIMD_DISPATCH_H

#include "sim/solver/contact_kernels.h"
#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"

typedef struct coif_kernels {
    const char *name; // "wide4", "wide8"
    int32_t lanes;

    // integrate.c
    void (*update_targets)(const coif_strand_block *block, coif_solver_scratch *scratch,
                           const coif_substep *step);
    void (*predict)(const coif_strand_block *block, coif_solver_scratch *scratch,
                    const coif_substep *step);
    void (*integrate_velocity)(coif_strand_block *block, coif_solver_scratch *scratch,
                               const coif_substep *step, bool supports_resting);

    // rigid_damping.c
    void (*damp_deformation)(coif_strand_block *block, const coif_substep *step);

    // shape_constraint.c
    void (*precompute_shape)(const coif_strand_block *block, coif_solver_scratch *scratch);
    void (*project_shape)(const coif_strand_block *block, coif_solver_scratch *scratch,
                          const coif_substep *step);
    void (*smooth_centreline)(const coif_strand_block *block, coif_solver_scratch *scratch,
                              const coif_soa3 *positions);
    void (*apply_gravity_compensation)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const coif_soa3 *positions);

    // constraints_common.c
    void (*project_goal)(const coif_strand_block *block, coif_solver_scratch *scratch,
                         const coif_substep *step);
    void (*project_contact)(const coif_strand_block *block, coif_solver_scratch *scratch,
                            float slack);
    void (*project_friction)(const coif_strand_block *block, coif_solver_scratch *scratch,
                             const coif_substep *step);
    void (*project_lengths)(const coif_strand_block *block, coif_solver_scratch *scratch);

    // point_targets_simd.c
    void (*pull_targets)(coif_strand_block *block, coif_solver_scratch *scratch,
                         const coif_substep *step, bool by_method);
    bool (*hold_targets)(const coif_strand_block *block, coif_solver_scratch *scratch,
                         float max_error);
    void (*project_targets)(const coif_strand_block *block, coif_solver_scratch *scratch);

    // length_solve_contact.c
    void (*project_lengths_with_contacts)(const coif_strand_block *block,
                                          coif_solver_scratch *scratch);

    // ftl.c
    void (*ftl_project)(const coif_strand_block *block, coif_solver_scratch *scratch);
    bool (*ftl_fallback)(const coif_strand_block *block, coif_solver_scratch *scratch, float worst);
    void (*ftl_velocity_correction)(coif_strand_block *block, const coif_solver_scratch *scratch,
                                    const coif_substep *step);

    const coif_contact_kernels *contact;

    // Kernels of the methods.
    const struct coif_pbd_kernels *pbd;
    const struct coif_der_kernels *der;
    const struct coif_cosserat_kernels *cosserat;
    const struct coif_spring_kernels *spring;

    // segment_contact_simd.c
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
