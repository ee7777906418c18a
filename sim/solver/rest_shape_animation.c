#include "sim/solver/rest_shape_animation.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"

#include <math.h>
#include <string.h>

enum { ROWS = 5, GRAIN = 8 };

typedef struct coif_rest_animation {
    float *from, *to; // ROWS arrays each: places, lengths and reach
    float *root;      // rows of the root at rest
    float *state;     // room for that of the method
    bool still;       // nothing changes in this frame,
    bool learned;     // and all is known of the shape at its end
} coif_rest_animation;

static size_t floats_of(const coif_strand_block *block)
{
    return (size_t)block->length * (size_t)block->lanes;
}

void coif_rest_animation_init(coif_strand_block *block, coif_arena *arena)
{
    const int64_t floats = (int64_t)floats_of(block);
    const int64_t roots = (int64_t)COIF_ROOT_ROWS * block->lanes;
    coif_rest_animation *animation = coif_arena_new(arena, 1, coif_rest_animation);
    float *memory = coif_arena_new(arena, 2 * ROWS * floats + roots, float);
    *animation = (coif_rest_animation){
        .from = memory, .to = memory + ROWS * floats, .root = memory + 2 * ROWS * floats};
    block->rest_animation = animation;
}

static void rows_of(float *rows[ROWS], const coif_strand_block *block)
{
    float *const all[ROWS] = {block->rest_local.x, block->rest_local.y, block->rest_local.z,
                              block->rest_length, block->contact_distance};
    memcpy(rows, all, sizeof all);
}

static void keep_rows(float *to, const coif_strand_block *block)
{
    float *rows[ROWS];
    rows_of(rows, block);
    for (size_t r = 0; r < ROWS; ++r) {
        memcpy(to + r * floats_of(block), rows[r], sizeof(float) * floats_of(block));
    }
}

static void set_rows(const coif_strand_block *block, const float *from)
{
    float *rows[ROWS];
    rows_of(rows, block);
    for (size_t r = 0; r < ROWS; ++r) {
        memcpy(rows[r], from + r * floats_of(block), sizeof(float) * floats_of(block));
    }
}

void coif_rest_animation_begin(coif_solver *solver)
{
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_strand_block *block = &solver->blocks[b];
        coif_rest_animation *animation = block->rest_animation;
        keep_rows(animation->from, block);
        keep_rows(animation->to, block);
        coif_solver_roots(solver, block, solver->rest, animation->root);
        animation->state = coif_arena_new(
            solver->arena, (int64_t)block->state_rows * (int64_t)floats_of(block) + 1, float);
        animation->still = animation->learned = true;
    }
}

// All that follows from the shape, while the state of the method and the roots stay.
static void learn(const coif_solver *solver, coif_strand_block *block, coif_solver_scratch *scratch)
{
    float roots[COIF_ROOT_ROWS * COIF_LANES_MOST];
    coif_rest_animation *animation = block->rest_animation;
    const size_t root_bytes = sizeof(float) * COIF_ROOT_ROWS * (size_t)block->lanes;
    const size_t state_bytes = sizeof(float) * (size_t)block->state_rows * floats_of(block);
    memcpy(roots, block->root_begin, root_bytes);
    memcpy(block->root_begin, animation->root, root_bytes);
    if (state_bytes > 0) {
        memcpy(animation->state, block->state, state_bytes);
    }
    coif_solver_precompute_rest(solver, solver->desc, block, scratch);
    if (state_bytes > 0) {
        memcpy(block->state, animation->state, state_bytes);
    }
    memcpy(block->root_begin, roots, root_bytes);
}

typedef struct stepping {
    coif_solver *solver;
    const coif_rest_keyframe *step;
    coif_solver_desc desc;
} stepping;

static void next_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const stepping *all = context;
    for (int64_t b = begin; b < end; ++b) {
        coif_strand_block *block = &all->solver->blocks[b];
        coif_rest_animation *animation = block->rest_animation;
        float *old = animation->from;
        animation->from = animation->to;
        animation->to = old;
        coif_solver_set_rest_shape(&all->desc, block);
        keep_rows(animation->to, block);
        const size_t bytes = ROWS * sizeof(float) * floats_of(block);
        if (all->step->at_once) {
            memcpy(animation->from, animation->to, bytes);
            learn(all->solver, block, &all->step->works[worker]);
            animation->learned = true;
        }
        animation->still = memcmp(animation->from, animation->to, bytes) == 0;
        set_rows(block, animation->from);
    }
}

void coif_rest_animation_next(coif_solver *solver, const coif_rest_keyframe *step, coif_jobs *jobs)
{
    stepping all = {.solver = solver, .step = step, .desc = *solver->desc};
    all.desc.groom = step->groom;
    coif_parallel_for(jobs, solver->block_count, GRAIN, next_blocks, &all);
    // How dense hair is at rest is measured again.
    solver->interaction.rest_measured = false;
}

// Segments point to where they would on a straight way, and are as long as they are to be.
static void stand_between(coif_strand_block *block, float moment)
{
    const coif_rest_animation *animation = block->rest_animation;
    const size_t floats = floats_of(block);
    float *rows[ROWS];
    rows_of(rows, block);
    for (size_t r = 0; r < ROWS; ++r) {
        const float *a = animation->from + r * floats;
        const float *b = animation->to + r * floats;
        for (size_t i = 0; i < floats; ++i) {
            rows[r][i] = a[i] + moment * (b[i] - a[i]);
        }
    }
    const size_t lanes = (size_t)block->lanes;
    for (size_t lane = 0; lane < lanes; ++lane) {
        coif_vec3 straight = {rows[0][lane], rows[1][lane], rows[2][lane]};
        coif_vec3 at = straight;
        for (size_t i = lane; i + lanes < floats; i += lanes) {
            const size_t next = i + lanes;
            const coif_vec3 there = {rows[0][next], rows[1][next], rows[2][next]};
            const coif_vec3 way = coif_sub(there, straight);
            const float length = coif_length(way);
            at = coif_mad(at, length > 0.0f ? rows[3][i] / length : 1.0f, way);
            rows[0][next] = at.x;
            rows[1][next] = at.y;
            rows[2][next] = at.z;
            straight = there;
        }
    }
}

// Segments as they lie become as long as they are to be: what has grown pushes on what is beyond.
static void push_on(coif_strand_block *block, const float *before)
{
    const size_t lanes = (size_t)block->lanes;
    for (size_t lane = 0; lane < lanes; ++lane) {
        coif_vec3 old = {block->pos.x[lane], block->pos.y[lane], block->pos.z[lane]};
        coif_vec3 at = old;
        for (size_t i = lane; i + lanes < floats_of(block); i += lanes) {
            const size_t next = i + lanes;
            const coif_vec3 there = {block->pos.x[next], block->pos.y[next], block->pos.z[next]};
            const float share = before[i] > 0.0f ? block->rest_length[i] / before[i] : 1.0f;
            at = coif_mad(at, share, coif_sub(there, old));
            block->pos.x[next] = at.x;
            block->pos.y[next] = at.y;
            block->pos.z[next] = at.z;
            old = there;
        }
    }
}

void coif_rest_animation_apply(const coif_solver *solver, coif_strand_block *block,
                               coif_solver_scratch *scratch, float moment)
{
    coif_rest_animation *animation = block->rest_animation;
    if (animation->still && animation->learned) {
        return;
    }
    const bool there = moment >= 1.0f || animation->still;
    memcpy(scratch->lambda, block->rest_length, sizeof(float) * floats_of(block));
    if (there) {
        set_rows(block, animation->to);
    } else {
        stand_between(block, moment);
    }
    push_on(block, scratch->lambda);
    learn(solver, block, scratch);
    animation->learned = there;
}
