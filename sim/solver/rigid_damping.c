// rigid_damping: velocity damping that keeps rigid motion (Mueller et al. 2007, section 3.5).
// Compiled once per vector width.
//
// Velocities approach those of the rigid motion with the linear and angular momentum of the strand:
//
//   v_i += k (v_cm + omega x r_i - v_i)      I omega = L = sum r_i x m_i v_i      r_i = x_i - x_cm
//
// Pinned points follow the body; they neither count nor change. The paper damps after external
// forces and before the prediction, this at the end of the substep before; uniform accelerations
// between the two are rigid motion.
#include "core/simd/simd_symmetric3.h"
#include "sim/solver/constraints_common.h"

// Inertia added to all axes, as a fraction of the trace: a straight strand has none about its own
// axis. Refinement removes the error that it causes about the others.
static const float EXTRA_INERTIA = 1e-5f;
enum { REFINEMENTS = 2 };

static inline coif_simd mass_at(const coif_strand_block *block, int32_t k)
{
    const coif_simd w = ((const coif_simd *)block->inv_mass)[k];
    const coif_simd zero = coif_simd_all(0.0f);
    return coif_simd_select(w > 0.0f, 1.0f / coif_simd_select(w > 0.0f, w, zero + 1.0f), zero);
}

static inline simd_vec3 times(const symmetric *s, simd_vec3 a)
{
    return (simd_vec3){s->xx * a.x + s->xy * a.y + s->xz * a.z,
                       s->xy * a.x + s->yy * a.y + s->yz * a.z,
                       s->xz * a.x + s->yz * a.y + s->zz * a.z};
}

static simd_vec3 angular_velocity(const symmetric *inertia, simd_vec3 moment)
{
    symmetric more = *inertia;
    add_diagonal(&more, EXTRA_INERTIA * trace(inertia) + SIMD_TINY);
    const ldlt3 d = ldlt3_of(&more, coif_simd_all(0.0f), 0.0f);
    simd_vec3 omega = backward(d.below, d.inv_sqrt, forward(&d, moment));
    for (int i = 0; i < REFINEMENTS; ++i) {
        const simd_vec3 left = sub3(moment, times(inertia, omega));
        omega = add3(omega, backward(d.below, d.inv_sqrt, forward(&d, left)));
    }
    return omega;
}

void COIF_SIMD(coif_damp_deformation)(coif_strand_block *block, const coif_substep *step)
{
    const coif_simd *own = (const coif_simd *)block->rigid_damping;
    const coif_simd factor = own != NULL ? *own : coif_simd_all(step->rigid_damping);
    const coif_soa3 pos = block->pos;
    coif_soa3 vel = block->vel;
    // Sums relative to the last point, which moves with the others, lose fewer digits.
    const simd_vec3 tip = load3(&pos, block->length - 1);
    const simd_vec3 tip_vel = load3(&vel, block->length - 1);
    simd_vec3 centre = {0};
    simd_vec3 mean = {0};
    coif_simd mass = coif_simd_all(0.0f);
    for (int32_t k = 0; k < block->length; ++k) {
        const coif_simd m = mass_at(block, k);
        centre = mad3(centre, m, sub3(load3(&pos, k), tip));
        mean = mad3(mean, m, sub3(load3(&vel, k), tip_vel));
        mass += m;
    }
    const coif_simd inverse = 1.0f / (mass + SIMD_TINY);
    centre = scale3(centre, inverse);
    mean = scale3(mean, inverse);
    symmetric inertia = {0};
    simd_vec3 moment = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        const coif_simd m = mass_at(block, k);
        const simd_vec3 r = sub3(sub3(load3(&pos, k), tip), centre);
        const simd_vec3 u = sub3(sub3(load3(&vel, k), tip_vel), mean);
        moment = add3(moment, cross3(r, scale3(u, m)));
        add_outer(&inertia, scale3(r, -m), r);
        add_diagonal(&inertia, m * dot3(r, r));
    }
    const simd_vec3 omega = angular_velocity(&inertia, moment);
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 r = sub3(sub3(load3(&pos, k), tip), centre);
        const simd_vec3 v = load3(&vel, k);
        const simd_vec3 u = sub3(sub3(v, tip_vel), mean);
        const simd_vec3 damped = mad3(v, factor, sub3(cross3(omega, r), u));
        store3(&vel, k, select3(mass_at(block, k) > 0.0f, damped, v));
    }
}
