// crowd, at rest: the grid is made as fine as hair allows, and points learn how dense the groom is
// around them.
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "sim/interaction/hair_interaction_internal.h"

#include <string.h>

enum { MOST_GROUPS = 8, STRANDS_PER_GROUP = 1024 };

// Where no cell is asked for: this many metres, or more until tiles hold as many halves of segments
// on the mean.
static const float FINEST = 0.008f;
static const float COARSEST = 0.04f;
static const int64_t HALVES_PER_TILE = 256;
static const float COARSER = 1.26f;

// A segment has one sample in its middle where that leaves no gaps, or else two.
static const float MOST_CELLS_APART = 1.3f;

// The density at a sample; or, the second time, by how much it is above the one kept, at the worst
// of the nodes around.
static float packing_at(const crowding *all, found *last, simd_float4 place)
{
    coif_tile_sample spot;
    const simd_float4 *felt = NULL;
    if (coif_tile_sample_at(&spot, place)) {
        felt = felt_at(all->field, last, &spot);
    }
    float mean = 0.0f;
    float most = 1.0f;
    for (int i = 0; felt != NULL && i < 8; ++i) {
        const float value = felt[COIF_TILE_CORNERS[i]][3];
        mean += spot.weights[i] * value;
        most = value > most ? value : most;
    }
    return all->again ? most : mean;
}

static void measure_strand(const crowding *all, coif_strand_block *block,
                           const coif_solver_scratch *scratch, int32_t lane)
{
    found last = {.felt = NULL};
    line a = line_of(all, block, scratch, lane);
    float before = 0.0f;
    for (int32_t k = 1; k <= block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        float after = 0.0f; // of the segment from k - 1 to k
        if (k < block->length) {
            const line b = line_of(all, block, scratch, at);
            if (all->solver->interaction.halves) {
                const float one = packing_at(all, &last, between(a.place, b.place, HALVES[0]));
                const float two = packing_at(all, &last, between(a.place, b.place, HALVES[1]));
                after = one > two ? one : two;
            } else {
                after = packing_at(all, &last, between(a.place, b.place, 0.5f));
            }
            a = b;
        }
        float *packing = &block->rest_density[at - block->lanes];
        const float most = before > after ? before : after;
        *packing = all->again ? *packing * most : most;
        before = after;
    }
}

// The density at rest that a point keeps is that around its segments, raised by what nodes there
// have more than the mean of all that touches them. So the mean over whatever touches a node is
// never less than what is at the node, and at rest nothing presses.
static void measure_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const crowding *all = context;
    coif_solver_scratch *scratch = &all->works[worker];
    for (int64_t b = begin; b < end; ++b) {
        coif_strand_block *block = &all->solver->blocks[b];
        pose_at_rest(all, block, scratch);
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            measure_strand(all, block, scratch, lane);
        }
    }
}

static void measure(crowding *all, coif_arena *arena, coif_jobs *jobs)
{
    coif_hair_grid *field = all->field;
    coif_hair_grid_build(field, all->splats, all->solver->interaction.groups,
                         all->solver->interaction.cell, arena, jobs);
    for (int64_t n = 0; all->again && n < (int64_t)field->tiles.count * COIF_TILE_OWN; ++n) {
        field->sums[n][3] = field->rest[n] > 0.0f ? field->sums[n][3] / field->rest[n] : 0.0f;
    }
    coif_hair_grid_respond(field, &(coif_grid_coefficients){.seconds = 1.0f}, jobs);
    coif_parallel_for(jobs, all->solver->block_count, CROWD_GRAIN, measure_blocks, all);
}

static int32_t count_tiles(const crowding *all, coif_arena *arena)
{
    coif_sparse_grid tiles;
    coif_sparse_grid_init(&tiles, arena);
    for (int32_t g = 0; g < all->solver->interaction.groups; ++g) {
        for (int32_t i = 0; i < all->splats[g].tiles.count; ++i) {
            coif_sparse_grid_add(&tiles, all->splats[g].tiles.places[i]);
        }
    }
    return tiles.count;
}

static void make_room(coif_solver *solver)
{
    coif_hair_interaction *crowd = &solver->interaction;
    const bool again = crowd->before != NULL; // hair that grows
    if (!again) {
        crowd->before = coif_arena_new(solver->arena, solver->block_count + 1, int32_t);
    }
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_strand_block *block = &solver->blocks[b];
        crowd->before[b + 1] = crowd->before[b] + block->strand_count;
        coif_solver_roots(solver, block, solver->rest, block->root_begin);
        const int64_t count = (int64_t)block->length * block->lanes;
        float *rows = again ? block->rest_density : coif_arena_new(solver->arena, 5 * count, float);
        memset(rows, 0, 5 * sizeof(float) * (size_t)count);
        block->rest_density = rows;
        block->interaction_accel.x = rows + count;
        block->interaction_accel.y = rows + 2 * count;
        block->interaction_accel.z = rows + 3 * count;
        block->wind_fraction = rows + 4 * count;
    }
    const int32_t groups = crowd->before[solver->block_count] / STRANDS_PER_GROUP;
    crowd->hairs = (float)solver->groom->rest.strand_count / (float)solver->groom->simulated_count;
    crowd->groups = groups < 1 ? 1 : groups > MOST_GROUPS ? MOST_GROUPS : groups;
}

static float mean_segment(const coif_solver *solver)
{
    double sum = 0.0;
    int64_t count = 0;
    for (int32_t b = 0; b < solver->block_count; ++b) {
        const coif_strand_block *block = &solver->blocks[b];
        // Strand by strand, so that the sum does not depend on how many lanes there are.
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            for (int32_t k = 0; k + 1 < block->length; ++k, ++count) {
                sum += (double)block->rest_length[(int64_t)k * block->lanes + lane];
            }
        }
    }
    return count > 0 ? (float)(sum / (double)count) : 0.0f;
}

void coif_hair_interaction_measure_rest(coif_solver *solver, const coif_sim_params *params,
                                        coif_solver_scratch *works, coif_jobs *jobs)
{
    make_room(solver);
    coif_hair_interaction *crowd = &solver->interaction;
    const coif_interaction_interval rest = {.begin = solver->rest, .end = solver->rest};
    coif_grid_frame pose;
    coif_grid_frame_fit(&pose, solver, &rest, 0.0f);
    const int32_t strands = crowd->before[solver->block_count];
    const int64_t halves = 2 * ((int64_t)solver->first_point[strands] - strands);
    const float segment = mean_segment(solver);
    const bool chosen = params->hair_cell > 0.0f;
    crowd->cell = chosen ? params->hair_cell : FINEST;
    for (;; crowd->cell *= COARSER) {
        crowd->halves = segment > MOST_CELLS_APART * crowd->cell;
        coif_arena scratch;
        coif_arena_init(&scratch, "hair at rest");
        crowding all = {.solver = solver, .works = works};
        coif_grid_transform_make(&all.map, &pose, &pose, 0.0, crowd->cell);
        coif_hair_interaction_scatter(&all, &scratch, jobs);
        const int32_t tiles = count_tiles(&all, &scratch);
        const bool enough = chosen || crowd->cell >= COARSEST || halves >= HALVES_PER_TILE * tiles;
        if (enough && tiles <= MOST_TILES_AT_REST) {
            coif_hair_grid field;
            all.field = &field;
            measure(&all, &scratch, jobs);
            coif_hair_interaction_close_scatter(&all);
            all.again = true;
            coif_hair_interaction_scatter(&all, &scratch, jobs);
            measure(&all, &scratch, jobs);
            crowd->ready = true;
        }
        coif_hair_interaction_close_scatter(&all);
        coif_arena_free(&scratch);
        if (crowd->ready) {
            break;
        }
    }
    if (chosen && crowd->cell != params->hair_cell) {
        coif_log(COIF_LOG_WARNING, "hair_cell %g m is too fine for this much hair; %g m is used",
                 (double)params->hair_cell, (double)crowd->cell);
    }
}
