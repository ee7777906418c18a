// drag: see drag.h. Compiled once per vector width.
#include "sim/solver/drag.h"

static inline coif_simd length3(simd_vec3 a)
{
    return coif_simd_sqrt(dot3(a, a));
}

// Drag rates normal to a strand and along it, and 1 / (1 + h c) of both.
typedef struct rates {
    coif_simd c_n, c_t, factor_n, factor_t;
} rates;

static inline rates rates_of(coif_simd c_n, coif_simd c_t, float h)
{
    return (rates){c_n, c_t, 1.0f / (1.0f + h * c_n), 1.0f / (1.0f + h * c_t)};
}

// v <- (1 + h C)^-1 (retention v + h (a + C u)), with the matrix C = c_n (1 - t t^T) + c_t t t^T.
void COIF_SIMD(coif_drag_predict)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                  const coif_substep *step)
{
    const float h = step->h;
    const simd_vec3 gravity = splat3(step->gravity);
    const coif_simd area_per_mass = *(const coif_simd *)block->area_per_mass;
    const bool varies = step->quadratic_drag > 0.0f ||
                        block->param_scale[COIF_FIELD_DRAG] != NULL ||
                        block->param_scale[COIF_FIELD_TANGENTIAL_DRAG_REDUCTION] != NULL;
    const coif_simd first = coif_drag_rate_linear(block, step, 0);
    rates c = rates_of(first, (1.0f - step->tangential_drag_reduction) * first, h);
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 t = coif_drag_direction(block, k);
        const simd_vec3 v = load3(&block->vel, k);
        const simd_vec3 u = load3(&scratch->wind, k);
        if (varies) {
            const simd_vec3 wind = sub3(u, v);
            const coif_simd along = dot3(wind, t);
            const coif_simd speed = length3(sub3(wind, scale3(t, along)));
            const coif_simd linear = coif_drag_rate_linear(block, step, k);
            const coif_simd quadratic =
                coif_point_param(block, COIF_FIELD_DRAG_COEFFICIENT, step->quadratic_drag, k) *
                area_per_mass;
            const coif_simd reduction = coif_point_param(
                block, COIF_FIELD_TANGENTIAL_DRAG_REDUCTION, step->tangential_drag_reduction, k);
            const coif_simd both = quadratic * coif_simd_max(along, -along);
            const coif_simd tangential_factor =
                1.0f - coif_simd_min(reduction, coif_simd_all(1.0f));
            c = rates_of(linear + quadratic * speed, tangential_factor * (linear + both), h);
        }
        ((coif_simd *)scratch->drag_normal)[k] = c.c_n;
        ((coif_simd *)scratch->drag_tangential)[k] = c.c_t;
        store3(&scratch->drag_axis, k, t);
        const coif_simd retention = coif_velocity_retention_at(block, step, k);
        const simd_vec3 push = add3(load3(&scratch->accel, k), gravity);
        const simd_vec3 free = add3(scale3(v, retention), scale3(push, coif_simd_all(h)));
        const coif_simd free_t = dot3(free, t);
        const coif_simd u_t = dot3(u, t);
        const simd_vec3 free_n = sub3(free, scale3(t, free_t));
        const simd_vec3 u_n = sub3(u, scale3(t, u_t));
        const simd_vec3 across = scale3(add3(free_n, scale3(u_n, h * c.c_n)), c.factor_n);
        const simd_vec3 q = add3(across, scale3(t, (free_t + h * c.c_t * u_t) * c.factor_t));
        store3(&scratch->v_pred, k, q);
        store3(&scratch->predicted, k, add3(load3(&block->pos, k), scale3(q, coif_simd_all(h))));
    }
}
