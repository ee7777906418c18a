#include "sim/solver/solver.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "sim/collision/sdf.h"
#include "sim/interaction/wind_occlusion.h"
#include "sim/solver/post_solve_contact.h"
#include "sim/solver/rest_shape_animation.h"

#include <string.h>

static const coif_solver_vtable *const METHODS[] = {
    &COIF_METHOD_PBD, &COIF_METHOD_ROD, &COIF_METHOD_XPBD, &COIF_METHOD_FTL, &COIF_METHOD_SPRING};

const char *const COIF_METHOD_NAMES[] = {"pbd", "der", "xpbd", "ftl", "spring", NULL};

const coif_solver_vtable *coif_solver_vtable_at(int32_t index)
{
    COIF_ASSERT(index >= 0 && (size_t)index < COIF_COUNT_OF(METHODS));
    return METHODS[index];
}

typedef struct stepping {
    coif_solver *solver;
    const coif_solver_frame *frame;
    coif_progress *progress;
    int32_t substep_begin, substep_end;
    bool bodies_go_on;        // they are those of the last frame
    coif_step_stats *tallies; // per block
    int32_t *bad_force;       // per block: the first force that misbehaved, plus one
    coif_body_transform
        *stances; // of all bodies, at the begin of each substep and at the end of the last
    bool crowded; // strands feel each other
} stepping;

static void begin_frame(const stepping *all, coif_strand_block *block)
{
    const coif_solver_frame *frame = all->frame;
    const size_t bytes = sizeof(float) * (size_t)block->length * (size_t)block->lanes;
    coif_solver_roots(all->solver, block, frame->begin, block->root_begin);
    coif_solver_roots(all->solver, block, frame->end, block->root_end);
    coif_strand_block_rotate(block);
    memcpy(block->pos_backup.x, block->pos.x, bytes);
    memcpy(block->pos_backup.y, block->pos.y, bytes);
    memcpy(block->pos_backup.z, block->pos.z, bytes);
    if (block->state_rows > 0) {
        memcpy(block->state_backup, block->state, bytes * (size_t)block->state_rows);
    }
    if (!all->bodies_go_on) {
        coif_bvh_distance_cache_invalidate(&block->bvh_cache, block->length * block->lanes);
        coif_sdf_distance_cache_invalidate(&block->sdf_cache, block->length * block->lanes);
    }
    block->max_half_segment = 0.0f;
    for (int32_t i = 0; i < block->length * block->lanes; ++i) {
        block->max_half_segment = fmaxf(block->max_half_segment, 0.5f * block->rest_length[i]);
    }
    coif_param_fields_begin(block, frame->params,
                            (float)(frame->seconds / frame->params->substeps));
}

// Air and accelerations of all forces, added up in their order.
static void ask_forces(const stepping *all, const coif_strand_block *block,
                       coif_solver_scratch *scratch, const coif_substep *step, int32_t *bad_force)
{
    const size_t bytes = sizeof(float) * (size_t)block->length * (size_t)block->lanes;
    memset(scratch->wind.x, 0, bytes);
    memset(scratch->wind.y, 0, bytes);
    memset(scratch->wind.z, 0, bytes);
    const coif_force_batch batch = {.struct_size = sizeof batch,
                                    .count = block->length * block->lanes,
                                    .time = step->time,
                                    .x = block->pos.x,
                                    .y = block->pos.y,
                                    .z = block->pos.z,
                                    .vx = block->vel.x,
                                    .vy = block->vel.y,
                                    .vz = block->vel.z,
                                    .wind_x = scratch->wind.x,
                                    .wind_y = scratch->wind.y,
                                    .wind_z = scratch->wind.z,
                                    .ax = scratch->accel.x,
                                    .ay = scratch->accel.y,
                                    .az = scratch->accel.z};
    for (int32_t f = 0; f < all->frame->force_count; ++f) {
        if (!coif_plugin_eval_force(all->frame->forces[f], &batch) && *bad_force == 0) {
            *bad_force = f + 1;
        }
    }
}

static void add_jostle(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    for (int32_t i = 0; i < block->length * block->lanes; ++i) {
        scratch->accel.x[i] += block->interaction_accel.x[i];
        scratch->accel.y[i] += block->interaction_accel.y[i];
        scratch->accel.z[i] += block->interaction_accel.z[i];
    }
}

// Searches look a little farther than they need to, so that not every substep needs one. Metres.
static const float AHEAD = 0.03f;

// Middles of segments are looked at where their ends are no farther from bodies than half of them;
// points have to know it well up to so many halves.
static const float FAR = 1.2f;

static coif_contact_query contacts_of(const stepping *all, const coif_strand_block *block,
                                      const coif_solver_scratch *scratch, const coif_substep *step,
                                      int32_t substep)
{
    return (coif_contact_query){.kernels = all->solver->kernels,
                                .count = block->length * block->lanes,
                                .lanes = block->lanes,
                                .pos = block->pos,
                                .predicted = scratch->predicted,
                                .contact_distance = block->contact_distance,
                                .begin = step->begin,
                                .end = step->end,
                                .transforms = all->stances + substep * all->frame->body_count,
                                .max_depenetration = step->max_depenetration,
                                .max_depenetration_per_point = block->max_depenetration,
                                .margin = coif_contact_margin(step),
                                .search_margin = AHEAD,
                                .bvh_cache = block->bvh_cache,
                                .sdf_cache = block->sdf_cache,
                                .exact_within =
                                    FAR * block->max_half_segment + coif_contact_margin(step),
                                .normal = scratch->contact_normal,
                                .offset = scratch->contact_offset,
                                .surface_disp = scratch->surface_disp,
                                .signed_distance = scratch->signed_distance,
                                .min_body_distance = scratch->min_body_distance};
}

// Constraints, between bodies that are looked at before, and after too where strands may have been
// pulled into them.
static void solve_block(const stepping *all, const coif_strand_block *block,
                        coif_solver_scratch *scratch, const coif_substep *step, int32_t substep)
{
    const coif_kernels *kernels = all->solver->kernels;
    const coif_solver_vtable *method = all->solver->method;
    const coif_solver_frame *frame = all->frame;
    int32_t rows[2] = {0};
    coif_contact_query query = contacts_of(all, block, scratch, step, substep);
    query.row_range = rows;
    scratch->has_contacts = coif_contact_query_find(&query, frame->bodies, frame->body_count);
    scratch->contact_begin = rows[0];
    scratch->contact_end = rows[1];
    if (scratch->has_contacts) {
        memset(scratch->normal_push, 0, sizeof(float) * (size_t)query.count);
    }
    scratch->has_segment_contacts = false;
    method->solve(kernels, block, scratch, step);
    if (frame->body_count > 0) {
        const coif_post_contact recheck = {
            .kernels = kernels,
            .query = &query,
            .bodies = frame->bodies,
            .body_count = frame->body_count,
            .restore_lengths = method->restore_lengths,
            .lengths_override_contacts = method->lengths_override_contacts,
            .max_length_error =
                step->length_constraint != COIF_LENGTH_NONE ? method->max_length_error : 0,
            .after_contact_push = method->after_contact_push};
        coif_resolve_missed_contacts(&recheck, block, scratch, step);
    }
}

// Gravity that differs from point to point is a push like others.
static void predict(const coif_kernels *kernels, const coif_strand_block *block,
                    coif_solver_scratch *scratch, const coif_substep *step)
{
    if (block->gravity_magnitude == NULL) {
        kernels->predict(block, scratch, step);
        return;
    }
    const float *const *own = (const float *const *)block->param_scale + COIF_FIELD_GRAVITY;
    for (int32_t i = 0; i < block->length * block->lanes; ++i) {
        scratch->accel.x[i] += step->gravity.x * own[0][i];
        scratch->accel.y[i] += step->gravity.y * own[1][i];
        scratch->accel.z[i] += step->gravity.z * own[2][i];
    }
    coif_substep pushed = *step;
    pushed.gravity = coif_vec3_of(0.0f, 0.0f, 0.0f);
    kernels->predict(block, scratch, &pushed);
}

static void step_block(const stepping *all, coif_strand_block *block, coif_solver_scratch *scratch,
                       int32_t *bad_force)
{
    const coif_kernels *kernels = all->solver->kernels;
    const coif_solver_frame *frame = all->frame;
    for (int32_t s = all->substep_begin; s < all->substep_end; ++s) {
        const coif_substep step = coif_substep_of(frame->params, s, frame->seconds, frame->time);
        if (block->rest_animation != NULL) {
            const int32_t in_all = frame->substeps_in_all;
            const int32_t whole = in_all > 0 ? in_all : frame->params->substeps;
            const float moment = (float)(frame->substeps_before + s + 1) / (float)whole;
            coif_rest_animation_apply(all->solver, block, scratch, moment);
        }
        kernels->update_targets(block, scratch, &step);
        if (block->centreline_tension != NULL) {
            kernels->apply_gravity_compensation(
                block, scratch, (const float *const[3]){block->pos.x, block->pos.y, block->pos.z});
        }
        ask_forces(all, block, scratch, &step, bad_force);
        if (all->crowded) {
            add_jostle(block, scratch);
        }
        if (frame->params->wind_attenuation > 0.0f) {
            coif_wind_occlusion_apply(block, scratch, &all->solver->interaction.grid_velocity);
        }
        predict(kernels, block, scratch, &step);
        solve_block(all, block, scratch, &step, s);
        kernels->integrate_velocity(block, scratch, &step);
        if (all->solver->method->end_substep != NULL) {
            all->solver->method->end_substep(kernels, block, scratch, &step);
        }
    }
}

static void step_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const stepping *all = context;
    coif_solver_scratch *scratch = &all->frame->works[worker];
    for (int64_t b = begin; b < end; ++b) {
        if (coif_progress_cancelled(all->progress)) {
            return;
        }
        coif_strand_block *block = &all->solver->blocks[b];
        if (all->substep_begin == 0) {
            begin_frame(all, block);
        }
        step_block(all, block, scratch, &all->bad_force[b]);
        if (all->substep_end == all->frame->params->substeps) {
            coif_solver_reset_diverged_strands(block, all->frame->seconds, &all->tallies[b]);
            coif_step_stats_measure(&all->tallies[b], block, scratch);
        }
    }
}

// Keyed parameters of a force change from substep to substep, and its instance is shared.
static bool forces_move(const coif_solver_frame *frame)
{
    for (int32_t f = 0; f < frame->force_count; ++f) {
        if (coif_params_are_animated(&coif_plugin_instance_node(frame->forces[f])->plugin_values)) {
            return true;
        }
    }
    return false;
}

// Strands meet: what they do to each other from this substep to the one before next.
static void meet(const stepping *all, int32_t substep, int32_t next, coif_jobs *jobs)
{
    const coif_solver_frame *frame = all->frame;
    const coif_sim_params *params = frame->params;
    const coif_interaction_interval moment = {
        .begin = frame->begin,
        .end = frame->end,
        .from = (float)substep / (float)params->substeps,
        .to = (float)next / (float)params->substeps,
        .seconds = frame->seconds * (next - substep) / params->substeps,
        .time = frame->time + frame->seconds * (substep + 1) / params->substeps,
        .forces = frame->forces,
        .force_count = frame->force_count};
    if (!all->solver->interaction.rest_measured) {
        coif_hair_interaction_measure_rest(all->solver, params, frame->works, jobs);
    }
    coif_hair_interaction_update(all->solver, params, &moment, jobs);
}

static int32_t least_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Meetings are counted over the whole frame, however many steps it is cut into.
static int32_t every_substeps(const coif_solver_frame *frame)
{
    const int32_t every = frame->params->interaction_interval;
    const int32_t all = frame->substeps_in_all;
    return every > 0 ? every : all > 0 ? all : frame->params->substeps;
}

static bool meets(const coif_solver_frame *frame, int32_t substep)
{
    return (frame->substeps_before + substep) % every_substeps(frame) == 0;
}

static int32_t until_next_meeting(const coif_solver_frame *frame, int32_t substep)
{
    const int32_t every = every_substeps(frame);
    const int32_t all =
        frame->substeps_in_all > 0 ? frame->substeps_in_all : frame->params->substeps;
    const int32_t now = frame->substeps_before + substep;
    return least_of(every - now % every, all - now);
}

static void run_substeps(stepping *all, coif_jobs *jobs)
{
    const coif_solver_frame *frame = all->frame;
    const int32_t substeps = frame->params->substeps;
    const bool keyed = forces_move(frame);
    for (int32_t s = 0; s < substeps; s = all->substep_end) {
        const double share = (double)(s + 1) / substeps;
        for (int32_t f = 0; keyed && f < frame->force_count; ++f) {
            coif_plugin_set_time(frame->forces[f],
                                 frame->frame_begin +
                                     share * (frame->frame_end - frame->frame_begin));
        }
        const int32_t apart = all->crowded ? until_next_meeting(frame, s) : substeps;
        if (all->crowded && meets(frame, s)) {
            meet(all, s, s + apart, jobs);
        }
        all->substep_begin = s;
        all->substep_end = keyed ? s + 1 : least_of(s + apart, substeps);
        coif_parallel_for(jobs, all->solver->block_count, 4, step_blocks, all);
    }
}

// Where sampled bodies stand during the frame.
static coif_body_transform *stances_of(const coif_solver_frame *frame, coif_arena *arena)
{
    const int32_t substeps = frame->params->substeps;
    coif_body_transform *stances =
        coif_arena_new(arena, (substeps + 1) * frame->body_count, coif_body_transform);
    for (int32_t b = 0; b < frame->body_count; ++b) {
        const coif_sdf *shell = frame->bodies[b].sdf;
        for (int32_t s = 0; shell != NULL && shell->valid && s <= substeps; ++s) {
            coif_body_transform_at(&stances[s * frame->body_count + b], shell->motion,
                                   (float)s / (float)substeps);
        }
    }
    return stances;
}

coif_status coif_solver_step(coif_solver *solver, const coif_solver_frame *frame,
                             coif_solver_report *report, coif_jobs *jobs, coif_progress *progress)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "solver step");
    stepping all = {.solver = solver,
                    .frame = frame,
                    .progress = progress,
                    .bodies_go_on =
                        solver->bodies == frame->bodies && solver->body_count == frame->body_count,
                    .tallies = coif_arena_new(&scratch, solver->block_count, coif_step_stats),
                    .crowded = coif_hair_interaction_enabled(frame->params),
                    .stances = stances_of(frame, &scratch),
                    .bad_force = coif_arena_new(&scratch, solver->block_count, int32_t)};
    solver->bodies = frame->bodies;
    solver->body_count = frame->body_count;
    run_substeps(&all, jobs);
    *report = (coif_solver_report){.bad_force = -1};
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_step_stats_add(&report->stats, &all.tallies[b]);
        report->reset_strands = report->stats.reset_strands;
        report->bad_force_count += all.bad_force[b] > 0;
        if (all.bad_force[b] > 0 && report->bad_force < 0) {
            report->bad_force = all.bad_force[b] - 1;
        }
    }
    coif_arena_free(&scratch);
    return coif_progress_cancelled(progress) ? COIF_ERR_CANCELLED : COIF_OK;
}
