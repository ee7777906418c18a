// hair_interaction_rest: chooses the cell size and measures the rest density around every point.
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "sim/interaction/hair_interaction_internal.h"

#include <string.h>

enum { MAX_GROUPS = 8, STRANDS_PER_GROUP = 1024 };

// Automatic cell size, metres: increased until tiles contain this many samples on average.
static const float MIN_CELL = 0.008f;
static const float MAX_CELL = 0.04f;
static const int64_t SAMPLES_PER_TILE = 256;
static const float CELL_GROWTH = 1.26f;

// Segments have one sample at the midpoint where that leaves no gaps, else two. In cells.
static const float MAX_SAMPLE_SPACING = 1.3f;

// Density at a sample; in the second pass the largest ratio of density to stored rest density of
// the surrounding nodes.
static float rest_density_at(const interaction_ctx *ctx, tile_cache *last, simd_float4 position)
{
    coif_tile_sample sample;
    const simd_float4 *response = NULL;
    if (coif_tile_sample_at(&sample, position)) {
        response = response_at(ctx->grid, last, &sample);
    }
    float mean = 0.0f;
    float largest = 1.0f;
    for (int i = 0; response != NULL && i < 8; ++i) {
        const float value = response[COIF_TILE_CORNERS[i]][3];
        mean += sample.weights[i] * value;
        largest = value > largest ? value : largest;
    }
    return ctx->second_pass ? largest : mean;
}

static void measure_strand(const interaction_ctx *ctx, coif_strand_block *block,
                           const coif_solver_scratch *scratch, int32_t lane)
{
    tile_cache last = {.response = NULL};
    grid_point a = grid_point_at(ctx, block, scratch, lane);
    float previous = 0.0f;
    for (int32_t k = 1; k <= block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        float current = 0.0f; // of the segment from k - 1 to k
        if (k < block->length) {
            const grid_point b = grid_point_at(ctx, block, scratch, at);
            if (ctx->interaction->two_samples) {
                const float first =
                    rest_density_at(ctx, &last, lerp4(a.position, b.position, SAMPLE_POSITIONS[0]));
                const float second =
                    rest_density_at(ctx, &last, lerp4(a.position, b.position, SAMPLE_POSITIONS[1]));
                current = first > second ? first : second;
            } else {
                current = rest_density_at(ctx, &last, lerp4(a.position, b.position, 0.5f));
            }
            a = b;
        }
        float *density = &block->rest_density[at - block->lanes];
        const float largest = previous > current ? previous : current;
        *density = ctx->second_pass ? *density * largest : largest;
        previous = current;
    }
}

// The rest density of a point is the largest around its segments, raised by the ratio of the
// density at a node to the mean of all samples around it. The mean over the samples at a node is
// then never less than its density, so that nothing presses at rest.
static void measure_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const interaction_ctx *ctx = context;
    coif_solver_scratch *scratch = &ctx->scratch[worker];
    for (int64_t b = begin; b < end; ++b) {
        coif_strand_block *block = &ctx->strands->blocks[b];
        eval_rest_shape(ctx, block, scratch);
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            measure_strand(ctx, block, scratch, lane);
        }
    }
}

static void measure_pass(interaction_ctx *ctx, coif_arena *arena, coif_jobs *jobs)
{
    coif_hair_grid *grid = ctx->grid;
    coif_hair_grid_build(grid, ctx->scatters, ctx->interaction->groups, ctx->interaction->cell,
                         arena, jobs);
    for (int64_t n = 0; ctx->second_pass && n < (int64_t)grid->tiles.count * COIF_TILE_OWNED_NODES;
         ++n) {
        grid->sums[n][3] =
            grid->rest_density[n] > 0.0f ? grid->sums[n][3] / grid->rest_density[n] : 0.0f;
    }
    coif_hair_grid_respond(grid, &(coif_grid_coefficients){.seconds = 1.0f}, jobs);
    coif_parallel_for(jobs, ctx->strands->block_count, INTERACTION_GRAIN, measure_blocks, ctx);
}

static int32_t count_tiles(const interaction_ctx *ctx, coif_arena *arena)
{
    coif_sparse_grid tiles;
    coif_sparse_grid_init(&tiles, arena);
    for (int32_t g = 0; g < ctx->interaction->groups; ++g) {
        for (int32_t i = 0; i < ctx->scatters[g].tiles.count; ++i) {
            coif_sparse_grid_add(&tiles, ctx->scatters[g].tiles.coords[i]);
        }
    }
    return tiles.count;
}

static void allocate_rows(coif_hair_interaction *interaction,
                          const coif_interaction_strands *strands)
{
    const bool allocated = interaction->first_strand != NULL; // animated groom
    if (!allocated) {
        interaction->first_strand =
            coif_arena_new(strands->arena, strands->block_count + 1, int32_t);
    }
    for (int32_t b = 0; b < strands->block_count; ++b) {
        coif_strand_block *block = &strands->blocks[b];
        interaction->first_strand[b + 1] = interaction->first_strand[b] + block->strand_count;
        const int64_t count = (int64_t)block->length * block->lanes;
        float *rows =
            allocated ? block->rest_density : coif_arena_new(strands->arena, 5 * count, float);
        memset(rows, 0, 5 * sizeof(float) * (size_t)count);
        block->rest_density = rows;
        block->interaction_accel.x = rows + count;
        block->interaction_accel.y = rows + 2 * count;
        block->interaction_accel.z = rows + 3 * count;
        block->wind_fraction = rows + 4 * count;
    }
    const int32_t groups = interaction->first_strand[strands->block_count] / STRANDS_PER_GROUP;
    interaction->groups = groups < 1 ? 1 : groups > MAX_GROUPS ? MAX_GROUPS : groups;
}

// Exchanges the roots of the blocks with those in rows.
static void swap_roots(const coif_interaction_strands *strands, float *rows)
{
    for (int32_t b = 0; b < strands->block_count; ++b) {
        float *root = strands->blocks[b].root_begin;
        for (int32_t i = 0; i < COIF_ROOT_ROWS * strands->blocks[b].lanes; ++i, ++rows) {
            const float other = *rows;
            *rows = root[i];
            root[i] = other;
        }
    }
}

static float *rest_root_rows(const coif_interaction_strands *strands, coif_arena *arena)
{
    const int64_t row = (int64_t)COIF_ROOT_ROWS * strands->kernels->lanes;
    float *rows = coif_arena_new(arena, strands->block_count * row, float);
    for (int32_t b = 0; b < strands->block_count; ++b) {
        coif_solver_load_roots(&strands->blocks[b], strands->rest_roots, rows + b * row);
    }
    return rows;
}

static float mean_segment_length(const coif_interaction_strands *strands)
{
    double sum = 0.0;
    int64_t count = 0;
    for (int32_t b = 0; b < strands->block_count; ++b) {
        const coif_strand_block *block = &strands->blocks[b];
        // Strand by strand, so that the sum does not depend on the number of lanes.
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            for (int32_t k = 0; k + 1 < block->length; ++k, ++count) {
                sum += (double)block->rest_length[(int64_t)k * block->lanes + lane];
            }
        }
    }
    return count > 0 ? (float)(sum / (double)count) : 0.0f;
}

void coif_hair_interaction_measure_rest(coif_hair_interaction *interaction,
                                        const coif_interaction_strands *strands,
                                        const coif_interaction_params *params, coif_jobs *jobs)
{
    coif_arena temporary;
    coif_arena_init(&temporary, "rest roots");
    float *roots = rest_root_rows(strands, &temporary);
    swap_roots(strands, roots);
    allocate_rows(interaction, strands);
    const coif_interaction_interval interval = {.root_begin = strands->rest_roots,
                                                .root_end = strands->rest_roots};
    coif_grid_frame frame;
    coif_grid_frame_fit(&frame, strands, &interval, 0.0f);
    const int64_t two_samples = 2 * ((int64_t)strands->point_count - strands->strand_count);
    const float segment = mean_segment_length(strands);
    const bool user_cell = params->cell_size > 0.0f;
    interaction->cell = user_cell ? params->cell_size : MIN_CELL;
    for (;; interaction->cell *= CELL_GROWTH) {
        interaction->two_samples = segment > MAX_SAMPLE_SPACING * interaction->cell;
        coif_arena scratch;
        coif_arena_init(&scratch, "hair at rest");
        interaction_ctx ctx = {
            .strands = strands, .interaction = interaction, .scratch = strands->scratch};
        coif_grid_transform_make(&ctx.transform, &frame, &frame, 0.0, interaction->cell);
        coif_hair_interaction_scatter(&ctx, &scratch, jobs);
        const int32_t tile_count = count_tiles(&ctx, &scratch);
        const bool dense_enough = user_cell || interaction->cell >= MAX_CELL ||
                                  two_samples >= SAMPLES_PER_TILE * tile_count;
        if (dense_enough && tile_count <= MAX_TILES_AT_REST) {
            coif_hair_grid grid;
            ctx.grid = &grid;
            measure_pass(&ctx, &scratch, jobs);
            coif_hair_interaction_close_scatter(&ctx);
            ctx.second_pass = true;
            coif_hair_interaction_scatter(&ctx, &scratch, jobs);
            measure_pass(&ctx, &scratch, jobs);
            interaction->rest_measured = true;
        }
        coif_hair_interaction_close_scatter(&ctx);
        coif_arena_free(&scratch);
        if (interaction->rest_measured) {
            break;
        }
    }
    swap_roots(strands, roots);
    coif_arena_free(&temporary);
    if (user_cell && interaction->cell != params->cell_size) {
        coif_log(COIF_LOG_WARNING, "hair_cell %g m needs too many tiles; using %g m",
                 (double)params->cell_size, (double)interaction->cell);
    }
}
