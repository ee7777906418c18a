// integrate: prediction and velocity update of a substep. Compiled once per vector width; the
// kernel table is at the end.
//
// Row pointers are copied to locals before a loop: vectors may alias anything, so the compiler
// would read the pointers again after every store.
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
    coif_simd at[3];
    for (int a = 0; a < 3; ++a) {
        at[a] = begin[a] + step->end * (end[a] - begin[a]);
    }
    const simd_vec3 root = {at[0], at[1], at[2]};
    simd_vec3 axes[3];
    root_axes_at(axes, block, step->end);
    const coif_simd *side = (const coif_simd *)block->reference_axis;
    const simd_vec3 across = from_axes3(axes, (simd_vec3){side[0], side[1], side[2]});
    coif_simd *reference = (coif_simd *)scratch->reference_axis_world;
    reference[0] = across.x;
    reference[1] = across.y;
    reference[2] = across.z;
    const coif_soa3 rest_local = block->rest_local, support = block->support.accel;
    coif_soa3 targets = scratch->target, accel = scratch->accel;
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 rest = load3(&rest_local, k);
        simd_vec3 target = root;
        target = mad3(target, rest.x, axes[0]);
        target = mad3(target, rest.y, axes[1]);
        target = mad3(target, rest.z, axes[2]);
        store3(&targets, k, target);
        store3(&accel, k, from_axes3(axes, load3(&support, k)));
    }
    const int32_t tip = block->length - 1;
    simd_vec3 force = splat3(step->tip_force);
    const coif_simd *scale = (const coif_simd *)block->tip_force_scale;
    if (scale != NULL) {
        force = (simd_vec3){force.x * scale[0], force.y * scale[1], force.z * scale[2]};
    }
    const coif_simd inv_mass =
        ((const coif_simd *)block->inv_mass)[tip] * *(const coif_simd *)block->inv_point_mass;
    store3(&accel, tip, mad3(load3(&accel, tip), inv_mass, force));
}

// Prediction with isotropic drag. Drag against the air velocity u is implicit, so that no wind can
// destabilise a strand:
//
//   v = (retention v + h (a + c u)) / (1 + h c)        p = x + h v
//
// Damping acts on the present velocity and not on the acceleration of this substep, or hair would
// weigh less the more it is damped. Varies: damping or drag differ from point to point.
static inline void predict_isotropic(const coif_strand_block *block, coif_solver_scratch *scratch,
                                     const coif_substep *step, bool varies)
{
    const coif_soa3 pos = block->pos, vel = block->vel, wind = scratch->wind;
    coif_soa3 accel = scratch->accel, v_pred = scratch->v_pred, predicted = scratch->predicted;
    const simd_vec3 gravity = splat3(step->gravity);
    const coif_simd h = coif_simd_all(step->h);
    coif_simd retention = coif_simd_all(step->velocity_retention);
    coif_simd c = step->drag / *(const coif_simd *)block->mass_scale;
    coif_simd factor = 1.0f / (1.0f + h * c);
    for (int32_t k = 0; k < block->length; ++k) {
        if (varies) {
            retention = coif_velocity_retention_at(block, step, k);
            c = coif_drag_rate_linear(block, step, k);
            factor = 1.0f / (1.0f + h * c);
        }
        const simd_vec3 free = add3(load3(&accel, k), gravity);
        const simd_vec3 gain = scale3(mad3(free, c, load3(&wind, k)), h);
        const simd_vec3 q = scale3(add3(scale3(load3(&vel, k), retention), gain), factor);
        store3(&v_pred, k, q);
        store3(&predicted, k, mad3(load3(&pos, k), h, q));
    }
}

static void predict(const coif_strand_block *block, coif_solver_scratch *scratch,
                    const coif_substep *step)
{
    if (coif_drag_is_cylindrical(step)) {
        COIF_SIMD(coif_drag_predict)(block, scratch, step);
    } else if (block->param_scale[COIF_FIELD_DRAG] != NULL || block->velocity_retention != NULL) {
        predict_isotropic(block, scratch, step, true);
    } else {
        predict_isotropic(block, scratch, step, false);
    }
}

// Restitution. A fast approach normal to the surface is reflected with the coefficient e;
// depenetration never adds more velocity than that.
//
//   v_n <- e |q_n|         if  q_n < -2 g h, for a point that was pushed and rests on the plane
//   v_n <- min(v_n, 0)     if it came slower
//
// A point in a soft surface keeps the velocity that its spring gives it.
//
// A point supported by the method keeps up to g h / 10 in the latter case: rounding makes it
// tremble, and removing only the upward part would press it down as if it were heavier.
static void restitute(coif_strand_block *block, const coif_solver_scratch *scratch,
                      const coif_substep *step, bool supports_resting)
{
    const float gravity = coif_length(step->gravity);
    const float rate = 1.0f / step->h;
    for (int32_t k = scratch->contact_begin; k < scratch->contact_end; ++k) {
        const simd_vec3 n = load3(&scratch->contact_normal, k);
        const simd_vec3 v = load3(&block->vel, k);
        const coif_simd above = dot3(n, load3(&scratch->predicted, k)) -
                                ((const coif_simd *)scratch->contact_offset)[k];
        const coif_simd surface = dot3(n, load3(&scratch->surface_disp, k)) * rate;
        const coif_simd before = dot3(n, load3(&scratch->v_pred, k)) - surface;
        const coif_simd after = dot3(n, v) - surface;
        coif_simd_mask rests =
            (((const coif_simd *)scratch->normal_push)[k] > 0.0f) & (above < 1e-5f);
        if (scratch->has_soft_surface) {
            rests &= ((const coif_simd *)scratch->surface_soft)[k] == 0.0f;
        }
        const coif_simd coefficient =
            coif_point_param(block, COIF_FIELD_RESTITUTION, step->restitution, k);
        const coif_simd slowest = 2.0f * coif_gravity_magnitude_at(block, gravity, k) * step->h;
        const coif_simd slow = (supports_resting ? 0.05f : 0.0f) * slowest;
        const coif_simd v_n =
            coif_simd_select(before < -slowest, -coefficient * before, coif_simd_min(after, slow));
        store3(&block->vel, k, select3(rests, mad3(v, v_n - after, n), v));
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
    const coif_soa3 predicted = scratch->predicted, v_pred = scratch->v_pred;
    const coif_soa3 rounding_error = scratch->rounding_error;
    coif_soa3 pos = block->pos, vel = block->vel;
    const coif_simd_mask loose = *(const coif_simd *)block->inv_mass > 0.0f;
    const coif_simd h = coif_simd_all(step->h);
    const coif_simd rate = coif_simd_all(1.0f / step->h);
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 x = load3(&pos, k);
        const simd_vec3 p = load3(&predicted, k);
        const simd_vec3 error = load3(&rounding_error, k);
        simd_vec3 v = scale3(add3(sub3(p, x), error), rate);
        if (free) {
            const simd_vec3 q = load3(&v_pred, k);
            const simd_vec3 change = add3(sub3(p, mad3(x, h, q)), error);
            v = select3(loose, mad3(q, rate, change), v);
        }
        store3(&vel, k, v);
        store3(&pos, k, p);
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
    .damp_deformation = COIF_SIMD(coif_damp_deformation),
    .precompute_shape = COIF_SIMD(coif_precompute_shape),
    .project_shape = COIF_SIMD(coif_project_shape),
    .smooth_centreline = COIF_SIMD(coif_smooth_centreline),
    .apply_gravity_compensation = COIF_SIMD(coif_apply_gravity_compensation),
    .project_goal = COIF_SIMD(coif_project_goal),
    .project_contact = COIF_SIMD(coif_project_contact),
    .project_friction = COIF_SIMD(coif_project_friction),
    .project_lengths = COIF_SIMD(coif_project_lengths),
    .pull_targets = COIF_SIMD(coif_pull_targets),
    .hold_targets = COIF_SIMD(coif_hold_targets),
    .project_targets = COIF_SIMD(coif_project_targets),
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
