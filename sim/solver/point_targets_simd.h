// point_targets_simd: the pull of a target on a point, in SIMD lanes.
#ifndef COIF_SIM_SOLVER_POINT_TARGETS_SIMD_H
#define COIF_SIM_SOLVER_POINT_TARGETS_SIMD_H

#include "core/simd/simd_vec3.h"
#include "sim/solver/point_targets.h"

// Limit of rate times substep: beyond it single precision does not hold the mass that a target adds
// beside the stiffness of hair, and a point keeps a thousandth of its error in a substep. That of a
// point of strength 1 with an axis is higher: it is not held.
#define TARGET_MAX_RHO      32.0f
#define TARGET_MAX_AXIS_RHO 100.0f

// Whether some lane of a point has a target of a set.
static inline bool target_acts(const coif_target_rows *rows, int32_t k)
{
    return rows->active && k >= rows->first_row && k < rows->end_row &&
           any_of(((const coif_simd *)rows->rate)[k] != 0.0f);
}

static inline bool row_has_target(const coif_block_targets *targets, int32_t k)
{
    return target_acts(&targets->sets[0], k) || target_acts(&targets->sets[1], k);
}

// Rate times substep (part: of a substep) of a target.
static inline coif_simd target_rho(const coif_target_rows *rows, int32_t k, coif_simd h,
                                   coif_simd part)
{
    const coif_simd rate = ((const coif_simd *)rows->rate)[k];
    return coif_simd_select(rate < 0.0f, TARGET_MAX_AXIS_RHO * part,
                            coif_simd_min(rate * h, TARGET_MAX_RHO * part));
}

// A point under the targets so far.
typedef struct pulled_point {
    simd_vec3 begin;     // its position at the begin of the step
    simd_vec3 p;         // and at the end
    simd_vec3 pull;      // displacement of the latter by targets
    coif_simd lightness; // inverse mass relative to that without targets; along the axis
    coif_simd across;    // more mass across the axis
    coif_simd_mask held; // strength 1
} pulled_point;

static inline pulled_point unpulled_point(simd_vec3 begin, simd_vec3 p)
{
    return (pulled_point){.begin = begin, .p = p, .lightness = coif_simd_all(1.0f)};
}

// Component of a across the axis, which may be zero.
static inline simd_vec3 across3(simd_vec3 a, simd_vec3 axis)
{
    return sub3(a, scale3(axis, dot3(axis, a)));
}

static inline simd_vec3 axis_of(const coif_target_rows *rows, int32_t k)
{
    const simd_vec3 none = {0};
    return rows->has_axis ? load3(&rows->axis, k) : none;
}

// The position nearest to p that the target allows, g plus slack and axis; and whether it pulls.
static inline simd_vec3 target_near(const coif_target_rows *rows, int32_t k, simd_vec3 g,
                                    simd_vec3 p, simd_vec3 axis, coif_simd_mask *pulls)
{
    *pulls = ((const coif_simd *)rows->rate)[k] != 0.0f;
    if (!rows->has_slack && !rows->has_axis) {
        return g;
    }
    const coif_simd slack = ((const coif_simd *)rows->slack)[k];
    const simd_vec3 offset = sub3(p, g);
    const simd_vec3 away = across3(offset, axis);
    const coif_simd distance2 = dot3(away, away);
    const coif_simd scale = slack / (coif_simd_sqrt(distance2) + SIMD_TINY);
    *pulls &= (slack == 0.0f) | (distance2 > slack * slack);
    return add3(g, add3(scale3(away, scale), sub3(offset, away)));
}

// G: the target at the end of the step, disp: its displacement; part: of a substep.
static inline void pull_point(pulled_point *point, const coif_target_rows *rows, int32_t k,
                              simd_vec3 g, simd_vec3 disp, coif_simd h, coif_simd part)
{
    const coif_simd rate = ((const coif_simd *)rows->rate)[k];
    const simd_vec3 axis = axis_of(rows, k);
    coif_simd_mask pulls;
    const simd_vec3 near = target_near(rows, k, g, point->p, axis, &pulls);
    const coif_simd rho = target_rho(rows, k, h, part);
    const coif_simd kappa = rho * (2.0f + rho);
    const coif_simd lighter = point->lightness / (1.0f + kappa * point->lightness);
    const simd_vec3 away = sub3(near, point->p);
    const simd_vec3 carried = sub3(add3(point->begin, disp), near);
    simd_vec3 pull = scale3(mad3(scale3(away, kappa), 2.0f * rho, carried), lighter);
    coif_simd_mask holds = pulls & (rate < 0.0f);
    coif_simd_mask draws = pulls & ~holds & ~point->held;
    if (rows->has_axis) {
        const coif_simd_mask has_axis = dot3(axis, axis) > 0.5f;
        pull = across3(pull, axis);
        holds &= ~has_axis | point->held;
        draws = pulls & ~holds & ~point->held;
        point->across = coif_simd_select(draws & has_axis, kappa, point->across);
        point->lightness = coif_simd_select(draws & ~has_axis, lighter, point->lightness);
    } else {
        point->lightness = coif_simd_select(draws, lighter, point->lightness);
    }
    const simd_vec3 zero3 = {0};
    pull = select3(draws, pull, select3(holds, away, zero3));
    point->pull = add3(point->pull, pull);
    point->p = select3(holds, near, add3(point->p, pull));
    point->held |= holds;
}

#endif
