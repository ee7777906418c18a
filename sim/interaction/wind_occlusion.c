#include "sim/interaction/wind_occlusion.h"

#include "core/base/deterministic_math.h"
#include "core/base/jobs.h"

#include <string.h>

// Ray march upstream: number of cells, and the optical depth at which almost nothing is left.
enum { MAX_STEPS = 24, GRAIN = 4 };
static const float MAX_OPTICAL_DEPTH = 7.0f;

// Below this speed, m/s, wind has no direction.
static const float MIN_WIND_SPEED = 1e-4f;

typedef struct occlusion_ctx {
    coif_hair_grid *grid;
    const coif_wind_occlusion *occlusion;
    float *transmittance; // per owned node
} occlusion_ctx;

static float density_at(const coif_hair_grid *grid, simd_float4 position)
{
    coif_tile_sample sample;
    if (!coif_tile_sample_at(&sample, position)) {
        return 0.0f;
    }
    const int32_t tile = coif_sparse_grid_find(&grid->tiles, sample.tile);
    if (tile < 0) {
        return 0.0f;
    }
    const simd_float4 *response = grid->response + (int64_t)tile * COIF_TILE_NODES + sample.node;
    float sum = 0.0f;
    for (int i = 0; i < 8; ++i) {
        sum += sample.weights[i] * response[COIF_TILE_CORNERS[i]][3];
    }
    return sum;
}

// exp(-k S) by the trapezoidal rule, one cell per step against the wind.
static float transmittance(const occlusion_ctx *ctx, simd_float4 position, simd_float4 wind,
                           float density)
{
    const float speed = sqrtf(wind[0] * wind[0] + wind[1] * wind[1] + wind[2] * wind[2]);
    if (!(speed > MIN_WIND_SPEED)) {
        return 1.0f;
    }
    const simd_float4 step = wind * (-1.0f / speed);
    const float depth_per_density = ctx->occlusion->area * ctx->grid->cell;
    float depth = 0.5f * depth_per_density * density;
    for (int i = 0; i < MAX_STEPS && depth < MAX_OPTICAL_DEPTH; ++i) {
        position += step;
        depth += depth_per_density * density_at(ctx->grid, position);
    }
    return coif_det_exp(-depth);
}

typedef struct node_wind {
    float x[COIF_TILE_OWNED_NODES], y[COIF_TILE_OWNED_NODES], z[COIF_TILE_OWNED_NODES];
    float vx[COIF_TILE_OWNED_NODES], vy[COIF_TILE_OWNED_NODES], vz[COIF_TILE_OWNED_NODES];
    float ux[COIF_TILE_OWNED_NODES], uy[COIF_TILE_OWNED_NODES], uz[COIF_TILE_OWNED_NODES];
    float ax[COIF_TILE_OWNED_NODES], ay[COIF_TILE_OWNED_NODES], az[COIF_TILE_OWNED_NODES];
} node_wind;

static simd_float4 node_position(const coif_tile_coord *tile, int32_t node)
{
    return (simd_float4){(float)(4 * tile->x + (node & 3)), (float)(4 * tile->y + (node >> 2 & 3)),
                         (float)(4 * tile->z + (node >> 4)), 0.0f};
}

// Wind at the nodes of a tile.
static void eval_wind(node_wind *at, const occlusion_ctx *ctx, const coif_tile_coord *tile)
{
    const coif_grid_transform *transform = ctx->occlusion->transform;
    const coif_rigid_velocity rigid = coif_grid_transform_rigid_velocity(transform);
    memset(at, 0, sizeof *at);
    for (int32_t n = 0; n < COIF_TILE_OWNED_NODES; ++n) {
        const simd_float4 position = node_position(tile, n) * ctx->grid->cell;
        const coif_vec3 offset = coif_mat3_apply_transposed(
            &transform->to_grid, coif_vec3_of(position[0], position[1], position[2]));
        const coif_vec3 x = coif_add(transform->origin, offset);
        const coif_vec3 v = coif_rigid_velocity_at(&rigid, x);
        at->x[n] = x.x;
        at->y[n] = x.y;
        at->z[n] = x.z;
        at->vx[n] = v.x;
        at->vy[n] = v.y;
        at->vz[n] = v.z;
    }
    // Values that are not finite are reported where points are evaluated.
    const coif_solver_forces *forces = ctx->occlusion->forces;
    if (forces->eval != NULL) {
        (void)forces->eval(forces->context,
                           &(coif_force_points){.count = COIF_TILE_OWNED_NODES,
                                                .time = ctx->occlusion->time,
                                                .pos = {at->x, at->y, at->z},
                                                .vel = {at->vx, at->vy, at->vz},
                                                .wind = {at->ux, at->uy, at->uz},
                                                .accel = {at->ax, at->ay, at->az}});
    }
}

static void compute_transmittance(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const occlusion_ctx *ctx = context;
    coif_hair_grid *grid = ctx->grid;
    for (int64_t t = begin; t < end; ++t) {
        const coif_tile_coord *tile = &grid->tiles.coords[t];
        node_wind at;
        eval_wind(&at, ctx, tile);
        for (int32_t n = 0; n < COIF_TILE_OWNED_NODES; ++n) {
            const int64_t node = t * COIF_TILE_OWNED_NODES + n;
            const float density = grid->density[node];
            const float coefficient =
                grid->coefficients != NULL ? grid->coefficients[node][COIF_GRID_OCCLUSION] : 1.0f;
            ctx->transmittance[node] = 1.0f;
            if (density > 0.0f) {
                const simd_float4 wind =
                    coif_grid_transform_velocity(ctx->occlusion->transform, node_position(tile, n),
                                                 at.ux[n], at.uy[n], at.uz[n]);
                ctx->transmittance[node] =
                    transmittance(ctx, node_position(tile, n), wind, coefficient * density);
            }
        }
    }
}

static void copy_to_tiles(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const occlusion_ctx *ctx = context;
    coif_hair_grid *grid = ctx->grid;
    for (int64_t t = begin; t < end; ++t) {
        for (int32_t n = 0; n < COIF_TILE_NODES; ++n) {
            const int64_t node = coif_hair_grid_tile_node(grid, (int32_t)t, n);
            grid->response[t * COIF_TILE_NODES + n][3] = node < 0 ? 1.0f : ctx->transmittance[node];
        }
    }
}

// Multiplies densities by the occlusion coefficient.
static void apply_coefficients(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const occlusion_ctx *ctx = context;
    coif_hair_grid *grid = ctx->grid;
    for (int64_t t = begin; t < end; ++t) {
        for (int32_t n = 0; n < COIF_TILE_NODES; ++n) {
            const int64_t node = coif_hair_grid_tile_node(grid, (int32_t)t, n);
            if (node >= 0) {
                grid->response[t * COIF_TILE_NODES + n][3] *=
                    grid->coefficients[node][COIF_GRID_OCCLUSION];
            }
        }
    }
}

void coif_wind_occlusion_compute(coif_hair_grid *grid, const coif_wind_occlusion *occlusion,
                                 coif_jobs *jobs)
{
    const int64_t nodes = (int64_t)grid->tiles.count * COIF_TILE_OWNED_NODES;
    occlusion_ctx ctx = {grid, occlusion, coif_arena_new(grid->tiles.arena, nodes, float)};
    if (grid->coefficients != NULL) {
        coif_parallel_for(jobs, grid->tiles.count, GRAIN, apply_coefficients, &ctx);
    }
    coif_parallel_for(jobs, grid->tiles.count, GRAIN, compute_transmittance, &ctx);
    coif_parallel_for(jobs, grid->tiles.count, GRAIN, copy_to_tiles, &ctx);
}

void coif_wind_occlusion_apply(const coif_strand_block *block, const float *fractions,
                               const coif_rigid_velocity *rigid, coif_solver_scratch *scratch)
{
    for (int32_t i = 0; i < block->length * block->lanes; ++i) {
        const coif_vec3 w = coif_rigid_velocity_at(
            rigid, coif_vec3_of(block->pos.x[i], block->pos.y[i], block->pos.z[i]));
        const float fraction = fractions[i];
        scratch->wind.x[i] = w.x + fraction * (scratch->wind.x[i] - w.x);
        scratch->wind.y[i] = w.y + fraction * (scratch->wind.y[i] - w.y);
        scratch->wind.z[i] = w.z + fraction * (scratch->wind.z[i] - w.z);
    }
}
