// hair_interaction_internal: context and grid points shared by the interaction files.
#ifndef COIF_SIM_INTERACTION_HAIR_INTERACTION_INTERNAL_H
#define COIF_SIM_INTERACTION_HAIR_INTERACTION_INTERNAL_H

#include "sim/interaction/grid_frame.h"
#include "sim/solver/solver.h"

enum { INTERACTION_GRAIN = 4 }; // blocks

// Cells are enlarged until the rest state needs no more tiles than this; in motion some times as
// many are allowed, and samples beyond are dropped.
enum { MAX_TILES_AT_REST = 12288, MAX_TILES = 4 * MAX_TILES_AT_REST };

// Tiles of one of several groups: at least the rest state fits, if all of it were in one group.
static inline int32_t max_tiles_of_group(int32_t groups)
{
    return MAX_TILES / groups > MAX_TILES_AT_REST ? MAX_TILES / groups : MAX_TILES_AT_REST;
}

// Sample positions of a segment with two samples.
static const float SAMPLE_POSITIONS[2] = {0.25f, 0.75f};

typedef struct interaction_ctx {
    const coif_interaction_strands *strands;
    coif_hair_interaction *interaction;
    coif_grid_transform transform;
    coif_grid_scatter *scatters;
    coif_hair_grid *grid;
    coif_solver_scratch *scratch; // NULL, or strands stand in their rest shape
    bool second_pass;             // rest densities are known and are raised
    bool varying;                 // per-hair coefficients, see hair_grid.h
    float rate;
} interaction_ctx;

// A point of a strand in grid space.
typedef struct grid_point {
    simd_float4 position; // component 3: rest density
    simd_float4 velocity; // component 3: 1
} grid_point;

static inline simd_float4 lerp4(simd_float4 a, simd_float4 b, float t)
{
    return a + t * (b - a);
}

// Always inline: where scratch is known to be NULL the branch disappears.
static inline __attribute__((always_inline)) grid_point grid_point_at(
    const interaction_ctx *ctx, const coif_strand_block *block, const coif_solver_scratch *scratch,
    int64_t at)
{
    grid_point end;
    if (scratch != NULL) {
        end.position = coif_grid_transform_point(&ctx->transform, scratch->target.x[at],
                                                 scratch->target.y[at], scratch->target.z[at]);
        end.position[3] = block->rest_density[at];
        end.velocity = (simd_float4){0.0f, 0.0f, 0.0f, 1.0f};
        return end;
    }
    end.position = coif_grid_transform_point(&ctx->transform, block->pos.x[at], block->pos.y[at],
                                             block->pos.z[at]);
    end.velocity = coif_grid_transform_velocity(&ctx->transform, end.position, block->vel.x[at],
                                                block->vel.y[at], block->vel.z[at]);
    end.position[3] = block->rest_density[at];
    end.velocity[3] = 1.0f;
    return end;
}

// Evaluates the rest shape on the rest body into the targets of the scratch.
static inline void eval_rest_shape(const interaction_ctx *ctx, const coif_strand_block *block,
                                   coif_solver_scratch *scratch)
{
    const coif_substep rest = {.end = 0.0f};
    ctx->strands->kernels->update_targets(block, scratch, &rest);
}

// Tile of the last lookup.
typedef struct tile_cache {
    coif_tile_coord coord;
    const simd_float4 *response; // NULL where nothing is known
    const float *friction_rates;
} tile_cache;

static inline const simd_float4 *response_at(const coif_hair_grid *grid, tile_cache *last,
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

// Scatters all strands, group by group. The scatters must be closed.
void coif_hair_interaction_scatter(interaction_ctx *ctx, coif_arena *arena, coif_jobs *jobs);
void coif_hair_interaction_close_scatter(interaction_ctx *ctx);

#endif
