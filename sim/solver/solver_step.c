// solver_step: substeps of all blocks.
#include "core/base/arena.h"
#include "core/collision/sdf.h"
#include "sim/solver/method.h"
#include "sim/solver/point_targets.h"
#include "sim/solver/post_solve_contact.h"
#include "sim/solver/reset_diverged.h"
#include "sim/solver/rest_shape_animation.h"
#include "sim/solver/solver_internal.h"

#include <string.h>

typedef struct step_ctx {
    coif_solver *solver;
    const coif_solver_step_args *args;
    coif_progress *progress;
    int32_t substep_begin, substep_end;
    coif_step_stats *stats; // per block
    int32_t *bad_force;     // per block: 1 + the first force with a value that is not finite
    // Of all bodies with an SDF, at the begin of each substep and at the end of the last.
    coif_body_transform *transforms;
} step_ctx;

static void copy_rows3(coif_soa3 *to, const coif_soa3 *from, size_t bytes)
{
    memcpy(to->x, from->x, bytes);
    memcpy(to->y, from->y, bytes);
    memcpy(to->z, from->z, bytes);
}

static void begin_step(const step_ctx *ctx, coif_strand_block *block)
{
    const coif_solver_step_args *args = ctx->args;
    const int32_t count = block->length * block->lanes;
    const size_t bytes = sizeof(float) * (size_t)count;
    coif_solver_load_roots(block, args->root_begin, block->root_begin);
    coif_solver_load_roots(block, args->root_end, block->root_end);
    coif_strand_block_rotate(block);
    copy_rows3(&block->pos_backup, &block->pos, bytes);
    if (block->state_rows > 0) {
        memcpy(block->state_backup, block->state, bytes * (size_t)block->state_rows);
    }
    if (!ctx->solver->caches_valid) {
        coif_bvh_distance_cache_invalidate(&block->bvh_cache, count);
        coif_sdf_distance_cache_invalidate(&block->sdf_cache, count);
    }
    block->max_half_segment = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        block->max_half_segment = fmaxf(block->max_half_segment, 0.5f * block->rest_length[i]);
    }
    coif_strand_block_update_params(block, args->params,
                                    (float)(args->seconds / args->params->substeps));
    if (ctx->solver->method->update_params != NULL) {
        ctx->solver->method->update_params(block, args->params);
    }
}

// Wind and accelerations of all forces.
static void eval_forces(const step_ctx *ctx, const coif_strand_block *block,
                        coif_solver_scratch *scratch, const coif_substep *step, int32_t *bad_force)
{
    const coif_solver_forces *forces = &ctx->args->forces;
    const size_t bytes = sizeof(float) * (size_t)block->length * (size_t)block->lanes;
    memset(scratch->wind.x, 0, bytes);
    memset(scratch->wind.y, 0, bytes);
    memset(scratch->wind.z, 0, bytes);
    if (forces->eval == NULL) {
        return;
    }
    const coif_force_points points = {.count = block->length * block->lanes,
                                      .time = step->time,
                                      .pos = block->pos,
                                      .vel = block->vel,
                                      .wind = scratch->wind,
                                      .accel = scratch->accel,
                                      .block = block};
    const int32_t bad = forces->eval(forces->context, &points);
    *bad_force = *bad_force == 0 ? bad : *bad_force;
}

static void add_interaction(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    for (int32_t i = 0; i < block->length * block->lanes; ++i) {
        scratch->accel.x[i] += block->interaction_accel.x[i];
        scratch->accel.y[i] += block->interaction_accel.y[i];
        scratch->accel.z[i] += block->interaction_accel.z[i];
    }
}

// Extra radius of BVH searches, so that not every substep needs one, m.
static const float SEARCH_MARGIN = 0.03f;

// Segment midpoints are queried where their ends are no farther from bodies than half a segment;
// distances of points have to be exact up to so many of these halves.
static const float EXACT_HALF_SEGMENTS = 1.2f;

static coif_contact_query contact_query_of(const step_ctx *ctx, const coif_strand_block *block,
                                           const coif_solver_scratch *scratch,
                                           const coif_substep *step, int32_t substep)
{
    const float margin = coif_contact_margin(step);
    return (coif_contact_query){.kernels = ctx->solver->kernels->contact,
                                .count = block->length * block->lanes,
                                .lanes = block->lanes,
                                .pos = block->pos,
                                .predicted = scratch->predicted,
                                .contact_distance = block->contact_distance,
                                .begin = step->begin,
                                .end = step->end,
                                .seconds = step->h,
                                .transforms = ctx->transforms + substep * ctx->args->body_count,
                                .max_depenetration = step->max_depenetration,
                                .max_depenetration_per_point = block->max_depenetration,
                                .margin = margin,
                                .search_margin = SEARCH_MARGIN,
                                .bvh_cache = block->bvh_cache,
                                .sdf_cache = block->sdf_cache,
                                .exact_within =
                                    EXACT_HALF_SEGMENTS * block->max_half_segment + margin,
                                .normal = scratch->contact_normal,
                                .offset = scratch->contact_offset,
                                .surface_disp = scratch->surface_disp,
                                .signed_distance = scratch->signed_distance,
                                .friction = scratch->surface_friction,
                                .soft = scratch->surface_soft,
                                .min_body_distance = scratch->min_body_distance};
}

// Contact planes, constraints, and the second contact pass where constraints may have pulled
// strands into bodies.
static void solve_constraints(const step_ctx *ctx, coif_strand_block *block,
                              coif_solver_scratch *scratch, const coif_substep *step,
                              int32_t substep)
{
    const coif_kernels *kernels = ctx->solver->kernels;
    const coif_solver_vtable *method = ctx->solver->method;
    const coif_solver_step_args *args = ctx->args;
    int32_t rows[2] = {0};
    coif_contact_query query = contact_query_of(ctx, block, scratch, step, substep);
    query.row_range = rows;
    scratch->has_contacts = coif_contact_query_find(&query, args->bodies, args->body_count);
    scratch->contact_begin = rows[0];
    scratch->contact_end = rows[1];
    if (scratch->has_contacts) {
        memset(scratch->normal_push, 0, sizeof(float) * (size_t)query.count);
    }
    scratch->has_segment_contacts = false;
    method->solve(kernels, block, scratch, step);
    if (args->body_count > 0) {
        const coif_post_contact recheck = {
            .kernels = kernels,
            .query = &query,
            .bodies = args->bodies,
            .body_count = args->body_count,
            .restore_lengths = method->restore_lengths,
            .lengths_override_contacts = method->lengths_override_contacts,
            .max_length_error =
                step->length_constraint != COIF_LENGTH_NONE ? method->max_length_error : 0,
            .after_contact_push = method->after_contact_push};
        coif_resolve_missed_contacts(&recheck, block, scratch, step);
    }
}

// Gravity that varies from point to point is an acceleration like others.
static void predict(const coif_kernels *kernels, const coif_strand_block *block,
                    coif_solver_scratch *scratch, const coif_substep *step)
{
    if (block->gravity_magnitude == NULL) {
        kernels->predict(block, scratch, step);
        return;
    }
    const float *const *scale = (const float *const *)block->param_scale + COIF_FIELD_GRAVITY;
    for (int32_t i = 0; i < block->length * block->lanes; ++i) {
        scratch->accel.x[i] += step->gravity.x * scale[0][i];
        scratch->accel.y[i] += step->gravity.y * scale[1][i];
        scratch->accel.z[i] += step->gravity.z * scale[2][i];
    }
    coif_substep without = *step;
    without.gravity = coif_vec3_of(0.0f, 0.0f, 0.0f);
    kernels->predict(block, scratch, &without);
}

static int32_t substeps_in_all(const coif_solver_step_args *args)
{
    return args->substeps_in_all > 0 ? args->substeps_in_all : args->params->substeps;
}

static void pull_targets(const step_ctx *ctx, coif_strand_block *block,
                         coif_solver_scratch *scratch, const coif_substep *step, int32_t s)
{
    coif_block_targets *targets = block->target_rows;
    if (targets == NULL || (!targets->sets[0].active && !targets->sets[1].active)) {
        return;
    }
    const float substeps = (float)substeps_in_all(ctx->args);
    block->targets = targets;
    targets->begin = (float)(ctx->args->substeps_before + s) / substeps;
    targets->end = (float)(ctx->args->substeps_before + s + 1) / substeps;
    ctx->solver->kernels->pull_targets(block, scratch, step, ctx->solver->method->pulls_targets);
}

// Relative length error of held strands that are laid out anew.
static const float MAX_HELD_LENGTH_ERROR = 0.005f;

static void hold_targets(const step_ctx *ctx, const coif_strand_block *block,
                         coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_kernels *kernels = ctx->solver->kernels;
    const coif_solver_vtable *method = ctx->solver->method;
    const float most = fmaxf(method->max_length_error, MAX_HELD_LENGTH_ERROR);
    if (kernels->hold_targets(block, scratch,
                              step->length_constraint != COIF_LENGTH_NONE ? most : 0.0f) &&
        method->after_contact_push != NULL) {
        method->after_contact_push(kernels, block, scratch, step, &scratch->smoothing);
    }
}

static void substep_block(const step_ctx *ctx, coif_strand_block *block,
                          coif_solver_scratch *scratch, int32_t s, int32_t *bad_force)
{
    const coif_kernels *kernels = ctx->solver->kernels;
    const coif_solver_vtable *method = ctx->solver->method;
    const coif_solver_step_args *args = ctx->args;
    const coif_substep step = coif_substep_of(args->params, s, args->seconds, args->time);
    if (args->block_targets.update != NULL) {
        args->block_targets.update(args->block_targets.context,
                                   (int32_t)(block - ctx->solver->blocks), s);
    }
    if (block->rest_animation != NULL) {
        const float time = (float)(args->substeps_before + s + 1) / (float)substeps_in_all(args);
        coif_rest_animation_apply(ctx->solver, block, scratch, time);
    }
    kernels->update_targets(block, scratch, &step);
    if (block->support.tension != NULL) {
        kernels->apply_gravity_compensation(block, scratch, &block->pos);
    }
    eval_forces(ctx, block, scratch, &step, bad_force);
    if (args->interaction.update != NULL) {
        add_interaction(block, scratch);
    }
    if (args->interaction.attenuate_wind != NULL) {
        args->interaction.attenuate_wind(args->interaction.context, block, scratch);
    }
    predict(kernels, block, scratch, &step);
    pull_targets(ctx, block, scratch, &step, s);
    solve_constraints(ctx, block, scratch, &step, s);
    if (block->targets != NULL && block->targets->any_held) {
        hold_targets(ctx, block, scratch, &step);
    }
    kernels->integrate_velocity(block, scratch, &step, method->supports_resting);
    if (method->end_substep != NULL) {
        method->end_substep(kernels, block, scratch, &step);
    }
    coif_targets_release(block);
    if (step.rigid_damping > 0.0f) {
        kernels->damp_deformation(block, &step);
    }
}

static void step_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const step_ctx *ctx = context;
    coif_solver_scratch *scratch = &ctx->solver->scratch[worker];
    scratch->has_surface_friction = scratch->has_soft_surface = false;
    for (int32_t b = 0; b < ctx->args->body_count; ++b) {
        const coif_contact_surface *surface = &ctx->args->bodies[b].surface;
        scratch->has_surface_friction |= surface->has_friction;
        scratch->has_soft_surface |= surface->softness > 0.0f;
    }
    for (int64_t b = begin; b < end; ++b) {
        if (coif_progress_cancelled(ctx->progress)) {
            return;
        }
        coif_strand_block *block = &ctx->solver->blocks[b];
        if (ctx->substep_begin == 0) {
            begin_step(ctx, block);
        }
        for (int32_t s = ctx->substep_begin; s < ctx->substep_end; ++s) {
            substep_block(ctx, block, scratch, s, &ctx->bad_force[b]);
        }
        if (ctx->substep_end == ctx->args->params->substeps) {
            coif_reset_diverged_strands(block, scratch, ctx->args->params, ctx->args->seconds,
                                        &ctx->stats[b]);
            coif_step_stats_measure(&ctx->stats[b], block, scratch);
        }
    }
}

static int32_t min_int(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Substeps until the next interaction update. Updates are counted over the whole frame, however
// many steps it is divided into.
static int32_t substeps_to_update(const coif_solver_step_args *args, int32_t substep)
{
    const int32_t interval = args->interaction.interval;
    const int32_t now = args->substeps_before + substep;
    return min_int(interval - now % interval, substeps_in_all(args) - now);
}

static void run_substeps(step_ctx *ctx, coif_jobs *jobs)
{
    const coif_solver_step_args *args = ctx->args;
    const coif_solver_interaction *interaction = &args->interaction;
    const int32_t substeps = args->params->substeps;
    const bool animated = args->forces.set_time != NULL;
    for (int32_t s = 0; s < substeps; s = ctx->substep_end) {
        if (animated) {
            args->forces.set_time(args->forces.context, (double)(s + 1) / substeps);
        }
        const int32_t next =
            interaction->update != NULL ? s + substeps_to_update(args, s) : substeps;
        if (interaction->update != NULL &&
            (args->substeps_before + s) % interaction->interval == 0) {
            interaction->update(interaction->context, s, next);
        }
        ctx->substep_begin = s;
        ctx->substep_end = animated ? s + 1 : min_int(next, substeps);
        coif_parallel_for(jobs, ctx->solver->block_count, 4, step_blocks, ctx);
    }
}

static coif_body_transform *body_transforms(const coif_solver_step_args *args, coif_arena *arena)
{
    const int32_t substeps = args->params->substeps;
    coif_body_transform *transforms =
        coif_arena_new(arena, (substeps + 1) * args->body_count, coif_body_transform);
    for (int32_t b = 0; b < args->body_count; ++b) {
        const coif_sdf *sdf = args->bodies[b].sdf;
        for (int32_t s = 0; sdf != NULL && sdf->valid && s <= substeps; ++s) {
            coif_body_transform_at(&transforms[s * args->body_count + b], sdf->motion,
                                   (float)s / (float)substeps);
        }
    }
    return transforms;
}

coif_status coif_solver_step(coif_solver *solver, const coif_solver_step_args *args,
                             coif_solver_report *report, coif_jobs *jobs, coif_progress *progress)
{
    coif_arena arena;
    coif_arena_init(&arena, "solver step");
    coif_solver_ensure_scratch(solver, jobs);
    step_ctx ctx = {.solver = solver,
                    .args = args,
                    .progress = progress,
                    .stats = coif_arena_new(&arena, solver->block_count, coif_step_stats),
                    .transforms = body_transforms(args, &arena),
                    .bad_force = coif_arena_new(&arena, solver->block_count, int32_t)};
    solver->caches_valid = solver->caches_valid && solver->body_count == args->body_count;
    run_substeps(&ctx, jobs);
    solver->caches_valid = true;
    solver->body_count = args->body_count;
    *report = (coif_solver_report){.bad_force = -1};
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_step_stats_add(&report->stats, &ctx.stats[b]);
        report->bad_force_count += ctx.bad_force[b] > 0;
        if (ctx.bad_force[b] > 0 && report->bad_force < 0) {
            report->bad_force = ctx.bad_force[b] - 1;
        }
    }
    coif_arena_free(&arena);
    return coif_progress_cancelled(progress) ? COIF_ERR_CANCELLED : COIF_OK;
}
