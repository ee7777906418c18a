// solver_init: blocks from a definition, and everything that follows from the rest shape.
#include "sim/solver/gravity_compensation.h"
#include "sim/solver/method.h"
#include "sim/solver/rest_shape_animation.h"
#include "sim/solver/solver_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAIN = 8 };

static const float PI = 3.14159265f;

static const coif_solver_vtable *const METHODS[] = {
    &COIF_METHOD_PBD, &COIF_METHOD_DER, &COIF_METHOD_XPBD, &COIF_METHOD_FTL, &COIF_METHOD_SPRING};

const char *const COIF_METHOD_NAMES[] = {"pbd", "der", "xpbd", "ftl", "spring", NULL};

const coif_solver_vtable *coif_solver_vtable_at(int32_t index)
{
    COIF_ASSERT(index >= 0 && (size_t)index < COIF_COUNT_OF(METHODS));
    return METHODS[index];
}

typedef struct strand_order {
    int32_t length, locality, strand;
} strand_order;

static int compare_strands(const void *left, const void *right)
{
    const strand_order *a = left;
    const strand_order *b = right;
    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    if (a->locality != b->locality) {
        return a->locality < b->locality ? -1 : 1;
    }
    return (a->strand > b->strand) - (a->strand < b->strand);
}

void coif_solver_load_rest_shape(const coif_solver *solver, coif_strand_block *block,
                                 const coif_rest_shape *shape)
{
    const int32_t last = block->length - 1;
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const int32_t strand = block->strands[lane];
        const int32_t first = solver->first_point[strand];
        const coif_root_pose *root = &shape->frames[strand];
        const coif_mat3 frame = {{root->tangent, root->bitangent, root->normal}};
        for (int32_t k = 0; k <= last; ++k) {
            const int64_t at = (int64_t)k * block->lanes + lane;
            const coif_vec3 here = shape->points[first + k];
            coif_soa3_set(&block->rest_local, at,
                          coif_mat3_apply(&frame, coif_sub(here, root->position)));
            block->contact_distance[at] = shape->contact_distance[first + k];
            if (k < last) {
                block->rest_length[at] = coif_length(coif_sub(shape->points[first + k + 1], here));
            }
        }
    }
}

// Per-point and per-strand values of the definition that do not depend on the rest shape.
static void load_params(coif_strand_block *block, const coif_solver_def *def)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const int32_t strand = block->strands[lane];
        block->mass_scale[lane] = def->material[strand].mass_scale;
        for (int32_t k = 0; k < block->length; ++k) {
            const int64_t at = (int64_t)k * block->lanes + lane;
            const int32_t point = def->first_point[strand] + k;
            block->inv_mass[at] = def->inv_mass[point];
            block->goal_stiffness[at] = def->goal_stiffness[point];
            for (int row = 0; row < COIF_FIELD_BLOCK_ROWS; ++row) {
                if (def->param_scale[row] != NULL) {
                    block->param_scale[row][at] = def->param_scale[row][point];
                }
            }
            if (def->gravity_ramp != NULL) {
                block->gravity_ramp[at] = def->gravity_ramp[point];
            }
        }
        if (def->tip_force_scale != NULL) {
            const coif_vec3 scale = def->tip_force_scale[strand];
            block->tip_force_scale[lane] = scale.x;
            block->tip_force_scale[block->lanes + lane] = scale.y;
            block->tip_force_scale[2 * block->lanes + lane] = scale.z;
        }
    }
}

// Point mass and projected area per mass of a strand of length L with n segments:
//
//   m = rho pi r^2 L / n        A / M = 2 r / (rho pi r^2)
static void update_masses(const coif_solver *solver, coif_strand_block *block, int32_t lane)
{
    const coif_strand_material *material = &solver->materials[block->strands[lane]];
    const int32_t last = block->length - 1;
    float length = 0.0f;
    for (int32_t k = 0; k < last; ++k) {
        length += block->rest_length[(int64_t)k * block->lanes + lane];
    }
    const float radius = material->radius;
    const float density = material->density;
    block->area_per_mass[lane] = radius > 0.0f && density > 0.0f
                                     ? 2.0f / (PI * radius * density * block->mass_scale[lane])
                                     : 0.0f;
    const float kilograms =
        block->mass_scale[lane] * density * PI * radius * radius * length / (float)last;
    block->inv_point_mass[lane] = kilograms > 1e-20f ? 1.0f / kilograms : 0.0f;
}

// A direction normal to the first segment: the axis of the root frame that is least along it.
static void update_reference_axis(coif_strand_block *block, int32_t lane)
{
    const coif_vec3 d =
        coif_normalize(coif_sub(coif_soa3_get(&block->rest_local, block->lanes + lane),
                                coif_soa3_get(&block->rest_local, lane)));
    const float x = fabsf(d.x);
    const float y = fabsf(d.y);
    const float z = fabsf(d.z);
    coif_vec3 axis = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
    axis = coif_normalize(coif_mad(axis, -coif_dot(axis, d), d));
    block->reference_axis[lane] = axis.x;
    block->reference_axis[block->lanes + lane] = axis.y;
    block->reference_axis[2 * block->lanes + lane] = axis.z;
}

static void precompute_shape(const coif_solver *solver, coif_strand_block *block,
                             coif_solver_scratch *scratch)
{
    const coif_substep rest = {.end = 0.0f};
    const size_t bytes = sizeof(float) * (size_t)block->length * (size_t)block->lanes;
    solver->kernels->update_targets(block, scratch, &rest);
    memcpy(scratch->predicted.x, scratch->target.x, bytes);
    memcpy(scratch->predicted.y, scratch->target.y, bytes);
    memcpy(scratch->predicted.z, scratch->target.z, bytes);
    solver->kernels->precompute_shape(block, scratch);
}

void coif_solver_precompute_rest(const coif_solver *solver, coif_strand_block *block,
                                 coif_solver_scratch *scratch)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        update_reference_axis(block, lane);
        update_masses(solver, block, lane);
    }
    precompute_shape(solver, block, scratch);
    if (!solver->method->builtin_gravity_compensation) {
        coif_gravity_compensation_fill(solver, block, scratch);
    }
    if (solver->method->precompute_rest != NULL) {
        solver->method->precompute_rest(solver, block, scratch);
    }
}

void coif_solver_update_rest(const coif_solver *solver, coif_strand_block *block, float *state,
                             coif_solver_scratch *scratch)
{
    float roots[COIF_ROOT_ROWS * COIF_MAX_LANES];
    const size_t root_bytes = sizeof(float) * COIF_ROOT_ROWS * (size_t)block->lanes;
    const size_t state_bytes =
        sizeof(float) * (size_t)block->state_rows * (size_t)block->length * (size_t)block->lanes;
    memcpy(roots, block->root_begin, root_bytes);
    coif_solver_load_roots(block, solver->rest_roots, block->root_begin);
    if (state_bytes > 0) {
        memcpy(state, block->state, state_bytes);
    }
    coif_solver_precompute_rest(solver, block, scratch);
    if (state_bytes > 0) {
        memcpy(block->state, state, state_bytes);
    }
    memcpy(block->root_begin, roots, root_bytes);
}

void coif_solver_load_supported_gravity(const coif_solver *solver, const coif_strand_block *block,
                                        coif_solver_scratch *scratch)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const coif_strand_material *material = &solver->materials[block->strands[lane]];
        const coif_root_pose *root = &solver->rest_frames[block->strands[lane]];
        const coif_mat3 frame = {{root->tangent, root->bitangent, root->normal}};
        const coif_vec3 g =
            coif_scale(coif_mat3_apply(&frame, material->gravity), material->gravity_compensation);
        scratch->supported_gravity[lane] = g.x;
        scratch->supported_gravity[block->lanes + lane] = g.y;
        scratch->supported_gravity[2 * block->lanes + lane] = g.z;
    }
}

static void allocate_block(const coif_solver *solver, const coif_solver_def *def,
                           coif_strand_block *block, int32_t length, coif_arena *arena)
{
    const int32_t lanes = solver->kernels->lanes;
    const int64_t count = (int64_t)length * lanes;
    coif_strand_block_init(block, length, lanes, arena);
    for (int row = 0; row < COIF_FIELD_BLOCK_ROWS; ++row) {
        if (def->param_scale[row] != NULL) {
            block->param_scale[row] = coif_arena_new(arena, count, float);
        }
    }
    coif_strand_block_add_param_rows(block, arena);
    if (def->gravity_ramp != NULL) {
        block->gravity_ramp = coif_arena_new(arena, count, float);
    }
    if (def->tip_force_scale != NULL) {
        block->tip_force_scale = coif_arena_new(arena, 3 * (int64_t)lanes, float);
    }
    if (!solver->method->builtin_gravity_compensation) {
        coif_gravity_compensation_init(block, arena);
    }
    if (def->animated_rest) {
        coif_rest_animation_init(block, arena);
    }
    const coif_solver_vtable *method = solver->method;
    if (method->rows > 0) {
        coif_strand_block_add_method_rows(
            block, solver->root_clamped ? method->state_rows : method->free_state_rows,
            method->rows, method->lane_rows, arena);
    }
    if (method->init != NULL) {
        method->init(solver, block, arena);
    }
}

// Groups strands of equal length, in the order of locality: neighbours touch the same part of a
// body. Unused lanes of a block repeat its last strand.
static void create_blocks(coif_solver *solver, const coif_solver_def *def,
                          const strand_order *order, int32_t count, coif_arena *arena)
{
    const int32_t lanes = solver->kernels->lanes;
    int32_t blocks = 0;
    for (int32_t pass = 0; pass < 2; ++pass) {
        if (pass == 1) {
            solver->blocks = coif_arena_new(arena, blocks, coif_strand_block);
        }
        for (int32_t i = 0; i < count; blocks += pass == 0) {
            int32_t used = 1;
            while (used < lanes && i + used < count && order[i + used].length == order[i].length) {
                ++used;
            }
            if (pass == 1) {
                coif_strand_block *block = &solver->blocks[solver->block_count++];
                allocate_block(solver, def, block, order[i].length, arena);
                block->strand_count = used;
                for (int32_t lane = 0; lane < lanes; ++lane) {
                    block->strands[lane] = order[i + (lane < used ? lane : used - 1)].strand;
                }
            }
            i += used;
        }
    }
}

typedef struct init_ctx {
    coif_solver *solver;
    const coif_solver_def *def;
} init_ctx;

static void fill_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const init_ctx *ctx = context;
    const coif_rest_shape shape = {.points = ctx->def->rest_points,
                                   .contact_distance = ctx->def->contact_distance,
                                   .frames = ctx->def->rest_frame};
    for (int64_t b = begin; b < end; ++b) {
        coif_strand_block *block = &ctx->solver->blocks[b];
        coif_solver_load_rest_shape(ctx->solver, block, &shape);
        coif_solver_load_roots(block, ctx->def->rest_root, block->root_begin);
        load_params(block, ctx->def);
        coif_solver_precompute_rest(ctx->solver, block, &ctx->solver->scratch[worker]);
    }
}

void coif_solver_ensure_scratch(coif_solver *solver, coif_jobs *jobs)
{
    const int32_t count = jobs != NULL ? coif_jobs_threads(jobs) : 1;
    if (count <= solver->scratch_count) {
        return;
    }
    const int64_t row = (int64_t)solver->max_length * solver->kernels->lanes;
    solver->scratch = coif_arena_new(solver->arena, count, coif_solver_scratch);
    solver->scratch_count = count;
    for (int32_t i = 0; i < count; ++i) {
        coif_solver_scratch_init(&solver->scratch[i], solver->max_length, solver->kernels->lanes,
                                 solver->arena);
        solver->scratch[i].method_rows =
            coif_arena_new(solver->arena, row * solver->method->scratch_rows, float);
    }
}

static void *copy_array(coif_arena *arena, const void *from, size_t bytes)
{
    void *to = coif_arena_new(arena, (int64_t)(bytes / sizeof(float)) + 1, float);
    memcpy(to, from, bytes);
    return to;
}

static void copy_definition(coif_solver *solver, const coif_solver_def *def)
{
    const size_t count = (size_t)def->strand_count;
    coif_arena *arena = solver->arena;
    solver->kernels = def->kernels;
    solver->method = coif_solver_vtable_at(def->method);
    solver->strand_count = def->strand_count;
    solver->root_clamped = def->root_clamped;
    solver->compensates_gravity = def->compensates_gravity;
    solver->animated_rest = def->animated_rest;
    solver->substep_seconds = def->substep_seconds;
    solver->max_spring_steps = def->max_spring_steps;
    solver->bend_constraint = def->bend_constraint;
    solver->bend_spans = def->bend_spans;
    solver->first_point = copy_array(arena, def->first_point, (count + 1) * sizeof(int32_t));
    solver->materials = copy_array(arena, def->material, count * sizeof(coif_strand_material));
    solver->rest_frames = copy_array(arena, def->rest_frame, count * sizeof(coif_root_pose));
    solver->rest_roots = copy_array(arena, def->rest_root, count * sizeof(coif_root_pose));
    if (def->spring != NULL) {
        solver->springs = copy_array(arena, def->spring, count * sizeof(coif_spring_material));
    }
}

static void load_contact_distance(const coif_solver *solver, coif_strand_block *block,
                                  const float *contact_distance)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const int32_t first = solver->first_point[block->strands[lane]];
        for (int32_t k = 0; k < block->length; ++k) {
            block->contact_distance[(int64_t)k * block->lanes + lane] = contact_distance[first + k];
        }
    }
}

// The backup of the state is free between steps.
static void update_materials(void *context, int64_t begin, int64_t end, int worker)
{
    const init_ctx *ctx = context;
    for (int64_t b = begin; b < end; ++b) {
        coif_strand_block *block = &ctx->solver->blocks[b];
        if (ctx->def->contact_distance != NULL) {
            load_contact_distance(ctx->solver, block, ctx->def->contact_distance);
        }
        load_params(block, ctx->def);
        coif_solver_update_rest(ctx->solver, block, block->state_backup,
                                &ctx->solver->scratch[worker]);
    }
}

void coif_solver_set_materials(coif_solver *solver, const coif_solver_def *def, coif_jobs *jobs)
{
    const size_t count = (size_t)solver->strand_count;
    memcpy(solver->materials, def->material, count * sizeof *solver->materials);
    if (solver->springs != NULL) {
        memcpy(solver->springs, def->spring, count * sizeof *solver->springs);
    }
    // A fraction of 0 is filled in too: it clears what an earlier one has left.
    solver->compensates_gravity = solver->compensates_gravity || def->compensates_gravity;
    solver->caches_valid = solver->caches_valid && def->contact_distance == NULL;
    coif_solver_ensure_scratch(solver, jobs);
    init_ctx ctx = {solver, def};
    coif_parallel_for(jobs, solver->block_count, GRAIN, update_materials, &ctx);
}

static coif_solver *allocate(coif_arena *arena)
{
    if (arena != NULL) {
        coif_solver *solver = coif_arena_new(arena, 1, coif_solver);
        solver->arena = arena;
        return solver;
    }
    coif_arena own;
    coif_arena_init(&own, "solver");
    coif_solver *solver = coif_arena_new(&own, 1, coif_solver);
    coif_arena_move(&solver->own_arena, &own);
    solver->arena = &solver->own_arena;
    return solver;
}

void coif_solver_destroy(coif_solver *solver)
{
    if (solver != NULL && solver->arena == &solver->own_arena) {
        coif_arena own;
        coif_arena_move(&own, &solver->own_arena);
        coif_arena_free(&own);
    }
}

coif_solver *coif_solver_create(const coif_solver_def *def, coif_arena *arena, coif_jobs *jobs)
{
    coif_solver *solver = allocate(arena);
    copy_definition(solver, def);
    coif_arena temporary;
    coif_arena_init(&temporary, "solver blocks");
    const bool all = def->strand_end == 0;
    const int32_t begin = def->strand_begin;
    const int32_t count = all ? def->strand_count : def->strand_end - begin;
    strand_order *order = coif_arena_new(&temporary, count, strand_order);
    for (int32_t s = begin; s < begin + count; ++s) {
        const int32_t length = def->first_point[s + 1] - def->first_point[s];
        solver->max_length = length > solver->max_length ? length : solver->max_length;
        order[s - begin] = (strand_order){length, def->locality[s], s};
    }
    qsort(order, (size_t)count, sizeof *order, compare_strands);
    create_blocks(solver, def, order, count, solver->arena);
    coif_arena_free(&temporary);
    coif_solver_ensure_scratch(solver, jobs);
    init_ctx ctx = {solver, def};
    coif_parallel_for(jobs, solver->block_count, GRAIN, fill_blocks, &ctx);
    if (solver->method->validate != NULL) {
        solver->method->validate(solver);
    }
    if (def->animated_rest) {
        coif_rest_animation_begin(solver);
    }
    coif_solver_reset_to_rest(solver, def->rest_root);
    return solver;
}

const char *coif_solver_method_name(const coif_solver *solver)
{
    return solver->method->name;
}

int32_t coif_solver_strand_count(const coif_solver *solver)
{
    return solver->strand_count;
}

const int32_t *coif_solver_first_point(const coif_solver *solver)
{
    return solver->first_point;
}

coif_solver_view coif_solver_view_of(coif_solver *solver, coif_jobs *jobs)
{
    coif_solver_ensure_scratch(solver, jobs);
    return (coif_solver_view){.kernels = solver->kernels,
                              .blocks = solver->blocks,
                              .block_count = solver->block_count,
                              .scratch = solver->scratch,
                              .rest_roots = solver->rest_roots,
                              .arena = solver->arena};
}
