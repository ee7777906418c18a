#include "sim/interaction/lock_cohesion.h"

#include "core/base/arena.h"

#include <stdlib.h>
#include <string.h>

// Samples along a strand; rows: deviation and its rate.
enum { SAMPLES = 16, ROWS = 6, GRAIN = 8, SAMPLE_FLOATS = SAMPLES * ROWS };

typedef struct numbered_strand {
    int32_t number, strand;
} numbered_strand;

static int by_number(const void *left, const void *right)
{
    const numbered_strand *a = left, *b = right;
    return a->number != b->number ? (a->number > b->number) - (a->number < b->number)
                                  : (a->strand > b->strand) - (a->strand < b->strand);
}

void coif_lock_cohesion_init(coif_lock_cohesion *cohesion, const int32_t *lock_of,
                             int32_t strand_count, coif_arena *arena)
{
    numbered_strand *sorted = coif_arena_new(arena, strand_count, numbered_strand);
    *cohesion = (coif_lock_cohesion){.first = coif_arena_new(arena, strand_count + 1, int32_t),
                                     .members = coif_arena_new(arena, strand_count, int32_t),
                                     .lock = coif_arena_new(arena, strand_count, int32_t)};
    for (int32_t s = 0; s < strand_count; ++s) {
        sorted[s] = (numbered_strand){lock_of[s], s};
        cohesion->lock[s] = -1;
    }
    qsort(sorted, (size_t)strand_count, sizeof *sorted, by_number);
    int32_t count = 0;
    for (int32_t begin = 0, end; begin < strand_count; begin = end) {
        for (end = begin + 1; end < strand_count && sorted[end].number == sorted[begin].number;) {
            ++end;
        }
        if (sorted[begin].number < 0 || end - begin < 2) {
            continue;
        }
        for (int32_t i = begin; i < end; ++i) {
            cohesion->members[count++] = sorted[i].strand;
            cohesion->lock[sorted[i].strand] = cohesion->lock_count;
        }
        cohesion->first[++cohesion->lock_count] = count;
    }
    cohesion->means = coif_arena_new(arena, (int64_t)SAMPLE_FLOATS * cohesion->lock_count, float);
    cohesion->deviations = coif_arena_new(arena, (int64_t)SAMPLE_FLOATS * strand_count, float);
}

typedef struct cohesion_ctx {
    coif_lock_cohesion *cohesion;
    coif_interaction_strands *strands;
    const coif_interaction_interval *interval;
    float stiffness, damping; // of the acceleration
} cohesion_ctx;

// Rows of a block: deviation and rate; then the rest shape at the end of the interval.
static void allocate_rows(const cohesion_ctx *ctx)
{
    coif_interaction_strands *strands = ctx->strands;
    ctx->cohesion->own =
        coif_arena_new(strands->arena, 2 * (int64_t)strands->block_count, coif_soa3);
    for (int32_t b = 0; b < strands->block_count; ++b) {
        coif_strand_block *block = &strands->blocks[b];
        const int64_t count = (int64_t)block->length * block->lanes;
        float *rows = coif_arena_new(strands->arena, 9 * count, float);
        ctx->cohesion->own[2 * b] = (coif_soa3){rows, rows + count, rows + 2 * count};
        ctx->cohesion->own[2 * b + 1] =
            (coif_soa3){rows + 3 * count, rows + 4 * count, rows + 5 * count};
        if (block->interaction_accel.x == NULL) {
            block->interaction_accel =
                (coif_soa3){rows + 6 * count, rows + 7 * count, rows + 8 * count};
        }
    }
}

static void copy_rows(const coif_soa3 *to, const coif_soa3 *from, int64_t count)
{
    memcpy(to->x, from->x, sizeof(float) * (size_t)count);
    memcpy(to->y, from->y, sizeof(float) * (size_t)count);
    memcpy(to->z, from->z, sizeof(float) * (size_t)count);
}

// One component of deviation and rate: rate = v - (rest at the end - rest at the begin) / t.
static void deviate(float *deviation, float *rate, const float *pos, const float *vel,
                    const float *begin, float seconds, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        rate[i] = vel[i] - (rate[i] - begin[i]) / seconds;
        deviation[i] = pos[i] - begin[i];
    }
}

// Value of a row at a fractional point of a lane.
static float row_at(const float *row, const coif_strand_block *block, int32_t lane, float position)
{
    const int32_t last = block->length - 1;
    const int32_t k = position < (float)last ? (int32_t)position : last - 1;
    const float t = position - (float)k;
    const float *at = row + (int64_t)k * block->lanes + lane;
    return at[0] + t * (at[block->lanes] - at[0]);
}

static void measure_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const cohesion_ctx *ctx = context;
    const coif_interaction_strands *strands = ctx->strands;
    coif_solver_scratch *scratch = &strands->scratch[worker];
    for (int64_t b = begin; b < end; ++b) {
        const coif_strand_block *block = &strands->blocks[b];
        const coif_soa3 *deviation = &ctx->cohesion->own[2 * b], *rate = deviation + 1;
        const int64_t count = (int64_t)block->length * block->lanes;
        const float seconds = (float)ctx->interval->seconds;
        const coif_substep to = {.end = ctx->interval->to}, from = {.end = ctx->interval->from};
        strands->kernels->update_targets(block, scratch, &to);
        copy_rows(rate, &scratch->target, count);
        strands->kernels->update_targets(block, scratch, &from);
        deviate(deviation->x, rate->x, block->pos.x, block->vel.x, scratch->target.x, seconds,
                count);
        deviate(deviation->y, rate->y, block->pos.y, block->vel.y, scratch->target.y, seconds,
                count);
        deviate(deviation->z, rate->z, block->pos.z, block->vel.z, scratch->target.z, seconds,
                count);
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            float *to_sample =
                ctx->cohesion->deviations + (int64_t)SAMPLE_FLOATS * block->strands[lane];
            for (int i = 0; i < SAMPLES; ++i) {
                const float position = (float)(i * (block->length - 1)) / (float)(SAMPLES - 1);
                const float *rows[ROWS] = {deviation->x, deviation->y, deviation->z,
                                           rate->x,      rate->y,      rate->z};
                for (int r = 0; r < ROWS; ++r) {
                    *to_sample++ = row_at(rows[r], block, lane, position);
                }
            }
        }
    }
}

static void average_locks(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const coif_lock_cohesion *cohesion = ((const cohesion_ctx *)context)->cohesion;
    for (int64_t l = begin; l < end; ++l) {
        float *mean = cohesion->means + SAMPLE_FLOATS * l;
        memset(mean, 0, sizeof(float) * SAMPLE_FLOATS);
        for (int32_t m = cohesion->first[l]; m < cohesion->first[l + 1]; ++m) {
            const float *own = cohesion->deviations + (int64_t)SAMPLE_FLOATS * cohesion->members[m];
            for (int i = 0; i < SAMPLE_FLOATS; ++i) {
                mean[i] += own[i];
            }
        }
        const float scale = 1.0f / (float)(cohesion->first[l + 1] - cohesion->first[l]);
        for (int i = 0; i < SAMPLE_FLOATS; ++i) {
            mean[i] *= scale;
        }
    }
}

static void accelerate_strand(const cohesion_ctx *ctx, int64_t b, int32_t lane, const float *mean)
{
    coif_strand_block *block = &ctx->strands->blocks[b];
    const coif_soa3 *own = &ctx->cohesion->own[2 * b];
    float *accel[3] = {block->interaction_accel.x, block->interaction_accel.y,
                       block->interaction_accel.z};
    const float *deviation[3] = {own[0].x, own[0].y, own[0].z};
    const float *rate[3] = {own[1].x, own[1].y, own[1].z};
    for (int32_t k = 0; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const float position = (float)(k * (SAMPLES - 1)) / (float)(block->length - 1);
        const int32_t i = k < block->length - 1 ? (int32_t)position : SAMPLES - 2;
        const float t = position - (float)i;
        const float *low = mean + ROWS * i, *high = low + ROWS;
        const float mobile = block->inv_mass[at] == 0.0f ? 0.0f : 1.0f;
        for (int axis = 0; axis < 3; ++axis) {
            const float d = low[axis] + t * (high[axis] - low[axis]);
            const float v = low[axis + 3] + t * (high[axis + 3] - low[axis + 3]);
            accel[axis][at] += mobile * (ctx->stiffness * (d - deviation[axis][at]) +
                                         ctx->damping * (v - rate[axis][at]));
        }
    }
}

static void accelerate_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const cohesion_ctx *ctx = context;
    const coif_lock_cohesion *cohesion = ctx->cohesion;
    for (int64_t b = begin; b < end; ++b) {
        const coif_strand_block *block = &ctx->strands->blocks[b];
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            const int32_t lock = cohesion->lock[block->strands[lane]];
            if (lock >= 0) {
                accelerate_strand(ctx, b, lane, cohesion->means + (int64_t)SAMPLE_FLOATS * lock);
            }
        }
    }
}

void coif_lock_cohesion_update(coif_lock_cohesion *cohesion, coif_interaction_strands *strands,
                               float rate, const coif_interaction_interval *interval,
                               coif_jobs *jobs)
{
    const float t = (float)interval->seconds, w = rate;
    const float implicit = 1.0f + 2.0f * w * t + w * w * t * t;
    cohesion_ctx ctx = {.cohesion = cohesion,
                        .strands = strands,
                        .interval = interval,
                        .stiffness = w * w / implicit,
                        .damping = (2.0f * w + w * w * t) / implicit};
    if (cohesion->own == NULL) {
        allocate_rows(&ctx);
    }
    coif_parallel_for(jobs, strands->block_count, GRAIN, measure_blocks, &ctx);
    coif_parallel_for(jobs, cohesion->lock_count, GRAIN, average_locks, &ctx);
    coif_parallel_for(jobs, strands->block_count, GRAIN, accelerate_blocks, &ctx);
}
