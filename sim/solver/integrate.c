// integrate: prediction and velocity update of a substep. Compiled once per vector width; the
// kernel table is at the end.
#include "sim/solver/constraints_common.h"
#include "sim/solver/drag.h"
#include "sim/solver/methods/der/der.h"
#include "sim/solver/methods/pbd/pbd.h"
#include "sim/solver/methods/spring/mass_spring.h"
#include "sim/solver/methods/xpbd/cosserat_rod.h"
#include "sim/solver/simd_dispatch.h"
#include "sim/solver/strand_frame.h"

// Targets: the rest shape in the frame of the moving root; and the accelerations by gravity
// compensation and by the tip force:
//
//   g = root + x tangent + y bitangent + z normal
//
// The root position is interpolated linearly, as the vertices of the body are; its frame rotates.
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

// As predict, where damping or drag vary from point to point.
static void predict_varied(const coif_strand_block *block, coif_solver_scratch *scratch,
                           const coif_substep *step)
{
    const float *const positions[3] = {block->pos.x, block->pos.y, block->pos.z};
    const float *const velocities[3] = {block->vel.x, block->vel.y, block->vel.z};
    const float *const winds[3] = {scratch->wind.x, scratch->wind.y, scratch->wind.z};
    const float *const accels[3] = {scratch->accel.x, scratch->accel.y, scratch->accel.z};
    float *const v_pred[3] = {scratch->v_pred.x, scratch->v_pred.y, scratch->v_pred.z};
    float *const targets[3] = {scratch->predicted.x, scratch->predicted.y, scratch->predicted.z};
    const float gravity[3] = {step->gravity.x, step->gravity.y, step->gravity.z};
    for (int32_t k = 0; k < block->length; ++k) {
        const coif_simd c = coif_drag_rate_linear(block, step, k);
        const coif_simd factor = 1.0f / (1.0f + step->h * c);
        const coif_simd retention = block->velocity_retention != NULL
                                        ? ((const coif_simd *)block->velocity_retention)[k]
                                        : coif_simd_all(step->velocity_retention);
        for (int axis = 0; axis < 3; ++axis) {
            const coif_simd v = ((const coif_simd *)velocities[axis])[k];
            const coif_simd u = ((const coif_simd *)winds[axis])[k];
            const coif_simd a = ((const coif_simd *)accels[axis])[k];
            const coif_simd q = (retention * v + step->h * (a + gravity[axis] + c * u)) * factor;
            ((coif_simd *)v_pred[axis])[k] = q;
            ((coif_simd *)targets[axis])[k] = ((const coif_simd *)positions[axis])[k] + step->h * q;
        }
    }
}

// Prediction with isotropic drag. Drag against the air velocity u is implicit, so that no wind can
// destabilise a strand:
//
//   v = (retention v + h (a + c u)) / (1 + h c)        p = x + h v
//
// Damping acts on the present velocity and not on the acceleration of this substep, or hair would
// weigh less the more it is damped.
static void predict(const coif_strand_block *block, coif_solver_scratch *scratch,
                    const coif_substep *step)
{
    const float *const positions[3] = {block->pos.x, block->pos.y, block->pos.z};
    const float *const velocities[3] = {block->vel.x, block->vel.y, block->vel.z};
    const float *const winds[3] = {scratch->wind.x, scratch->wind.y, scratch->wind.z};
    const float *const accels[3] = {scratch->accel.x, scratch->accel.y, scratch->accel.z};
    float *const v_pred[3] = {scratch->v_pred.x, scratch->v_pred.y, scratch->v_pred.z};
    float *const targets[3] = {scratch->predicted.x, scratch->predicted.y, scratch->predicted.z};
    const float gravity[3] = {step->gravity.x, step->gravity.y, step->gravity.z};
    const coif_simd c = step->drag / *(const coif_simd *)block->mass_scale;
    const coif_simd factor = 1.0f / (1.0f + step->h * c);
    if (coif_drag_is_cylindrical(step)) {
        COIF_SIMD(coif_drag_predict)(block, scratch, step);
        return;
    }
    if (block->param_scale[COIF_FIELD_DRAG] != NULL || block->velocity_retention != NULL) {
        predict_varied(block, scratch, step);
        return;
    }

    for (int axis = 0; axis < 3; ++axis) {
        const coif_simd *x = (const coif_simd *)positions[axis];
        const coif_simd *v = (const coif_simd *)velocities[axis];
        const coif_simd *u = (const coif_simd *)winds[axis];
        const coif_simd *a = (const coif_simd *)accels[axis];
        coif_simd *q = (coif_simd *)v_pred[axis];
        coif_simd *p = (coif_simd *)targets[axis];
        for (int32_t k = 0; k < block->length; ++k) {
            q[k] = (step->velocity_retention * v[k] + step->h * (a[k] + gravity[axis] + c * u[k])) *
                   factor;
            p[k] = x[k] + step->h * q[k];
        }
    }
}

// Restitution. A fast approach normal to the surface is reflected with the coefficient e;
// depenetration never adds more velocity than that.
//
//   v_n <- e |q_n|         if  q_n < -2 g h, for a point that was pushed and rests on the plane
//   v_n <- min(v_n, 0)     if it came slower
//
// A point supported by the method keeps up to g h / 10 in the latter case: rounding makes it
// tremble, and removing only the upward part would press it down as if it were heavier.
static void restitute(coif_strand_block *block, const coif_solver_scratch *scratch,
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
        const coif_simd coefficient =
            coif_point_param(block, COIF_FIELD_RESTITUTION, step->restitution, k);
        const coif_simd slowest = 2.0f * coif_gravity_magnitude_at(block, plain, k) * step->h;
        const coif_simd slow = (supports_resting ? 0.05f : 0.0f) * slowest;
        const coif_simd back =
            coif_simd_select(before < -slowest, -coefficient * before, coif_simd_min(after, slow));
        const coif_simd change = back - after;
        vx[k] = coif_simd_select(rests, vx[k] + change * nx[k], vx[k]);
        vy[k] = coif_simd_select(rests, vy[k] + change * ny[k], vy[k]);
        vz[k] = coif_simd_select(rests, vz[k] + change * nz[k], vz[k]);
    }
}

static bool any_root_is_free(const coif_strand_block *block)
{
    float most = 0.0f;
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        most += block->inv_mass[lane];
    }
    return most > 0.0f;
}

// Velocities from positions. Where the root is free, from the change of the predicted velocity by
// constraints: positions and 1 / h are rounded, and a falling strand would gain or lose momentum in
// every substep.
static inline void move_points(coif_strand_block *block, const coif_solver_scratch *scratch,
                               const coif_substep *step, bool free)
{
    float *const positions[3] = {block->pos.x, block->pos.y, block->pos.z};
    float *const velocities[3] = {block->vel.x, block->vel.y, block->vel.z};
    const float *const targets[3] = {scratch->predicted.x, scratch->predicted.y,
                                     scratch->predicted.z};
    const float *const v_pred[3] = {scratch->v_pred.x, scratch->v_pred.y, scratch->v_pred.z};
    const float *const rounded[3] = {scratch->rounding_error.x, scratch->rounding_error.y,
                                     scratch->rounding_error.z};
    const coif_simd_mask loose = *(const coif_simd *)block->inv_mass > 0.0f;
    const float rate = 1.0f / step->h;
    for (int axis = 0; axis < 3; ++axis) {
        coif_simd *x = (coif_simd *)positions[axis];
        coif_simd *v = (coif_simd *)velocities[axis];
        const coif_simd *p = (const coif_simd *)targets[axis];
        const coif_simd *q = (const coif_simd *)v_pred[axis];
        const coif_simd *error = (const coif_simd *)rounded[axis];
        for (int32_t k = 0; k < block->length; ++k) {
            v[k] = ((p[k] - x[k]) + error[k]) * rate;
            if (free) {
                const coif_simd change = (p[k] - (x[k] + step->h * q[k])) + error[k];
                v[k] = coif_simd_select(loose, q[k] + change * rate, v[k]);
            }
            x[k] = p[k];
        }
    }
}

static void integrate_velocity(coif_strand_block *block, coif_solver_scratch *scratch,
                               const coif_substep *step, bool supports_resting)
{
    if (any_root_is_free(block)) {
        move_points(block, scratch, step, true);
    } else {
        move_points(block, scratch, step, false);
    }
    if (scratch->has_contacts) {
        restitute(block, scratch, step, supports_resting);
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
    .pbd = &COIF_SIMD(coif_pbd_kernels),
    .der = &COIF_SIMD(coif_der_kernels),
    .cosserat = &COIF_SIMD(coif_cosserat_kernels),
    .spring = &COIF_SIMD(coif_spring_kernels),
    .select_recheck = COIF_SIMD(coif_select_recheck),
    .project_segment_contacts = COIF_SIMD(coif_project_segment_contacts),
    .segment_friction = COIF_SIMD(coif_segment_friction),
};
