// contact_kernels: the kernels of contact queries, one table for each vector width.
#ifndef COIF_SIM_SOLVER_CONTACT_KERNELS_H
#define COIF_SIM_SOLVER_CONTACT_KERNELS_H

#include "sim/solver/contact_plane.h"

typedef struct coif_contact_kernels {
    // contact_bounds_simd.c
    contact_bounds (*point_bounds)(const coif_contact_query *query);
    void (*clear)(const coif_contact_query *query);

    // contact_sdf_simd.c: contacts with bodies that have an SDF; runs before other bodies
    void (*find_sdf)(const coif_contact_query *query, const contact_bounds *bounds,
                     const coif_collider *bodies, int32_t body_count);
} coif_contact_kernels;

extern const coif_contact_kernels coif_contact_kernels_wide4, coif_contact_kernels_wide8;

#endif
