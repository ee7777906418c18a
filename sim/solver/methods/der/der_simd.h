// der_simd: data layout shared by the kernels of the discrete elastic rod.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_SIMD_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_SIMD_H

#include "core/simd/simd_vec3.h"
#include "sim/solver/methods/der/der.h"
#include "sim/solver/point_targets.h"

// Axial stiffness of a segment in the implicit step, times h^2 / m. Hair is a thousand times
// stiffer, but the matrix is better conditioned in single precision, and lengths are made exact
// afterwards.
#define DER_STRETCH 1e4f

// Rows in the order of der.h.
typedef struct der_state {
    simd_vec3 u;
    coif_simd tension;
    coif_simd contact_force;
} der_state;

typedef struct der_rest_joint {
    coif_simd kappa1, kappa2, twist;
    coif_simd sqrt_bend1, sqrt_bend2, sqrt_twist;
} der_rest_joint;

typedef struct der_lane {
    simd_vec3 clamp_t, clamp_u, tip_u;
    coif_simd max_inv_length;
} der_lane;

// A material frame.
typedef struct der_frame {
    simd_vec3 t, u, v; // direction of the segment, its director and t x u
} der_frame;

// Bend and twist of the joint between two material frames e and f. The curvature binormal kb, of
// length 2 tan(angle / 2), and its components p and b along the directors of both segments follow
// Bergou et al. 2008.
typedef struct der_joint {
    coif_simd inv_chi;        // 1 / (1 + t_e . t_f)
    coif_simd scale, falloff; // see angle_metric
    coif_simd p1, p2;         // kb in the frame e
    coif_simd b1, b2;         // kb in the frame f
    coif_simd twist;          // radians
} der_joint;

// Scratch of point k and the segment from k to k + 1, within a substep.
typedef struct der_segment {
    der_frame frame;
    coif_simd inv_length; // 1 / length, at most max_inv_length; 0: degenerate segment
    coif_simd stretch;    // length - rest length
    simd_vec3 disp;       // of the point in this substep, see coif_der_newton
    union {
        der_joint joint; // of the joint at the point, before the solve
        // Rows of the eliminated segment change f and of its twist, see eliminated_rows, with the
        // factors L and D^-1/2 of the pivot:
        struct {
            simd_vec3 row_x[3], row_e[3];
            simd_vec3 row_twist, rhs, ldl_below, ldl_inv_sqrt;
            simd_vec3 twist_f, twist_x, twist_e;
            coif_simd twist_prev, twist_rhs, twist_inv_sqrt;
        };
        // Rows of the tridiagonal length system, after the solve.
        struct {
            coif_simd inv_diagonal, off_diagonal, length_rhs;
        };
    };
} der_segment;

_Static_assert(sizeof(der_state) == sizeof(coif_simd) * COIF_DER_STATE_ROWS, "rows of a state");
_Static_assert(sizeof(der_rest_joint) == sizeof(coif_simd) * COIF_DER_ROWS, "rows of a point");
_Static_assert(sizeof(der_lane) == sizeof(coif_simd) * COIF_DER_LANE_ROWS, "rows of a lane");

static inline der_segment *segments_of(const coif_solver_scratch *scratch)
{
    return (der_segment *)scratch->method_rows;
}

static inline const der_state *states_of(const coif_strand_block *block)
{
    return (const der_state *)block->state;
}

static inline der_state *mutable_states_of(coif_strand_block *block)
{
    return (der_state *)block->state;
}

static inline der_rest_joint *rest_joints_of(const coif_strand_block *block)
{
    return (der_rest_joint *)coif_method_rows_of(block)->rows;
}

static inline der_lane *lane_of(const coif_strand_block *block)
{
    return (der_lane *)coif_method_rows_of(block)->lane_rows;
}

// A segment shorter than 1 / max_inv_length at rest has no direction of its own and takes that of
// the segment before. Depends on the rest length only, so it does not change during a simulation.
static inline coif_simd_mask is_short(const coif_strand_block *block, int32_t k)
{
    return ((const coif_simd *)block->rest_length)[k] * lane_of(block)->max_inv_length < 1.0f;
}

// A tip is clamped when both points of its last segment are pinned: its director is prescribed too.
static inline coif_simd_mask has_clamped_tip(const coif_strand_block *block)
{
    const coif_simd *w = (const coif_simd *)coif_defined_inv_mass(block) + block->length;
    return (w[-1] == 0.0f) & (w[-2] == 0.0f);
}

// Components of kb in the mean material frame of a joint.
typedef struct der_kappa {
    coif_simd k1, k2;
} der_kappa;

static inline der_kappa kappa_of(const der_joint *joint)
{
    return (der_kappa){0.5f * (joint->p2 + joint->b2), -0.5f * (joint->p1 + joint->b1)};
}

// Values of a whole strand within a substep.
typedef struct der_root {
    der_frame clamp;        // root frame at the end of the substep
    der_kappa clamp_lag;    // beta / h times the bend of the root joint by the motion of the clamp
    coif_simd inertia_rate; // 1 / h^2, with drag, see find_root
} der_root;

// der_newton.c
void COIF_SIMD(coif_der_newton)(coif_strand_block *block, coif_solver_scratch *scratch,
                                const der_root *root, const coif_substep *step);

// der_inextensibility.c
void COIF_SIMD(coif_der_lengths)(coif_strand_block *block, coif_solver_scratch *scratch,
                                 const der_root *root);
// One more Newton step for the strands of the mask that are not within tolerance; the mask is
// reduced to those.
void COIF_SIMD(coif_der_refine_lengths)(coif_strand_block *block, coif_solver_scratch *scratch,
                                        const der_root *root, coif_simd_mask *which);

// der_rest_shape.c
void COIF_SIMD(coif_der_rest)(coif_strand_block *block, coif_solver_scratch *scratch);
void COIF_SIMD(coif_der_reset_to_rest)(coif_strand_block *block);
void COIF_SIMD(coif_der_preload_gravity)(coif_strand_block *block, coif_solver_scratch *scratch,
                                         const float *gravity);

#endif
