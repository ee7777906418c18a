#include "sim/run/groom_sim.h"

#include "core/base/error.h"
#include "core/base/log.h"

#include <math.h>

// The colliders of the scene move with the bodies; this one stays at rest. That of a groom that is
// not animated is a copy, so that keys of the contact margin give the bits of constants.
static void build_rest_collider(coif_groom_sim *sim)
{
    const coif_sim_scene *scene = sim->scene;
    const coif_mesh *rest = &scene->bodies[sim->body].rest;
    sim->has_rest_collider = true;
    for (int32_t c = 0; c < scene->collider_count && !sim->animated; ++c) {
        if (scene->collider_bodies[c] == sim->body) {
            coif_collider_copy(&sim->rest_collider, &scene->colliders[c], rest, scene->arena);
            coif_collider_refit(&sim->rest_collider, rest->positions, rest->positions);
            return;
        }
    }
    coif_collider_build(&sim->rest_collider, rest, scene->arena);
}

void coif_groom_sim_set_node(coif_groom_sim *sim, const coif_node *node)
{
    sim->node = node;
    sim->settings = coif_sim_scene_settings_node(sim->scene, node);
    coif_param_fields_read(sim->settings, sim->scene->params.first_frame, &sim->params);
}

void coif_groom_sim_open(coif_groom_sim *sim, coif_sim_scene *scene, const coif_node *node,
                         const coif_groom *groom, int32_t body)
{
    *sim = (coif_groom_sim){.scene = scene,
                            .groom = groom,
                            .body = body,
                            .animated = coif_groom_is_animated(node),
                            .current = *groom};
    coif_groom_sim_set_node(sim, node);
    coif_arena_init(&sim->arenas[0], "groom of a frame");
    coif_arena_init(&sim->arenas[1], "groom of a frame");
    if (sim->animated ||
        coif_values_find(&sim->settings->values, "contact_margin")->key_count > 1) {
        build_rest_collider(sim);
    }
}

void coif_groom_sim_close(coif_groom_sim *sim)
{
    coif_arena_free(&sim->arenas[0]);
    coif_arena_free(&sim->arenas[1]);
}

static coif_param_fields_desc fields_desc(const coif_groom_sim *sim, double frame)
{
    const coif_sim_scene *scene = sim->scene;
    return (coif_param_fields_desc){.scene = scene->scene,
                                    .sim = sim->settings,
                                    .groom_node = sim->node,
                                    .groom = sim->groom,
                                    .rest = &scene->bodies[sim->body].rest,
                                    .body = &scene->bodies[sim->body],
                                    .frame = frame,
                                    .jobs = scene->jobs};
}

static coif_force_masks_desc masks_desc(const coif_groom_sim *sim, double frame)
{
    const coif_param_fields_desc desc = fields_desc(sim, frame);
    return (coif_force_masks_desc){.scene = desc.scene,
                                   .groom_node = desc.groom_node,
                                   .groom = desc.groom,
                                   .rest = desc.rest,
                                   .body = desc.body,
                                   .frame = frame};
}

coif_status coif_groom_sim_open_fields(coif_groom_sim *sim, coif_arena *arena, coif_error *error)
{
    const coif_sim_scene *scene = sim->scene;
    const coif_param_fields_desc desc = fields_desc(sim, scene->params.first_frame);
    sim->colliders = coif_sim_scene_is_uniform(scene, sim->node, sim->body)
                         ? NULL
                         : coif_arena_new(arena, scene->collider_count, coif_collider);
    COIF_TRY(coif_param_fields_open(&sim->fields, &desc, arena, error));
    const coif_force_masks_desc masks = masks_desc(sim, scene->params.first_frame);
    return coif_force_masks_open(&sim->force_masks, &sim->fields.digest, scene->force_regions,
                                 scene->force_count, &masks, arena, error);
}

// The collider of the body the groom grows on, at rest; NULL: it does not collide.
static const coif_collider *rest_collider(coif_groom_sim *sim)
{
    coif_sim_scene *scene = sim->scene;
    const coif_mesh *rest = &scene->bodies[sim->body].rest;
    for (int32_t c = 0; c < scene->collider_count; ++c) {
        if (scene->collider_bodies[c] == sim->body &&
            coif_sim_scene_collider_touches(scene, c, sim->node)) {
            coif_collider_refit(&scene->colliders[c], rest->positions, rest->positions);
            return sim->has_rest_collider ? &sim->rest_collider : &scene->colliders[c];
        }
    }
    return NULL;
}

// Parameters of the scene may be meant for other grooms.
static void warn_cohesion(const coif_groom_sim *sim, const coif_groom_params *params)
{
    const coif_node *grooms = coif_node_at(sim->scene->scene->root, "grooms");
    const coif_value *value = coif_values_find(&sim->settings->values, "cohesion");
    const uint32_t row = (uint32_t)(value - sim->settings->values.values);
    const bool own = coif_node_giving(sim->settings, row)->base != NULL;
    if (sim->params.enabled && sim->params.cohesion > 0.0f && sim->groom->clump == NULL &&
        params->file[0] == '\0' && (own || grooms->child_count == 1)) {
        coif_log(COIF_LOG_WARNING,
                 "%s: sim/cohesion has no effect: the groom has no clumps; groom.clump makes them",
                 params->name);
    }
}

coif_status coif_groom_sim_create_solver(coif_groom_sim *sim, coif_arena *arena, coif_error *error)
{
    const coif_sim_scene *scene = sim->scene;
    coif_groom_params params;
    const int32_t clamped_points = coif_solver_vtable_at(sim->params.solver)->pinned_points;
    const coif_constraints_desc constraints = {.groom = fields_desc(sim, scene->params.first_frame),
                                               .bodies = scene->bodies,
                                               .body_count = scene->body_count,
                                               .body = sim->body,
                                               .params = &sim->params,
                                               .clamped_points = clamped_points};
    COIF_TRY(coif_constraints_open(&sim->constraints, &constraints, arena, error));
    coif_node_read(sim->node, scene->params.first_frame, &params);
    warn_cohesion(sim, &params);
    COIF_TRY(coif_goal_cache_open(&sim->goals, sim->params.goal_cache, params.name, sim->groom,
                                  (double)scene->params.fps, arena, error));
    const coif_groom_solver_desc desc = {.groom = sim->groom,
                                         .rest = &scene->bodies[sim->body].rest,
                                         .body = sim->params.enabled ? rest_collider(sim) : NULL,
                                         .params = &sim->params,
                                         .fields = &sim->fields,
                                         .kernels = scene->kernels,
                                         .animated = sim->animated,
                                         .imported = params.file[0] != '\0',
                                         .rigid = !sim->params.enabled,
                                         .pinned = clamped_points,
                                         .seed = (uint64_t)params.seed,
                                         .partition = sim->partition};
    coif_groom_solver_init(&sim->solver, &desc, arena, scene->jobs);
    return COIF_OK;
}

// Maps with keys, of parameters and forces; without any the groom is not animated.
static coif_status update_maps(coif_groom_sim *sim, int frame, bool *changed, coif_error *error)
{
    const coif_param_fields_desc fields = fields_desc(sim, frame);
    const coif_force_masks_desc masks = masks_desc(sim, frame);
    COIF_TRY(coif_param_fields_update(&sim->fields, &fields, changed, error));
    return coif_force_masks_update(sim->force_masks, sim->scene->force_regions,
                                   sim->scene->force_count, &masks, error);
}

coif_status coif_groom_sim_set_frame(coif_groom_sim *sim, int frame, bool immediate,
                                     coif_error *error)
{
    coif_sim_params params;
    coif_param_fields_read(sim->settings, frame, &params);
    if (!sim->animated) {
        coif_groom_solver_set_params(&sim->solver, &params, false, sim->scene->jobs);
        return COIF_OK;
    }
    bool changed;
    COIF_TRY(update_maps(sim, frame, &changed, error));
    coif_arena *arena = &sim->arenas[!sim->turn];
    coif_arena_free(arena);
    coif_arena_init(arena, "groom of a frame");
    coif_groom next;
    coif_groom_generate_desc desc =
        coif_sim_scene_groom_desc(sim->scene, sim->node, &sim->scene->bodies[sim->body]);
    desc.body_collider = &sim->rest_collider;
    desc.reuse = sim->groom;
    desc.frame = frame;
    COIF_TRY(coif_groom_generate(&next, &desc, arena, sim->scene->jobs, error));
    sim->current = next;
    sim->turn = !sim->turn;
    coif_groom_solver_set_params(&sim->solver, &params, changed, sim->scene->jobs);
    coif_groom_solver_set_rest_shape(&sim->solver, &sim->current, immediate, sim->scene->jobs);
    return COIF_OK;
}

coif_status coif_groom_sim_begin_span(coif_groom_sim *sim, const coif_time_span *span,
                                      coif_error *error)
{
    for (int32_t f = 0; f < sim->scene->force_count; ++f) {
        coif_force_region_set_time(&sim->scene->force_regions[f], span->end, 1.0f);
        COIF_TRY(coif_plugin_begin_frame(sim->scene->forces[f], span->end,
                                         span->time + span->seconds, error));
    }
    if (sim->goals.pattern == NULL || !sim->params.enabled) {
        return COIF_OK;
    }
    coif_sim_params params;
    coif_param_fields_read(sim->settings, span->end, &params);
    if (params.goal_strength * params.goal_amount <= 0.0f) {
        return COIF_OK;
    }
    const int frame = (int)lround(span->end) + params.goal_cache_offset;
    return coif_goal_cache_set_frame(&sim->goals, frame, error);
}

coif_groom_solver_frame coif_groom_sim_frame(coif_groom_sim *sim, const coif_sim_params *params,
                                             const coif_time_span *span, const coif_mesh *begin,
                                             const coif_mesh *end)
{
    const coif_sim_scene *scene = sim->scene;
    float gravity[3];
    coif_param_fields_gravity(sim->settings, span->end, gravity);
    // Bodies stand still in the warm-up.
    const coif_vec3 *goal = span->begin < span->end ? sim->goals.begin : sim->goals.end;
    for (int32_t f = 0; f < scene->force_count; ++f) {
        coif_force_region_begin_step(&scene->force_regions[f], begin, end);
    }
    const bool own = sim->colliders != NULL;
    const int32_t selected =
        own ? coif_sim_scene_select_colliders(sim->colliders, scene, sim->node, sim->body)
            : scene->collider_count;
    return (coif_groom_solver_frame){.params = params,
                                     .begin = &begin[sim->body],
                                     .end = &end[sim->body],
                                     .bodies = own ? sim->colliders : scene->colliders,
                                     .body_count = selected,
                                     .forces = scene->forces,
                                     .force_regions = scene->force_regions,
                                     .force_masks = sim->force_masks,
                                     .force_count = scene->force_count,
                                     .frame_begin = span->begin,
                                     .frame_end = span->end,
                                     .time = span->time,
                                     .seconds = span->seconds,
                                     .constraints = &sim->constraints,
                                     .gravity = {gravity[0], gravity[1], gravity[2]},
                                     .poses_begin = begin,
                                     .poses_end = end,
                                     .goal_begin = goal,
                                     .goal_end = sim->goals.end};
}

coif_status coif_groom_sim_strands(coif_strands *strands, const coif_groom_sim *sim,
                                   coif_arena *arena, coif_error *error)
{
    const coif_groom *groom = &sim->current;
    COIF_TRY(coif_groom_simulated(strands, groom, arena, error));
    coif_vec3 *positions = coif_arena_new(arena, strands->point_count + 1, coif_vec3);
    strands->velocities = coif_arena_new(arena, strands->point_count + 1, coif_vec3);
    coif_solver_get_points(sim->solver.core, positions, strands->velocities);
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const coif_vec3 p = positions[i];
        strands->points[i] = (coif_vec4){p.x, p.y, p.z, strands->points[i].w};
    }
    if (sim->animated && groom->simulated_count < groom->rest.strand_count) {
        strands->rest = groom->rest.points;
    }
    return COIF_OK;
}
