#include "sim/interaction/hair_interaction.h"

#include "core/base/jobs.h"
#include "sim/interaction/hair_interaction_internal.h"
#include "sim/interaction/wind_occlusion.h"

bool coif_crowd_wanted(const coif_sim_params *params)
{
    return params->hair_friction > 0.0f || params->hair_pressure > 0.0f ||
           params->wind_shelter > 0.0f;
}

// Acceleration, and the share of wind that is left.
static coif_four gather(const crowding *all, found *last, const line *a, const line *b, float t)
{
    coif_tile_spot spot;
    const coif_four *felt = NULL;
    if (coif_tile_spot_of(&spot, between(a->place, b->place, t))) {
        felt = felt_at(all->field, last, &spot);
    }
    if (felt == NULL) {
        return (coif_four){0.0f, 0.0f, 0.0f, 1.0f};
    }
    coif_four sum = {0};
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
    coif_four speed = between(a->speed, b->speed, t);
    speed[3] = 0.0f;
    return sum - rate * speed;
}

static void put(coif_block *block, int64_t at, coif_four a)
{
    const float free = block->w[at] == 0.0f ? 0.0f : 1.0f;
    block->jostle_x[at] = free * a[0];
    block->jostle_y[at] = free * a[1];
    block->jostle_z[at] = free * a[2];
    block->shelter[at] = a[3];
}

// A sample pushes the ends of its segment by their shares, of two the nearer one with three
// quarters: what was strewn is gathered with the same weights, so momentum is kept.
static void gather_strand(const crowding *all, coif_block *block, int32_t lane)
{
    const bool halves = all->solver->crowd.halves;
    found last = {.felt = NULL};
    line a = line_of(all, block, NULL, lane);
    coif_four before = {0}; // of the last segment
    for (int32_t k = 1; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const line b = line_of(all, block, NULL, at);
        coif_four near;
        coif_four far;
        if (halves) {
            const coif_four one = gather(all, &last, &a, &b, HALVES[0]);
            const coif_four two = gather(all, &last, &a, &b, HALVES[1]);
            near = HALVES[1] * one + HALVES[0] * two;
            far = HALVES[0] * one + HALVES[1] * two;
        } else {
            near = far = gather(all, &last, &a, &b, 0.5f);
        }
        put(block, at - block->lanes, k == 1 ? near : 0.5f * before + 0.5f * near);
        before = far;
        a = b;
    }
    put(block, (int64_t)(block->length - 1) * block->lanes + lane, before);
}

// From the axes of the grid back to those of the world.
static void turn_back(const crowding *all, coif_block *block)
{
    for (int64_t at = 0; at < (int64_t)block->length * block->lanes; ++at) {
        const coif_vec3 local = {block->jostle_x[at], block->jostle_y[at], block->jostle_z[at]};
        const coif_vec3 push = coif_mat3_apply_transposed(&all->map.to_grid, local);
        block->jostle_x[at] = push.x;
        block->jostle_y[at] = push.y;
        block->jostle_z[at] = push.z;
    }
}

static void gather_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const crowding *all = context;
    for (int64_t b = begin; b < end; ++b) {
        coif_block *block = &all->solver->blocks[b];
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            gather_strand(all, block, lane);
        }
        turn_back(all, block);
    }
}

static bool is_varied(const coif_solver *solver)
{
    const coif_block *block = solver->blocks;
    return solver->block_count > 0 && (block->vary[COIF_VARY_HAIR_FRICTION] != NULL ||
                                       block->vary[COIF_VARY_HAIR_PRESSURE] != NULL ||
                                       block->vary[COIF_VARY_WIND_SHELTER] != NULL);
}

void coif_crowd_update(coif_solver *solver, const coif_sim_params *params,
                       const coif_crowd_moment *moment, coif_jobs *jobs)
{
    coif_crowd *crowd = &solver->crowd;
    coif_arena scratch;
    coif_arena_init(&scratch, "hair grid");
    const coif_field_law law = {.seconds = (float)moment->seconds,
                                .rate = params->hair_friction,
                                .speed = params->hair_pressure};
    coif_field field;
    crowding all = {.solver = solver,
                    .field = &field,
                    .varied = is_varied(solver),
                    .rate = coif_field_rate(&law)};
    coif_crowd_pose from;
    coif_crowd_pose to;
    coif_crowd_pose_find(&from, solver, moment, moment->from);
    coif_crowd_pose_find(&to, solver, moment, moment->to);
    coif_crowd_map_make(&all.map, &from, &to, moment->seconds, crowd->cell);
    coif_crowd_splat(&all, &scratch, jobs);
    coif_field_build(&field, all.splats, crowd->groups, crowd->cell, &scratch, jobs);
    coif_crowd_close_splats(&all);
    coif_field_respond(&field, &law, jobs);
    if (params->wind_shelter > 0.0f) {
        const coif_shelter shelter = {.map = &all.map,
                                      .area = params->wind_shelter,
                                      .time = moment->time,
                                      .forces = moment->forces,
                                      .force_count = moment->force_count};
        coif_shelter_find(&field, &shelter, jobs);
        crowd->drift = coif_shelter_drift(&all.map);
    }
    coif_parallel_for(jobs, solver->block_count, CROWD_GRAIN, gather_blocks, &all);
    coif_arena_free(&scratch);
}
