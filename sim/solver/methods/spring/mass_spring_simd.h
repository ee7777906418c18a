// mass_spring_simd: data layout, smoothed centrelines and their frames, shared by the mass-spring
// kernels.
#ifndef COIF_SIM_SOLVER_METHODS_SPRING_MASS_SPRING_SIMD_H
#define COIF_SIM_SOLVER_METHODS_SPRING_MASS_SPRING_SIMD_H

#include "sim/solver/constraints_common.h"
#include "sim/solver/methods/spring/mass_spring.h"
#include "sim/solver/point_targets.h"
#include "sim/solver/strand_frame.h"

// Rows in the order of mass_spring.h.
typedef struct spring_rest {
    simd_vec3 target;
    coif_simd length, core_length;
    coif_simd stretch, bend, core;
    coif_simd twist, moment;
} spring_rest;

typedef struct spring_lane {
    simd_vec3 clamp_t, clamp_u;
    coif_simd clamped, min_length, smoothing, core_smoothing, damping_time, max_step,
        max_step_bending, max_steps;
    coif_simd ellipticity;
} spring_lane;

// Implicit spring to the target of a point in an inner step, with d its displacement since the
// substep began and d_target that of its target:
//
//   v <- keep v + gain - pull (d - d_target)
typedef struct target_response {
    coif_simd keep, pull;
    simd_vec3 gain;
} target_response;

// A point and the segment after it, within a substep.
typedef struct spring_point {
    simd_vec3 disp, vel;          // since the substep began
    simd_vec3 external_accel;     // acceleration by external forces
    coif_simd drag_normal;        // drag rates, 1/s
    coif_simd drag_tangential;    //
    simd_vec3 axis;               // strand direction at the begin of the substep
    simd_vec3 edge_begin;         // segment at the begin of the substep
    simd_vec3 edge;               // and now
    simd_vec3 bend_force;         // forces on its end: of the bending spring,
    simd_vec3 stretch_force;      // of the axial spring,
    simd_vec3 core_force;         // and of the core spring, on the centreline
    simd_vec3 centreline;         // smoothed centreline after it
    target_response target;       // to a target, see respond
    coif_simd twist_inv_diagonal; // of the tridiagonal twist system,
    coif_simd twist_rhs;          // see mass_spring_twist.h
} spring_point;

_Static_assert(sizeof(spring_rest) == sizeof(coif_simd) * COIF_SPRING_ROWS, "rows of a segment");
_Static_assert(sizeof(spring_lane) == sizeof(coif_simd) * COIF_SPRING_LANE_ROWS, "rows of a lane");
_Static_assert(sizeof(spring_point) == sizeof(coif_simd) * COIF_SPRING_SCRATCH_ROWS, "scratch");

static inline spring_point *points_in(const coif_solver_scratch *scratch)
{
    return (spring_point *)scratch->method_rows;
}

static inline spring_rest *springs_of(const coif_strand_block *block)
{
    return (spring_rest *)coif_method_rows_of(block)->rows;
}

static inline spring_lane *spring_lane_of(const coif_strand_block *block)
{
    return (spring_lane *)coif_method_rows_of(block)->lane_rows;
}

// The steps of a substep.
typedef struct spring_stepping {
    coif_strand_block *block;
    spring_point *points;
    strand_frame clamp;
    simd_vec3 first_edge;            // first segment of the rest shape, posed
    coif_simd steps;                 // of each strand
    coif_simd h;                     // of each step
    coif_simd part, rate;            // 1 / steps, 1 / h
    coif_simd fraction;              // of the substep at the end of the step
    coif_simd softness;              // at most 1
    const coif_target_rows *plain;   // the only targets, without slack and axis; NULL: others
    coif_simd_mask implicit_lengths; // see coif_spring_substeps
} spring_stepping;

// Recursive smoothing from root to tip, without overshoot (Iben et al. 2013):
//
//   d_k = 2 (1 - f) d_k-1 - (1 - f)^2 d_k-2 + f^2 e_k
typedef struct smoother {
    simd_vec3 last, before_last;
} smoother;

static inline simd_vec3 smooth_on(smoother *line, simd_vec3 e, coif_simd follow)
{
    const coif_simd keep = 1.0f - follow;
    const simd_vec3 old =
        sub3(scale3(line->last, 2.0f * keep), scale3(line->before_last, keep * keep));
    line->before_last = line->last;
    line->last = add3(old, scale3(e, follow * follow));
    return line->last;
}

// Parallel transport of the frame to the direction d.
static inline void transport_frame(strand_frame *frame, simd_vec3 d)
{
    const simd_vec3 t = select3(dot3(d, d) > 1e-18f, unit3(d), frame->t);
    *frame = (strand_frame){t, transport3(frame->u, frame->t, t)};
}

// Bending force direction for a deviation of a segment: the deviation itself, anisotropic for
// elliptic sections.
static inline simd_vec3 scale_by_section(const simd_vec3 axes[3], simd_vec3 away, coif_simd flat)
{
    const simd_vec3 along = scale3(axes[0], (flat - 1.0f) * dot3(away, axes[0]));
    const simd_vec3 across = scale3(axes[1], (1.0f / flat - 1.0f) * dot3(away, axes[1]));
    return select3(flat > 1.0f, add3(away, add3(along, across)), away);
}

// Derivative of the bending torque about the frame, per radian and spring constant.
static inline coif_simd roll_of(const coif_strand_block *block, const spring_rest *rest)
{
    const coif_simd flat = spring_lane_of(block)->ellipticity;
    return rest->target.x * rest->target.x / flat + rest->target.y * rest->target.y * flat;
}

// Reaction of bending springs on the segments before them, from tip to root. The spring of segment
// k + 1 exerts a torque X on frame k. Parallel-transported frames pass on its twist component m;
// the rest rotates the centreline d, and a force on that is a force on the segments it is made
// from, by the transpose of the smoothing:
//
//   M = m (t_k-1 + t_k) / (1 + t_k-1 . t_k)      m = X . t_k      g_k = (X - M) x d_k / |d_k|^2
//
// So spring forces are the gradient of an energy, with no net force and no net torque on the
// strand.
typedef struct backward {
    smoother line;
    simd_vec3 torque; // on the frame
    simd_vec3 given;  // g not yet passed to segments
} backward;

static inline backward backward_from_tip(void)
{
    const simd_vec3 zero3 = {0};
    return (backward){{zero3, zero3}, zero3, zero3};
}

// Force on the end of segment k (opposite on its begin); before: direction of the centreline before
// it.
static inline simd_vec3 reaction_on(backward *back, simd_vec3 course, simd_vec3 before,
                                    coif_simd follow, coif_simd shortest)
{
    const simd_vec3 t = unit3(course);
    const coif_simd least = shortest * shortest;
    const coif_simd length2 = coif_simd_max(dot3(course, course), 1e-4f * least);
    const coif_simd chi = coif_simd_max(1.0f + dot3(before, t), coif_simd_all(0.02f));
    const simd_vec3 twist = scale3(add3(before, t), dot3(back->torque, t) / chi);
    const simd_vec3 g = scale3(cross3(sub3(back->torque, twist), course), 1.0f / length2);
    const simd_vec3 force = smooth_on(&back->line, g, follow);
    back->torque = twist;
    back->given = sub3(add3(back->given, g), force);
    return force;
}

static inline void react(backward *back, simd_vec3 edge, simd_vec3 bend)
{
    back->torque = sub3(back->torque, cross3(edge, bend));
}

// mass_spring_lengths.c: after points have moved. Fraction: of the substep, at the end of the step.
void COIF_SIMD(coif_spring_constrain)(const spring_stepping *ctx, coif_solver_scratch *scratch,
                                      const coif_substep *step, coif_simd fraction,
                                      coif_simd_mask active);

void COIF_SIMD(coif_spring_restore_lengths)(const coif_kernels *kernels,
                                            const coif_strand_block *block,
                                            coif_solver_scratch *scratch, const coif_substep *step,
                                            bool keep_contacts);
void COIF_SIMD(coif_spring_after_contact_push)(const coif_strand_block *block,
                                               coif_solver_scratch *scratch,
                                               const coif_substep *step, const coif_soa3 *before);

// mass_spring_rest.c
void COIF_SIMD(coif_spring_rest)(coif_strand_block *block, coif_solver_scratch *scratch);
void COIF_SIMD(coif_spring_preload_gravity)(coif_strand_block *block, coif_solver_scratch *scratch,
                                            const float *gravity);
void COIF_SIMD(coif_spring_reset_to_rest)(coif_strand_block *block);

#endif
