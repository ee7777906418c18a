#include "sim/interaction/hair_grid.h"

#include "core/base/jobs.h"

#include <string.h>

void coif_grid_scatter_open(coif_grid_scatter *scatter, int32_t max_tiles)
{
    *scatter = (coif_grid_scatter){.max_tiles = max_tiles};
    coif_arena_init(&scatter->arena, "hair grid");
    coif_sparse_grid_init(&scatter->tiles, &scatter->arena);
    scatter->pages = coif_arena_new(&scatter->arena, max_tiles / COIF_GRID_SCATTER_PAGE + 1,
                                    coif_grid_scatter_tile *);
}

void coif_grid_scatter_close(coif_grid_scatter *scatter)
{
    coif_arena_free(&scatter->arena);
}

static coif_grid_scatter_tile *scatter_tile(const coif_grid_scatter *scatter, int32_t index)
{
    return &scatter->pages[index / COIF_GRID_SCATTER_PAGE][index % COIF_GRID_SCATTER_PAGE];
}

static bool select_tile(coif_grid_scatter *scatter, coif_tile_coord coord)
{
    if (scatter->current_tile != NULL && coif_tile_coord_equal(coord, scatter->current_coord)) {
        return true;
    }
    int32_t index = coif_sparse_grid_find(&scatter->tiles, coord);
    if (index < 0) {
        if (scatter->tiles.count >= scatter->max_tiles) {
            return false;
        }
        index = coif_sparse_grid_add(&scatter->tiles, coord);
        if (index / COIF_GRID_SCATTER_PAGE >= scatter->page_count) {
            scatter->pages[scatter->page_count++] =
                coif_arena_new(&scatter->arena, COIF_GRID_SCATTER_PAGE, coif_grid_scatter_tile);
        }
    }
    scatter->current_tile = scatter_tile(scatter, index);
    scatter->current_coord = coord;
    if (scatter->varying && scatter->current_tile->coefficients == NULL) {
        scatter->current_tile->coefficients =
            coif_arena_new(&scatter->arena, COIF_TILE_NODES, simd_float4);
    }
    return true;
}

typedef float float2 __attribute__((vector_size(8)));

void coif_grid_scatter_add(coif_grid_scatter *scatter, const coif_grid_sample *sample)
{
    coif_tile_sample position;
    if (!coif_tile_sample_at(&position, sample->position) || !select_tile(scatter, position.tile)) {
        ++scatter->dropped;
        return;
    }
    const simd_float4 sums = sample->sums;
    const float rest = sums[3] * sample->position[3];
    simd_float4 *sums_out = scatter->current_tile->sums + position.node;
    float *rest_out = scatter->current_tile->rest + position.node;
    for (int i = 0; i < 8; ++i) {
        sums_out[COIF_TILE_CORNERS[i]] += position.weights[i] * sums;
    }
    simd_float4 *to_coefficients = scatter->current_tile->coefficients;
    for (int i = 0; i < 8 && to_coefficients != NULL; ++i) {
        to_coefficients[position.node + COIF_TILE_CORNERS[i]] +=
            position.weights[i] * sums[3] * sample->coefficients;
    }
    // Corners along x are adjacent in memory.
    for (int i = 0; i < 8; i += 2) {
        float *at = rest_out + COIF_TILE_CORNERS[i];
        float2 pair;
        float2 weights;
        memcpy(&pair, at, sizeof pair);
        memcpy(&weights, position.weights + i, sizeof weights);
        pair += weights * rest;
        memcpy(at, &pair, sizeof pair);
    }
}

typedef struct gather_ctx {
    coif_hair_grid *grid;
    const coif_grid_scatter *scatters;
    int32_t scatter_count;
    const int32_t *source_tiles; // per tile and scatter: its index in the scatter, -1: none
} gather_ctx;

// Tiles that own a node with hair: those of the samples and the next ones along each axis, which
// own the last nodes.
static void add_tiles_of_scatters(coif_hair_grid *grid, const coif_grid_scatter *scatters,
                                  int32_t count)
{
    for (int32_t s = 0; s < count; ++s) {
        for (int32_t i = 0; i < scatters[s].tiles.count; ++i) {
            const coif_tile_coord coord = scatters[s].tiles.coords[i];
            for (int corner = 0; corner < 8; ++corner) {
                coif_sparse_grid_add(&grid->tiles, (coif_tile_coord){coord.x + (corner & 1),
                                                                     coord.y + (corner >> 1 & 1),
                                                                     coord.z + (corner >> 2)});
            }
        }
    }
}

static void find_neighbours(coif_hair_grid *grid, int32_t tile)
{
    const coif_tile_coord coord = grid->tiles.coords[tile];
    for (int i = 0; i < COIF_TILE_NEIGHBOURS; ++i) {
        const coif_tile_coord other = {coord.x + i % 3 - 1, coord.y + i / 3 % 3 - 1,
                                       coord.z + i / 9 - 1};
        grid->neighbours[tile][i] = coif_sparse_grid_find(&grid->tiles, other);
    }
}

// Adds the nodes a tile owns from a scatter tile: from itself or from one of the seven lower
// neighbours, whose last nodes they are.
static void add_source(const gather_ctx *ctx, int32_t tile, int32_t source, int dx, int dy, int dz)
{
    coif_hair_grid *grid = ctx->grid;
    const int x1 = dx > 0 ? 1 : COIF_TILE_CELLS;
    const int y1 = dy > 0 ? 1 : COIF_TILE_CELLS;
    const int z1 = dz > 0 ? 1 : COIF_TILE_CELLS;
    for (int32_t s = 0; s < ctx->scatter_count; ++s) {
        const int32_t index = ctx->source_tiles[(int64_t)source * ctx->scatter_count + s];
        if (index < 0) {
            continue;
        }
        const coif_grid_scatter_tile *from = scatter_tile(&ctx->scatters[s], index);
        for (int z = 0; z < z1; ++z) {
            for (int y = 0; y < y1; ++y) {
                for (int x = 0; x < x1; ++x) {
                    const int64_t to = (int64_t)tile * COIF_TILE_OWNED_NODES + (z * 4 + y) * 4 + x;
                    const int at =
                        ((z + 4 * dz) * COIF_TILE_SIDE + y + 4 * dy) * COIF_TILE_SIDE + x + 4 * dx;
                    grid->sums[to] += from->sums[at];
                    grid->rest_density[to] += from->rest[at];
                    if (grid->coefficients != NULL && from->coefficients != NULL) {
                        grid->coefficients[to] += from->coefficients[at];
                    }
                }
            }
        }
    }
}

static void gather_tiles(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const gather_ctx *ctx = context;
    coif_hair_grid *grid = ctx->grid;
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; ++tile) {
        find_neighbours(grid, tile);
        for (int d = 0; d < 8; ++d) {
            const int dx = d & 1;
            const int dy = d >> 1 & 1;
            const int dz = d >> 2;
            const int32_t source = grid->neighbours[tile][(1 - dz) * 9 + (1 - dy) * 3 + 1 - dx];
            if (source >= 0) {
                add_source(ctx, tile, source, dx, dy, dz);
            }
        }
        for (int64_t n = (int64_t)tile * COIF_TILE_OWNED_NODES;
             n < (int64_t)(tile + 1) * COIF_TILE_OWNED_NODES; ++n) {
            grid->rest_density[n] =
                grid->sums[n][3] > 0.0f ? grid->rest_density[n] / grid->sums[n][3] : 0.0f;
            if (grid->coefficients != NULL && grid->sums[n][3] > 0.0f) {
                grid->coefficients[n] /= grid->sums[n][3];
            }
        }
    }
}

void coif_hair_grid_build(coif_hair_grid *grid, const coif_grid_scatter *scatters, int32_t count,
                          float cell, coif_arena *arena, coif_jobs *jobs)
{
    *grid = (coif_hair_grid){.cell = cell};
    coif_sparse_grid_init(&grid->tiles, arena);
    add_tiles_of_scatters(grid, scatters, count);
    const int64_t tiles = grid->tiles.count;
    int32_t *source_tiles = coif_arena_new(arena, tiles * count, int32_t);
    memset(source_tiles, 0xff, sizeof *source_tiles * (size_t)(tiles * count));
    for (int32_t s = 0; s < count; ++s) {
        for (int32_t i = 0; i < scatters[s].tiles.count; ++i) {
            const int32_t tile = coif_sparse_grid_find(&grid->tiles, scatters[s].tiles.coords[i]);
            source_tiles[(int64_t)tile * count + s] = i;
        }
    }
    grid->neighbours = coif_arena_alloc(arena, (size_t)tiles, sizeof *grid->neighbours);
    grid->sums = coif_arena_new(arena, tiles * COIF_TILE_OWNED_NODES, simd_float4);
    grid->density = coif_arena_new(arena, tiles * COIF_TILE_OWNED_NODES, float);
    grid->rest_density = coif_arena_new(arena, tiles * COIF_TILE_OWNED_NODES, float);
    grid->pressure = coif_arena_new(arena, tiles * COIF_TILE_OWNED_NODES, float);
    grid->pressure_next = coif_arena_new(arena, tiles * COIF_TILE_OWNED_NODES, float);
    grid->source = coif_arena_new(arena, tiles * COIF_TILE_OWNED_NODES, float);
    grid->open_faces = coif_arena_new(arena, tiles * COIF_TILE_OWNED_NODES, float);
    grid->node_response = coif_arena_new(arena, tiles * COIF_TILE_OWNED_NODES, simd_float4);
    grid->response = coif_arena_new(arena, tiles * COIF_TILE_NODES, simd_float4);
    if (count > 0 && scatters[0].varying) {
        grid->coefficients = coif_arena_new(arena, tiles * COIF_TILE_OWNED_NODES, simd_float4);
        grid->friction_rates = coif_arena_new(arena, tiles * COIF_TILE_NODES, float);
    }
    gather_ctx ctx = {grid, scatters, count, source_tiles};
    coif_parallel_for(jobs, tiles, 16, gather_tiles, &ctx);
}
