#include "sim/run/live_session.h"

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/hair/child_interpolation.h"
#include "core/hair/child_push_out.h"
#include "core/hair/frame_cache.h"
#include "sim/run/groom_sim.h"
#include "sim/run/state_transfer.h"
#include "sim/run/tied_strands.h"
#include "sim/solver/energy.h"

#include <string.h>

// Transform of the body on top of its animation.
typedef struct body_drag {
    float translate[3], rotate[3];
} body_drag;

struct coif_live {
    coif_sim_scene sim_scene;
    const coif_scene *scene; // the current version
    int32_t index;           // of the groom
    coif_groom groom;        // at the first frame
    coif_groom_sim sim;
    uint64_t groom_digest, bodies_digest; // of the settings they were made from
    body_drag drag;
    coif_body_params dragged; // the same as parameters of the body
    int32_t max_substeps;     // of a frame; 0: any
    bool force_warned;        // about a force that returned values that are not finite
    int frame;
    double time;
    coif_mesh *begin, *end; // one per body
    coif_mesh *poses[2];    // memory of both
    int pose_turn;

    coif_arena scene_arena;     // groom, bodies, colliders
    coif_arena solver_arena[2]; // solver, forces, parameters: of the current scene and of the next
    int solver_turn;
};

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

// Poses all bodies at a frame, with the drag on the body of the groom and those that follow it.
static coif_status pose_bodies(coif_live *live, int frame, coif_error *error)
{
    const coif_sim_scene *sim_scene = &live->sim_scene;
    live->pose_turn = !live->pose_turn;
    coif_mesh *meshes = live->poses[live->pose_turn];
    live->dragged = sim_scene->bodies[live->sim.body].params;
    memcpy(live->dragged.translate, live->drag.translate, sizeof live->dragged.translate);
    memcpy(live->dragged.rotate, live->drag.rotate, sizeof live->dragged.rotate);
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        COIF_TRY(coif_body_pose(&meshes[b], &sim_scene->bodies[b], frame, NULL, error));
    }
    live->end = meshes;
    return COIF_OK;
}

static coif_status generate_groom(coif_live *live, const coif_node *node, coif_error *error)
{
    coif_sim_scene *sim_scene = &live->sim_scene;
    const coif_body *body;
    COIF_TRY(coif_sim_scene_body(&body, sim_scene, node, error));
    const coif_groom_generate_desc desc = coif_sim_scene_groom_desc(sim_scene, node, body);
    COIF_TRY(coif_groom_generate(&live->groom, &desc, &live->scene_arena, sim_scene->jobs, error));
    coif_groom_find_ties(&live->groom, node, desc.frame, &live->scene_arena);
    coif_groom_sim_open(&live->sim, sim_scene, node, &live->groom,
                        (int32_t)(body - sim_scene->bodies));
    return COIF_OK;
}

// Normals are needed only where hair grows.
static void allocate_poses(coif_live *live)
{
    coif_sim_scene *sim_scene = &live->sim_scene;
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        bool *facing =
            coif_arena_new(&live->scene_arena, sim_scene->bodies[b].rest.triangle_count, bool);
        for (int32_t s = 0; b == live->sim.body && s < live->groom.rest.strand_count; ++s) {
            facing[live->groom.root_triangle[s]] = true;
        }
        sim_scene->bodies[b].needs_normals = facing;
        sim_scene->bodies[b].drag = b == live->sim.body ? &live->dragged : NULL;
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
    sim_scene->sim = coif_node_at(scene->root, "sim");
    coif_param_fields_read(sim_scene->sim, sim_scene->params.first_frame, &sim_scene->params);
    coif_groom_sim_set_node(&live->sim,
                            &coif_node_at(scene->root, "grooms")->children[live->index]);
    COIF_TRY(coif_sim_scene_open_forces(sim_scene, scene, arena, error));
    COIF_TRY(coif_groom_sim_open_fields(&live->sim, arena, error));
    return coif_groom_sim_create_solver(&live->sim, arena, error);
}

// Resets to the rest shape, at the current frame and drag.
static coif_status hold_pose(coif_live *live, coif_error *error)
{
    live->sim.current = live->groom;
    COIF_TRY(pose_bodies(live, live->frame, error));
    live->begin = live->end;
    coif_sim_scene_move_bodies(&live->sim_scene, live->begin, live->end, true);
    const coif_posed_frame held = {live->frame, live->end};
    coif_sim_scene_move_primitives(&live->sim_scene, held, held);
    coif_groom_solver_reset_to_rest(&live->sim.solver, &live->end[live->sim.body]);
    return COIF_OK;
}

// At rest at the first frame, without drag.
static coif_status reset_to_first_frame(coif_live *live, coif_error *error)
{
    live->frame = live->sim_scene.params.first_frame;
    live->time = 0.0;
    live->drag = (body_drag){{0}, {0}};
    return hold_pose(live, error);
}

int coif_live_last_frame(const coif_live *live)
{
    return live->sim_scene.params.last_frame;
}

coif_status coif_live_loop(coif_live *live, int frame, coif_error *error)
{
    const coif_sim_scene *sim_scene = &live->sim_scene;
    bool animated = false;
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        animated |= coif_body_is_animated(&sim_scene->bodies[b]);
    }
    const int first = sim_scene->params.first_frame;
    live->frame = frame > first ? frame : first;
    return animated ? hold_pose(live, error)
                    : coif_groom_sim_set_frame(&live->sim, live->frame, true, error);
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
    const coif_node *node = &grooms->children[live->index];
    COIF_TRY(coif_sim_scene_open(&live->sim_scene, error));
    COIF_TRY(coif_sim_scene_prepare(&live->sim_scene, error));
    live->sim_scene.reuse_from = NULL;
    COIF_TRY(generate_groom(live, node, error));
    allocate_poses(live);
    live->groom_digest = coif_groom_settings_digest(node);
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
    coif_groom_sim_close(&live->sim);
    coif_arena_free(&live->scene_arena);
    for (int i = 0; i < 2; ++i) {
        coif_arena_free(&live->solver_arena[i]);
    }
}

bool coif_live_can_reuse(const coif_live *live, const coif_scene *scene)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    if (live->index >= grooms->child_count) {
        return false;
    }
    const coif_sim_scene next = {.sim = coif_node_at(scene->root, "sim")};
    coif_sim_params params = {0};
    coif_param_fields_read(coif_sim_scene_settings_node(&next, &grooms->children[live->index]),
                           live->sim_scene.params.first_frame, &params);
    const coif_sim_params *current = &live->sim.params;
    return coif_groom_settings_digest(&grooms->children[live->index]) == live->groom_digest &&
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
    coif_groom_solver_reset_to_rest(&live->sim.solver, &live->end[live->sim.body]);
    coif_solver_set_points(live->sim.solver.core, positions, velocities);
    // The state of a method is kept for the same method only.
    if (strcmp(coif_solver_method_name(previous->core),
               coif_solver_method_name(live->sim.solver.core)) == 0) {
        const int32_t rows = coif_solver_state_rows(previous->core);
        float *state = coif_arena_new(arena, (int64_t)rows * points + 1, float);
        coif_solver_get_state(previous->core, state);
        coif_solver_set_state(live->sim.solver.core, state);
    }
    // The solver was created with the groom of the first frame.
    return coif_groom_sim_set_frame(&live->sim, live->frame, true, error);
}

coif_status coif_live_apply_scene(coif_live *live, const coif_scene *scene, coif_error *error)
{
    const coif_sim_scene sim_scene = live->sim_scene;
    const coif_groom_sim sim = live->sim;
    coif_arena *arena = &live->solver_arena[!live->solver_turn];
    reset_arena(arena, "live solver");
    coif_status status = create_solver(live, scene, arena, error);
    status = status == COIF_OK ? transfer_state(live, &sim.solver, arena, error) : status;
    if (status != COIF_OK) {
        live->sim_scene = sim_scene;
        live->sim.node = sim.node;
        live->sim.settings = sim.settings;
        live->sim.params = sim.params;
        live->sim.fields = sim.fields;
        live->sim.constraints = sim.constraints;
        live->sim.goals = sim.goals;
        live->sim.solver = sim.solver;
        return status;
    }
    reset_arena(&live->solver_arena[live->solver_turn], "live solver");
    live->solver_turn = !live->solver_turn;
    live->scene = scene;
    return COIF_OK;
}

coif_status coif_live_transfer_from(coif_live *live, const coif_live *source, bool keep_drag,
                                    coif_error *error)
{
    coif_strands strands;
    coif_arena scratch;
    coif_arena_init(&scratch, "live transfer");
    coif_status status = coif_live_get_points(&strands, source, &scratch, error);
    if (status == COIF_OK && strands.strand_count > 0) {
        live->frame = source->frame;
        live->time = source->time;
        live->drag = keep_drag ? source->drag : live->drag;
        status = hold_pose(live, error);
    }
    if (status == COIF_OK && strands.strand_count > 0) {
        coif_transfer_state(&live->sim, &source->sim, &strands);
        // The solver was created with the groom of the first frame.
        status = coif_groom_sim_set_frame(&live->sim, live->frame, true, error);
    }
    coif_arena_free(&scratch);
    return status;
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
    coif_param_fields_read(live->sim.settings, live->frame + 1, &params);
    const int32_t wanted = params.substeps;
    limit_substeps(&params, live->max_substeps);
    return (coif_live_substeps){wanted, params.substeps};
}

coif_status coif_live_step(coif_live *live, coif_step_stats *stats, coif_error *error)
{
    coif_sim_scene *sim_scene = &live->sim_scene;
    coif_sim_params params = {0};
    const int next = live->frame + 1;
    coif_param_fields_read(live->sim.settings, next, &params);
    limit_substeps(&params, live->max_substeps);
    live->begin = live->end;
    COIF_TRY(pose_bodies(live, next, error));
    coif_sim_scene_move_bodies(sim_scene, live->begin, live->end, true);
    coif_sim_scene_move_primitives(sim_scene, (coif_posed_frame){live->frame, live->begin},
                                   (coif_posed_frame){next, live->end});
    COIF_TRY(coif_groom_sim_set_frame(&live->sim, next, false, error));
    const coif_time_span span = {.begin = live->frame,
                                 .end = next,
                                 .time = live->time,
                                 .seconds = coif_frame_seconds(&params)};
    COIF_TRY(coif_groom_sim_begin_span(&live->sim, &span, error));
    const coif_groom_solver_frame frame =
        coif_groom_sim_frame(&live->sim, &params, &span, live->begin, live->end);
    coif_solver_report report = {.bad_force = -1};
    COIF_TRY(coif_groom_solver_step(&live->sim.solver, &frame, &report, sim_scene->jobs, NULL));
    live->frame = next;
    live->time += span.seconds;
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
    COIF_TRY(coif_groom_sim_strands(&simulated, &live->sim, arena, error));
    const coif_sim_scene *sim_scene = &live->sim_scene;
    COIF_TRY(coif_interpolate_children(strands, &simulated, &live->sim.current,
                                       &live->end[live->sim.body], arena, sim_scene->jobs, error));
    for (int32_t c = 0; c < sim_scene->collider_count; ++c) {
        if (sim_scene->collider_bodies[c] == live->sim.body) {
            coif_push_children_out(strands, &live->sim.current, &sim_scene->colliders[c], 1.0f,
                                   sim_scene->jobs);
        }
    }
    return COIF_OK;
}

coif_status coif_live_export_frame(coif_live *live, const char *folder, coif_error *error)
{
    coif_groom_params params;
    coif_node_read(live->sim.node, live->frame, &params);
    COIF_SCOPED_ARENA(scratch, "live frame");
    coif_strands strands;
    const coif_frame_cache_desc desc = {
        .frame = live->frame, .time = live->time, .metadata = "", .jobs = live->sim_scene.jobs};
    COIF_TRY(coif_groom_sim_strands(&strands, &live->sim, &scratch, error));
    return coif_frame_cache_save(&strands, &live->groom, &desc,
                                 coif_frame_file_path(folder, params.name, live->frame, &scratch),
                                 error);
}

coif_status coif_live_export(coif_live *live, const char *folder, coif_error *error)
{
    coif_groom_params params;
    coif_node_read(live->sim.node, live->frame, &params);
    COIF_SCOPED_ARENA(scratch, "live groom");
    COIF_TRY(
        coif_groom_save(&live->groom, coif_groom_file_path(folder, params.name, &scratch), error));
    return coif_live_export_frame(live, folder, error);
}

const coif_groom *coif_live_groom(const coif_live *live)
{
    return &live->sim.current;
}

const coif_body *coif_live_body_at_rest(const coif_live *live)
{
    return &live->sim_scene.bodies[live->sim.body];
}

const coif_mesh *coif_live_body(const coif_live *live)
{
    return &live->end[live->sim.body];
}

coif_energy coif_live_energy_of(const coif_live *live, const coif_strands *strands)
{
    float gravity[3];
    coif_param_fields_gravity(live->sim.settings, live->sim.params.first_frame, gravity);
    coif_energy energy = coif_energy_of(strands, gravity);
    energy.elastic = coif_energy_elastic(live->sim.solver.core, false);
    return energy;
}
