// motion: what a substep does before and after the constraints. Compiled once per vector width;
// its table of kernels is at the end.
#include "sim/solver/constraints_common.h"
#include "sim/solver/drag.h"
#include "sim/solver/root_frame.h"
#include "sim/solver/simd_dispatch.h"

// The rest shape in the frame of the moving root, the acceleration that carries its weight, and
// that of the force on the tip:
//
//   g = root + lx tangent + ly bitangent + lz normal
//
// The root goes straight from one pose to the next, as the body's vertices do; its frame turns.
static void update_targets(const coif_strand_block *block, coif_solver_scratch *scratch,
                           const coif_substep *step)
{
    const coif_simd *begin = (const coif_simd *)block->root_begin;
    const coif_simd *end = (const coif_simd *)block->root_end;
    coif_simd root[COIF_ROOT_ROWS];
    for (int r = 0; r < 3; ++r) {
        root[r] = begin[r] + step->end * (end[r] - begin[r]);
    }
    root_axes_at((simd_vec3 *)(root + 3), block, step->end);
    float *const goal[3] = {scratch->target.x, scratch->target.y, scratch->target.z};
    float *const weight[3] = {scratch->accel.x, scratch->accel.y, scratch->accel.z};
    const coif_simd *lx = (const coif_simd *)block->rest_local.x;
    const coif_simd *ly = (const coif_simd *)block->rest_local.y;
    const coif_simd *lz = (const coif_simd *)block->rest_local.z;
    const coif_simd *fx = (const coif_simd *)block->support_accel.x;
    const coif_simd *fy = (const coif_simd *)block->support_accel.y;
    const coif_simd *fz = (const coif_simd *)block->support_accel.z;
    const coif_simd *side = (const coif_simd *)block->reference_axis;
    coif_simd *across = (coif_simd *)scratch->reference_axis_world;
    const float force[3] = {step->tip_force.x, step->tip_force.y, step->tip_force.z};
    const coif_simd *own_force = (const coif_simd *)block->tip_force_scale;
    const coif_simd pushed = ((const coif_simd *)block->inv_mass)[block->length - 1] *
                             *(const coif_simd *)block->inv_point_mass;
    for (int a = 0; a < 3; ++a) {
        across[a] = side[0] * root[3 + a] + side[1] * root[6 + a] + side[2] * root[9 + a];
        coif_simd *g = (coif_simd *)goal[a];
        coif_simd *f = (coif_simd *)weight[a];
        for (int32_t k = 0; k < block->length; ++k) {
            g[k] = root[a] + lx[k] * root[3 + a] + ly[k] * root[6 + a] + lz[k] * root[9 + a];
            f[k] = fx[k] * root[3 + a] + fy[k] * root[6 + a] + fz[k] * root[9 + a];
        }
        coif_simd on_tip = coif_simd_all(force[a]);
        if (own_force != NULL) {
            on_tip *= own_force[a];
        }
        f[block->length - 1] += on_tip * pushed;
    }
}

// The same where damping or drag differ from point to point.
static void predict_varied(const coif_strand_block *block, coif_solver_scratch *scratch,
                           const coif_substep *step)
{
    const float *const places[3] = {block->pos.x, block->pos.y, block->pos.z};
    const float *const speeds[3] = {block->vel.x, block->vel.y, block->vel.z};
    const float *const airs[3] = {scratch->wind.x, scratch->wind.y, scratch->wind.z};
    const float *const pushes[3] = {scratch->accel.x, scratch->accel.y, scratch->accel.z};
    float *const wanted[3] = {scratch->v_pred.x, scratch->v_pred.y, scratch->v_pred.z};
    float *const targets[3] = {scratch->predicted.x, scratch->predicted.y, scratch->predicted.z};
    const float gravity[3] = {step->gravity.x, step->gravity.y, step->gravity.z};
    for (int32_t k = 0; k < block->length; ++k) {
        const coif_simd c = coif_drag_rate_linear(block, step, k);
        const coif_simd share = 1.0f / (1.0f + step->h * c);
        const coif_simd keep = block->velocity_retention != NULL
                                   ? ((const coif_simd *)block->velocity_retention)[k]
                                   : coif_simd_all(step->velocity_retention);
        for (int axis = 0; axis < 3; ++axis) {
            const coif_simd v = ((const coif_simd *)speeds[axis])[k];
            const coif_simd u = ((const coif_simd *)airs[axis])[k];
            const coif_simd a = ((const coif_simd *)pushes[axis])[k];
            const coif_simd q = (keep * v + step->h * (a + gravity[axis] + c * u)) * share;
            ((coif_simd *)wanted[axis])[k] = q;
            ((coif_simd *)targets[axis])[k] = ((const coif_simd *)places[axis])[k] + step->h * q;
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
static void predict(const coif_strand_block *block, coif_solver_scratch *scratch,
                    const coif_substep *step)
{
    const float *const places[3] = {block->pos.x, block->pos.y, block->pos.z};
    const float *const speeds[3] = {block->vel.x, block->vel.y, block->vel.z};
    const float *const airs[3] = {scratch->wind.x, scratch->wind.y, scratch->wind.z};
    const float *const pushes[3] = {scratch->accel.x, scratch->accel.y, scratch->accel.z};
    float *const wanted[3] = {scratch->v_pred.x, scratch->v_pred.y, scratch->v_pred.z};
    float *const targets[3] = {scratch->predicted.x, scratch->predicted.y, scratch->predicted.z};
    const float gravity[3] = {step->gravity.x, step->gravity.y, step->gravity.z};
    const coif_simd c = step->drag / *(const coif_simd *)block->mass_scale;
    const coif_simd share = 1.0f / (1.0f + step->h * c);
    if (coif_drag_is_cylindrical(step)) {
        COIF_SIMD(coif_drag_predict)(block, scratch, step);
        return;
    }
    if (block->param_scale[COIF_FIELD_DRAG] != NULL || block->velocity_retention != NULL) {
        predict_varied(block, scratch, step);
        return;
    }

    for (int axis = 0; axis < 3; ++axis) {
        const coif_simd *x = (const coif_simd *)places[axis];
        const coif_simd *v = (const coif_simd *)speeds[axis];
        const coif_simd *u = (const coif_simd *)airs[axis];
        const coif_simd *a = (const coif_simd *)pushes[axis];
        coif_simd *q = (coif_simd *)wanted[axis];
        coif_simd *p = (coif_simd *)targets[axis];
        for (int32_t k = 0; k < block->length; ++k) {
            q[k] = (step->velocity_retention * v[k] + step->h * (a[k] + gravity[axis] + c * u[k])) *
                   share;
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
static void bounce(coif_strand_block *block, const coif_solver_scratch *scratch,
                   const coif_substep *step, bool supports_resting)
{
    coif_simd *vx = (coif_simd *)block->vel.x;
    coif_simd *vy = (coif_simd *)block->vel.y;
    coif_simd *vz = (coif_simd *)block->vel.z;
    const coif_simd *nx = (const coif_simd *)scratch->contact_normal.x;
    const coif_simd *ny = (const coif_simd *)scratch->contact_normal.y;
    const coif_simd *nz = (const coif_simd *)scratch->contact_normal.z;
    const float plain = coif_length(step->gravity);
    const float rate = 1.0f / step->h;

    for (int32_t k = scratch->contact_begin; k < scratch->contact_end; ++k) {
        const coif_simd above = nx[k] * ((const coif_simd *)scratch->predicted.x)[k] +
                                ny[k] * ((const coif_simd *)scratch->predicted.y)[k] +
                                nz[k] * ((const coif_simd *)scratch->predicted.z)[k] -
                                ((const coif_simd *)scratch->contact_offset)[k];
        const coif_simd surface = (nx[k] * ((const coif_simd *)scratch->surface_disp.x)[k] +
                                   ny[k] * ((const coif_simd *)scratch->surface_disp.y)[k] +
                                   nz[k] * ((const coif_simd *)scratch->surface_disp.z)[k]) *
                                  rate;
        const coif_simd before = nx[k] * ((const coif_simd *)scratch->v_pred.x)[k] +
                                 ny[k] * ((const coif_simd *)scratch->v_pred.y)[k] +
                                 nz[k] * ((const coif_simd *)scratch->v_pred.z)[k] - surface;
        const coif_simd after = nx[k] * vx[k] + ny[k] * vy[k] + nz[k] * vz[k] - surface;
        const coif_simd_mask rests =
            (((const coif_simd *)scratch->normal_push)[k] > 0.0f) & (above < 1e-5f);
        const coif_simd share =
            coif_point_param(block, COIF_FIELD_RESTITUTION, step->restitution, k);
        const coif_simd slowest = 2.0f * coif_gravity_magnitude_at(block, plain, k) * step->h;
        const coif_simd slow = (supports_resting ? 0.05f : 0.0f) * slowest;
        const coif_simd back =
            coif_simd_select(before < -slowest, -share * before, coif_simd_min(after, slow));
        const coif_simd change = back - after;
        vx[k] = coif_simd_select(rests, vx[k] + change * nx[k], vx[k]);
        vy[k] = coif_simd_select(rests, vy[k] + change * ny[k], vy[k]);
        vz[k] = coif_simd_select(rests, vz[k] + change * nz[k], vz[k]);
    }
}

static bool any_is_free(const coif_strand_block *block)
{
    float most = 0.0f;
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        most += block->inv_mass[lane];
    }
    return most > 0.0f;
}

// Velocities from positions, and the points move. Where nothing holds the root, by what constraints
// changed of the velocity that was predicted: places are rounded, and so is 1 / h, and what falls
// would gain or lose as much in every substep.
static inline void move_points(coif_strand_block *block, const coif_solver_scratch *scratch,
                               const coif_substep *step, bool free)
{
    float *const places[3] = {block->pos.x, block->pos.y, block->pos.z};
    float *const speeds[3] = {block->vel.x, block->vel.y, block->vel.z};
    const float *const targets[3] = {scratch->predicted.x, scratch->predicted.y,
                                     scratch->predicted.z};
    const float *const wanted[3] = {scratch->v_pred.x, scratch->v_pred.y, scratch->v_pred.z};
    const float *const rounded[3] = {scratch->rounding_error.x, scratch->rounding_error.y,
                                     scratch->rounding_error.z};
    const coif_simd_mask loose = *(const coif_simd *)block->inv_mass > 0.0f;
    const float rate = 1.0f / step->h;
    for (int axis = 0; axis < 3; ++axis) {
        coif_simd *x = (coif_simd *)places[axis];
        coif_simd *v = (coif_simd *)speeds[axis];
        const coif_simd *p = (const coif_simd *)targets[axis];
        const coif_simd *q = (const coif_simd *)wanted[axis];
        const coif_simd *lost = (const coif_simd *)rounded[axis];
        for (int32_t k = 0; k < block->length; ++k) {
            v[k] = ((p[k] - x[k]) + lost[k]) * rate;
            if (free) {
                const coif_simd change = (p[k] - (x[k] + step->h * q[k])) + lost[k];
                v[k] = coif_simd_select(loose, q[k] + change * rate, v[k]);
            }
            x[k] = p[k];
        }
    }
}

static void integrate_velocity(coif_strand_block *block, coif_solver_scratch *scratch,
                               const coif_substep *step, bool supports_resting)
{
    if (any_is_free(block)) {
        move_points(block, scratch, step, true);
    } else {
        move_points(block, scratch, step, false);
    }
    if (scratch->has_contacts) {
        bounce(block, scratch, step, supports_resting);
    }
}

#define NAME_OF(lanes)   NAME_TEXT(lanes)
#define NAME_TEXT(lanes) "wide" #lanes

const coif_kernels COIF_SIMD(coif_kernels) = {
    .name = NAME_OF(COIF_LANES),
    .lanes = COIF_LANES,
    .update_targets = update_targets,
    .predict = predict,
    .integrate_velocity = integrate_velocity,
    .precompute_shape = COIF_SIMD(coif_precompute_shape),
    .project_shape = COIF_SIMD(coif_project_shape),
    .smooth_centreline = COIF_SIMD(coif_smooth_centreline),
    .apply_gravity_compensation = COIF_SIMD(coif_apply_gravity_compensation),
    .project_goal = COIF_SIMD(coif_project_goal),
    .project_contact = COIF_SIMD(coif_project_contact),
    .project_friction = COIF_SIMD(coif_project_friction),
    .project_lengths = COIF_SIMD(coif_project_lengths),
    .project_lengths_with_contacts = COIF_SIMD(coif_project_lengths_with_contacts),
    .ftl_project = COIF_SIMD(coif_ftl_project),
    .ftl_fallback = COIF_SIMD(coif_ftl_fallback),
    .ftl_velocity_correction = COIF_SIMD(coif_ftl_velocity_correction),
    .contact = &COIF_SIMD(coif_contact_kernels),
    .select_recheck = COIF_SIMD(coif_select_recheck),
    .project_segment_contacts = COIF_SIMD(coif_project_segment_contacts),
    .segment_friction = COIF_SIMD(coif_segment_friction),
};
