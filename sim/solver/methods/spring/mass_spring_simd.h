// spring_wide: what the kernels of springs share: smoothed curves and the frames along them.
#ifndef COIF_SIM_SOLVER_METHODS_SPRING_MASS_SPRING_SIMD_H
#define COIF_SIM_SOLVER_METHODS_SPRING_MASS_SPRING_SIMD_H

#include "sim/solver/constraints_common.h"
#include "sim/solver/methods/spring/mass_spring.h"
#include "sim/solver/simd/simd_vec3.h"

// Rows as spring.h enumerates them.
typedef struct spring_rest {
    wide3 target;
    coif_simd length, core_length;
    coif_simd stretch, bend, core;
    coif_simd twist, moment;
} spring_rest;

typedef struct spring_lane {
    wide3 clamp_t, clamp_u;
    coif_simd held, shortest, follow, core_follow, lag, longest, bending, most;
    coif_simd flat;
} spring_lane;

// A point and the segment after it, within a substep.
typedef struct spring_point {
    wide3 way, speed; // since the substep began
    wide3 pull;       // acceleration from outside
    coif_simd air;    // drag across the strand and along it, 1/s
    coif_simd slip;   //
    wide3 along;      // the strand when the substep began
    wide3 begin;      // the segment when the substep began
    wide3 edge;       // and now
    wide3 bend;       // forces on its end: of the bending spring
    wide3 draw;       // of that along the segment
    wide3 core;       // and of the core, on the smoothed curve
    wide3 course;     // the smoothed curve after it
    coif_simd eased;  // 1 / diagonal and right hand side of the solve for twists,
    coif_simd excess; // see spring_twist.h
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
    return (spring_rest *)block->spring->rows;
}

static inline spring_lane *spring_lane_of(const coif_strand_block *block)
{
    return (spring_lane *)block->spring->lane_rows;
}

// The frame on a smoothed curve: t along it, u across.
typedef struct spring_frame {
    wide3 t, u;
} spring_frame;

// The steps of a substep.
typedef struct spring_stepping {
    const coif_strand_block *block;
    spring_point *points;
    spring_frame clamp;
    wide3 first;         // the first segment at rest, in its place
    coif_simd steps;     // of each strand
    coif_simd seconds;   // of each step
    coif_simd softness;  // at most 1
    coif_simd_mask taut; // springs along segments are held, see coif_spring_substeps
} spring_stepping;

// A line of vectors smoothed from root to tip, with no overshoot (Iben et al. 2013):
//
//   d_k = 2 (1 - f) d_k-1 - (1 - f)^2 d_k-2 + f^2 e_k
typedef struct smoother {
    wide3 last, second;
} smoother;

static inline wide3 smooth_on(smoother *line, wide3 e, coif_simd follow)
{
    const coif_simd keep = 1.0f - follow;
    const wide3 old = sub3(scale3(line->last, 2.0f * keep), scale3(line->second, keep * keep));
    line->second = line->last;
    line->last = add3(old, scale3(e, follow * follow));
    return line->last;
}

// Carries the frame on by the smallest turn.
static inline void carry_frame(spring_frame *frame, wide3 d)
{
    coif_simd inverse;
    const wide3 along = direction3(d, &inverse);
    const wide3 t = select3(dot3(d, d) > 1e-18f, along, frame->t);
    const coif_simd chi = coif_simd_max(1.0f + dot3(frame->t, t), coif_simd_all(1e-3f));
    const wide3 u = sub3(frame->u, scale3(add3(frame->t, t), dot3(frame->u, t) / chi));
    frame->u = across3(u, t);
    frame->t = t;
}

// What a bending spring does of the way that a segment is off, in the frame it lies in: all of it,
// and more along u than across where sections are flat.
static inline wide3 flatten(const wide3 axes[3], wide3 away, coif_simd flat)
{
    const wide3 along = scale3(axes[0], (flat - 1.0f) * dot3(away, axes[0]));
    const wide3 across = scale3(axes[1], (1.0f / flat - 1.0f) * dot3(away, axes[1]));
    return select3(flat > 1.0f, add3(away, add3(along, across)), away);
}

// By how much the torque of a bending spring about its frame grows per radian, over its constant.
static inline coif_simd roll_of(const coif_strand_block *block, const spring_rest *rest)
{
    const coif_simd flat = spring_lane_of(block)->flat;
    return rest->target.x * rest->target.x / flat + rest->target.y * rest->target.y * flat;
}

// What the bending springs do to the segments before them, from tip to root. The spring of segment
// k + 1 turns the frame k by its torque X. Of this the frames hand on a twist m, as frames carried
// by the smallest turn do; the rest turns the smoothed curve d, and a force on that is one on the
// segments it is made from, by the transpose of the smoothing:
//
//   M = m (t_k-1 + t_k) / (1 + t_k-1 . t_k)      m = X . t_k      g_k = (X - M) x d_k / |d_k|^2
//
// So springs are the gradient of an energy, and as a whole neither push nor turn a strand.
typedef struct backward {
    smoother line;
    wide3 torque; // on the frame
    wide3 given;  // g less what segments got of it
} backward;

static inline backward backward_from_tip(void)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const wide3 none = {zero, zero, zero};
    return (backward){{none, none}, none, none};
}

// The force on the end of segment k (that on its begin is against it); before: the direction of the
// curve before it.
static inline wide3 reaction_on(backward *all, wide3 course, wide3 before, coif_simd follow,
                                coif_simd shortest)
{
    coif_simd inverse;
    const wide3 t = direction3(course, &inverse);
    const coif_simd least = shortest * shortest;
    const coif_simd length2 = coif_simd_max(dot3(course, course), 1e-4f * least);
    const coif_simd chi = coif_simd_max(1.0f + dot3(before, t), coif_simd_all(0.02f));
    const wide3 twist = scale3(add3(before, t), dot3(all->torque, t) / chi);
    const wide3 g = scale3(cross3(sub3(all->torque, twist), course), 1.0f / length2);
    const wide3 force = smooth_on(&all->line, g, follow);
    all->torque = twist;
    all->given = sub3(add3(all->given, g), force);
    return force;
}

static inline void react(backward *all, wide3 edge, wide3 bend)
{
    all->torque = sub3(all->torque, cross3(edge, bend));
}

// spring_hold.c: after points have moved. Share: of the substep, at the end of the step.
void COIF_SIMD(coif_spring_hold)(const spring_stepping *all, coif_solver_scratch *scratch,
                                 const coif_substep *step, coif_simd share, coif_simd_mask active);

// spring_push.c
void COIF_SIMD(coif_spring_hold_lengths)(const coif_kernels *kernels,
                                         const coif_strand_block *block,
                                         coif_solver_scratch *scratch, const coif_substep *step);
void COIF_SIMD(coif_spring_pushed)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                   const coif_substep *step, const coif_soa3 *before);

// spring_rest.c
void COIF_SIMD(coif_spring_rest)(coif_strand_block *block, coif_solver_scratch *scratch);
void COIF_SIMD(coif_spring_sagfree)(coif_strand_block *block, coif_solver_scratch *scratch,
                                    const float *gravity);
void COIF_SIMD(coif_spring_place)(coif_strand_block *block);

#endif
