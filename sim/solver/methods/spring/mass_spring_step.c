// mass_spring_step: explicit inner steps of a substep. Compiled once per vector width; the kernel
// table is at the end.
//
// Every strand takes as many steps as it needs by itself, whatever other strands of its block need.
// Beyond the limit its springs are softened until the steps suffice.
#include "sim/solver/drag.h"
#include "sim/solver/length_solve.h"
#include "sim/solver/methods/spring/mass_spring_twist.h"
#include "sim/solver/point_targets_simd.h"

static const float MAX_STRETCH = 1.1f;

// External acceleration from the predicted velocity q = (retention v + h a) / (1 + h c); drag is
// removed again, to act in every step. The first frame of a free strand is part of its state.
static void begin(spring_stepping *ctx, coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_strand_block *block = ctx->block;
    const float rate = 1.0f / step->h;
    const spring_lane *lane = spring_lane_of(block);
    ctx->clamp = clamp_frame_at(block, step->end, lane->clamp_t, lane->clamp_u);
    ctx->first_edge = scale3(ctx->clamp.t, ((const coif_simd *)block->rest_length)[0]);
    for (int i = 0; i < COIF_LANES; ++i) {
        const coif_spring_substeps plan = coif_spring_substeps_of(block, i, step->h);
        ctx->steps[i] = plan.steps;
        ctx->softness[i] = plan.softness;
        ctx->implicit_lengths[i] = plan.implicit_lengths ? -1 : 0;
    }
    ctx->h = step->h / ctx->steps;
    ctx->part = 1.0f / ctx->steps;
    ctx->rate = ctx->steps * (1.0f / step->h);
    for (int32_t k = 0; k < block->length; ++k) {
        spring_point *point = &ctx->points[k];
        const simd_vec3 x = load3(&block->pos, k);
        const simd_vec3 v = load3(&block->vel, k);
        const coif_simd keep = block->velocity_retention != NULL
                                   ? ((const coif_simd *)block->velocity_retention)[k]
                                   : coif_simd_all(step->velocity_retention);
        point->drag_normal = coif_drag_rate_normal(block, scratch, step, k);
        point->drag_tangential = point->drag_normal;
        point->axis = (simd_vec3){0};
        if (coif_drag_is_cylindrical(step)) {
            point->drag_tangential = ((const coif_simd *)scratch->drag_tangential)[k];
            point->axis = coif_drag_direction(block, k);
        }
        point->disp = (simd_vec3){0};
        point->vel = scale3(v, keep);
        const simd_vec3 q = load3(&scratch->v_pred, k);
        const coif_simd less = (point->drag_normal - point->drag_tangential) * dot3(point->axis, q);
        const simd_vec3 held = sub3(scale3(q, point->drag_normal), scale3(point->axis, less));
        const simd_vec3 free = add3(q, scale3(held, coif_simd_all(step->h)));
        point->external_accel = scale3(sub3(free, point->vel), coif_simd_all(rate));
        if (k + 1 < block->length) {
            point->edge_begin = sub3(load3(&block->pos, k + 1), x);
        }
    }
}

static const coif_target_rows *plain_targets(const coif_block_targets *targets)
{
    if (targets == NULL || targets->sets[0].active == targets->sets[1].active) {
        return NULL;
    }
    const coif_target_rows *rows = &targets->sets[targets->sets[1].active ? 1 : 0];
    return rows->has_slack || rows->has_axis ? NULL : rows;
}

// Responses to plain targets, equal in all inner steps; and the inverse masses with them. With the
// velocity v' of the target and x' its position at the begin of the substep
//
//   v <- (v + kappa v' - rho^2 / h (x - x')) / (1 + kappa)
static void prepare_responses(spring_stepping *ctx)
{
    const coif_strand_block *block = ctx->block;
    const coif_target_rows *rows = ctx->plain;
    coif_simd *w = (coif_simd *)block->inv_mass;
    for (int32_t k = 0; k < block->length; ++k) {
        target_response *own = &ctx->points[k].target;
        const coif_simd rho = target_rho(rows, k, ctx->h, ctx->part);
        const coif_simd kappa = rho * (2.0f + rho);
        const simd_vec3 disp = load3(&rows->disp, k);
        const simd_vec3 away = sub3(load3(&block->pos, k), sub3(load3(&rows->now, k), disp));
        own->keep = 1.0f / (1.0f + kappa);
        own->pull = own->keep * rho * rho * ctx->rate;
        own->gain =
            sub3(scale3(disp, own->keep * kappa * ctx->part * ctx->rate), scale3(away, own->pull));
        w[k] *= own->keep;
    }
}

// A damped spring along an edge.
static inline simd_vec3 draw_of(const spring_stepping *ctx, coif_simd constant, coif_simd longer,
                                simd_vec3 t, simd_vec3 rate)
{
    const coif_simd lag = spring_lane_of(ctx->block)->damping_time;
    return scale3(t, -ctx->softness * constant * (longer + lag * dot3(rate, t)));
}

static inline simd_vec3 stretch_of(const spring_stepping *ctx, const spring_rest *rest,
                                   simd_vec3 edge, simd_vec3 rate)
{
    const simd_vec3 zero3 = {0};
    const simd_vec3 t = unit3(edge);
    const simd_vec3 draw = draw_of(ctx, rest->stretch, dot3(edge, t) - rest->length, t, rate);
    return select3(ctx->implicit_lengths, zero3, draw);
}

// Only where the centreline is longer than at rest.
static inline simd_vec3 core_of(const spring_stepping *ctx, const spring_rest *rest,
                                simd_vec3 course, simd_vec3 rate)
{
    const simd_vec3 zero3 = {0};
    const simd_vec3 b = unit3(course);
    const coif_simd longer = dot3(course, b) - rest->core_length;
    return select3(longer > 0.0f, draw_of(ctx, rest->core, longer, b, rate), zero3);
}

// Angular velocity of a segment.
static inline simd_vec3 spin_of(simd_vec3 edge, simd_vec3 rate, coif_simd shortest)
{
    const coif_simd length2 = coif_simd_max(dot3(edge, edge), shortest * shortest);
    return scale3(cross3(edge, rate), 1.0f / length2);
}

// Forces of all springs, from root to tip in the order of smoothing.
static void find_forces(const spring_stepping *ctx, coif_simd_mask active)
{
    coif_strand_block *block = ctx->block;
    const spring_lane *lane = spring_lane_of(block);
    spring_point *point = ctx->points;
    const coif_simd_mask held = lane->clamped > 0.0f;
    const simd_vec3 zero3 = {0};
    const simd_vec3 now = add3(point[0].edge_begin, sub3(point[1].disp, point[0].disp));
    const simd_vec3 first = select3(held, ctx->first_edge, now);
    strand_frame frame = ctx->clamp;
    if (block->state_rows == COIF_SPRING_FREE_STATE_ROWS) {
        simd_vec3 *u = (simd_vec3 *)block->state;
        const simd_vec3 t = unit3(now);
        *u = select3(active, perpendicular3(*u, t), *u);
        frame.t = select3(held, frame.t, t);
        frame.u = select3(held, frame.u, *u);
    }
    smoother line = {first, first};
    smoother core = {first, first};
    smoother core_rate = {zero3, zero3};
    simd_vec3 spin = zero3;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const spring_rest *rest = &springs_of(block)[k];
        const simd_vec3 edge = add3(point[k].edge_begin, sub3(point[k + 1].disp, point[k].disp));
        const simd_vec3 rate = sub3(point[k + 1].vel, point[k].vel);
        const simd_vec3 axes[3] = {frame.u, cross3(frame.t, frame.u), frame.t};
        const simd_vec3 here = spin_of(edge, rate, lane->min_length);
        const simd_vec3 lag = scale3(cross3(sub3(here, spin), edge), lane->damping_time);
        simd_vec3 away = sub3(sub3(from_axes3(axes, rest->target), edge), lag);
        if (coif_method_rows_of(block)->has_elliptic_sections) {
            away = scale_by_section(axes, away, lane->ellipticity);
        }
        point[k].edge = edge;
        point[k].bend_force = scale3(away, rest->bend * ctx->softness);
        if (k > 0) {
            twist_forward(ctx, k, frame.t);
        }
        const simd_vec3 b = smooth_on(&core, edge, lane->core_smoothing);
        const simd_vec3 b_rate = smooth_on(&core_rate, rate, lane->core_smoothing);
        point[k].stretch_force = stretch_of(ctx, rest, edge, rate);
        point[k].core_force = core_of(ctx, rest, b, b_rate);
        point[k].centreline = smooth_on(&line, edge, lane->smoothing);
        transport_frame(&frame, point[k].centreline);
        twist_frame(&frame, *twist_at(block, k));
        spin = here;
    }
}

// Velocity of a point under its targets, which move during the substep. The axial springs that
// follow act on the mass with that of the targets.
static simd_vec3 pull_velocity(const spring_stepping *ctx, int32_t k, simd_vec3 vel,
                               coif_simd_mask active)
{
    const coif_block_targets *targets = ctx->block->targets;
    const simd_vec3 begin = add3(load3(&ctx->block->pos, k), ctx->points[k].disp);
    pulled_point point = unpulled_point(begin, mad3(begin, ctx->h, vel));
    for (int s = 0; s < 2; ++s) {
        const coif_target_rows *rows = &targets->sets[s];
        if (rows->active) {
            const simd_vec3 disp = load3(&rows->disp, k);
            const simd_vec3 now = sub3(load3(&rows->now, k), scale3(disp, 1.0f - ctx->fraction));
            pull_point(&point, rows, k, now, scale3(disp, ctx->part), ctx->h, ctx->part);
        }
    }
    coif_simd *w = (coif_simd *)targets->inv_mass + k;
    const coif_simd lighter = ((const coif_simd *)targets->rest_inv_mass)[k] * point.lightness;
    *w = coif_simd_select(active & (*w > 0.0f), lighter, *w);
    const coif_simd_mask pulls = (point.lightness < 1.0f) | (point.across > 0.0f);
    return select3(pulls, mad3(vel, ctx->rate, point.pull), vel);
}

// The same for plain targets.
static inline simd_vec3 respond(const spring_stepping *ctx, int32_t k, simd_vec3 vel)
{
    const spring_point *point = &ctx->points[k];
    const target_response *own = &point->target;
    const simd_vec3 moved = scale3(load3(&ctx->plain->disp, k), ctx->fraction - ctx->part);
    const simd_vec3 away = scale3(sub3(point->disp, moved), own->pull);
    return sub3(add3(scale3(vel, own->keep), own->gain), away);
}

static inline void move(const spring_stepping *ctx, int32_t k, simd_vec3 force,
                        coif_simd_mask active)
{
    spring_point *point = &ctx->points[k];
    const coif_block_targets *targets = ctx->block->targets;
    if (targets != NULL && !any_of(((const coif_simd *)ctx->block->inv_mass)[k] > 0.0f)) {
        return;
    }
    const coif_simd w = ((const coif_simd *)coif_defined_inv_mass(ctx->block))[k];
    const coif_simd h = ctx->h;
    const simd_vec3 pushed =
        add3(point->vel, scale3(add3(point->external_accel, scale3(force, w)), h));
    const coif_simd across = 1.0f / (1.0f + h * point->drag_normal);
    const coif_simd along = 1.0f / (1.0f + h * point->drag_tangential);
    const coif_simd more = (along - across) * dot3(point->axis, pushed);
    simd_vec3 speed = add3(scale3(pushed, across), scale3(point->axis, more));
    if (ctx->plain != NULL) {
        speed = respond(ctx, k, speed);
    } else if (targets != NULL && row_has_target(targets, k)) {
        speed = pull_velocity(ctx, k, speed, active);
    }
    const coif_simd_mask free = active & (((const coif_simd *)ctx->block->inv_mass)[k] > 0.0f);
    point->vel = select3(free, speed, point->vel);
    point->disp = select3(free, add3(point->disp, scale3(speed, h)), point->disp);
}

// The first frame of a free strand rotates until its twist is zero.
static void roll_first(const spring_stepping *ctx, simd_vec3 twist, coif_simd_mask active)
{
    const coif_strand_block *block = ctx->block;
    coif_simd stiffness = coif_simd_all(SIMD_TINY);
    for (int32_t k = 1; k + 1 < block->length; ++k) {
        const spring_rest *rest = &springs_of(block)[k];
        stiffness += rest->bend * ctx->softness * roll_of(block, rest);
    }
    const simd_vec3 t = unit3(ctx->points[0].edge);
    const coif_simd one = coif_simd_all(1.0f);
    const coif_simd turn =
        coif_simd_max(coif_simd_min(0.5f * dot3(twist, t) / stiffness, 0.1f * one), -0.1f * one);
    simd_vec3 *u = (simd_vec3 *)block->state;
    *u = select3(active, perpendicular3(add3(*u, scale3(cross3(t, *u), turn)), t), *u);
}

// From tip to root: reactions of springs on the segments before them; that of a core spring on all
// segments of its centreline.
static void move_points(const spring_stepping *ctx, coif_simd_mask active)
{
    const spring_lane *lane = spring_lane_of(ctx->block);
    const coif_simd_mask held = lane->clamped > 0.0f;
    backward back = backward_from_tip();
    smoother core = back.line;
    simd_vec3 core_given = back.given;
    simd_vec3 after = back.torque; // force that the segment after a point puts on it
    coif_simd turned = coif_simd_all(0.0f);
    for (int32_t k = ctx->block->length - 2; k >= 0; --k) {
        const spring_point *point = &ctx->points[k];
        const simd_vec3 start = select3(held, ctx->clamp.t, point->edge);
        const simd_vec3 before = unit3(k > 0 ? point[-1].centreline : start);
        const simd_vec3 reaction =
            reaction_on(&back, point->centreline, before, lane->smoothing, lane->min_length);
        const simd_vec3 drawn = smooth_on(&core, point->core_force, lane->core_smoothing);
        core_given = sub3(add3(core_given, point->core_force), drawn);
        simd_vec3 force =
            add3(add3(point->bend_force, point->stretch_force), add3(reaction, drawn));
        react(&back, point->edge, point->bend_force);
        if (k == 0) {
            force = select3(held, force, add3(force, add3(back.given, core_given)));
        }
        twist_backward(ctx, k, &turned, active);
        move(ctx, k + 1, sub3(force, after), active);
        after = force;
    }
    move(ctx, 0, scale3(after, coif_simd_all(-1.0f)), active);
    if (ctx->block->state_rows == COIF_SPRING_FREE_STATE_ROWS) {
        roll_first(ctx, back.torque, active);
    }
}

// Pinned points are interpolated to their targets.
static void move_held(const spring_stepping *ctx, const coif_solver_scratch *scratch,
                      coif_simd fraction, float h)
{
    const coif_simd *w = (const coif_simd *)ctx->block->inv_mass;
    for (int32_t k = 0; k < ctx->block->length; ++k) {
        const simd_vec3 goal = load3(&scratch->target, k);
        const simd_vec3 disp = sub3(goal, load3(&ctx->block->pos, k));
        spring_point *point = &ctx->points[k];
        point->disp = select3(w[k] == 0.0f, scale3(disp, fraction), point->disp);
        point->vel = select3(w[k] == 0.0f, scale3(disp, coif_simd_all(1.0f / h)), point->vel);
    }
}

// Strain limit from root to tip (Provot 1995): soft springs do not hold hair that is shaken at 50
// g. Not for free roots, where no such forces occur.
static void limit(const coif_strand_block *block, coif_solver_scratch *scratch,
                  const coif_substep *step)
{
    const coif_simd rate = coif_simd_all(1.0f / step->h);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 from = load3(&scratch->predicted, k);
        const simd_vec3 to = load3(&scratch->predicted, k + 1);
        const simd_vec3 d = sub3(to, from);
        const coif_simd most = MAX_STRETCH * rest[k];
        const coif_simd length2 = dot3(d, d);
        const coif_simd_mask far = (length2 > most * most) & (w[0] == 0.0f) & (w[k + 1] > 0.0f);
        const simd_vec3 led = at_distance3(from, to, most);
        const simd_vec3 disp = sub3(led, load3(&block->pos, k + 1));
        spring_point *point = &points_in(scratch)[k + 1];
        store3(&scratch->predicted, k + 1, select3(far, led, to));
        point->vel = select3(far, scale3(disp, rate), point->vel);
    }
}

static void step_springs(coif_strand_block *block, coif_solver_scratch *scratch,
                         const coif_substep *step)
{
    spring_stepping ctx = {.block = block, .points = points_in(scratch)};
    begin(&ctx, scratch, step);
    ctx.plain = plain_targets(block->targets);
    if (ctx.plain != NULL) {
        prepare_responses(&ctx);
    }
    float most = 1.0f;
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        most = ctx.steps[lane] > most ? ctx.steps[lane] : most;
    }
    for (float i = 0.0f; i < most; i += 1.0f) {
        const coif_simd fraction = coif_simd_min((i + 1.0f) / ctx.steps, coif_simd_all(1.0f));
        ctx.fraction = fraction;
        find_forces(&ctx, ctx.steps > i);
        move_points(&ctx, ctx.steps > i);
        move_held(&ctx, scratch, fraction, step->h);
        COIF_SIMD(coif_spring_constrain)(&ctx, scratch, step, fraction, ctx.steps > i);
    }
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 p = add3(load3(&block->pos, k), ctx.points[k].disp);
        const simd_vec3 goal = load3(&scratch->target, k);
        const coif_simd_mask held = ((const coif_simd *)block->inv_mass)[k] == 0.0f;
        store3(&scratch->predicted, k, select3(held, goal, p));
    }
}

// Velocities of the last inner step. For a point on its contact plane the normal component is that
// of the restitution, which is in the block already: depenetration is no velocity.
static void finish(coif_strand_block *block, coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_simd *push = (const coif_simd *)scratch->normal_push;
    const coif_simd rate = coif_simd_all(1.0f / step->h);
    for (int32_t k = 0; k < block->length; ++k) {
        simd_vec3 speed = points_in(scratch)[k].vel;
        if (scratch->has_contacts) {
            const simd_vec3 n = load3(&scratch->contact_normal, k);
            const simd_vec3 surface = scale3(load3(&scratch->surface_disp, k), rate);
            const coif_simd above = dot3(n, load3(&scratch->predicted, k)) -
                                    ((const coif_simd *)scratch->contact_offset)[k];
            const coif_simd off = dot3(n, sub3(load3(&block->vel, k), surface));
            const coif_simd now = dot3(n, sub3(speed, surface));
            const coif_simd wanted = coif_simd_max(off, coif_simd_all(0.0f));
            const coif_simd_mask lies = (push[k] > 0.0f) & (above < 1e-5f);
            speed = select3(lies, add3(speed, scale3(n, wanted - now)), speed);
        }
        store3(&block->vel, k, speed);
    }
}

const coif_spring_kernels COIF_SIMD(coif_spring_kernels) = {
    .precompute_rest = COIF_SIMD(coif_spring_rest),
    .preload_gravity = COIF_SIMD(coif_spring_preload_gravity),
    .reset_to_rest = COIF_SIMD(coif_spring_reset_to_rest),
    .step = step_springs,
    .limit_stretch = limit,
    .restore_lengths = COIF_SIMD(coif_spring_restore_lengths),
    .after_contact_push = COIF_SIMD(coif_spring_after_contact_push),
    .end_substep = finish,
};
