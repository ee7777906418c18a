#include "sim/run/constraints.h"

#include "core/base/arena.h"
#include "sim/solver/point_targets.h"

#include <string.h>

static coif_constraint_params params_at(const coif_constraint *constraint, double frame)
{
    coif_constraint_params params;
    coif_node_read(constraint->node, frame, &params);
    params.strength = params.enabled ? params.strength : 0.0f;
    return params;
}

void coif_constraints_restore(coif_constraints *constraints, double frame)
{
    for (int32_t c = 0; c < constraints->count; ++c) {
        const coif_constraint_params params = params_at(&constraints->items[c], frame);
        constraints->items[c].caught = params.strength > 0.0f;
    }
}

// Frame of the anchor of a point on posed bodies; without an anchor that of the world.
static coif_anchor_frame posed_frame(const coif_constraint *constraint, const coif_mesh *meshes,
                                     int32_t point)
{
    return constraint->anchor_count == 0
               ? constraint->rest_frame
               : coif_surface_anchor_frame(
                     &meshes[constraint->body],
                     &constraint->anchors[constraint->anchor_count > 1 ? point : 0]);
}

// Constraint at one end of a step.
typedef struct constraint_pose {
    const coif_constraint *constraint;
    const coif_mesh *meshes;
    coif_anchor_frame frame; // of the first anchor
    coif_vec3 position;      // of the locator, in rest space
    coif_vec3 axis;          // of a ring, in rest space
} constraint_pose;

static constraint_pose pose_of(const coif_constraint *constraint,
                               const coif_constraint_params *params, const coif_mesh *meshes)
{
    const float *p = params->position;
    const float *a = params->axis;
    return (constraint_pose){.constraint = constraint,
                             .meshes = meshes,
                             .frame = posed_frame(constraint, meshes, 0),
                             .position = coif_vec3_of(p[0], p[1], p[2]),
                             .axis = coif_normalize(coif_vec3_of(a[0], a[1], a[2]))};
}

// Position of a point of rest space on the posed body.
static coif_vec3 to_posed(const constraint_pose *pose, coif_vec3 rest)
{
    return coif_anchor_frame_world(&pose->frame,
                                   coif_anchor_frame_local(&pose->constraint->rest_frame, rest));
}

// Target of a point of a pin or an attachment.
static coif_vec3 target_of(const constraint_pose *pose, int32_t point)
{
    const coif_constraint *constraint = pose->constraint;
    const coif_vec3 *locals = constraint->state != NULL ? constraint->state : constraint->local;
    if (coif_constraint_has_locator(constraint)) {
        return to_posed(pose, coif_add(pose->position, locals[point]));
    }
    const coif_anchor_frame frame =
        constraint->anchor_count > 1 ? posed_frame(constraint, pose->meshes, point) : pose->frame;
    return coif_anchor_frame_world(&frame, locals[point]);
}

// Takes the current position of the points as that of their targets.
static void catch_current(coif_constraint *constraint, const constraint_pose *pose,
                          const coif_vec3 *positions)
{
    for (int32_t i = 0; i < constraint->points.count; ++i) {
        const coif_anchor_frame frame = posed_frame(constraint, pose->meshes, i);
        const coif_vec3 local =
            coif_anchor_frame_local(&frame, positions[constraint->points.points[i]]);
        constraint->state[i] =
            coif_constraint_has_locator(constraint)
                ? coif_sub(coif_anchor_frame_world(&constraint->rest_frame, local), pose->position)
                : local;
    }
}

// A constraint begins to act.
static void catch_points(coif_constraint *constraint, const constraint_pose *pose,
                         const coif_solver *solver)
{
    constraint->caught = true;
    if (constraint->state == NULL) {
        return;
    }
    if (coif_constraint_is_tie(constraint)) {
        memset(constraint->state, 0, sizeof(coif_vec3) * (size_t)constraint->points.count);
        return;
    }
    const int32_t points = coif_solver_first_point(solver)[coif_solver_strand_count(solver)];
    COIF_SCOPED_ARENA(scratch, "caught points");
    coif_vec3 *positions = coif_arena_new(&scratch, points, coif_vec3);
    coif_solver_get_points(solver, positions, coif_arena_new(&scratch, points, coif_vec3));
    catch_current(constraint, pose, positions);
}

static int32_t substeps_in_all(const coif_constraints_step *step)
{
    return step->substeps_in_all > 0 ? step->substeps_in_all : step->substeps;
}

static double frame_seconds(const coif_constraints_step *step)
{
    return step->seconds * substeps_in_all(step) / step->substeps;
}

// Targets of a point that passes from one position to another during some substeps of the frame:
// the line through both, at the ends of the frame.
static void set_target(coif_constraints *constraints, int32_t point,
                       const coif_constraints_step *step, int32_t substep, int32_t substeps,
                       coif_vec3 from, coif_vec3 to)
{
    const coif_vec3 move = coif_scale(coif_sub(to, from), 1.0f / (float)substeps);
    const int32_t before = step->substeps_before + substep;
    const int32_t after = substeps_in_all(step) - before - substeps;
    constraints->begin[point] = coif_mad(from, -(float)before, move);
    constraints->end[point] = coif_mad(to, (float)after, move);
}

// Strengths of all points, with their targets.
static void set_targets(const coif_constraints *constraints, coif_solver *solver,
                        const coif_constraints_step *step, coif_jobs *jobs)
{
    const coif_point_targets targets = {.begin = constraints->begin,
                                        .end = constraints->end,
                                        .strength = constraints->strength,
                                        .slack = constraints->slack,
                                        .axis = constraints->has_axis ? constraints->axis : NULL,
                                        .frame_seconds = (float)frame_seconds(step)};
    coif_solver_set_targets(solver, COIF_TARGETS_CONSTRAINT, constraints->active ? &targets : NULL,
                            jobs);
}

// Moves the target of a point in the solver; a point that another constraint holds keeps its own.
static void move_target(const coif_constraints *constraints, const coif_constraint *constraint,
                        coif_strand_block *blocks, int32_t i)
{
    const int32_t point = constraint->points.points[i];
    const coif_tie_point *at = &constraint->located[i];
    if (constraints->owner[point] == (int32_t)(constraint - constraints->items)) {
        coif_target_move(&blocks[at->block], COIF_TARGETS_CONSTRAINT, at->element,
                         constraints->begin[point], constraints->end[point],
                         constraints->axis[point]);
    }
}

static void fill_targets(coif_constraints *constraints, coif_constraint *constraint,
                         const constraint_pose *begin, const constraint_pose *end, float strength,
                         float slack, const coif_constraints_step *step)
{
    const bool tie = coif_constraint_is_tie(constraint);
    constraints->changed |= strength != constraint->set_strength || slack != constraint->set_slack;
    constraint->set_strength = strength;
    constraint->set_slack = slack;
    for (int32_t i = 0; i < constraint->points.count; ++i) {
        const int32_t point = constraint->points.points[i];
        constraints->owner[point] = (int32_t)(constraint - constraints->items);
        constraints->strength[point] = strength;
        constraints->slack[point] = slack;
        constraints->axis[point] = coif_vec3_of(0.0f, 0.0f, 0.0f);
        if (!tie) {
            set_target(constraints, point, step, 0, step->substeps, target_of(begin, i),
                       target_of(end, i));
        }
    }
}

static void begin_ring(coif_constraint *constraint, const constraint_pose *begin,
                       const constraint_pose *end)
{
    const coif_vec3 centre = to_posed(begin, begin->position);
    const coif_vec3 tip = to_posed(end, coif_add(end->position, end->axis));
    const coif_vec3 centre_end = to_posed(end, end->position);
    constraint->ring = (coif_tie_ring){.centre = centre,
                                       .axis = coif_normalize(coif_sub(tip, centre_end)),
                                       .displacement = coif_sub(centre_end, centre)};
}

static void locate_points(coif_constraint *constraint, coif_solver *solver, coif_arena *arena,
                          coif_jobs *jobs)
{
    const int32_t blocks = coif_solver_view_of(solver, jobs).block_count;
    const int32_t count = constraint->points.count;
    constraint->located = coif_tie_find_points(&constraint->points, solver, arena, jobs);
    constraint->block_first = coif_arena_new(arena, blocks + (int64_t)2, int32_t);
    constraint->block_points = coif_arena_new(arena, count, int32_t);
    // Counting sort: the offsets end one place early, where they become those of the blocks.
    int32_t *next = constraint->block_first + 1;
    for (int32_t i = 0; i < count; ++i) {
        ++next[constraint->located[i].block + 1];
    }
    for (int32_t b = 0; b < blocks; ++b) {
        next[b + 1] += next[b];
    }
    for (int32_t i = 0; i < count; ++i) {
        constraint->block_points[next[constraint->located[i].block]++] = i;
    }
}

static void begin_constraint(coif_constraints *constraints, coif_constraint *constraint,
                             coif_solver *solver, const coif_constraints_step *step,
                             coif_jobs *jobs)
{
    const coif_constraint_params params = params_at(constraint, step->frame_end);
    if (params.strength == 0.0f || constraint->points.count == 0) {
        constraints->changed |= constraint->caught;
        constraint->caught = false;
        constraint->set_strength = 0.0f;
        return;
    }
    const coif_constraint_params before = params_at(constraint, step->frame_begin);
    const constraint_pose begin = pose_of(constraint, &before, step->begin);
    const constraint_pose end = pose_of(constraint, &params, step->end);
    if (constraint->located == NULL) {
        locate_points(constraint, solver, constraints->arena, jobs);
    }
    if (!constraint->caught) {
        catch_points(constraint, &begin, solver);
    }
    constraints->active = true;
    if (!coif_constraint_is_tie(constraint)) {
        fill_targets(constraints, constraint, &begin, &end, params.strength, params.slack, step);
        return;
    }
    const float strength = coif_tie_strength(params.strength, !coif_constraint_is_free(constraint),
                                             step->seconds / step->substeps, frame_seconds(step));
    begin_ring(constraint, &begin, &end);
    constraints->has_ring |= !coif_constraint_is_free(constraint);
    constraints->has_free_ring |= coif_constraint_is_free(constraint);
    constraints->has_axis |= params.slide != 0;
    fill_targets(constraints, constraint, &begin, &end, strength, constraint->radius + params.slack,
                 step);
}

// Of two constraints of a point the later one wins.
void coif_constraints_begin_step(coif_constraints *constraints, coif_solver *solver,
                                 const coif_constraints_step *step, coif_jobs *jobs)
{
    constraints->changed = frame_seconds(step) != constraints->set_seconds;
    constraints->set_seconds = frame_seconds(step);
    constraints->active = constraints->has_axis = false;
    constraints->has_ring = constraints->has_free_ring = false;
    memset(constraints->strength, 0, sizeof(float) * (size_t)constraints->point_count);
    for (int32_t c = 0; c < constraints->count; ++c) {
        begin_constraint(constraints, &constraints->items[c], solver, step, jobs);
    }
    if (constraints->changed) {
        set_targets(constraints, solver, step, jobs);
        return;
    }
    coif_strand_block *blocks = coif_solver_view_of(solver, jobs).blocks;
    for (int32_t c = 0; c < constraints->count; ++c) {
        const coif_constraint *constraint = &constraints->items[c];
        const bool moves = constraint->caught && !coif_constraint_is_tie(constraint);
        for (int32_t i = 0; moves && i < constraint->points.count; ++i) {
            move_target(constraints, constraint, blocks, i);
        }
    }
}

static coif_tie_ring ring_at(const coif_constraint *constraint, const coif_constraints_step *step,
                             int32_t substep)
{
    const float part = 1.0f / (float)step->substeps;
    coif_tie_ring ring = constraint->ring;
    ring.centre = coif_mad(ring.centre, (float)substep * part, ring.displacement);
    ring.displacement = coif_scale(ring.displacement, part);
    return ring;
}

static coif_tie tie_of(const coif_constraint *constraint)
{
    return (coif_tie){.count = constraint->points.count,
                      .points = constraint->located,
                      .local = constraint->local,
                      .slide = constraint->params.slide,
                      .radius = constraint->set_slack,
                      .multipliers = constraint->state};
}

// Sets the target of a point of a tie after the update of its multiplier.
static void set_tie_target(coif_constraints *constraints, const coif_constraint *constraint,
                           coif_strand_block *blocks, const coif_constraints_step *step,
                           int32_t substep, const coif_tie_ring *ring, int32_t i)
{
    const int32_t point = constraint->points.points[i];
    const coif_vec3 from =
        coif_sub(coif_mad(ring->centre, constraint->local[i].x, ring->axis), constraint->state[i]);
    if (constraints->owner[point] == (int32_t)(constraint - constraints->items)) {
        constraints->axis[point] =
            constraint->params.slide ? ring->axis : coif_vec3_of(0.0f, 0.0f, 0.0f);
        set_target(constraints, point, step, substep, 1, from, coif_add(from, ring->displacement));
        move_target(constraints, constraint, blocks, i);
    }
}

static bool is_active_tie(const coif_constraint *constraint, bool is_free)
{
    return constraint->caught && constraint->points.count > 0 &&
           coif_constraint_is_tie(constraint) && coif_constraint_is_free(constraint) == is_free;
}

void coif_constraints_begin_substep(coif_constraints *constraints, coif_solver *solver,
                                    const coif_constraints_step *step, int32_t substep,
                                    coif_jobs *jobs)
{
    coif_strand_block *blocks = coif_solver_view_of(solver, jobs).blocks;
    for (int32_t c = 0; c < constraints->count; ++c) {
        const coif_constraint *constraint = &constraints->items[c];
        if (is_active_tie(constraint, true)) {
            const coif_tie tie = tie_of(constraint);
            const coif_tie_ring ring =
                coif_tie_update_free(&tie, blocks, step->gravity, step->seconds / step->substeps);
            for (int32_t i = 0; i < tie.count; ++i) {
                set_tie_target(constraints, constraint, blocks, step, substep, &ring, i);
            }
        }
    }
}

void coif_constraints_update_block(coif_constraints *constraints, coif_strand_block *blocks,
                                   const coif_constraints_step *step, int32_t block,
                                   int32_t substep)
{
    for (int32_t c = 0; c < constraints->count; ++c) {
        const coif_constraint *constraint = &constraints->items[c];
        if (is_active_tie(constraint, false)) {
            const coif_tie tie = tie_of(constraint);
            const coif_tie_ring ring = ring_at(constraint, step, substep);
            const int32_t *first = &constraint->block_first[block];
            for (int32_t k = first[0]; k < first[1]; ++k) {
                const int32_t i = constraint->block_points[k];
                coif_tie_update(&tie, blocks, &ring, i);
                set_tie_target(constraints, constraint, blocks, step, substep, &ring, i);
            }
        }
    }
}
