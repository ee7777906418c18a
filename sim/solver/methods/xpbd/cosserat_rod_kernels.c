// cosserat_rod_kernels: rotations of the rest shape, and the sweeps of a substep. Compiled once per
// vector width; the kernel table is at the end.
//
// Compliance a adds a / h^2 to inverse masses (Macklin et al. 2016); as in the discrete elastic
// rod, masses are larger by 1 + h c, for drag.
#include "sim/solver/constraints_common.h"
#include "sim/solver/drag.h"
#include "sim/solver/length_solve.h"
#include "sim/solver/methods/xpbd/cosserat_rod.h"
#include "sim/solver/strand_frame.h"

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

static inline simd_quat quat_of(const strand_frame *frame)
{
    return quat_of_frame(frame->u, cross3(frame->t, frame->u), frame->t);
}

static inline strand_frame next_frame(const coif_strand_block *block, int32_t k,
                                      const strand_frame *before)
{
    coif_simd inverse;
    return next_rest_frame(block, k, before,
                           ((const coif_simd *)block->rest_length)[k] < lanes_of(block)->min_length,
                           &inverse);
}

static void precompute_rest(coif_strand_block *block, coif_solver_scratch *scratch)
{
    strand_frame frame = initial_rest_frame();
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        frame = next_frame(block, k, &frame);
        const simd_quat turn = quat_of(&frame);
        segments_of(scratch)[k].orientation = turn;
        if (k == 0) {
            lanes_of(block)->clamp_t = frame.t;
            lanes_of(block)->clamp_u = frame.u;
        }
        const simd_quat before = segments_of(scratch)[k > 0 ? k - 1 : 0].orientation;
        // Of the two quaternions of the rotation, the one below pi.
        const simd_quat rest = unit_quat(mul_quat(conjugate(before), turn));
        const simd_quat other = {scale3(rest.v, coif_simd_all(-1.0f)), -rest.w};
        joints_at_rest(block)[k].rest = select_quat(rest.w < 0.0f, other, rest);
    }
}

static void reset_to_rest(coif_strand_block *block)
{
    const simd_vec3 *axes = root_axes_begin(block);
    const coif_simd zero = coif_simd_all(0.0f);
    strand_frame frame = initial_rest_frame();
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        frame = next_frame(block, k, &frame);
        const simd_vec3 t = normalize3(from_axes3(axes, frame.t));
        const strand_frame posed = {t, perpendicular3(from_axes3(axes, frame.u), t)};
        mutable_states_of(block)[k] = (cosserat_state){quat_of(&posed), {zero, zero, zero}};
    }
}

// Relative length error above which a strand is laid out from root to tip.
static const float MAX_LENGTH_ERROR = 0.15f;

// The clamp frame moves with the scalp.
static simd_quat clamp_at(const coif_strand_block *block, float moment)
{
    const cosserat_lane *lane = lanes_of(block);
    const strand_frame clamp = clamp_frame_at(block, moment, lane->clamp_t, lane->clamp_u);
    return quat_of_frame(clamp.u, cross3(clamp.t, clamp.u), clamp.t);
}

// Rotation from one frame to the next; of its two quaternions the one nearer to rest.
static inline simd_quat joint_rotation(simd_quat before, simd_quat here, simd_quat rest)
{
    const simd_quat turn = mul_quat(conjugate(before), here);
    const simd_quat other = {scale3(turn.v, coif_simd_all(-1.0f)), -turn.w};
    return select_quat(dot_quat(turn, rest) < 0.0f, other, turn);
}

static void begin(const coif_strand_block *block, coif_solver_scratch *scratch,
                  const coif_substep *step)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    simd_quat before = clamp_at(block, step->begin);
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 goal = load3(&scratch->target, k);
        const simd_vec3 p = load3(&scratch->predicted, k);
        store3(&scratch->predicted, k, select3(w[k] == 0.0f, goal, p));
        segments_of(scratch)[k].inv_mass =
            w[k] / (1.0f + step->h * coif_drag_rate_normal(block, scratch, step, k));
    }
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const cosserat_state *state = &states_of(block)[k];
        const simd_quat rest = joints_at_rest(block)[k].rest;
        cosserat_segment *segment = &segments_of(scratch)[k];
        segment->orientation_begin = state->orientation;
        const coif_simd keep = block->velocity_retention != NULL
                                   ? ((const coif_simd *)block->velocity_retention)[k]
                                   : coif_simd_all(step->velocity_retention);
        segment->orientation =
            rotate_small(state->orientation, scale3(state->angular_velocity, keep * step->h));
        segment->strain_begin = sub3(joint_rotation(before, state->orientation, rest).v, rest.v);
        segment->moment = segment->force = (simd_vec3){0};
        before = state->orientation;
    }
}

// Bending and twist of the joint between two segments, in the frame of the one before:
//
//   D = conj(q_a) q_b     C = Im D - Im D_rest     dC = J (phi_b - phi_a)     J = (D_0 - [Im D]x) /
//   2
//
// J J^T is at most 1/4. Rayleigh damping (gamma = beta / h).
static inline void sweep_joint(simd_quat *before, cosserat_segment *here,
                               const cosserat_point *point, coif_simd agility, float rate2,
                               coif_simd gamma)
{
    const simd_quat turn = joint_rotation(*before, here->orientation, point->rest);
    const simd_vec3 c = sub3(turn.v, point->rest.v);
    const simd_vec3 lag = scale3(sub3(c, here->strain_begin), gamma);
    const coif_simd mass = 0.25f * (1.0f + gamma) * (agility + point->inv_inertia);
    const coif_simd bend[2] = {point->bend[0] * rate2, point->bend[1] * rate2};
    const coif_simd twist = point->twist * rate2;
    const simd_vec3 more = {-(c.x + lag.x + bend[0] * here->moment.x) / (mass + bend[0]),
                            -(c.y + lag.y + bend[1] * here->moment.y) / (mass + bend[1]),
                            -(c.z + lag.z + twist * here->moment.z) / (mass + twist)};
    here->moment = add3(here->moment, more);
    const simd_vec3 push =
        scale3(add3(scale3(more, turn.w), cross3(turn.v, more)), coif_simd_all(0.5f));
    const simd_vec3 world = rotate(*before, push);
    *before = rotate_small(*before, scale3(world, -agility));
    here->orientation = rotate_small(here->orientation, scale3(world, point->inv_inertia));
}

// Stretch of a segment, and shear, the angle between it and the third axis d:
//
//   C_stretch = |p_1 - p_0| - l        C_shear = -l (d - (n . d) n)        n = (p_1 - p_0) / |..|
//
// A force along d would follow the quaternion where that lags behind, and a follower force adds
// energy. Along n only points move; across it the quaternion does too, and its moment is balanced
// by the points.
static inline void sweep_segment(const coif_strand_block *block, coif_solver_scratch *scratch,
                                 int32_t k, float rate2)
{
    cosserat_segment *segment = &segments_of(scratch)[k];
    const cosserat_point *point = &joints_at_rest(block)[k];
    const coif_simd rest = ((const coif_simd *)block->rest_length)[k];
    const coif_simd w0 = segment[0].inv_mass;
    const coif_simd w1 = segment[1].inv_mass;
    const simd_vec3 p0 = load3(&scratch->predicted, k);
    const simd_vec3 p1 = load3(&scratch->predicted, k + 1);
    const simd_vec3 d = third_axis(segment->orientation);
    const simd_vec3 disp = sub3(p1, p0);
    const coif_simd length = coif_simd_sqrt(dot3(disp, disp)) + SIMD_TINY;
    const simd_vec3 n = scale3(disp, 1.0f / length);
    const coif_simd stretch = point->stretch * rate2;
    const coif_simd shear = point->shear * rate2;
    const coif_simd masses = w0 + w1;
    const coif_simd f_along = dot3(segment->force, n);
    const simd_vec3 f_across = sub3(segment->force, scale3(n, f_along));
    const simd_vec3 c_across = scale3(sub3(scale3(n, dot3(n, d)), d), rest);
    const coif_simd along = -(length - rest + stretch * f_along) / (masses + stretch + SIMD_TINY);
    const coif_simd give = 1.0f / (masses + length * length * point->inv_inertia + shear);
    const simd_vec3 across = scale3(add3(c_across, scale3(f_across, shear)), -give);
    const simd_vec3 more = add3(across, scale3(n, along));
    segment->force = add3(segment->force, more);
    store3(&scratch->predicted, k, sub3(p0, scale3(more, w0)));
    store3(&scratch->predicted, k + 1, add3(p1, scale3(more, w1)));
    segment->orientation = rotate_small(segment->orientation,
                                        scale3(cross3(n, across), -(length * point->inv_inertia)));
}

// A free root has no joint.
static inline void sweep_root(const coif_strand_block *block, coif_solver_scratch *scratch,
                              const coif_substep *step, simd_quat clamp)
{
    cosserat_segment *first = segments_of(scratch);
    const float gamma = step->bending_damping_time / step->h;
    const simd_quat loose = first->orientation;
    sweep_joint(&clamp, first, joints_at_rest(block), coif_simd_all(0.0f),
                1.0f / (step->h * step->h),
                coif_point_param(block, COIF_FIELD_BENDING_DAMPING_TIME, gamma, 0));
    first->orientation = select_quat(lanes_of(block)->clamped > 0.0f, first->orientation, loose);
}

// Symmetric sweep, from root to tip and back. The residual of unconverged sweeps acts as a force
// that has no energy; symmetric sweeps (as in SSOR) nearly have one, one-sided sweeps make curls
// spin. The return sweep also carries moments to the root at once.
static void sweep(const coif_strand_block *block, coif_solver_scratch *scratch,
                  const coif_substep *step)
{
    const float rate2 = 1.0f / (step->h * step->h);
    const float gamma = step->bending_damping_time / step->h;
    const int32_t last = block->length - 2;
    cosserat_segment *segment = segments_of(scratch);
    const cosserat_point *point = joints_at_rest(block);
    const simd_quat clamp = clamp_at(block, step->end);
    sweep_root(block, scratch, step, clamp);
    sweep_segment(block, scratch, 0, rate2);
    for (int32_t k = 1; k <= last; ++k) {
        sweep_joint(&segment[k - 1].orientation, &segment[k], &point[k], point[k - 1].inv_inertia,
                    rate2, coif_point_param(block, COIF_FIELD_BENDING_DAMPING_TIME, gamma, k));
        sweep_segment(block, scratch, k, rate2);
    }
    for (int32_t k = last; k >= 1; --k) {
        sweep_segment(block, scratch, k, rate2);
        sweep_joint(&segment[k - 1].orientation, &segment[k], &point[k], point[k - 1].inv_inertia,
                    rate2, coif_point_param(block, COIF_FIELD_BENDING_DAMPING_TIME, gamma, k));
    }
    sweep_segment(block, scratch, 0, rate2);
    sweep_root(block, scratch, step, clamp);
}

static void end(coif_strand_block *block, coif_solver_scratch *scratch, const coif_substep *step)
{
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const cosserat_segment *segment = &segments_of(scratch)[k];
        const simd_quat disp =
            mul_quat(segment->orientation, conjugate(segment->orientation_begin));
        const coif_simd rate = coif_simd_all(2.0f / step->h);
        mutable_states_of(block)[k] = (cosserat_state){
            segment->orientation, scale3(disp.v, coif_simd_select(disp.w < 0.0f, -rate, rate))};
    }
}

static void ftl_fallback(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    coif_simd_mask stretched = {0};
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 d = sub3(load3(&scratch->predicted, k + 1), load3(&scratch->predicted, k));
        const coif_simd error = coif_simd_sqrt(dot3(d, d)) - rest[k];
        const coif_simd most =
            MAX_LENGTH_ERROR * coif_simd_max(rest[k], lanes_of(block)->min_length);
        stretched = stretched | (error > most) | (error < -most);
    }
    stretched = stretched & (w[0] == 0.0f); // a free strand would lose its momentum
    if (block->targets != NULL) {
        stretched &= ~*(const coif_simd_mask *)block->targets->spans;
    }
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 from = load3(&scratch->predicted, k);
        const simd_vec3 to = load3(&scratch->predicted, k + 1);
        const simd_vec3 led = at_distance3(from, to, rest[k]);
        store3(&scratch->predicted, k + 1, select3(stretched & (w[k + 1] > 0.0f), led, to));
    }
}

const coif_cosserat_kernels COIF_SIMD(coif_cosserat_kernels) = {
    .precompute_rest = precompute_rest,
    .reset_to_rest = reset_to_rest,
    .begin_substep = begin,
    .sweep = sweep,
    .end_substep = end,
    .ftl_fallback = ftl_fallback,
};
