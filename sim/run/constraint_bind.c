// constraint_bind: reads the constraints of a groom, selects their points and binds them at rest.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "sim/run/constraints.h"

#include <string.h>

typedef struct bind_ctx {
    const coif_constraints_desc *desc;
    const int32_t *first_point; // of the solver
    coif_vec3 *rest;            // per point of the constraint: its position at rest
    coif_vec3 centre, axis;     // of a free ring at rest
} bind_ctx;

static coif_vec3 vec3_from(const float v[3])
{
    return coif_vec3_of(v[0], v[1], v[2]);
}

static bool is_named(const coif_constraint_params *params)
{
    return params->body != NULL && params->body[0] != '\0';
}

static coif_status check_params(const coif_constraint_params *params, const char *where,
                                coif_error *error)
{
    const bool tie = params->type == COIF_CONSTRAINT_TIE;
    if (params->target == COIF_CONSTRAINT_FREE && !tie) {
        return coif_fail(error, COIF_ERR_SCENE, "%s/target: only a tie can be free", where);
    }
    if (params->type == COIF_CONSTRAINT_ATTACH &&
        (params->target != COIF_CONSTRAINT_TO_BODY || !is_named(params))) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: an attachment needs a body as its target",
                         where);
    }
    if (params->from > params->to) {
        return coif_fail(error, COIF_ERR_SCENE, "%s/from: %g is above \"to\", %g", where,
                         (double)params->from, (double)params->to);
    }
    if (tie && params->target != COIF_CONSTRAINT_FREE &&
        coif_length(vec3_from(params->axis)) == 0.0f) {
        return coif_fail(error, COIF_ERR_SCENE, "%s/axis: is zero", where);
    }
    return COIF_OK;
}

static coif_status find_body(coif_constraint *constraint, const coif_constraints_desc *desc,
                             const char *where, coif_error *error)
{
    const coif_constraint_params *params = &constraint->params;
    constraint->body = params->target == COIF_CONSTRAINT_TO_BODY ? desc->body : -1;
    if (is_named(params) && !coif_constraint_is_free(constraint)) {
        const coif_body *body = coif_bodies_find(desc->bodies, desc->body_count, params->body);
        COIF_ASSERT(body != NULL); // scenes are validated
        constraint->body = (int32_t)(body - desc->bodies);
    }
    if (constraint->body >= 0 && desc->bodies[constraint->body].rest.triangle_count == 0) {
        return coif_fail(error, COIF_ERR_SCENE, "%s/body: the body has no triangles", where);
    }
    return COIF_OK;
}

// Rest positions of the points, their mean, and the mean direction of their strands.
static void read_rest(bind_ctx *ctx, const coif_constraint_points *points)
{
    const coif_groom *groom = ctx->desc->groom.groom;
    for (int32_t i = 0; i < points->count; ++i) {
        const int32_t strand = points->strands[i];
        const int32_t k = points->points[i] - ctx->first_point[strand];
        const int32_t last = ctx->first_point[strand + 1] - ctx->first_point[strand] - 1;
        const coif_vec4 *p = groom->rest.points + groom->rest.first[groom->simulated[strand]] + k;
        ctx->rest[i] = coif_vec4_xyz(*p);
        ctx->centre = coif_add(ctx->centre, ctx->rest[i]);
        ctx->axis = coif_add(ctx->axis, coif_sub(coif_vec4_xyz(p[k < last ? 1 : 0]),
                                                 coif_vec4_xyz(p[k > 0 ? -1 : 0])));
    }
    ctx->centre = coif_scale(ctx->centre, 1.0f / (float)points->count);
}

static void bind_ring(coif_constraint *constraint, const bind_ctx *ctx)
{
    const bool is_free = coif_constraint_is_free(constraint);
    const coif_vec3 centre = is_free ? ctx->centre : vec3_from(constraint->params.position);
    const coif_vec3 axis = coif_normalize(is_free ? ctx->axis : vec3_from(constraint->params.axis));
    float largest = 0.0f;
    for (int32_t i = 0; i < constraint->points.count; ++i) {
        const coif_vec3 d = coif_sub(ctx->rest[i], centre);
        constraint->local[i] = coif_vec3_of(coif_dot(d, axis), 0.0f, 0.0f);
        largest = fmaxf(largest, coif_length(coif_mad(d, -constraint->local[i].x, axis)));
    }
    constraint->radius = constraint->params.radius > 0.0f ? constraint->params.radius : largest;
}

// Every point of a pin has an anchor of its own; others share one.
static void find_anchors(coif_constraint *constraint, const bind_ctx *ctx, coif_arena *arena)
{
    const coif_mesh *rest = &ctx->desc->bodies[constraint->body].rest;
    const coif_vec3 position = vec3_from(constraint->params.position);
    const bool locator = coif_constraint_has_locator(constraint);
    const bool each = constraint->params.type == COIF_CONSTRAINT_PIN && !locator;
    constraint->anchor_count = each ? constraint->points.count : 1;
    constraint->anchors = coif_arena_new(arena, constraint->anchor_count, coif_surface_anchor);
    coif_surface_anchors_find(constraint->anchors, rest,
                              each      ? ctx->rest
                              : locator ? &position
                                        : &ctx->centre,
                              constraint->anchor_count);
    constraint->rest_frame = coif_surface_anchor_frame(rest, &constraint->anchors[0]);
}

static void bind(coif_constraint *constraint, bind_ctx *ctx, coif_arena *arena)
{
    const bool locator = coif_constraint_has_locator(constraint);
    constraint->local = coif_arena_new(arena, constraint->points.count, coif_vec3);
    constraint->rest_frame = (coif_anchor_frame){.axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    read_rest(ctx, &constraint->points);
    if (constraint->body >= 0) {
        find_anchors(constraint, ctx, arena);
    }
    if (coif_constraint_is_tie(constraint)) {
        bind_ring(constraint, ctx);
        return;
    }
    for (int32_t i = 0; i < constraint->points.count; ++i) {
        if (locator) {
            constraint->local[i] = coif_sub(ctx->rest[i], vec3_from(constraint->params.position));
        } else {
            const int32_t anchor = constraint->anchor_count > 1 ? i : 0;
            const coif_anchor_frame frame = coif_surface_anchor_frame(
                &ctx->desc->bodies[constraint->body].rest, &constraint->anchors[anchor]);
            constraint->local[i] = coif_anchor_frame_local(&frame, ctx->rest[i]);
        }
    }
}

static coif_status open_constraint(coif_constraint *constraint, bind_ctx *ctx, coif_arena *arena,
                                   coif_error *error)
{
    const coif_constraints_desc *desc = ctx->desc;
    const coif_sim_params *sim = desc->params;
    const char *scene = desc->groom.scene->path;
    const char *where = coif_arena_print(arena, "%s: %s", scene, constraint->node->path);
    coif_node_read(constraint->node, desc->groom.frame, &constraint->params);
    COIF_TRY(check_params(&constraint->params, where, error));
    COIF_TRY(find_body(constraint, desc, where, error));
    const coif_constraint_select_desc select = {
        .groom = desc->groom,
        .node = constraint->node,
        .params = &constraint->params,
        .first_point = ctx->first_point,
        .root_points = sim->root_boundary == COIF_ROOT_FREE     ? 0
                       : sim->root_boundary == COIF_ROOT_PINNED ? 1
                                                                : desc->clamped_points};
    COIF_TRY(coif_constraint_select(&constraint->points, &select, arena, error));
    if (constraint->points.count == 0) {
        coif_log(COIF_LOG_WARNING, "%s: no point is chosen: the constraint has no effect", where);
        return COIF_OK;
    }
    ctx->rest = coif_arena_new(arena, constraint->points.count, coif_vec3);
    ctx->centre = ctx->axis = coif_vec3_of(0.0f, 0.0f, 0.0f);
    bind(constraint, ctx, arena);
    return COIF_OK;
}

static bool has_state(const coif_constraint *constraint)
{
    return coif_constraint_is_tie(constraint) ||
           constraint->params.catch_mode == COIF_CATCH_CURRENT;
}

static void allocate(coif_constraints *constraints, int32_t points, coif_arena *arena)
{
    for (int32_t c = 0; c < constraints->count; ++c) {
        if (has_state(&constraints->items[c])) {
            constraints->state_count += constraints->items[c].points.count;
        }
    }
    constraints->state = coif_arena_new(arena, constraints->state_count, coif_vec3);
    coif_vec3 *state = constraints->state;
    for (int32_t c = 0; c < constraints->count; ++c) {
        if (has_state(&constraints->items[c])) {
            constraints->items[c].state = state;
            state += constraints->items[c].points.count;
        }
    }
    constraints->point_count = points;
    constraints->owner = coif_arena_new(arena, points, int32_t);
    constraints->begin = coif_arena_new(arena, points, coif_vec3);
    constraints->end = coif_arena_new(arena, points, coif_vec3);
    constraints->axis = coif_arena_new(arena, points, coif_vec3);
    constraints->strength = coif_arena_new(arena, points, float);
    constraints->slack = coif_arena_new(arena, points, float);
}

coif_status coif_constraints_open(coif_constraints *constraints, const coif_constraints_desc *desc,
                                  coif_arena *arena, coif_error *error)
{
    const coif_groom *groom = desc->groom.groom;
    const coif_node *list = coif_node_find(desc->groom.groom_node, COIF_CONSTRAINTS_SECTION.name);
    *constraints =
        (coif_constraints){.count = list != NULL ? list->child_count : 0, .arena = arena};
    if (constraints->count == 0) {
        return COIF_OK;
    }
    if (!desc->params->enabled) {
        coif_log(COIF_LOG_WARNING, "%s: %s: no effect: the groom is not simulated",
                 desc->groom.scene->path, list->path);
        constraints->count = 0;
        return COIF_OK;
    }
    int32_t *first = coif_arena_new(arena, groom->simulated_count + (int64_t)1, int32_t);
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        first[s + 1] = first[s] + coif_strands_length(&groom->rest, groom->simulated[s]);
    }
    constraints->items = coif_arena_new(arena, list->child_count, coif_constraint);
    for (int32_t c = 0; c < list->child_count; ++c) {
        bind_ctx ctx = {.desc = desc, .first_point = first};
        constraints->items[c].node = &list->children[c];
        COIF_TRY(open_constraint(&constraints->items[c], &ctx, arena, error));
    }
    allocate(constraints, first[groom->simulated_count], arena);
    return COIF_OK;
}
