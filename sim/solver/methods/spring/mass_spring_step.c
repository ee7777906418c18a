// spring, step: explicit steps inside a substep. Compiled once per vector width; its table of
// kernels is at the end.
//
// Every strand takes as many steps as it needs by itself, whatever others in its block need: it
// must not feel them. Beyond the most that are allowed its springs are softened until they are
// enough.
#include "sim/solver/drag.h"
#include "sim/solver/methods/spring/mass_spring_twist.h"
#include "sim/solver/root_frame.h"

static const float MOST_STRETCH = 1.1f;

static spring_frame clamp_at(const coif_strand_block *block, float moment)
{
    wide3 axes[3];
    root_axes_at(axes, block, moment);
    spring_frame clamp;
    clamp.t = unit3(turn3(axes, spring_lane_of(block)->clamp_t));
    clamp.u = across3(turn3(axes, spring_lane_of(block)->clamp_u), clamp.t);
    return clamp;
}

// What acts from outside is known from the predicted velocity q = (keep v + h a) / (1 + h c); drag
// is taken out again, to act in every step. The frame of the first segment of a free strand is
// where it was left.
static void begin(spring_stepping *all, coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_strand_block *block = all->block;
    const coif_simd zero = coif_simd_all(0.0f);
    const float rate = 1.0f / step->h;
    all->clamp = clamp_at(block, step->end);
    all->first = scale3(all->clamp.t, ((const coif_simd *)block->rest_length)[0]);
    for (int i = 0; i < COIF_LANES; ++i) {
        const coif_spring_substeps plan = coif_spring_substeps_of(block, i, step->h);
        all->steps[i] = plan.steps;
        all->softness[i] = plan.softness;
        all->taut[i] = plan.taut ? -1 : 0;
    }
    all->seconds = step->h / all->steps;
    for (int32_t k = 0; k < block->length; ++k) {
        spring_point *point = &all->points[k];
        const wide3 x = load3(&block->pos, k);
        const wide3 v = load3(&block->vel, k);
        const coif_simd keep = block->velocity_retention != NULL
                                   ? ((const coif_simd *)block->velocity_retention)[k]
                                   : coif_simd_all(step->velocity_retention);
        point->air = coif_wind_at(block, scratch, step, k);
        point->slip = point->air;
        point->along = (wide3){zero, zero, zero};
        if (coif_drag_is_cylindrical(step)) {
            point->slip = ((const coif_simd *)scratch->drag_tangential)[k];
            point->along = coif_drag_direction(block, k);
        }
        point->way = (wide3){zero, zero, zero};
        point->speed = scale3(v, keep);
        const wide3 q = load3(&scratch->v_pred, k);
        const coif_simd less = (point->air - point->slip) * dot3(point->along, q);
        const wide3 held = sub3(scale3(q, point->air), scale3(point->along, less));
        const wide3 free = add3(q, scale3(held, coif_simd_all(step->h)));
        point->pull = scale3(sub3(free, point->speed), coif_simd_all(rate));
        if (k + 1 < block->length) {
            point->begin = sub3(load3(&block->pos, k + 1), x);
        }
    }
}

// A spring along an edge, damped.
static inline wide3 draw_of(const spring_stepping *all, coif_simd constant, coif_simd longer,
                            wide3 t, wide3 rate)
{
    const coif_simd lag = spring_lane_of(all->block)->lag;
    return scale3(t, -all->softness * constant * (longer + lag * dot3(rate, t)));
}

static inline wide3 stretch_of(const spring_stepping *all, const spring_rest *rest, wide3 edge,
                               wide3 rate)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const wide3 none = {zero, zero, zero};
    coif_simd inverse;
    const wide3 t = direction3(edge, &inverse);
    const wide3 draw = draw_of(all, rest->stretch, dot3(edge, t) - rest->length, t, rate);
    return select3(all->taut, none, draw);
}

// Only where the course is longer than at rest.
static inline wide3 core_of(const spring_stepping *all, const spring_rest *rest, wide3 course,
                            wide3 rate)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const wide3 none = {zero, zero, zero};
    coif_simd inverse;
    const wide3 b = direction3(course, &inverse);
    const coif_simd longer = dot3(course, b) - rest->core_length;
    return select3(longer > 0.0f, draw_of(all, rest->core, longer, b, rate), none);
}

// How fast a segment turns.
static inline wide3 spin_of(wide3 edge, wide3 rate, coif_simd shortest)
{
    const coif_simd length2 = coif_simd_max(dot3(edge, edge), shortest * shortest);
    return scale3(cross3(edge, rate), 1.0f / length2);
}

// Forces of all springs, from root to tip as the curves are smoothed.
static void find_forces(const spring_stepping *all, coif_simd_mask active)
{
    const coif_strand_block *block = all->block;
    const spring_lane *lane = spring_lane_of(block);
    spring_point *point = all->points;
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd_mask held = lane->held > 0.0f;
    const wide3 none = {zero, zero, zero};
    const wide3 now = add3(point[0].begin, sub3(point[1].way, point[0].way));
    const wide3 first = select3(held, all->first, now);
    spring_frame frame = all->clamp;
    if (block->state_rows == COIF_SPRING_FREE_STATE_ROWS) {
        wide3 *u = (wide3 *)block->state;
        coif_simd inverse;
        const wide3 t = direction3(now, &inverse);
        *u = select3(active, across3(*u, t), *u);
        frame.t = select3(held, frame.t, t);
        frame.u = select3(held, frame.u, *u);
    }
    smoother line = {first, first};
    smoother core = {first, first};
    smoother core_rate = {none, none};
    wide3 spin = none;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const spring_rest *rest = &springs_of(block)[k];
        const wide3 edge = add3(point[k].begin, sub3(point[k + 1].way, point[k].way));
        const wide3 rate = sub3(point[k + 1].speed, point[k].speed);
        const wide3 axes[3] = {frame.u, cross3(frame.t, frame.u), frame.t};
        const wide3 here = spin_of(edge, rate, lane->shortest);
        const wide3 lag = scale3(cross3(sub3(here, spin), edge), lane->lag);
        wide3 away = sub3(sub3(turn3(axes, rest->target), edge), lag);
        if (block->spring->flat) {
            away = flatten(axes, away, lane->flat);
        }
        point[k].edge = edge;
        point[k].bend = scale3(away, rest->bend * all->softness);
        if (k > 0) {
            twist_forward(all, k, frame.t);
        }
        const wide3 b = smooth_on(&core, edge, lane->core_follow);
        const wide3 b_rate = smooth_on(&core_rate, rate, lane->core_follow);
        point[k].draw = stretch_of(all, rest, edge, rate);
        point[k].core = core_of(all, rest, b, b_rate);
        point[k].course = smooth_on(&line, edge, lane->follow);
        carry_frame(&frame, point[k].course);
        twist_frame(&frame, *twist_at(block, k));
        spin = here;
    }
}

static inline void move(const spring_stepping *all, int32_t k, wide3 force, coif_simd_mask active)
{
    spring_point *point = &all->points[k];
    const coif_simd w = ((const coif_simd *)all->block->inv_mass)[k];
    const coif_simd h = all->seconds;
    const wide3 pushed = add3(point->speed, scale3(add3(point->pull, scale3(force, w)), h));
    const coif_simd across = 1.0f / (1.0f + h * point->air);
    const coif_simd along = 1.0f / (1.0f + h * point->slip);
    const coif_simd more = (along - across) * dot3(point->along, pushed);
    const wide3 speed = add3(scale3(pushed, across), scale3(point->along, more));
    const coif_simd_mask free = active & (w > 0.0f);
    point->speed = select3(free, speed, point->speed);
    point->way = select3(free, add3(point->way, scale3(speed, h)), point->way);
}

// The first frame of a strand that nothing clamps turns about it until no twist is left.
static void roll_first(const spring_stepping *all, wide3 twist, coif_simd_mask active)
{
    const coif_strand_block *block = all->block;
    coif_simd stiffness = coif_simd_all(WIDE3_TINY);
    for (int32_t k = 1; k + 1 < block->length; ++k) {
        const spring_rest *rest = &springs_of(block)[k];
        stiffness += rest->bend * all->softness * roll_of(block, rest);
    }
    coif_simd inverse;
    const wide3 t = direction3(all->points[0].edge, &inverse);
    const coif_simd one = coif_simd_all(1.0f);
    const coif_simd turn =
        coif_simd_max(coif_simd_min(0.5f * dot3(twist, t) / stiffness, 0.1f * one), -0.1f * one);
    wide3 *u = (wide3 *)block->state;
    *u = select3(active, across3(add3(*u, scale3(cross3(t, *u), turn)), t), *u);
}

// From tip to root, as springs act back on the segments before them: that of a core on all that its
// course is made from.
static void move_points(const spring_stepping *all, coif_simd_mask active)
{
    const spring_lane *lane = spring_lane_of(all->block);
    const coif_simd_mask held = lane->held > 0.0f;
    backward back = backward_from_tip();
    smoother core = back.line;
    wide3 core_given = back.given;
    wide3 after = back.torque; // force that the segment after a point puts on it
    coif_simd turned = coif_simd_all(0.0f);
    for (int32_t k = all->block->length - 2; k >= 0; --k) {
        const spring_point *point = &all->points[k];
        coif_simd inverse;
        const wide3 start = select3(held, all->clamp.t, point->edge);
        const wide3 before = direction3(k > 0 ? point[-1].course : start, &inverse);
        const wide3 reaction =
            reaction_on(&back, point->course, before, lane->follow, lane->shortest);
        const wide3 drawn = smooth_on(&core, point->core, lane->core_follow);
        core_given = sub3(add3(core_given, point->core), drawn);
        wide3 force = add3(add3(point->bend, point->draw), add3(reaction, drawn));
        react(&back, point->edge, point->bend);
        if (k == 0) {
            force = select3(held, force, add3(force, add3(back.given, core_given)));
        }
        twist_backward(all, k, &turned, active);
        move(all, k + 1, sub3(force, after), active);
        after = force;
    }
    move(all, 0, scale3(after, coif_simd_all(-1.0f)), active);
    if (all->block->state_rows == COIF_SPRING_FREE_STATE_ROWS) {
        roll_first(all, back.torque, active);
    }
}

// Points that are held go straight to where they will be.
static void move_held(const spring_stepping *all, const coif_solver_scratch *scratch,
                      coif_simd share, float h)
{
    const coif_simd *w = (const coif_simd *)all->block->inv_mass;
    for (int32_t k = 0; k < all->block->length; ++k) {
        const wide3 goal = load3(&scratch->target, k);
        const wide3 way = sub3(goal, load3(&all->block->pos, k));
        spring_point *point = &all->points[k];
        point->way = select3(w[k] == 0.0f, scale3(way, share), point->way);
        point->speed = select3(w[k] == 0.0f, scale3(way, coif_simd_all(1.0f / h)), point->speed);
    }
}

// No segment is longer than so many times its length at rest, from root to tip (after Provot 1995):
// soft springs hold no hair that is shaken at 50 g. Where the root is free, nothing pulls so hard.
static void limit(const coif_strand_block *block, coif_solver_scratch *scratch,
                  const coif_substep *step)
{
    const coif_simd rate = coif_simd_all(1.0f / step->h);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const wide3 from = load3(&scratch->predicted, k);
        const wide3 to = load3(&scratch->predicted, k + 1);
        const wide3 d = sub3(to, from);
        const coif_simd most = MOST_STRETCH * rest[k];
        const coif_simd length2 = dot3(d, d);
        const coif_simd_mask far = (length2 > most * most) & (w[0] == 0.0f) & (w[k + 1] > 0.0f);
        const wide3 led = add3(from, scale3(d, most / (coif_simd_sqrt(length2) + WIDE3_TINY)));
        const wide3 way = sub3(led, load3(&block->pos, k + 1));
        spring_point *point = &points_in(scratch)[k + 1];
        store3(&scratch->predicted, k + 1, select3(far, led, to));
        point->speed = select3(far, scale3(way, rate), point->speed);
    }
}

static void step_springs(const coif_strand_block *block, coif_solver_scratch *scratch,
                         const coif_substep *step)
{
    spring_stepping all = {.block = block, .points = points_in(scratch)};
    begin(&all, scratch, step);
    float most = 1.0f;
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        most = all.steps[lane] > most ? all.steps[lane] : most;
    }
    for (float i = 0.0f; i < most; i += 1.0f) {
        const coif_simd share = coif_simd_min((i + 1.0f) / all.steps, coif_simd_all(1.0f));
        find_forces(&all, all.steps > i);
        move_points(&all, all.steps > i);
        move_held(&all, scratch, share, step->h);
        COIF_SIMD(coif_spring_hold)(&all, scratch, step, share, all.steps > i);
    }
    for (int32_t k = 0; k < block->length; ++k) {
        const wide3 p = add3(load3(&block->pos, k), all.points[k].way);
        const wide3 goal = load3(&scratch->target, k);
        const coif_simd_mask held = ((const coif_simd *)block->inv_mass)[k] == 0.0f;
        store3(&scratch->predicted, k, select3(held, goal, p));
    }
}

// Velocities are those of the last step. Of a point that lies on its plane the part along the
// normal is what contacts leave of it, as it is in block already: coming out of a body is no speed.
static void finish(coif_strand_block *block, coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_simd *push = (const coif_simd *)scratch->normal_push;
    const coif_simd rate = coif_simd_all(1.0f / step->h);
    for (int32_t k = 0; k < block->length; ++k) {
        wide3 speed = points_in(scratch)[k].speed;
        if (scratch->has_contacts) {
            const wide3 n = load3(&scratch->contact_normal, k);
            const wide3 surface = scale3(load3(&scratch->surface_disp, k), rate);
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
    .rest = COIF_SIMD(coif_spring_rest),
    .sagfree = COIF_SIMD(coif_spring_sagfree),
    .place = COIF_SIMD(coif_spring_place),
    .step = step_springs,
    .limit = limit,
    .hold = COIF_SIMD(coif_spring_hold_lengths),
    .pushed = COIF_SIMD(coif_spring_pushed),
    .finish = finish,
};
