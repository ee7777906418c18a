// crowding: what the files of the crowd share: points as the grid sees them.
#ifndef COIF_SIM_INTERACTION_HAIR_INTERACTION_INTERNAL_H
#define COIF_SIM_INTERACTION_HAIR_INTERACTION_INTERNAL_H

#include "sim/interaction/grid_frame.h"
#include "sim/solver/solver.h"

enum { CROWD_GRAIN = 4 }; // blocks

// The grid is made coarser until hair at rest takes no more tiles than this; in motion it may take
// some times as many, and what goes beyond is left alone.
enum { MOST_TILES_AT_REST = 12288, MOST_TILES = 4 * MOST_TILES_AT_REST };

// Where a segment has two samples.
static const float HALVES[2] = {0.25f, 0.75f};

typedef struct crowding {
    coif_solver *solver;
    coif_grid_transform map;
    coif_grid_scatter *splats;
    coif_hair_grid *field;
    coif_solver_scratch *works; // NULL, or strands stand in their rest shape
    bool again;                 // densities at rest are known and are to be raised
    bool varied;                // hairs have laws of their own, see field.h
    float rate;
} crowding;

// A point as the grid sees it.
typedef struct line {
    simd_float4 place; // and density at rest
    simd_float4 speed; // and 1
} line;

static inline simd_float4 between(simd_float4 a, simd_float4 b, float t)
{
    return a + t * (b - a);
}

// Always inline: where a caller knows that there is no work, nothing is left of that branch.
static inline __attribute__((always_inline)) line line_of(const crowding *all,
                                                          const coif_strand_block *block,
                                                          const coif_solver_scratch *scratch,
                                                          int64_t at)
{
    line end;
    if (scratch != NULL) {
        end.place = coif_grid_transform_point(&all->map, scratch->target.x[at],
                                              scratch->target.y[at], scratch->target.z[at]);
        end.place[3] = block->rest_density[at];
        end.speed = (simd_float4){0.0f, 0.0f, 0.0f, 1.0f};
        return end;
    }
    end.place =
        coif_grid_transform_point(&all->map, block->pos.x[at], block->pos.y[at], block->pos.z[at]);
    end.speed = coif_grid_transform_velocity(&all->map, end.place, block->vel.x[at],
                                             block->vel.y[at], block->vel.z[at]);
    end.place[3] = block->rest_density[at];
    end.speed[3] = 1.0f;
    return end;
}

// The rest shape, on the body at rest, into the goals of the work.
static inline void pose_at_rest(const crowding *all, const coif_strand_block *block,
                                coif_solver_scratch *scratch)
{
    const coif_substep rest = {.end = 0.0f};
    all->solver->kernels->update_targets(block, scratch, &rest);
}

// The tile that the last sample was in.
typedef struct found {
    coif_tile_coord place;
    const simd_float4 *felt; // NULL where nothing is known
    const float *rates;
} found;

static inline const simd_float4 *felt_at(const coif_hair_grid *field, found *last,
                                         const coif_tile_sample *spot)
{
    if (last->felt == NULL || !coif_tile_coord_equal(last->place, spot->tile)) {
        const int32_t tile = coif_sparse_grid_find(&field->tiles, spot->tile);
        if (tile < 0) {
            return NULL;
        }
        last->place = spot->tile;
        last->felt = field->felt + (int64_t)tile * COIF_TILE_NODES;
        last->rates = field->rates != NULL ? field->rates + (int64_t)tile * COIF_TILE_NODES : NULL;
    }
    return last->felt + spot->node;
}

// Strews all strands, group by group, into splats that are to be closed.
void coif_hair_interaction_scatter(crowding *all, coif_arena *arena, coif_jobs *jobs);
void coif_hair_interaction_close_scatter(crowding *all);

#endif
