// crowd, splats: strands are strewn into the grid, in groups that do not depend on threads.
#include "core/base/jobs.h"
#include "sim/interaction/hair_interaction_internal.h"

static simd_float4 laws_at(const coif_strand_block *block, int64_t at)
{
    static const int rows[3] = {[COIF_GRID_FRICTION] = COIF_FIELD_HAIR_FRICTION,
                                [COIF_GRID_PRESSURE] = COIF_FIELD_HAIR_PRESSURE,
                                [COIF_GRID_SHELTER] = COIF_FIELD_WIND_SHELTER};
    simd_float4 laws = {1.0f, 1.0f, 1.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        laws[i] = block->param_scale[rows[i]] != NULL ? block->param_scale[rows[i]][at] : 1.0f;
    }
    return laws;
}

static void splat_strand(const crowding *all, coif_grid_scatter *splat,
                         const coif_strand_block *block, const coif_solver_scratch *scratch,
                         int32_t lane)
{
    if (!(block->inv_point_mass[lane] > 0.0f)) {
        return;
    }
    const bool halves = all->solver->interaction.halves;
    const float mass =
        (halves ? 0.5f : 1.0f) * all->solver->interaction.hairs / block->inv_point_mass[lane];
    line a = line_of(all, block, scratch, lane);
    for (int32_t k = 1; k < block->length; ++k) {
        const line b = line_of(all, block, scratch, (int64_t)k * block->lanes + lane);
        for (int i = 0; i < (halves ? 2 : 1); ++i) {
            const float t = halves ? HALVES[i] : 0.5f;
            coif_grid_sample sample = {.place = between(a.place, b.place, t),
                                       .sums = between(a.speed, b.speed, t) * mass};
            if (all->varied) {
                const int64_t at = (int64_t)k * block->lanes + lane;
                sample.laws = between(laws_at(block, at - block->lanes), laws_at(block, at), t);
            }
            coif_grid_scatter_add(splat, &sample);
        }
        a = b;
    }
}

// Groups are ranges of strands in the order of the blocks, which does not depend on how many lanes
// a block has.
static void splat_groups(void *context, int64_t begin, int64_t end, int worker)
{
    const crowding *all = context;
    const coif_hair_interaction *crowd = &all->solver->interaction;
    coif_solver_scratch *scratch = all->works != NULL ? &all->works[worker] : NULL;
    const int32_t blocks = all->solver->block_count;
    const int64_t strands = crowd->before[blocks];
    for (int64_t g = begin; g < end; ++g) {
        const int32_t first = (int32_t)(strands * g / crowd->groups);
        const int32_t last = (int32_t)(strands * (g + 1) / crowd->groups);
        for (int32_t b = 0; b < blocks; ++b) {
            if (crowd->before[b + 1] <= first || crowd->before[b] >= last) {
                continue;
            }
            coif_strand_block *block = &all->solver->blocks[b];
            if (scratch != NULL) {
                pose_at_rest(all, block, scratch);
            }
            for (int32_t lane = 0; lane < block->strand_count; ++lane) {
                const int32_t strand = crowd->before[b] + lane;
                if (strand >= first && strand < last) {
                    splat_strand(all, &all->splats[g], block, scratch, lane);
                }
            }
        }
    }
}

void coif_hair_interaction_scatter(crowding *all, coif_arena *arena, coif_jobs *jobs)
{
    const int32_t groups = all->solver->interaction.groups;
    all->splats = coif_arena_new(arena, groups, coif_grid_scatter);
    for (int32_t g = 0; g < groups; ++g) {
        coif_grid_scatter_open(&all->splats[g], MOST_TILES / groups);
        all->splats[g].varied = all->varied;
    }
    coif_parallel_for(jobs, groups, 1, splat_groups, all);
}

void coif_hair_interaction_close_scatter(crowding *all)
{
    for (int32_t g = 0; g < all->solver->interaction.groups; ++g) {
        coif_grid_scatter_close(&all->splats[g]);
    }
}
