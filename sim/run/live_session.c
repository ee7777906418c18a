// live_session: opening, stepping and changing a live simulation.
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/hair/child_interpolation.h"
#include "sim/run/live_session_internal.h"
#include "sim/solver/energy.h"

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

static void reset_arena(coif_arena *arena, const char *name)
{
    coif_arena_free(arena);
    coif_arena_init(arena, name);
}

// Poses all bodies at a frame, with the drag on the body of the groom.
static coif_status pose_bodies(coif_live *live, int frame, coif_error *error)
{
    const coif_sim_scene *sim_scene = &live->sim_scene;
    live->pose_turn = !live->pose_turn;
    coif_mesh *meshes = live->poses[live->pose_turn];
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        COIF_TRY(coif_body_pose(&meshes[b], &sim_scene->bodies[b], frame, NULL, error));
    }
    coif_body_params dragged = sim_scene->bodies[live->body].params;
    memcpy(dragged.translate, live->drag.translate, sizeof dragged.translate);
    memcpy(dragged.rotate, live->drag.rotate, sizeof dragged.rotate);
    coif_body_transform_points(&meshes[live->body], &dragged, &sim_scene->bodies[live->body]);
    live->end = meshes;
    return COIF_OK;
}

static void move_colliders(coif_live *live)
{
    coif_sim_scene *sim_scene = &live->sim_scene;
    for (int32_t c = 0; c < sim_scene->collider_count; ++c) {
        const int32_t b = sim_scene->collider_bodies[c];
        if (b >= 0) {
            coif_collider_refit_posed(&sim_scene->colliders[c], &live->begin[b], &live->end[b]);
        }
    }
}

static coif_status generate_groom(coif_live *live, coif_error *error)
{
    const coif_body *body;
    COIF_TRY(coif_sim_scene_body(&body, &live->sim_scene, live->node, error));
    live->body = (int32_t)(body - live->sim_scene.bodies);
    coif_groom_generate_desc desc = {.scene = live->sim_scene.scene,
                                     .node = live->node,
                                     .body = body,
                                     .children = &live->sim_scene.children,
                                     .frame = live->sim_scene.params.first_frame};
    live->animated = coif_groom_is_animated(live->node);
    if (live->animated) {
        coif_collider_build(&live->body_collider, &body->rest, &live->scene_arena);
        desc.body_collider = &live->body_collider;
    }
    COIF_TRY(
        coif_groom_generate(&live->groom, &desc, &live->scene_arena, live->sim_scene.jobs, error));
    coif_groom_animation_open(&live->animation, &desc, &live->groom);
    return COIF_OK;
}

// Normals are needed only where hair grows.
static void allocate_poses(coif_live *live)
{
    coif_sim_scene *sim_scene = &live->sim_scene;
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        bool *facing =
            coif_arena_new(&live->scene_arena, sim_scene->bodies[b].rest.triangle_count, bool);
        for (int32_t s = 0; b == live->body && s < live->groom.rest.strand_count; ++s) {
            facing[live->groom.root_triangle[s]] = true;
        }
        sim_scene->bodies[b].needs_normals = facing;
    }
    for (int i = 0; i < 2; ++i) {
        live->poses[i] = coif_arena_new(&live->scene_arena, sim_scene->body_count, coif_mesh);
        for (int32_t b = 0; b < sim_scene->body_count; ++b) {
            coif_body_rest(&live->poses[i][b], &sim_scene->bodies[b], &live->scene_arena);
        }
    }
}

// Creates solver, forces and parameters of a scene in an arena of their own.
static coif_status create_solver(coif_live *live, const coif_scene *scene, coif_arena *arena,
                                 coif_error *error)
{
    coif_sim_scene *sim_scene = &live->sim_scene;
    const coif_body *body = &sim_scene->bodies[live->body];
    sim_scene->sim = coif_node_at(scene->root, "sim");
    coif_param_fields_read(sim_scene->sim, sim_scene->params.first_frame, &sim_scene->params);
    COIF_TRY(coif_sim_scene_open_forces(sim_scene, scene, arena, error));
    const coif_param_fields_desc fields_desc = {.scene = scene,
                                                .sim = sim_scene->sim,
                                                .groom_node = live->node,
                                                .groom = &live->groom,
                                                .rest = &body->rest,
                                                .frame = sim_scene->params.first_frame,
                                                .jobs = sim_scene->jobs};
    COIF_TRY(coif_param_fields_open(&live->fields, &fields_desc, arena, error));
    const coif_collider *collider = NULL;
    for (int32_t c = 0; c < sim_scene->collider_count; ++c) {
        if (sim_scene->collider_bodies[c] == live->body) {
            collider = &sim_scene->colliders[c];
            coif_collider_refit(&sim_scene->colliders[c], body->rest.positions,
                                body->rest.positions);
        }
    }
    if (live->animated && collider != NULL) {
        collider = &live->body_collider;
    }
    coif_groom_params params;
    coif_node_read(live->node, sim_scene->params.first_frame, &params);
    const coif_groom_solver_desc desc = {
        .groom = &live->groom,
        .rest = &body->rest,
        .body = collider,
        .params = &sim_scene->params,
        .vary = &live->fields,
        .kernels = sim_scene->kernels,
        .grows = live->animated,
        .pinned = coif_solver_vtable_at(sim_scene->params.solver)->pinned_points,
        .seed = (uint64_t)params.seed};
    coif_groom_solver_init(&live->solver, &desc, arena, sim_scene->jobs);
    live->animation.solver = &live->solver;
    return COIF_OK;
}

coif_status coif_live_hold_pose(coif_live *live, coif_error *error)
{
    live->animation.current = live->groom;
    COIF_TRY(pose_bodies(live, live->frame, error));
    live->begin = live->end;
    move_colliders(live);
    coif_sim_scene_move_primitives(&live->sim_scene, live->frame, live->frame);
    coif_groom_solver_reset_to_rest(&live->solver, &live->end[live->body]);
    return COIF_OK;
}

// At rest at the first frame, without drag.
static coif_status reset_to_first_frame(coif_live *live, coif_error *error)
{
    live->frame = live->sim_scene.params.first_frame;
    live->time = 0.0;
    live->drag = (coif_live_body_drag){{0}, {0}};
    return coif_live_hold_pose(live, error);
}

// A new solver: no state is kept.
coif_status coif_live_reset(coif_live *live, coif_error *error)
{
    coif_arena *arena = &live->solver_arena[live->solver_turn];
    reset_arena(arena, "live solver");
    COIF_TRY(create_solver(live, live->scene, arena, error));
    return reset_to_first_frame(live, error);
}

// Opens everything from a scene.
static coif_status open_session(coif_live *live, const coif_scene *scene, const coif_live *like,
                                coif_error *error)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    if (live->index < 0 || live->index >= grooms->child_count) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "no groom %d", live->index);
    }
    coif_jobs *jobs = live->sim_scene.jobs;
    live->sim_scene = (coif_sim_scene){.scene = scene,
                                       .kernel = "auto",
                                       .reuse_from = like != NULL ? &like->sim_scene : NULL,
                                       .arena = &live->scene_arena,
                                       .jobs = jobs};
    live->node = &grooms->children[live->index];
    COIF_TRY(coif_sim_scene_open(&live->sim_scene, error));
    COIF_TRY(coif_sim_scene_prepare(&live->sim_scene, error));
    live->sim_scene.reuse_from = NULL;
    COIF_TRY(generate_groom(live, error));
    allocate_poses(live);
    live->groom_digest = coif_groom_settings_digest(live->node);
    live->bodies_digest = bodies_digest(scene);
    live->scene = scene;
    COIF_TRY(create_solver(live, scene, &live->solver_arena[live->solver_turn], error));
    return reset_to_first_frame(live, error);
}

coif_status coif_live_open(coif_live **out, const coif_scene *scene, int32_t groom,
                           const coif_live *like, coif_arena *arena, coif_jobs *jobs,
                           coif_error *error)
{
    coif_live *live = coif_arena_new(arena, 1, coif_live);
    live->index = groom;
    live->sim_scene.jobs = jobs;
    coif_arena_init(&live->scene_arena, "live groom");
    for (int i = 0; i < 2; ++i) {
        coif_arena_init(&live->solver_arena[i], "live solver");
    }
    *out = live;
    return open_session(live, scene, like, error);
}

void coif_live_close(coif_live *live)
{
    coif_groom_animation_close(&live->animation);
    coif_arena_free(&live->scene_arena);
    for (int i = 0; i < 2; ++i) {
        coif_arena_free(&live->solver_arena[i]);
    }
}

bool coif_live_can_reuse(const coif_live *live, const coif_scene *scene)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    coif_sim_params params = {0};
    coif_param_fields_read(coif_node_at(scene->root, "sim"), live->sim_scene.params.first_frame,
                           &params);
    const coif_sim_params *current = &live->sim_scene.params;
    return live->index < grooms->child_count &&
           coif_groom_settings_digest(&grooms->children[live->index]) == live->groom_digest &&
           bodies_digest(scene) == live->bodies_digest &&
           params.first_frame == current->first_frame &&
           params.simulated_fraction == current->simulated_fraction &&
           params.child_mode == current->child_mode;
}

// Copies positions, velocities and the state of the method from another solver.
static coif_status transfer_state(coif_live *live, const coif_groom_solver *previous,
                                  coif_arena *arena, coif_error *error)
{
    const int32_t points = coif_solver_first_point(previous->core)[live->groom.simulated_count];
    coif_vec3 *positions = coif_arena_new(arena, points, coif_vec3);
    coif_vec3 *velocities = coif_arena_new(arena, points, coif_vec3);
    coif_solver_get_points(previous->core, positions, velocities);
    coif_groom_solver_reset_to_rest(&live->solver, &live->end[live->body]);
    coif_solver_set_points(live->solver.core, positions, velocities);
    // The state of a method is kept for the same method only.
    if (coif_solver_method_name(previous->core) == coif_solver_method_name(live->solver.core)) {
        const int32_t rows = coif_solver_state_rows(previous->core);
        float *state = coif_arena_new(arena, (int64_t)rows * points + 1, float);
        coif_solver_get_state(previous->core, state);
        coif_solver_set_state(live->solver.core, state);
    }
    // The solver was created with the groom of the first frame.
    return live->animated ? coif_groom_animation_to(&live->animation, live->frame, true,
                                                    live->sim_scene.jobs, error)
                          : COIF_OK;
}

coif_status coif_live_apply_scene(coif_live *live, const coif_scene *scene, coif_error *error)
{
    const coif_sim_scene sim_scene = live->sim_scene;
    const coif_node *node = live->node;
    const coif_param_fields fields = live->fields;
    const coif_groom_solver solver = live->solver;
    coif_arena *arena = &live->solver_arena[!live->solver_turn];
    reset_arena(arena, "live solver");
    live->node = &coif_node_at(scene->root, "grooms")->children[live->index];
    coif_status status = create_solver(live, scene, arena, error);
    status = status == COIF_OK ? transfer_state(live, &solver, arena, error) : status;
    if (status != COIF_OK) {
        live->sim_scene = sim_scene;
        live->node = node;
        live->fields = fields;
        live->solver = solver;
        return status;
    }
    coif_arena_free(&live->solver_arena[live->solver_turn]);
    coif_arena_init(&live->solver_arena[live->solver_turn], "live solver");
    live->solver_turn = !live->solver_turn;
    live->scene = scene;
    return COIF_OK;
}

void coif_live_set_body_drag(coif_live *live, const float translate[3], const float rotate[3])
{
    memcpy(live->drag.translate, translate, sizeof live->drag.translate);
    memcpy(live->drag.rotate, rotate, sizeof live->drag.rotate);
}

void coif_live_get_body_drag(const coif_live *live, float translate[3], float rotate[3])
{
    memcpy(translate, live->drag.translate, sizeof live->drag.translate);
    memcpy(rotate, live->drag.rotate, sizeof live->drag.rotate);
}

void coif_live_limit_substeps(coif_live *live, int32_t substeps)
{
    live->max_substeps = substeps;
}

// The interaction interval is kept in seconds, as far as possible.
static void limit_substeps(coif_sim_params *params, int32_t limit)
{
    const coif_solver_vtable *method = coif_solver_vtable_at(params->solver);
    const bool independent = method != &COIF_METHOD_PBD && method != &COIF_METHOD_FTL;
    if (limit > 0 && limit < params->substeps && independent) {
        const int32_t interval = params->interaction_interval * limit / params->substeps;
        params->interaction_interval =
            params->interaction_interval > 0 && interval < 1 ? 1 : interval;
        params->substeps = limit;
    }
}

coif_live_substeps coif_live_substeps_of(const coif_live *live)
{
    coif_sim_params params = {0};
    coif_param_fields_read(live->sim_scene.sim, live->frame + 1, &params);
    const int32_t wanted = params.substeps;
    limit_substeps(&params, live->max_substeps);
    return (coif_live_substeps){wanted, params.substeps};
}

coif_status coif_live_step(coif_live *live, coif_step_stats *stats, coif_error *error)
{
    coif_sim_scene *sim_scene = &live->sim_scene;
    coif_sim_params params = {0};
    const int next = live->frame + 1;
    coif_param_fields_read(sim_scene->sim, next, &params);
    limit_substeps(&params, live->max_substeps);
    live->begin = live->end;
    COIF_TRY(pose_bodies(live, next, error));
    move_colliders(live);
    coif_sim_scene_move_primitives(sim_scene, live->frame, next);
    if (live->animated) {
        COIF_TRY(coif_groom_animation_to(&live->animation, next, false, sim_scene->jobs, error));
    }
    const double seconds = coif_frame_seconds(&params);
    for (int32_t f = 0; f < sim_scene->force_count; ++f) {
        COIF_TRY(coif_plugin_begin_frame(sim_scene->forces[f], next, live->time + seconds, error));
    }
    const coif_groom_solver_frame frame = {.params = &params,
                                           .begin = &live->begin[live->body],
                                           .end = &live->end[live->body],
                                           .bodies = sim_scene->colliders,
                                           .body_count = sim_scene->collider_count,
                                           .forces = sim_scene->forces,
                                           .force_count = sim_scene->force_count,
                                           .frame_begin = live->frame,
                                           .frame_end = next,
                                           .time = live->time,
                                           .seconds = seconds};
    coif_solver_report report = {.bad_force = -1};
    COIF_TRY(coif_groom_solver_step(&live->solver, &frame, &report, sim_scene->jobs, NULL));
    live->frame = next;
    live->time += seconds;
    if (report.bad_force >= 0 && !live->force_warned) {
        live->force_warned = true;
        coif_log(COIF_LOG_WARNING, "frame %d: %s returned values that are not finite; ignored",
                 next, coif_plugin_instance_plugin(sim_scene->forces[report.bad_force])->id);
    }
    *stats = report.stats;
    return COIF_OK;
}

int coif_live_frame(const coif_live *live)
{
    return live->frame;
}

double coif_live_fps(const coif_live *live)
{
    return (double)live->sim_scene.params.fps;
}

coif_status coif_live_get_points(coif_strands *strands, const coif_live *live, coif_arena *arena,
                                 coif_error *error)
{
    coif_strands simulated;
    const coif_groom *groom = &live->animation.current;
    COIF_TRY(coif_groom_simulated(&simulated, groom, arena, error));
    coif_vec3 *positions = coif_arena_new(arena, simulated.point_count + 1, coif_vec3);
    simulated.velocities = coif_arena_new(arena, simulated.point_count + 1, coif_vec3);
    coif_solver_get_points(live->solver.core, positions, simulated.velocities);
    for (int32_t i = 0; i < simulated.point_count; ++i) {
        simulated.points[i] =
            (coif_vec4){positions[i].x, positions[i].y, positions[i].z, simulated.points[i].w};
    }
    return coif_interpolate_children(strands, &simulated, groom, &live->end[live->body], arena,
                                     live->sim_scene.jobs, error);
}

const coif_groom *coif_live_groom(const coif_live *live)
{
    return &live->animation.current;
}

const coif_body *coif_live_body_at_rest(const coif_live *live)
{
    return &live->sim_scene.bodies[live->body];
}

const coif_mesh *coif_live_body(const coif_live *live)
{
    return &live->end[live->body];
}

coif_energy coif_live_energy_of(const coif_live *live, const coif_strands *strands)
{
    float gravity[3];
    coif_param_fields_gravity(live->sim_scene.sim, live->sim_scene.params.first_frame, gravity);
    coif_energy energy = coif_energy_of(strands, gravity);
    energy.elastic = coif_energy_elastic(live->solver.core, false);
    return energy;
}
