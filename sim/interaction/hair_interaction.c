#include "sim/interaction/hair_interaction.h"

#include "core/base/jobs.h"
#include "sim/interaction/hair_interaction_internal.h"
#include "sim/interaction/wind_occlusion.h"

bool coif_hair_interaction_enabled(const coif_sim_params *params)
{
    return params->hair_friction > 0.0f || params->hair_pressure > 0.0f ||
           params->wind_shelter > 0.0f;
}

// Acceleration, and the share of wind that is left.
static simd_float4 gather(const crowding *all, found *last, const line *a, const line *b, float t)
{
    coif_tile_sample spot;
    const simd_float4 *felt = NULL;
    if (coif_tile_sample_at(&spot, between(a->place, b->place, t))) {
        felt = felt_at(all->field, last, &spot);
    }
    if (felt == NULL) {
        return (simd_float4){0.0f, 0.0f, 0.0f, 1.0f};
    }
    simd_float4 sum = {0};
    for (int i = 0; i < 8; ++i) {
        sum += spot.weights[i] * felt[COIF_TILE_CORNERS[i]];
    }
    float rate = all->rate;
    if (last->rates != NULL) {
        rate = 0.0f;
        for (int i = 0; i < 8; ++i) {
            rate += spot.weights[i] * last->rates[spot.node + COIF_TILE_CORNERS[i]];
        }
    }
    simd_float4 speed = between(a->speed, b->speed, t);
    speed[3] = 0.0f;
    return sum - rate * speed;
}

static void put(coif_strand_block *block, int64_t at, simd_float4 a)
{
    const float free = block->inv_mass[at] == 0.0f ? 0.0f : 1.0f;
    block->interaction_accel.x[at] = free * a[0];
    block->interaction_accel.y[at] = free * a[1];
    block->interaction_accel.z[at] = free * a[2];
    block->wind_fraction[at] = a[3];
}

// A sample pushes the ends of its segment by their shares, of two the nearer one with three
// quarters: what was strewn is gathered with the same weights, so momentum is kept.
static void gather_strand(const crowding *all, coif_strand_block *block, int32_t lane)
{
    const bool halves = all->solver->interaction.halves;
    found last = {.felt = NULL};
    line a = line_of(all, block, NULL, lane);
    simd_float4 before = {0}; // of the last segment
    for (int32_t k = 1; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const line b = line_of(all, block, NULL, at);
        simd_float4 near;
        simd_float4 far;
        if (halves) {
            const simd_float4 one = gather(all, &last, &a, &b, HALVES[0]);
            const simd_float4 two = gather(all, &last, &a, &b, HALVES[1]);
            near = HALVES[1] * one + HALVES[0] * two;
            far = HALVES[0] * one + HALVES[1] * two;
        } else {
            near = far = gather(all, &last, &a, &b, 0.5f);
        }
        const simd_float4 mean = 0.5f * before + 0.5f * near;
        put(block, at - block->lanes, k == 1 ? near : mean);
        before = far;
        a = b;
    }
    put(block, (int64_t)(block->length - 1) * block->lanes + lane, before);
}

// From the axes of the grid back to those of the world.
static void turn_back(const crowding *all, coif_strand_block *block)
{
    for (int64_t at = 0; at < (int64_t)block->length * block->lanes; ++at) {
        const coif_vec3 local = {block->interaction_accel.x[at], block->interaction_accel.y[at],
                                 block->interaction_accel.z[at]};
        const coif_vec3 push = coif_mat3_apply_transposed(&all->map.to_grid, local);
        block->interaction_accel.x[at] = push.x;
        block->interaction_accel.y[at] = push.y;
        block->interaction_accel.z[at] = push.z;
    }
}

static void gather_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const crowding *all = context;
    for (int64_t b = begin; b < end; ++b) {
        coif_strand_block *block = &all->solver->blocks[b];
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            gather_strand(all, block, lane);
        }
        turn_back(all, block);
    }
}

static bool is_varied(const coif_solver *solver)
{
    const coif_strand_block *block = solver->blocks;
    return solver->block_count > 0 && (block->param_scale[COIF_FIELD_HAIR_FRICTION] != NULL ||
                                       block->param_scale[COIF_FIELD_HAIR_PRESSURE] != NULL ||
                                       block->param_scale[COIF_FIELD_WIND_SHELTER] != NULL);
}

void coif_hair_interaction_update(coif_solver *solver, const coif_sim_params *params,
                                  const coif_interaction_interval *moment, coif_jobs *jobs)
{
    coif_hair_interaction *crowd = &solver->interaction;
    coif_arena scratch;
    coif_arena_init(&scratch, "hair grid");
    const coif_grid_coefficients law = {.seconds = (float)moment->seconds,
                                        .rate = params->hair_friction,
                                        .speed = params->hair_pressure};
    coif_hair_grid field;
    crowding all = {.solver = solver,
                    .field = &field,
                    .varied = is_varied(solver),
                    .rate = coif_hair_grid_rate(&law)};
    coif_grid_frame from;
    coif_grid_frame to;
    coif_grid_frame_fit(&from, solver, moment, moment->from);
    coif_grid_frame_fit(&to, solver, moment, moment->to);
    coif_grid_transform_make(&all.map, &from, &to, moment->seconds, crowd->cell);
    coif_hair_interaction_scatter(&all, &scratch, jobs);
    coif_hair_grid_build(&field, all.splats, crowd->groups, crowd->cell, &scratch, jobs);
    coif_hair_interaction_close_scatter(&all);
    coif_hair_grid_respond(&field, &law, jobs);
    if (params->wind_shelter > 0.0f) {
        const coif_wind_occlusion shelter = {.map = &all.map,
                                             .area = params->wind_shelter,
                                             .time = moment->time,
                                             .forces = moment->forces,
                                             .force_count = moment->force_count};
        coif_wind_occlusion_compute(&field, &shelter, jobs);
        crowd->drift = coif_wind_occlusion_rigid_velocity(&all.map);
    }
    coif_parallel_for(jobs, solver->block_count, CROWD_GRAIN, gather_blocks, &all);
    coif_arena_free(&scratch);
}
