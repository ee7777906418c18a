#include "sim/interaction/hair_interaction.h"

#include "core/base/jobs.h"
#include "core/base/log.h"
#include "sim/interaction/wind_occlusion.h"

#include <string.h>

enum { GRAIN = 4 }; // blocks

// Cells are enlarged until the rest state needs no more tiles than this; in motion some times as
// many are allowed, and samples beyond are dropped.
enum { MAX_TILES_AT_REST = 12288, MAX_TILES = 4 * MAX_TILES_AT_REST };

// Tiles of one of several groups: at least the rest state fits, if all of it were in one group.
static int32_t max_tiles_of_group(int32_t groups)
{
    return MAX_TILES / groups > MAX_TILES_AT_REST ? MAX_TILES / groups : MAX_TILES_AT_REST;
}

// Sample positions of a segment with two samples.
static const float SAMPLE_POSITIONS[2] = {0.25f, 0.75f};

typedef struct interaction_ctx {
    coif_interaction_strands *strands;
    coif_hair_interaction *interaction;
    coif_grid_transform transform;
    coif_grid_scatter *scatters;
    coif_hair_grid *grid;
    coif_solver_scratch *scratch; // per worker: strands are in their rest shape; NULL: in motion
    float *rest_roots;            // then: COIF_ROOT_ROWS rows per block
    bool second_pass;             // rest densities are known and are raised
    bool varying;                 // per-hair coefficients, see hair_grid.h
    float rate;
} interaction_ctx;

// A point of a strand in grid space.
typedef struct grid_point {
    simd_float4 position; // component 3: rest density
    simd_float4 velocity; // component 3: 1
} grid_point;

static simd_float4 lerp4(simd_float4 a, simd_float4 b, float t)
{
    return a + t * (b - a);
}

// Always inline: where scratch is known to be NULL the branch disappears.
static inline __attribute__((always_inline)) grid_point grid_point_at(
    const interaction_ctx *ctx, const coif_strand_block *block, const coif_interaction_rows *rows,
    const coif_solver_scratch *scratch, int64_t at)
{
    grid_point end;
    if (scratch != NULL) {
        end.position = coif_grid_transform_point(&ctx->transform, scratch->target.x[at],
                                                 scratch->target.y[at], scratch->target.z[at]);
        end.position[3] = rows->rest_density[at];
        end.velocity = (simd_float4){0.0f, 0.0f, 0.0f, 1.0f};
        return end;
    }
    end.position = coif_grid_transform_point(&ctx->transform, block->pos.x[at], block->pos.y[at],
                                             block->pos.z[at]);
    end.velocity = coif_grid_transform_velocity(&ctx->transform, end.position, block->vel.x[at],
                                                block->vel.y[at], block->vel.z[at]);
    end.position[3] = rows->rest_density[at];
    end.velocity[3] = 1.0f;
    return end;
}

static const coif_interaction_rows *rows_of(const coif_hair_interaction *interaction,
                                            const coif_strand_block *block)
{
    return &interaction->rows[block - interaction->blocks];
}

// Evaluates the rest shape of a block on the rest body into the targets of the scratch.
static void eval_rest_shape(const interaction_ctx *ctx, int64_t block, coif_solver_scratch *scratch)
{
    const coif_substep rest = {.end = 0.0f};
    coif_strand_block at_rest = ctx->strands->blocks[block];
    at_rest.root_begin = ctx->rest_roots + block * COIF_ROOT_ROWS * at_rest.lanes;
    ctx->strands->kernels->update_targets(&at_rest, scratch, &rest);
}

// Tile of the last lookup.
typedef struct tile_cache {
    coif_tile_coord coord;
    const simd_float4 *response; // NULL where nothing is known
    const float *friction_rates;
} tile_cache;

static const simd_float4 *response_at(const coif_hair_grid *grid, tile_cache *last,
                                      const coif_tile_sample *sample)
{
    if (last->response == NULL || !coif_tile_coord_equal(last->coord, sample->tile)) {
        const int32_t tile = coif_sparse_grid_find(&grid->tiles, sample->tile);
        if (tile < 0) {
            return NULL;
        }
        last->coord = sample->tile;
        last->response = grid->response + (int64_t)tile * COIF_TILE_NODES;
        last->friction_rates = grid->friction_rates != NULL
                                   ? grid->friction_rates + (int64_t)tile * COIF_TILE_NODES
                                   : NULL;
    }
    return last->response + sample->node;
}

bool coif_hair_interaction_enabled(const coif_interaction_params *params)
{
    return params->friction > 0.0f || params->stiffness > 0.0f || params->wind_attenuation > 0.0f;
}

static simd_float4 coefficients_at(const coif_strand_block *block, int64_t at)
{
    static const int rows[3] = {[COIF_GRID_FRICTION] = COIF_FIELD_INTERACTION_FRICTION,
                                [COIF_GRID_PRESSURE] = COIF_FIELD_INTERACTION_STIFFNESS,
                                [COIF_GRID_OCCLUSION] = COIF_FIELD_WIND_ATTENUATION};
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
    const coif_interaction_rows *rows = rows_of(ctx->interaction, block);
    const bool two_samples = ctx->interaction->two_samples;
    const float mass =
        (two_samples ? 0.5f : 1.0f) * ctx->strands->hairs_per_strand / block->inv_point_mass[lane];
    grid_point a = grid_point_at(ctx, block, rows, scratch, lane);
    for (int32_t k = 1; k < block->length; ++k) {
        const grid_point b =
            grid_point_at(ctx, block, rows, scratch, (int64_t)k * block->lanes + lane);
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
                eval_rest_shape(ctx, b, scratch);
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

// Scatters all strands, group by group. The scatters must be closed.
static void scatter_strands(interaction_ctx *ctx, coif_arena *arena, coif_jobs *jobs)
{
    const int32_t groups = ctx->interaction->groups;
    ctx->scatters = coif_arena_new(arena, groups, coif_grid_scatter);
    for (int32_t g = 0; g < groups; ++g) {
        coif_grid_scatter_open(&ctx->scatters[g], max_tiles_of_group(groups));
        ctx->scatters[g].varying = ctx->varying;
    }
    coif_parallel_for(jobs, groups, 1, scatter_groups, ctx);
}

static void close_scatters(interaction_ctx *ctx)
{
    for (int32_t g = 0; g < ctx->interaction->groups; ++g) {
        coif_grid_scatter_close(&ctx->scatters[g]);
    }
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

static void store_response(coif_strand_block *block, const coif_interaction_rows *rows, int64_t at,
                           simd_float4 a)
{
    const float mobile = block->inv_mass[at] == 0.0f ? 0.0f : 1.0f;
    block->interaction_accel.x[at] = mobile * a[0];
    block->interaction_accel.y[at] = mobile * a[1];
    block->interaction_accel.z[at] = mobile * a[2];
    rows->wind_fraction[at] = a[3];
}

// A sample accelerates both ends of its segment by its weights; of two samples the nearer one
// has three quarters. Scatter and gather use the same weights, so momentum is conserved.
static void gather_strand(const interaction_ctx *ctx, coif_strand_block *block, int32_t lane)
{
    const coif_interaction_rows *rows = rows_of(ctx->interaction, block);
    const bool two_samples = ctx->interaction->two_samples;
    tile_cache last = {.response = NULL};
    grid_point a = grid_point_at(ctx, block, rows, NULL, lane);
    simd_float4 previous = {0}; // at the end of the previous segment
    for (int32_t k = 1; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const grid_point b = grid_point_at(ctx, block, rows, NULL, at);
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
        store_response(block, rows, at - block->lanes, k == 1 ? at_root_end : mean);
        previous = at_tip_end;
        a = b;
    }
    store_response(block, rows, (int64_t)(block->length - 1) * block->lanes + lane, previous);
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
    return strands->block_count > 0 &&
           (block->param_scale[COIF_FIELD_INTERACTION_FRICTION] != NULL ||
            block->param_scale[COIF_FIELD_INTERACTION_STIFFNESS] != NULL ||
            block->param_scale[COIF_FIELD_WIND_ATTENUATION] != NULL);
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
                                  coif_interaction_strands *strands,
                                  const coif_interaction_params *params,
                                  const coif_interaction_interval *interval, coif_jobs *jobs)
{
    COIF_SCOPED_ARENA(scratch, "hair grid");
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
    const coif_root_motion roots = {strands->strand_count, strands->rest_roots,
                                    interval->root_begin, interval->root_end};
    coif_grid_frame_fit(&from, &roots, interval->from);
    coif_grid_frame_fit(&to, &roots, interval->to);
    coif_grid_transform_make(&ctx.transform, &from, &to, interval->seconds, interaction->cell);
    scatter_strands(&ctx, &scratch, jobs);
    coif_hair_grid_build(&grid, ctx.scatters, interaction->groups, interaction->cell, &scratch,
                         jobs);
    warn_dropped(interaction, ctx.scatters);
    close_scatters(&ctx);
    coif_hair_grid_respond(&grid, &coefficients, jobs);
    if (params->wind_attenuation > 0.0f) {
        const coif_wind_occlusion occlusion = {.transform = &ctx.transform,
                                               .area = params->wind_attenuation,
                                               .time = interval->time,
                                               .forces = interval->forces};
        coif_wind_occlusion_compute(&grid, &occlusion, jobs);
        interaction->grid_velocity = coif_grid_transform_rigid_velocity(&ctx.transform);
    }
    coif_parallel_for(jobs, strands->block_count, GRAIN, gather_blocks, &ctx);
}

// Rest state: cell size and rest density around every point.

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

static void measure_strand(const interaction_ctx *ctx, const coif_strand_block *block,
                           const coif_solver_scratch *scratch, int32_t lane)
{
    const coif_interaction_rows *rows = rows_of(ctx->interaction, block);
    tile_cache last = {.response = NULL};
    grid_point a = grid_point_at(ctx, block, rows, scratch, lane);
    float previous = 0.0f;
    for (int32_t k = 1; k <= block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        float current = 0.0f; // of the segment from k - 1 to k
        if (k < block->length) {
            const grid_point b = grid_point_at(ctx, block, rows, scratch, at);
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
        float *density = &rows->rest_density[at - block->lanes];
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
        const coif_strand_block *block = &ctx->strands->blocks[b];
        eval_rest_shape(ctx, b, scratch);
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
    coif_parallel_for(jobs, ctx->strands->block_count, GRAIN, measure_blocks, ctx);
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

static void allocate_rows(coif_hair_interaction *interaction, coif_interaction_strands *strands)
{
    const bool allocated = interaction->rows != NULL; // animated groom
    interaction->blocks = strands->blocks;
    if (!allocated) {
        interaction->rows =
            coif_arena_new(strands->arena, strands->block_count, coif_interaction_rows);
        interaction->first_strand =
            coif_arena_new(strands->arena, strands->block_count + 1, int32_t);
    }
    for (int32_t b = 0; b < strands->block_count; ++b) {
        coif_strand_block *block = &strands->blocks[b];
        interaction->first_strand[b + 1] = interaction->first_strand[b] + block->strand_count;
        const int64_t count = (int64_t)block->length * block->lanes;
        float *rows = allocated ? interaction->rows[b].rest_density
                                : coif_arena_new(strands->arena, 5 * count, float);
        memset(rows, 0, 5 * sizeof(float) * (size_t)count);
        interaction->rows[b] = (coif_interaction_rows){rows, rows + count};
        block->interaction_accel =
            (coif_soa3){rows + 2 * count, rows + 3 * count, rows + 4 * count};
    }
    const int32_t groups = interaction->first_strand[strands->block_count] / STRANDS_PER_GROUP;
    interaction->groups = groups < 1 ? 1 : groups > MAX_GROUPS ? MAX_GROUPS : groups;
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
                                        coif_interaction_strands *strands,
                                        const coif_interaction_params *params, coif_jobs *jobs)
{
    COIF_SCOPED_ARENA(temporary, "rest roots");
    float *rest_roots = rest_root_rows(strands, &temporary);
    allocate_rows(interaction, strands);
    const coif_root_motion roots = {strands->strand_count, strands->rest_roots, strands->rest_roots,
                                    strands->rest_roots};
    coif_grid_frame frame;
    coif_grid_frame_fit(&frame, &roots, 0.0f);
    const int64_t two_samples = 2 * ((int64_t)strands->point_count - strands->strand_count);
    const float segment = mean_segment_length(strands);
    const bool user_cell = params->cell_size > 0.0f;
    interaction->cell = user_cell ? params->cell_size : MIN_CELL;
    for (;; interaction->cell *= CELL_GROWTH) {
        interaction->two_samples = segment > MAX_SAMPLE_SPACING * interaction->cell;
        COIF_SCOPED_ARENA(scratch, "hair at rest");
        interaction_ctx ctx = {.strands = strands,
                               .interaction = interaction,
                               .scratch = strands->scratch,
                               .rest_roots = rest_roots};
        coif_grid_transform_make(&ctx.transform, &frame, &frame, 0.0, interaction->cell);
        scatter_strands(&ctx, &scratch, jobs);
        const int32_t tile_count = count_tiles(&ctx, &scratch);
        const bool dense_enough = user_cell || interaction->cell >= MAX_CELL ||
                                  two_samples >= SAMPLES_PER_TILE * tile_count;
        if (dense_enough && tile_count <= MAX_TILES_AT_REST) {
            coif_hair_grid grid;
            ctx.grid = &grid;
            measure_pass(&ctx, &scratch, jobs);
            close_scatters(&ctx);
            ctx.second_pass = true;
            scatter_strands(&ctx, &scratch, jobs);
            measure_pass(&ctx, &scratch, jobs);
            interaction->rest_measured = true;
        }
        close_scatters(&ctx);
        if (interaction->rest_measured) {
            break;
        }
    }
    if (user_cell && interaction->cell != params->cell_size) {
        coif_log(COIF_LOG_WARNING, "interaction_cell_size %g m needs too many tiles; using %g m",
                 (double)params->cell_size, (double)interaction->cell);
    }
}

void coif_hair_interaction_attenuate_wind(const coif_hair_interaction *interaction,
                                          const coif_strand_block *block,
                                          coif_solver_scratch *scratch)
{
    coif_wind_occlusion_apply(block, rows_of(interaction, block)->wind_fraction,
                              &interaction->grid_velocity, scratch);
}
