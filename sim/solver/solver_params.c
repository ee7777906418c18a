#include "sim/solver/solver_params.h"

#include "core/base/arena.h"
#include "core/base/deterministic_math.h"

#include <math.h>

float coif_iteration_stiffness(const coif_solver_params *params, float k)
{
    if (k >= 1.0f || params->unscaled_iterations) {
        return k;
    }
    return 1.0f - coif_det_pow(1.0f - k, 1.0f / (float)params->iterations);
}

float coif_max_depenetration(float speed, float h)
{
    return speed > 0.0f ? speed * h : INFINITY;
}

float coif_velocity_retention(const coif_solver_params *params, float factor, float h)
{
    return params->damping_factor *
           coif_det_exp(-(params->damping * factor + params->extra_damping) * h);
}

float coif_rigid_damping(const coif_solver_params *params, float factor, float rate_factor, float h)
{
    const float k = fminf(params->rigid_damping * factor, 1.0f);
    const float rate = params->rigid_damping_rate * rate_factor;
    return rate > 0.0f ? 1.0f - (1.0f - k) * coif_det_exp(-rate * h) : k;
}

// kg/m3, at 20 degrees.
static const float AIR_DENSITY = 1.204f;

coif_substep coif_substep_of(const coif_solver_params *params, int32_t index, double seconds,
                             double time)
{
    const float h = (float)(seconds / params->substeps);
    return (coif_substep){
        .h = h,
        .begin = (float)index / (float)params->substeps,
        .end = (float)(index + 1) / (float)params->substeps,
        .time = time + seconds * (index + 1) / params->substeps,
        .gravity = params->gravity,
        .velocity_retention = coif_velocity_retention(params, 1.0f, h),
        .rigid_damping = coif_rigid_damping(params, 1.0f, 1.0f, h),
        .drag = params->drag,
        .tangential_drag_reduction = params->tangential_drag_reduction,
        .quadratic_drag = 0.5f * AIR_DENSITY * params->drag_coefficient,
        .stretch_stiffness = coif_iteration_stiffness(params, params->stretch_stiffness),
        .bend_stiffness = coif_iteration_stiffness(params, params->bend_stiffness),
        .attachment_stiffness = coif_iteration_stiffness(params, params->attachment_stiffness),
        .shape_stiffness = coif_iteration_stiffness(params, params->shape_stiffness),
        .tip_force = params->tip_force,
        .friction = params->friction,
        .restitution = params->restitution,
        .max_depenetration = coif_max_depenetration(params->max_depenetration_speed, h),
        .bending_damping_time = params->bending_damping_time,
        .iterations = params->iterations,
        .ftl_velocity_correction = params->ftl_velocity_correction,
        .length_constraint = params->length_constraint,
    };
}

void coif_strand_block_add_param_rows(coif_strand_block *block, coif_arena *arena)
{
    const int64_t count = (int64_t)block->length * block->lanes;
    if (block->param_scale[COIF_FIELD_DAMPING] != NULL ||
        block->param_scale[COIF_FIELD_DAMPING_FACTOR] != NULL) {
        block->velocity_retention = coif_arena_new(arena, count, float);
    }
    if (block->param_scale[COIF_FIELD_RIGID_DAMPING] != NULL ||
        block->param_scale[COIF_FIELD_RIGID_DAMPING_RATE] != NULL) {
        block->rigid_damping = coif_arena_new(arena, block->lanes, float);
    }
    for (int row = 0; row < COIF_ITERATION_ROWS; ++row) {
        if (block->param_scale[COIF_FIELD_STRETCH_STIFFNESS + row] != NULL) {
            block->iteration_stiffness[row] = coif_arena_new(arena, count, float);
        }
    }
    if (block->iteration_stiffness[COIF_ITERATION_SHAPE] != NULL) {
        block->shape_stiffness = coif_arena_new(arena, block->lanes, float);
    }
    if (block->param_scale[COIF_FIELD_MAX_DEPENETRATION_SPEED] != NULL) {
        block->max_depenetration = coif_arena_new(arena, count, float);
    }
    if (block->param_scale[COIF_FIELD_GRAVITY] != NULL) {
        block->gravity_magnitude = coif_arena_new(arena, count, float);
    }
}

static void update_velocity_retention(coif_strand_block *block, const coif_solver_params *params,
                                      float h)
{
    const float *damping = block->param_scale[COIF_FIELD_DAMPING];
    const float *factor = block->param_scale[COIF_FIELD_DAMPING_FACTOR];
    coif_solver_params own = *params;
    for (int64_t i = 0;
         block->velocity_retention != NULL && i < (int64_t)block->length * block->lanes; ++i) {
        // Never above 1, which would add energy.
        own.damping_factor =
            factor != NULL ? fminf(params->damping_factor * factor[i], 1.0f) : own.damping_factor;
        block->velocity_retention[i] =
            coif_velocity_retention(&own, damping != NULL ? damping[i] : 1.0f, h);
    }
}

// One number per strand, or its momentum would change: that of the root.
static void update_rigid_damping(coif_strand_block *block, const coif_solver_params *params,
                                 float h)
{
    const float *factor = block->param_scale[COIF_FIELD_RIGID_DAMPING];
    const float *rate = block->param_scale[COIF_FIELD_RIGID_DAMPING_RATE];
    for (int32_t lane = 0; block->rigid_damping != NULL && lane < block->lanes; ++lane) {
        block->rigid_damping[lane] = coif_rigid_damping(
            params, factor != NULL ? factor[lane] : 1.0f, rate != NULL ? rate[lane] : 1.0f, h);
    }
}

static void update_iteration_stiffness(coif_strand_block *block, const coif_solver_params *params)
{
    const float stiffnesses[COIF_ITERATION_ROWS] = {
        params->stretch_stiffness, params->bend_stiffness, params->attachment_stiffness,
        params->shape_stiffness};
    const int64_t count = (int64_t)block->length * block->lanes;
    for (int row = 0; row < COIF_ITERATION_ROWS; ++row) {
        const float *factor = block->param_scale[COIF_FIELD_STRETCH_STIFFNESS + row];
        for (int64_t i = 0; factor != NULL && i < count; ++i) {
            block->iteration_stiffness[row][i] =
                coif_iteration_stiffness(params, fminf(stiffnesses[row] * factor[i], 1.0f));
        }
    }
    if (block->shape_stiffness == NULL) {
        return;
    }
    float *relative = block->iteration_stiffness[COIF_ITERATION_SHAPE];
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        float largest = 0.0f;
        for (int64_t i = lane; i < count; i += block->lanes) {
            largest = fmaxf(largest, relative[i]);
        }
        for (int64_t i = lane; i < count; i += block->lanes) {
            relative[i] = largest > 0.0f ? relative[i] / largest : 1.0f;
        }
        block->shape_stiffness[lane] = largest;
    }
}

void coif_strand_block_update_params(coif_strand_block *block, const coif_solver_params *params,
                                     float h)
{
    const int64_t count = (int64_t)block->length * block->lanes;
    const float *speed = block->param_scale[COIF_FIELD_MAX_DEPENETRATION_SPEED];
    update_velocity_retention(block, params, h);
    update_rigid_damping(block, params, h);
    update_iteration_stiffness(block, params);
    for (int64_t i = 0; speed != NULL && i < count; ++i) {
        block->max_depenetration[i] =
            coif_max_depenetration(params->max_depenetration_speed * speed[i], h);
    }
    const float *const *own = (const float *const *)block->param_scale + COIF_FIELD_GRAVITY;
    for (int64_t i = 0; own[0] != NULL && i < count; ++i) {
        block->gravity_magnitude[i] =
            coif_length(coif_vec3_of(params->gravity.x * own[0][i], params->gravity.y * own[1][i],
                                     params->gravity.z * own[2][i]));
    }
}
