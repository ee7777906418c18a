// contact_simd: declarations shared by the kernels of contact queries.
#ifndef COIF_SIM_SOLVER_CONTACT_SIMD_H
#define COIF_SIM_SOLVER_CONTACT_SIMD_H

#include "core/simd/simd_vec3.h"
#include "sim/solver/contact_kernels.h"

void COIF_SIMD(coif_contact_query_sdf)(const coif_contact_query *query,
                                       const contact_bounds *bounds, const coif_collider *bodies,
                                       int32_t body_count);

#endif
