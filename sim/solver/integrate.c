// motion: what a substep does before and after the constraints. Compiled once per vector width;
// its table of kernels is at the end.
#include "sim/solver/drag.h"
#include "sim/solver/constraints_common.h"
#include "sim/solver/simd_dispatch.h"
#include "sim/solver/root_frame.h"

// The rest shape in the frame of the moving root, the acceleration that carries its weight, and
// that of the force on the tip:
//
//   g = root + lx tangent + ly bitangent + lz normal
//
// The root goes straight from one pose to the next, as the body's vertices do; its frame turns.
static void pose(const coif_block *block, coif_work *work, const coif_substep *step)
{
    const coif_wide *begin = (const coif_wide *)block->root;
    const coif_wide *end = (const coif_wide *)block->root_end;
    coif_wide root[COIF_ROOT_ROWS];
    for (int r = 0; r < 3; ++r) {
        root[r] = begin[r] + step->end * (end[r] - begin[r]);
    }
    root_axes_at((wide3 *)(root + 3), block, step->end);
    float *const goal[3] = {work->gx, work->gy, work->gz};
    float *const weight[3] = {work->ax, work->ay, work->az};
    const coif_wide *lx = (const coif_wide *)block->lx;
    const coif_wide *ly = (const coif_wide *)block->ly;
    const coif_wide *lz = (const coif_wide *)block->lz;
    const coif_wide *fx = (const coif_wide *)block->fx;
    const coif_wide *fy = (const coif_wide *)block->fy;
    const coif_wide *fz = (const coif_wide *)block->fz;
    const coif_wide *side = (const coif_wide *)block->side;
    coif_wide *across = (coif_wide *)work->across;
    const float force[3] = {step->tip_force.x, step->tip_force.y, step->tip_force.z};
    const coif_wide *own_force = (const coif_wide *)block->tip_force;
    const coif_wide pushed =
        ((const coif_wide *)block->w)[block->length - 1] * *(const coif_wide *)block->per_kilogram;
    for (int a = 0; a < 3; ++a) {
        across[a] = side[0] * root[3 + a] + side[1] * root[6 + a] + side[2] * root[9 + a];
        coif_wide *g = (coif_wide *)goal[a];
        coif_wide *f = (coif_wide *)weight[a];
        for (int32_t k = 0; k < block->length; ++k) {
            g[k] = root[a] + lx[k] * root[3 + a] + ly[k] * root[6 + a] + lz[k] * root[9 + a];
            f[k] = fx[k] * root[3 + a] + fy[k] * root[6 + a] + fz[k] * root[9 + a];
        }
        coif_wide on_tip = coif_wide_all(force[a]);
        if (own_force != NULL) {
            on_tip *= own_force[a];
        }
        f[block->length - 1] += on_tip * pushed;
    }
}

// The same where damping or drag differ from point to point.
static void predict_varied(const coif_block *block, coif_work *work, const coif_substep *step)
{
    const float *const places[3] = {block->x, block->y, block->z};
    const float *const speeds[3] = {block->vx, block->vy, block->vz};
    const float *const airs[3] = {work->ux, work->uy, work->uz};
    const float *const pushes[3] = {work->ax, work->ay, work->az};
    float *const wanted[3] = {work->qx, work->qy, work->qz};
    float *const targets[3] = {work->px, work->py, work->pz};
    const float gravity[3] = {step->gravity.x, step->gravity.y, step->gravity.z};
    for (int32_t k = 0; k < block->length; ++k) {
        const coif_wide c = coif_drag_at(block, step, k);
        const coif_wide share = 1.0f / (1.0f + step->h * c);
        const coif_wide keep =
            block->keep != NULL ? ((const coif_wide *)block->keep)[k] : coif_wide_all(step->keep);
        for (int axis = 0; axis < 3; ++axis) {
            const coif_wide v = ((const coif_wide *)speeds[axis])[k];
            const coif_wide u = ((const coif_wide *)airs[axis])[k];
            const coif_wide a = ((const coif_wide *)pushes[axis])[k];
            const coif_wide q = (keep * v + step->h * (a + gravity[axis] + c * u)) * share;
            ((coif_wide *)wanted[axis])[k] = q;
            ((coif_wide *)targets[axis])[k] = ((const coif_wide *)places[axis])[k] + step->h * q;
        }
    }
}

// Forces, damping and the step ahead, where drag is the same in all directions. Drag against the
// air u is solved implicitly, so that no wind can blow a strand up:
//
//   v = (keep v + h (a + c u)) / (1 + h c)        p = x + h v
//
// Damping takes from the motion so far and not from this substep's push, or hair would weigh less
// the more it is damped.
static void predict(const coif_block *block, coif_work *work, const coif_substep *step)
{
    const float *const places[3] = {block->x, block->y, block->z};
    const float *const speeds[3] = {block->vx, block->vy, block->vz};
    const float *const airs[3] = {work->ux, work->uy, work->uz};
    const float *const pushes[3] = {work->ax, work->ay, work->az};
    float *const wanted[3] = {work->qx, work->qy, work->qz};
    float *const targets[3] = {work->px, work->py, work->pz};
    const float gravity[3] = {step->gravity.x, step->gravity.y, step->gravity.z};
    const coif_wide c = step->drag / *(const coif_wide *)block->mass;
    const coif_wide share = 1.0f / (1.0f + step->h * c);
    if (coif_air_is_cylindrical(step)) {
        COIF_WIDE(coif_air_predict)(block, work, step);
        return;
    }
    if (block->vary[COIF_VARY_DRAG] != NULL || block->keep != NULL) {
        predict_varied(block, work, step);
        return;
    }

    for (int axis = 0; axis < 3; ++axis) {
        const coif_wide *x = (const coif_wide *)places[axis];
        const coif_wide *v = (const coif_wide *)speeds[axis];
        const coif_wide *u = (const coif_wide *)airs[axis];
        const coif_wide *a = (const coif_wide *)pushes[axis];
        coif_wide *q = (coif_wide *)wanted[axis];
        coif_wide *p = (coif_wide *)targets[axis];
        for (int32_t k = 0; k < block->length; ++k) {
            q[k] = (step->keep * v[k] + step->h * (a[k] + gravity[axis] + c * u[k])) * share;
            p[k] = x[k] + step->h * q[k];
        }
    }
}

// What a contact does to the velocity. Of the part along the normal, relative to the surface, a
// fast approach returns the share e; pushing a point out never throws it off faster than that.
//
//   v_n <- e |q_n|         if  q_n < -2 g h, for a point that was pushed and rests on the plane
//   v_n <- min(v_n, 0)     if it came slower
//
// What is borne by the method keeps up to g h / 10 in the latter case: if of the trembling that
// rounding makes only what goes up were taken, it would press as if it were heavier than it is.
static void bounce(const coif_block *block, coif_work *work, const coif_substep *step)
{
    coif_wide *vx = (coif_wide *)block->vx;
    coif_wide *vy = (coif_wide *)block->vy;
    coif_wide *vz = (coif_wide *)block->vz;
    const coif_wide *nx = (const coif_wide *)work->nx;
    const coif_wide *ny = (const coif_wide *)work->ny;
    const coif_wide *nz = (const coif_wide *)work->nz;
    const float plain = coif_length(step->gravity);
    const float rate = 1.0f / step->h;

    for (int32_t k = work->touch_begin; k < work->touch_end; ++k) {
        const coif_wide above =
            nx[k] * ((const coif_wide *)work->px)[k] + ny[k] * ((const coif_wide *)work->py)[k] +
            nz[k] * ((const coif_wide *)work->pz)[k] - ((const coif_wide *)work->offset)[k];
        const coif_wide surface =
            (nx[k] * ((const coif_wide *)work->sx)[k] + ny[k] * ((const coif_wide *)work->sy)[k] +
             nz[k] * ((const coif_wide *)work->sz)[k]) *
            rate;
        const coif_wide before = nx[k] * ((const coif_wide *)work->qx)[k] +
                                 ny[k] * ((const coif_wide *)work->qy)[k] +
                                 nz[k] * ((const coif_wide *)work->qz)[k] - surface;
        const coif_wide after = nx[k] * vx[k] + ny[k] * vy[k] + nz[k] * vz[k] - surface;
        const coif_wide_mask rests = (((const coif_wide *)work->push)[k] > 0.0f) & (above < 1e-5f);
        const coif_wide share = coif_varied(block, COIF_VARY_RESTITUTION, step->restitution, k);
        const coif_wide slowest = 2.0f * coif_fall_at(block, plain, k) * step->h;
        const coif_wide slow = (work->borne ? 0.05f : 0.0f) * slowest;
        const coif_wide back =
            coif_wide_select(before < -slowest, -share * before, coif_wide_min(after, slow));
        const coif_wide change = back - after;
        vx[k] = coif_wide_select(rests, vx[k] + change * nx[k], vx[k]);
        vy[k] = coif_wide_select(rests, vy[k] + change * ny[k], vy[k]);
        vz[k] = coif_wide_select(rests, vz[k] + change * nz[k], vz[k]);
    }
}

static bool any_is_free(const coif_block *block)
{
    float most = 0.0f;
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        most += block->w[lane];
    }
    return most > 0.0f;
}

// Velocities from positions, and the points move. Where nothing holds the root, by what constraints
// changed of the velocity that was predicted: places are rounded, and so is 1 / h, and what falls
// would gain or lose as much in every substep.
static inline void move_points(coif_block *block, const coif_work *work, const coif_substep *step,
                               bool free)
{
    float *const places[3] = {block->x, block->y, block->z};
    float *const speeds[3] = {block->vx, block->vy, block->vz};
    const float *const targets[3] = {work->px, work->py, work->pz};
    const float *const wanted[3] = {work->qx, work->qy, work->qz};
    const float *const rounded[3] = {work->lost_x, work->lost_y, work->lost_z};
    const coif_wide_mask loose = *(const coif_wide *)block->w > 0.0f;
    const float rate = 1.0f / step->h;
    for (int axis = 0; axis < 3; ++axis) {
        coif_wide *x = (coif_wide *)places[axis];
        coif_wide *v = (coif_wide *)speeds[axis];
        const coif_wide *p = (const coif_wide *)targets[axis];
        const coif_wide *q = (const coif_wide *)wanted[axis];
        const coif_wide *lost = (const coif_wide *)rounded[axis];
        for (int32_t k = 0; k < block->length; ++k) {
            v[k] = ((p[k] - x[k]) + lost[k]) * rate;
            if (free) {
                const coif_wide change = (p[k] - (x[k] + step->h * q[k])) + lost[k];
                v[k] = coif_wide_select(loose, q[k] + change * rate, v[k]);
            }
            x[k] = p[k];
        }
    }
}

static void arrive(coif_block *block, coif_work *work, const coif_substep *step)
{
    if (any_is_free(block)) {
        move_points(block, work, step, true);
    } else {
        move_points(block, work, step, false);
    }
    if (work->touching) {
        bounce(block, work, step);
    }
}

#define NAME_OF(lanes)   NAME_TEXT(lanes)
#define NAME_TEXT(lanes) "wide" #lanes

const coif_kernels COIF_WIDE(coif_kernels) = {
    .name = NAME_OF(COIF_LANES),
    .lanes = COIF_LANES,
    .pose = pose,
    .predict = predict,
    .arrive = arrive,
    .learn_shape = COIF_WIDE(coif_learn_shape),
    .project_shape = COIF_WIDE(coif_project_shape),
    .smooth = COIF_WIDE(coif_smooth),
    .hang = COIF_WIDE(coif_hang),
    .project_position = COIF_WIDE(coif_project_position),
    .project_contact = COIF_WIDE(coif_project_contact),
    .project_friction = COIF_WIDE(coif_project_friction),
    .project_lengths = COIF_WIDE(coif_project_lengths),
    .follow_leader = COIF_WIDE(coif_follow_leader),
    .rescue_lengths = COIF_WIDE(coif_rescue_lengths),
    .correct_leader = COIF_WIDE(coif_correct_leader),
    .bound_points = COIF_WIDE(coif_contacts_bound),
    .clear_planes = COIF_WIDE(coif_contacts_clear),
    .meet_shells = COIF_WIDE(coif_contacts_meet_shells),
    .choose_again = COIF_WIDE(coif_choose_again),
    .project_middles = COIF_WIDE(coif_project_middles),
    .rub_middles = COIF_WIDE(coif_rub_middles),
};
