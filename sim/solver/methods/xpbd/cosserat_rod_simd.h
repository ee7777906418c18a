// cosserat_rod_simd: data layout shared by the kernels of Cosserat rods.
#ifndef COIF_SIM_SOLVER_METHODS_XPBD_COSSERAT_ROD_SIMD_H
#define COIF_SIM_SOLVER_METHODS_XPBD_COSSERAT_ROD_SIMD_H

#include "sim/simd/simd_quat.h"
#include "sim/solver/constraints_common.h"
#include "sim/solver/methods/xpbd/cosserat_rod.h"

// Rows in the order of cosserat_rod.h.
typedef struct cosserat_state {
    simd_quat orientation;
    simd_vec3 angular_velocity;
} cosserat_state;

typedef struct cosserat_point {
    simd_quat rest;
    coif_simd bend[2], twist, stretch, shear;
    coif_simd inv_inertia;
} cosserat_point;

typedef struct cosserat_lane {
    simd_vec3 clamp_t, clamp_u;
    coif_simd clamped, min_length;
} cosserat_lane;

// A segment and the joint at its begin, within a substep.
typedef struct cosserat_segment {
    simd_quat orientation;       // current
    simd_quat orientation_begin; // at the begin of the substep
    simd_vec3 strain_begin;      // of the joint at the begin of the substep
    simd_vec3 moment;            // multipliers of the joint and of the segment
    simd_vec3 force;
    coif_simd inv_mass; // of the point at its begin
} cosserat_segment;

_Static_assert(sizeof(cosserat_state) == sizeof(coif_simd) * COIF_COSSERAT_STATE_ROWS, "state");
_Static_assert(sizeof(cosserat_point) == sizeof(coif_simd) * COIF_COSSERAT_ROWS, "point");
_Static_assert(sizeof(cosserat_lane) == sizeof(coif_simd) * COIF_COSSERAT_LANE_ROWS, "lane");
_Static_assert(sizeof(cosserat_segment) == sizeof(coif_simd) * COIF_COSSERAT_SCRATCH_ROWS, "work");

static inline cosserat_segment *segments_of(const coif_solver_scratch *scratch)
{
    return (cosserat_segment *)scratch->method_rows;
}

static inline const cosserat_state *states_of(const coif_strand_block *block)
{
    return (const cosserat_state *)block->state;
}

static inline cosserat_state *mutable_states_of(coif_strand_block *block)
{
    return (cosserat_state *)block->state;
}

static inline cosserat_point *joints_at_rest(const coif_strand_block *block)
{
    return (cosserat_point *)coif_method_rows_of(block)->rows;
}

static inline cosserat_lane *lanes_of(const coif_strand_block *block)
{
    return (cosserat_lane *)coif_method_rows_of(block)->lane_rows;
}

// cosserat_rod_rest.c
void COIF_SIMD(coif_cosserat_rest)(coif_strand_block *block, coif_solver_scratch *scratch);
void COIF_SIMD(coif_cosserat_reset_to_rest)(coif_strand_block *block);

#endif
