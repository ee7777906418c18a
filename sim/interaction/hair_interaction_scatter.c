// hair_interaction_scatter: scatters strands into the grid, in groups that do not depend on
// threads.
#include "core/base/jobs.h"
#include "sim/interaction/hair_interaction_internal.h"

static simd_float4 coefficients_at(const coif_strand_block *block, int64_t at)
{
    static const int rows[3] = {[COIF_GRID_FRICTION] = COIF_FIELD_HAIR_FRICTION,
                                [COIF_GRID_PRESSURE] = COIF_FIELD_HAIR_PRESSURE,
                                [COIF_GRID_OCCLUSION] = COIF_FIELD_WIND_SHELTER};
    simd_float4 coefficients = {1.0f, 1.0f, 1.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        coefficients[i] =
            block->param_scale[rows[i]] != NULL ? block->param_scale[rows[i]][at] : 1.0f;
    }
    return coefficients;
}

static void scatter_strand(const interaction_ctx *ctx, coif_grid_scatter *scatter,
                           const coif_strand_block *block, const coif_solver_scratch *scratch,
                           int32_t lane)
{
    if (!(block->inv_point_mass[lane] > 0.0f)) {
        return;
    }
    const bool two_samples = ctx->interaction->two_samples;
    const float mass =
        (two_samples ? 0.5f : 1.0f) * ctx->strands->hairs_per_strand / block->inv_point_mass[lane];
    grid_point a = grid_point_at(ctx, block, scratch, lane);
    for (int32_t k = 1; k < block->length; ++k) {
        const grid_point b = grid_point_at(ctx, block, scratch, (int64_t)k * block->lanes + lane);
        for (int i = 0; i < (two_samples ? 2 : 1); ++i) {
            const float t = two_samples ? SAMPLE_POSITIONS[i] : 0.5f;
            coif_grid_sample sample = {.position = lerp4(a.position, b.position, t),
                                       .sums = lerp4(a.velocity, b.velocity, t) * mass};
            if (ctx->varying) {
                const int64_t at = (int64_t)k * block->lanes + lane;
                sample.coefficients =
                    lerp4(coefficients_at(block, at - block->lanes), coefficients_at(block, at), t);
            }
            coif_grid_scatter_add(scatter, &sample);
        }
        a = b;
    }
}

// Groups are ranges of strands in block order, which does not depend on the number of lanes.
static void scatter_groups(void *context, int64_t begin, int64_t end, int worker)
{
    const interaction_ctx *ctx = context;
    const coif_hair_interaction *interaction = ctx->interaction;
    coif_solver_scratch *scratch = ctx->scratch != NULL ? &ctx->scratch[worker] : NULL;
    const int32_t blocks = ctx->strands->block_count;
    const int64_t strands = interaction->first_strand[blocks];
    for (int64_t g = begin; g < end; ++g) {
        const int32_t first = (int32_t)(strands * g / interaction->groups);
        const int32_t last = (int32_t)(strands * (g + 1) / interaction->groups);
        for (int32_t b = 0; b < blocks; ++b) {
            if (interaction->first_strand[b + 1] <= first || interaction->first_strand[b] >= last) {
                continue;
            }
            coif_strand_block *block = &ctx->strands->blocks[b];
            if (scratch != NULL) {
                eval_rest_shape(ctx, block, scratch);
            }
            for (int32_t lane = 0; lane < block->strand_count; ++lane) {
                const int32_t strand = interaction->first_strand[b] + lane;
                if (strand >= first && strand < last) {
                    scatter_strand(ctx, &ctx->scatters[g], block, scratch, lane);
                }
            }
        }
    }
}

void coif_hair_interaction_scatter(interaction_ctx *ctx, coif_arena *arena, coif_jobs *jobs)
{
    const int32_t groups = ctx->interaction->groups;
    ctx->scatters = coif_arena_new(arena, groups, coif_grid_scatter);
    for (int32_t g = 0; g < groups; ++g) {
        coif_grid_scatter_open(&ctx->scatters[g], max_tiles_of_group(groups));
        ctx->scatters[g].varying = ctx->varying;
    }
    coif_parallel_for(jobs, groups, 1, scatter_groups, ctx);
}

void coif_hair_interaction_close_scatter(interaction_ctx *ctx)
{
    for (int32_t g = 0; g < ctx->interaction->groups; ++g) {
        coif_grid_scatter_close(&ctx->scatters[g]);
    }
}
