#include "sim/solver/point_targets.h"

#include "core/base/arena.h"
#include "sim/solver/solver_internal.h"

enum { GRAIN = 8 };

static coif_block_targets *targets_of(coif_strand_block *block, coif_arena *arena)
{
    if (block->target_rows == NULL) {
        const int64_t row = (int64_t)block->length * block->lanes;
        coif_block_targets *targets = coif_arena_new(arena, 1, coif_block_targets);
        float *memory = coif_arena_new(arena, 7 * row + 2 * (int64_t)block->lanes, float);
        targets->inv_mass = coif_take_row(&memory, row);
        targets->contact_distance = coif_take_row(&memory, row);
        targets->held = (int32_t *)(void *)coif_take_row(&memory, row);
        targets->pulled = coif_take_rows3(&memory, row);
        targets->across = coif_take_row(&memory, row);
        targets->spans = (int32_t *)(void *)coif_take_row(&memory, block->lanes);
        targets->span_last = coif_take_row(&memory, block->lanes);
        block->target_rows = targets;
    }
    return block->target_rows;
}

static void allocate_rows(const coif_strand_block *block, coif_target_rows *rows, coif_arena *arena)
{
    const int64_t row = (int64_t)block->length * block->lanes;
    float *memory = coif_arena_new(arena, 18 * row, float);
    rows->begin = coif_take_rows3(&memory, row);
    rows->end = coif_take_rows3(&memory, row);
    rows->now = coif_take_rows3(&memory, row);
    rows->disp = coif_take_rows3(&memory, row);
    rows->axis = coif_take_rows3(&memory, row);
    rows->strength = coif_take_row(&memory, row);
    rows->rate = coif_take_row(&memory, row);
    rows->slack = coif_take_row(&memory, row);
}

static bool has_targets(const coif_solver *solver, const coif_strand_block *block,
                        const float *strength)
{
    for (int32_t lane = 0; lane < block->strand_count; ++lane) {
        const int32_t first = solver->first_point[block->strands[lane]];
        for (int32_t k = 0; k < block->length; ++k) {
            if (strength[first + k] > 0.0f) {
                return true;
            }
        }
    }
    return false;
}

typedef struct set_ctx {
    coif_solver *solver;
    int32_t set;
    const coif_point_targets *targets;
} set_ctx;

static void load_point(coif_target_rows *rows, int64_t at, const coif_point_targets *from,
                       int32_t point)
{
    const float s = fminf(from->strength[point], 1.0f);
    rows->strength[at] = s > 0.0f ? s : 0.0f;
    rows->rate[at] = s >= 1.0f  ? COIF_TARGET_HELD
                     : s > 0.0f ? s / ((1.0f - s) * from->frame_seconds)
                                : 0.0f;
    rows->slack[at] = from->slack != NULL ? from->slack[point] : 0.0f;
    const coif_vec3 none = {0};
    coif_soa3_set(&rows->axis, at, from->axis != NULL ? from->axis[point] : none);
    if (!rows->follows_rest) {
        coif_soa3_set(&rows->begin, at, from->begin[point]);
        coif_soa3_set(&rows->end, at, from->end[point]);
    }
}

static void load_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const set_ctx *ctx = context;
    for (int64_t b = begin; b < end; ++b) {
        const coif_strand_block *block = &ctx->solver->blocks[b];
        if (block->target_rows == NULL || !block->target_rows->sets[ctx->set].active) {
            continue;
        }
        coif_target_rows *rows = &block->target_rows->sets[ctx->set];
        rows->follows_rest = ctx->targets->begin == NULL;
        rows->has_slack = ctx->targets->slack != NULL;
        rows->has_axis = ctx->targets->axis != NULL;
        rows->has_held = false;
        rows->first_row = block->length;
        rows->end_row = 0;
        for (int64_t at = 0; at < (int64_t)block->length * block->lanes; ++at) {
            const int32_t strand = block->strands[at % block->lanes];
            const int32_t k = (int32_t)(at / block->lanes);
            load_point(rows, at, ctx->targets, ctx->solver->first_point[strand] + k);
            if (rows->rate[at] != 0.0f) {
                rows->has_held |= rows->rate[at] < 0.0f;
                rows->first_row = k < rows->first_row ? k : rows->first_row;
                rows->end_row = k + 1;
            }
        }
    }
}

void coif_solver_set_targets(coif_solver *solver, int32_t set, const coif_point_targets *targets,
                             coif_jobs *jobs)
{
    _Static_assert(COIF_COUNT_OF(((coif_block_targets *)0)->sets) == COIF_TARGET_SETS, "sets");
    COIF_ASSERT(targets == NULL || set == COIF_TARGETS_CONSTRAINT || targets->axis == NULL);
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_strand_block *block = &solver->blocks[b];
        const bool active = targets != NULL && has_targets(solver, block, targets->strength);
        if (!active && block->target_rows == NULL) {
            continue;
        }
        coif_target_rows *rows = &targets_of(block, solver->arena)->sets[set];
        rows->active = active;
        if (active && rows->rate == NULL) {
            allocate_rows(block, rows, solver->arena);
        }
    }
    if (targets != NULL) {
        set_ctx ctx = {solver, set, targets};
        coif_parallel_for(jobs, solver->block_count, GRAIN, load_blocks, &ctx);
    }
}

void coif_targets_release(coif_strand_block *block)
{
    if (block->targets != NULL) {
        block->inv_mass = block->targets->rest_inv_mass;
        block->contact_distance = block->targets->rest_contact_distance;
        block->targets = NULL;
    }
}
