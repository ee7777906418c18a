#include "sim/interaction/hair_interaction.h"

#include "core/base/jobs.h"
#include "core/base/log.h"
#include "sim/interaction/hair_interaction_internal.h"
#include "sim/interaction/wind_occlusion.h"

bool coif_hair_interaction_enabled(const coif_interaction_params *params)
{
    return params->friction > 0.0f || params->stiffness > 0.0f || params->wind_attenuation > 0.0f;
}

// Acceleration, and the fraction of wind left (component 3).
static simd_float4 gather(const interaction_ctx *ctx, tile_cache *last, const grid_point *a,
                          const grid_point *b, float t)
{
    coif_tile_sample sample;
    const simd_float4 *response = NULL;
    if (coif_tile_sample_at(&sample, lerp4(a->position, b->position, t))) {
        response = response_at(ctx->grid, last, &sample);
    }
    if (response == NULL) {
        return (simd_float4){0.0f, 0.0f, 0.0f, 1.0f};
    }
    simd_float4 sum = {0};
    for (int i = 0; i < 8; ++i) {
        sum += sample.weights[i] * response[COIF_TILE_CORNERS[i]];
    }
    float rate = ctx->rate;
    if (last->friction_rates != NULL) {
        rate = 0.0f;
        for (int i = 0; i < 8; ++i) {
            rate += sample.weights[i] * last->friction_rates[sample.node + COIF_TILE_CORNERS[i]];
        }
    }
    simd_float4 velocity = lerp4(a->velocity, b->velocity, t);
    velocity[3] = 0.0f;
    return sum - rate * velocity;
}

static void store_response(coif_strand_block *block, int64_t at, simd_float4 a)
{
    const float mobile = block->inv_mass[at] == 0.0f ? 0.0f : 1.0f;
    block->interaction_accel.x[at] = mobile * a[0];
    block->interaction_accel.y[at] = mobile * a[1];
    block->interaction_accel.z[at] = mobile * a[2];
    block->wind_fraction[at] = a[3];
}

// A sample accelerates both ends of its segment by its weights; of two samples the nearer one
// has three quarters. Scatter and gather use the same weights, so momentum is conserved.
static void gather_strand(const interaction_ctx *ctx, coif_strand_block *block, int32_t lane)
{
    const bool two_samples = ctx->interaction->two_samples;
    tile_cache last = {.response = NULL};
    grid_point a = grid_point_at(ctx, block, NULL, lane);
    simd_float4 previous = {0}; // at the end of the previous segment
    for (int32_t k = 1; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const grid_point b = grid_point_at(ctx, block, NULL, at);
        simd_float4 at_root_end;
        simd_float4 at_tip_end;
        if (two_samples) {
            const simd_float4 first = gather(ctx, &last, &a, &b, SAMPLE_POSITIONS[0]);
            const simd_float4 second = gather(ctx, &last, &a, &b, SAMPLE_POSITIONS[1]);
            at_root_end = SAMPLE_POSITIONS[1] * first + SAMPLE_POSITIONS[0] * second;
            at_tip_end = SAMPLE_POSITIONS[0] * first + SAMPLE_POSITIONS[1] * second;
        } else {
            at_root_end = at_tip_end = gather(ctx, &last, &a, &b, 0.5f);
        }
        const simd_float4 mean = 0.5f * previous + 0.5f * at_root_end;
        store_response(block, at - block->lanes, k == 1 ? at_root_end : mean);
        previous = at_tip_end;
        a = b;
    }
    store_response(block, (int64_t)(block->length - 1) * block->lanes + lane, previous);
}

// Rotates accelerations from grid to world space.
static void rotate_to_world(const interaction_ctx *ctx, coif_strand_block *block)
{
    for (int64_t at = 0; at < (int64_t)block->length * block->lanes; ++at) {
        const coif_vec3 local = {block->interaction_accel.x[at], block->interaction_accel.y[at],
                                 block->interaction_accel.z[at]};
        const coif_vec3 accel = coif_mat3_apply_transposed(&ctx->transform.to_grid, local);
        block->interaction_accel.x[at] = accel.x;
        block->interaction_accel.y[at] = accel.y;
        block->interaction_accel.z[at] = accel.z;
    }
}

static void gather_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const interaction_ctx *ctx = context;
    for (int64_t b = begin; b < end; ++b) {
        coif_strand_block *block = &ctx->strands->blocks[b];
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            gather_strand(ctx, block, lane);
        }
        rotate_to_world(ctx, block);
    }
}

static bool has_varying_coefficients(const coif_interaction_strands *strands)
{
    const coif_strand_block *block = strands->blocks;
    return strands->block_count > 0 && (block->param_scale[COIF_FIELD_HAIR_FRICTION] != NULL ||
                                        block->param_scale[COIF_FIELD_HAIR_PRESSURE] != NULL ||
                                        block->param_scale[COIF_FIELD_WIND_SHELTER] != NULL);
}

// Hair beyond the tile limit has no hair-hair forces: said once.
static void warn_dropped(coif_hair_interaction *interaction, const coif_grid_scatter *scatters)
{
    int64_t dropped = 0;
    for (int32_t g = 0; g < interaction->groups; ++g) {
        dropped += scatters[g].dropped;
    }
    if (dropped > 0 && !interaction->dropped_warned) {
        interaction->dropped_warned = true;
        coif_log(
            COIF_LOG_WARNING,
            "hair interaction: %lld samples of hair are too far apart for the grid and have no "
            "friction and pressure; a larger interaction_cell_size covers more",
            (long long)dropped);
    }
}

void coif_hair_interaction_update(coif_hair_interaction *interaction,
                                  const coif_interaction_strands *strands,
                                  const coif_interaction_params *params,
                                  const coif_interaction_interval *interval, coif_jobs *jobs)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "hair grid");
    const coif_grid_coefficients coefficients = {
        .seconds = (float)interval->seconds, .rate = params->friction, .speed = params->stiffness};
    coif_hair_grid grid;
    interaction_ctx ctx = {.strands = strands,
                           .interaction = interaction,
                           .grid = &grid,
                           .varying = has_varying_coefficients(strands),
                           .rate = coif_hair_grid_rate(&coefficients)};
    coif_grid_frame from;
    coif_grid_frame to;
    coif_grid_frame_fit(&from, strands, interval, interval->from);
    coif_grid_frame_fit(&to, strands, interval, interval->to);
    coif_grid_transform_make(&ctx.transform, &from, &to, interval->seconds, interaction->cell);
    coif_hair_interaction_scatter(&ctx, &scratch, jobs);
    coif_hair_grid_build(&grid, ctx.scatters, interaction->groups, interaction->cell, &scratch,
                         jobs);
    warn_dropped(interaction, ctx.scatters);
    coif_hair_interaction_close_scatter(&ctx);
    coif_hair_grid_respond(&grid, &coefficients, jobs);
    if (params->wind_attenuation > 0.0f) {
        const coif_wind_occlusion occlusion = {.transform = &ctx.transform,
                                               .area = params->wind_attenuation,
                                               .time = interval->time,
                                               .forces = interval->forces};
        coif_wind_occlusion_compute(&grid, &occlusion, jobs);
        interaction->grid_velocity = coif_wind_occlusion_rigid_velocity(&ctx.transform);
    }
    coif_parallel_for(jobs, strands->block_count, INTERACTION_GRAIN, gather_blocks, &ctx);
    coif_arena_free(&scratch);
}
