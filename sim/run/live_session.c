#include "core/base/error.h"
#include "core/hair/child_interpolation.h"
#include "sim/run/live_session_internal.h"

#include <string.h>

static uint64_t bodies_digest(const coif_scene *scene)
{
    uint64_t digest = coif_node_digest(coif_node_at(scene->root, "bodies"), NULL);
    const coif_node *root = scene->root;
    for (int32_t c = 0; c < root->child_count; ++c) {
        if (root->children[c].section == &COIF_COLLIDERS_SECTION) {
            digest ^= coif_node_digest(&root->children[c], NULL);
        }
    }
    return digest;
}

static void renew(coif_arena *arena, const char *name)
{
    coif_arena_free(arena);
    coif_arena_init(arena, name);
}

// All bodies at a frame, the one that hair grows on where the hand holds it.
static coif_status pose(coif_live *live, int frame, coif_error *error)
{
    const coif_sim_scene *shot = &live->shot;
    live->pose_turn = !live->pose_turn;
    coif_mesh *meshes = live->posed[live->pose_turn];
    for (int32_t b = 0; b < shot->body_count; ++b) {
        COIF_TRY(coif_body_pose(&meshes[b], &shot->bodies[b], frame, NULL, error));
    }
    coif_body_params by_hand = shot->bodies[live->body].params;
    memcpy(by_hand.translate, live->grabbed.translate, sizeof by_hand.translate);
    memcpy(by_hand.rotate, live->grabbed.rotate, sizeof by_hand.rotate);
    coif_body_transform_points(&meshes[live->body], &by_hand, &shot->bodies[live->body]);
    live->end = meshes;
    return COIF_OK;
}

static void move_colliders(coif_live *live)
{
    coif_sim_scene *shot = &live->shot;
    for (int32_t c = 0; c < shot->collider_count; ++c) {
        const int32_t b = shot->collider_bodies[c];
        if (b >= 0) {
            coif_collider_refit_posed(&shot->colliders[c], &live->begin[b], &live->end[b]);
        }
    }
}

static coif_status grow(coif_live *live, coif_error *error)
{
    const coif_body *body;
    COIF_TRY(coif_sim_scene_body(&body, &live->shot, live->node, error));
    live->body = (int32_t)(body - live->shot.bodies);
    coif_groom_generate_desc desc = {.scene = live->desc.scene,
                                     .node = live->node,
                                     .body = body,
                                     .sim = &live->shot.params,
                                     .frame = live->shot.params.first_frame};
    live->grows = coif_groom_is_animated(live->node);
    if (live->grows) {
        coif_collider_build(&live->body_collider, &body->rest, &live->heavy);
        desc.body_collider = &live->body_collider;
    }
    COIF_TRY(coif_groom_generate(&live->groom, &desc, &live->heavy, live->shot.jobs, error));
    coif_groom_animation_open(&live->regrow, &desc, &live->groom);
    return COIF_OK;
}

// Only where hair grows the normals of a body are looked at.
static void make_poses(coif_live *live)
{
    coif_sim_scene *shot = &live->shot;
    for (int32_t b = 0; b < shot->body_count; ++b) {
        bool *facing = coif_arena_new(&live->heavy, shot->bodies[b].rest.triangle_count, bool);
        for (int32_t s = 0; b == live->body && s < live->groom.rest.strand_count; ++s) {
            facing[live->groom.root_triangle[s]] = true;
        }
        shot->bodies[b].needs_normals = facing;
    }
    for (int i = 0; i < 2; ++i) {
        live->posed[i] = coif_arena_new(&live->heavy, shot->body_count, coif_mesh);
        for (int32_t b = 0; b < shot->body_count; ++b) {
            coif_body_rest(&live->posed[i][b], &shot->bodies[b], &live->heavy);
        }
    }
}

// Solver, forces and settings of a scene, in an arena of their own.
static coif_status build(coif_live *live, const coif_scene *scene, coif_arena *arena,
                         coif_error *error)
{
    coif_sim_scene *shot = &live->shot;
    const coif_body *body = &shot->bodies[live->body];
    shot->sim = coif_node_at(scene->root, "sim");
    coif_param_fields_read(shot->sim, shot->params.first_frame, &shot->params);
    COIF_TRY(coif_sim_scene_open_forces(shot, scene, arena, error));
    const coif_param_fields_desc vary = {.scene = scene,
                                         .sim = shot->sim,
                                         .groom_node = live->node,
                                         .groom = &live->groom,
                                         .rest = &body->rest,
                                         .frame = shot->params.first_frame,
                                         .jobs = shot->jobs};
    COIF_TRY(coif_param_fields_open(&live->vary, &vary, arena, error));
    const coif_collider *collider = NULL;
    for (int32_t c = 0; c < shot->collider_count; ++c) {
        if (shot->collider_bodies[c] == live->body) {
            collider = &shot->colliders[c];
            coif_collider_refit(&shot->colliders[c], body->rest.positions, body->rest.positions);
        }
    }
    if (live->grows && collider != NULL) {
        collider = &live->body_collider;
    }
    coif_groom_params params;
    coif_node_read(live->node, shot->params.first_frame, &params);
    const coif_groom_solver_desc desc = {
        .groom = &live->groom,
        .rest = &body->rest,
        .body = collider,
        .params = &shot->params,
        .vary = &live->vary,
        .kernels = shot->kernels,
        .grows = live->grows,
        .pinned = coif_solver_vtable_at(shot->params.solver)->pinned_points,
        .seed = (uint64_t)params.seed};
    coif_groom_solver_init(&live->solver, &desc, arena, shot->jobs);
    live->regrow.solver = &live->solver;
    return COIF_OK;
}

coif_status coif_live_hold_pose(coif_live *live, coif_error *error)
{
    live->regrow.now = live->groom;
    COIF_TRY(pose(live, live->frame, error));
    live->begin = live->end;
    move_colliders(live);
    coif_sim_scene_move_primitives(&live->shot, live->frame, live->frame);
    coif_groom_solver_reset_to_rest(&live->solver, &live->end[live->body]);
    return COIF_OK;
}

// At rest at the first frame, where the scene has the body.
static coif_status stand(coif_live *live, coif_error *error)
{
    live->frame = live->shot.params.first_frame;
    live->time = 0.0;
    live->grabbed = (coif_live_body_drag){{0}, {0}};
    return coif_live_hold_pose(live, error);
}

// What a solver learned on its way is forgotten with it.
coif_status coif_live_reset(coif_live *live, coif_error *error)
{
    coif_arena *arena = &live->light[live->light_turn];
    renew(arena, "live solver");
    COIF_TRY(build(live, live->scene, arena, error));
    return stand(live, error);
}

// Everything from a scene, as if nothing had been before.
static coif_status begin(coif_live *live, const coif_scene *scene, const coif_live *like,
                         coif_error *error)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    if (live->index < 0 || live->index >= grooms->child_count) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "there is no groom %d", live->index);
    }
    coif_jobs *jobs = live->shot.jobs;
    live->desc = (coif_simulate_desc){.scene = scene, .kernel = "auto"};
    live->shot = (coif_sim_scene){.desc = &live->desc,
                                  .like = like != NULL ? &like->shot : NULL,
                                  .arena = &live->heavy,
                                  .jobs = jobs};
    live->node = &grooms->children[live->index];
    COIF_TRY(coif_sim_scene_open(&live->shot, error));
    COIF_TRY(coif_sim_scene_prepare(&live->shot, error));
    live->shot.like = NULL;
    COIF_TRY(grow(live, error));
    make_poses(live);
    live->growth = coif_groom_settings_digest(live->node);
    live->bodies = bodies_digest(scene);
    live->scene = scene;
    COIF_TRY(build(live, scene, &live->light[live->light_turn], error));
    return stand(live, error);
}

coif_status coif_live_open(coif_live **opened, const coif_scene *scene, int32_t groom,
                           const coif_live *like, coif_arena *arena, coif_jobs *jobs,
                           coif_error *error)
{
    coif_live *live = coif_arena_new(arena, 1, coif_live);
    live->index = groom;
    live->shot.jobs = jobs;
    coif_arena_init(&live->heavy, "live groom");
    for (int i = 0; i < 2; ++i) {
        coif_arena_init(&live->light[i], "live solver");
    }
    *opened = live;
    return begin(live, scene, like, error);
}

void coif_live_close(coif_live *live)
{
    coif_groom_animation_close(&live->regrow);
    coif_arena_free(&live->heavy);
    for (int i = 0; i < 2; ++i) {
        coif_arena_free(&live->light[i]);
    }
}

bool coif_live_can_reuse(const coif_live *live, const coif_scene *scene)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    coif_sim_params params = {0};
    coif_param_fields_read(coif_node_at(scene->root, "sim"), live->shot.params.first_frame,
                           &params);
    const coif_sim_params *now = &live->shot.params;
    return live->index < grooms->child_count &&
           coif_groom_settings_digest(&grooms->children[live->index]) == live->growth &&
           bodies_digest(scene) == live->bodies && params.first_frame == now->first_frame &&
           params.simulated_fraction == now->simulated_fraction &&
           params.child_mode == now->child_mode;
}

// Places, speeds and what the method keeps, from the solver before.
static coif_status go_on(coif_live *live, const coif_groom_solver *before, coif_arena *arena,
                         coif_error *error)
{
    const int32_t points = before->core.first_point[live->groom.simulated_count];
    coif_vec3 *places = coif_arena_new(arena, points, coif_vec3);
    coif_vec3 *velocities = coif_arena_new(arena, points, coif_vec3);
    coif_solver_get_points(&before->core, places, velocities);
    coif_groom_solver_reset_to_rest(&live->solver, &live->end[live->body]);
    coif_solver_set_points(&live->solver.core, places, velocities);
    // Frames and twists belong to a method: they go on with the same one only.
    if (before->core.method == live->solver.core.method) {
        const int32_t rows = coif_solver_state_rows(&before->core);
        float *state = coif_arena_new(arena, (int64_t)rows * points + 1, float);
        coif_solver_get_state(&before->core, state);
        coif_solver_set_state(&live->solver.core, state);
    }
    // The solver was built with hair of the first frame.
    return live->grows
               ? coif_groom_animation_to(&live->regrow, live->frame, true, live->shot.jobs, error)
               : COIF_OK;
}

coif_status coif_live_apply_scene(coif_live *live, const coif_scene *scene, coif_error *error)
{
    const coif_sim_scene shot = live->shot;
    const coif_node *node = live->node;
    const coif_param_fields vary = live->vary;
    const coif_groom_solver solver = live->solver;
    coif_arena *arena = &live->light[!live->light_turn];
    renew(arena, "live solver");
    live->node = &coif_node_at(scene->root, "grooms")->children[live->index];
    coif_status status = build(live, scene, arena, error);
    status = status == COIF_OK ? go_on(live, &solver, arena, error) : status;
    if (status != COIF_OK) {
        live->shot = shot;
        live->node = node;
        live->vary = vary;
        live->solver = solver;
        return status;
    }
    coif_arena_free(&live->light[live->light_turn]);
    coif_arena_init(&live->light[live->light_turn], "live solver");
    live->light_turn = !live->light_turn;
    live->scene = scene;
    return COIF_OK;
}

void coif_live_set_body_drag(coif_live *live, const float translate[3], const float rotate[3])
{
    memcpy(live->grabbed.translate, translate, sizeof live->grabbed.translate);
    memcpy(live->grabbed.rotate, rotate, sizeof live->grabbed.rotate);
}

void coif_live_get_body_drag(const coif_live *live, float translate[3], float rotate[3])
{
    memcpy(translate, live->grabbed.translate, sizeof live->grabbed.translate);
    memcpy(rotate, live->grabbed.rotate, sizeof live->grabbed.rotate);
}

void coif_live_limit_substeps(coif_live *live, int32_t substeps)
{
    live->hold = substeps;
}

// Hair meets other hair as often as before, as far as that goes.
static void hold_substeps(coif_sim_params *params, int32_t hold)
{
    const coif_solver_vtable *method = coif_solver_vtable_at(params->solver);
    const bool as_stiff = method != &COIF_METHOD_PBD && method != &COIF_METHOD_FTL;
    if (hold > 0 && hold < params->substeps && as_stiff) {
        const int32_t every = params->interaction_interval * hold / params->substeps;
        params->interaction_interval = params->interaction_interval > 0 && every < 1 ? 1 : every;
        params->substeps = hold;
    }
}

coif_live_substeps coif_live_substeps_of(const coif_live *live)
{
    coif_sim_params params = {0};
    coif_param_fields_read(live->shot.sim, live->frame + 1, &params);
    const int32_t wanted = params.substeps;
    hold_substeps(&params, live->hold);
    return (coif_live_substeps){wanted, params.substeps};
}

coif_status coif_live_step(coif_live *live, coif_step_stats *stats, coif_error *error)
{
    coif_sim_scene *shot = &live->shot;
    coif_sim_params params = {0};
    const int next = live->frame + 1;
    coif_param_fields_read(shot->sim, next, &params);
    hold_substeps(&params, live->hold);
    live->begin = live->end;
    COIF_TRY(pose(live, next, error));
    move_colliders(live);
    coif_sim_scene_move_primitives(shot, live->frame, next);
    if (live->grows) {
        COIF_TRY(coif_groom_animation_to(&live->regrow, next, false, shot->jobs, error));
    }
    const double seconds = coif_frame_seconds(&params);
    for (int32_t f = 0; f < shot->force_count; ++f) {
        COIF_TRY(coif_plugin_begin_frame(shot->forces[f], next, live->time + seconds, error));
    }
    const coif_groom_solver_frame frame = {.params = &params,
                                           .begin = &live->begin[live->body],
                                           .end = &live->end[live->body],
                                           .bodies = shot->colliders,
                                           .body_count = shot->collider_count,
                                           .forces = shot->forces,
                                           .force_count = shot->force_count,
                                           .frame_begin = live->frame,
                                           .frame_end = next,
                                           .time = live->time,
                                           .seconds = seconds};
    coif_solver_report report = {.bad_force = -1};
    COIF_TRY(coif_groom_solver_step(&live->solver, &frame, &report, shot->jobs, NULL));
    live->frame = next;
    live->time += seconds;
    *stats = report.stats;
    return COIF_OK;
}

int coif_live_frame(const coif_live *live)
{
    return live->frame;
}

double coif_live_fps(const coif_live *live)
{
    return (double)live->shot.params.fps;
}

coif_status coif_live_get_points(coif_strands *strands, const coif_live *live, coif_arena *arena,
                                 coif_error *error)
{
    coif_strands simulated;
    const coif_groom *groom = &live->regrow.now;
    COIF_TRY(coif_groom_simulated(&simulated, groom, arena, error));
    coif_vec3 *places = coif_arena_new(arena, simulated.point_count + 1, coif_vec3);
    simulated.velocities = coif_arena_new(arena, simulated.point_count + 1, coif_vec3);
    coif_solver_get_points(&live->solver.core, places, simulated.velocities);
    for (int32_t i = 0; i < simulated.point_count; ++i) {
        simulated.points[i] =
            (coif_vec4){places[i].x, places[i].y, places[i].z, simulated.points[i].w};
    }
    return coif_interpolate_children(strands, &simulated, groom, &live->end[live->body], arena,
                                     live->shot.jobs, error);
}

const coif_groom *coif_live_groom(const coif_live *live)
{
    return &live->regrow.now;
}

const coif_body *coif_live_body_at_rest(const coif_live *live)
{
    return &live->shot.bodies[live->body];
}

const coif_mesh *coif_live_body(const coif_live *live)
{
    return &live->end[live->body];
}

coif_energy coif_live_energy_of(const coif_live *live, const coif_strands *strands)
{
    float gravity[3];
    coif_param_fields_gravity(live->shot.sim, live->shot.params.first_frame, gravity);
    coif_energy energy = coif_energy_of(strands, gravity);
    energy.elastic = coif_energy_elastic(&live->solver.core, false);
    return energy;
}
