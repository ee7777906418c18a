#include "sim/solver/rest_shape_animation.h"

#include "core/base/arena.h"
#include "sim/solver/solver_internal.h"

#include <math.h>
#include <string.h>

enum { ROWS = 5, GRAIN = 8 };

typedef struct coif_rest_animation {
    float *from, *to;       // ROWS arrays each: positions, lengths and contact distances
    float *state;           // backup of the method state
    float *previous_length; // backup of the rest lengths
    bool is_static;         // from and to are equal
    bool is_precomputed;    // the block holds everything that follows from to
} coif_rest_animation;

static size_t floats_of(const coif_strand_block *block)
{
    return (size_t)block->length * (size_t)block->lanes;
}

void coif_rest_animation_init(coif_strand_block *block, coif_arena *arena)
{
    const int64_t floats = (int64_t)floats_of(block);
    coif_rest_animation *animation = coif_arena_new(arena, 1, coif_rest_animation);
    float *memory = coif_arena_new(arena, (2 * ROWS + 1) * floats, float);
    animation->from = coif_take_row(&memory, ROWS * floats);
    animation->to = coif_take_row(&memory, ROWS * floats);
    animation->previous_length = memory;
    block->rest_animation = animation;
}

static void shape_rows(float *rows[ROWS], const coif_strand_block *block)
{
    float *const all[ROWS] = {block->rest_local.x, block->rest_local.y, block->rest_local.z,
                              block->rest_length, block->contact_distance};
    memcpy(rows, all, sizeof all);
}

static void save_shape(float *to, const coif_strand_block *block)
{
    float *rows[ROWS];
    shape_rows(rows, block);
    for (size_t r = 0; r < ROWS; ++r) {
        memcpy(to + r * floats_of(block), rows[r], sizeof(float) * floats_of(block));
    }
}

static void restore_shape(coif_strand_block *block, const float *from)
{
    float *rows[ROWS];
    shape_rows(rows, block);
    for (size_t r = 0; r < ROWS; ++r) {
        memcpy(rows[r], from + r * floats_of(block), sizeof(float) * floats_of(block));
    }
}

void coif_rest_animation_begin(coif_solver *solver)
{
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_strand_block *block = &solver->blocks[b];
        coif_rest_animation *animation = block->rest_animation;
        save_shape(animation->from, block);
        save_shape(animation->to, block);
        animation->state = coif_arena_new(
            solver->arena, (int64_t)block->state_rows * (int64_t)floats_of(block) + 1, float);
        animation->is_static = animation->is_precomputed = true;
    }
}

typedef struct keyframe_ctx {
    coif_solver *solver;
    const coif_rest_shape *shape;
} keyframe_ctx;

static void next_keyframe(void *context, int64_t begin, int64_t end, int worker)
{
    const keyframe_ctx *ctx = context;
    for (int64_t b = begin; b < end; ++b) {
        coif_strand_block *block = &ctx->solver->blocks[b];
        coif_rest_animation *animation = block->rest_animation;
        float *old = animation->from;
        animation->from = animation->to;
        animation->to = old;
        coif_solver_load_rest_shape(ctx->solver, block, ctx->shape);
        save_shape(animation->to, block);
        const size_t bytes = ROWS * sizeof(float) * floats_of(block);
        if (ctx->shape->immediate) {
            memcpy(animation->from, animation->to, bytes);
            coif_solver_update_rest(ctx->solver, block, animation->state,
                                    &ctx->solver->scratch[worker]);
            animation->is_precomputed = true;
        }
        animation->is_static = memcmp(animation->from, animation->to, bytes) == 0;
        restore_shape(block, animation->from);
    }
}

void coif_solver_set_rest_shape(coif_solver *solver, const coif_rest_shape *shape, coif_jobs *jobs)
{
    COIF_ASSERT(solver->animated_rest);
    keyframe_ctx ctx = {.solver = solver, .shape = shape};
    coif_solver_ensure_scratch(solver, jobs);
    coif_parallel_for(jobs, solver->block_count, GRAIN, next_keyframe, &ctx);
}

// Segments take the direction of the linear interpolation and the interpolated length.
static void interpolate_shape(coif_strand_block *block, float time)
{
    const coif_rest_animation *animation = block->rest_animation;
    const size_t floats = floats_of(block);
    float *rows[ROWS];
    shape_rows(rows, block);
    for (size_t r = 0; r < ROWS; ++r) {
        const float *a = animation->from + r * floats;
        const float *b = animation->to + r * floats;
        for (size_t i = 0; i < floats; ++i) {
            rows[r][i] = a[i] + time * (b[i] - a[i]);
        }
    }
    const size_t lanes = (size_t)block->lanes;
    for (size_t lane = 0; lane < lanes; ++lane) {
        coif_vec3 linear = {rows[0][lane], rows[1][lane], rows[2][lane]};
        coif_vec3 at = linear;
        for (size_t i = lane; i + lanes < floats; i += lanes) {
            const size_t next = i + lanes;
            const coif_vec3 linear_next = {rows[0][next], rows[1][next], rows[2][next]};
            const coif_vec3 d = coif_sub(linear_next, linear);
            const float length = coif_length(d);
            at = coif_mad(at, length > 0.0f ? rows[3][i] / length : 1.0f, d);
            rows[0][next] = at.x;
            rows[1][next] = at.y;
            rows[2][next] = at.z;
            linear = linear_next;
        }
    }
}

// Scales the segments of the current shape to their new rest lengths; growth moves everything
// behind it.
static void scale_segments(coif_strand_block *block, const float *previous_length)
{
    const size_t lanes = (size_t)block->lanes;
    for (size_t lane = 0; lane < lanes; ++lane) {
        coif_vec3 old = coif_soa3_get(&block->pos, (int64_t)lane);
        coif_vec3 at = old;
        for (size_t i = lane; i + lanes < floats_of(block); i += lanes) {
            const coif_vec3 old_next = coif_soa3_get(&block->pos, (int64_t)(i + lanes));
            const float scale =
                previous_length[i] > 0.0f ? block->rest_length[i] / previous_length[i] : 1.0f;
            at = coif_mad(at, scale, coif_sub(old_next, old));
            coif_soa3_set(&block->pos, (int64_t)(i + lanes), at);
            old = old_next;
        }
    }
}

void coif_rest_animation_apply(const coif_solver *solver, coif_strand_block *block,
                               coif_solver_scratch *scratch, float time)
{
    coif_rest_animation *animation = block->rest_animation;
    if (animation->is_static && animation->is_precomputed) {
        return;
    }
    const bool at_end = time >= 1.0f || animation->is_static;
    memcpy(animation->previous_length, block->rest_length, sizeof(float) * floats_of(block));
    if (at_end) {
        restore_shape(block, animation->to);
    } else {
        interpolate_shape(block, time);
    }
    scale_segments(block, animation->previous_length);
    coif_solver_update_rest(solver, block, animation->state, scratch);
    animation->is_precomputed = at_end;
}
