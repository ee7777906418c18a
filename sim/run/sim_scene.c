#include "sim/run/sim_scene.h"

#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/body/input_digest.h"
#include "core/pack/pack.h"
#include "sim/groom/groom_generate.h"

#include <string.h>

coif_status coif_sim_scene_open(coif_sim_scene *shot, coif_error *error)
{
    const coif_scene *scene = shot->desc->scene;
    shot->sim = coif_node_at(scene->root, "sim");
    coif_param_fields_read(shot->sim, 0.0, &shot->params);
    coif_param_fields_read(shot->sim, shot->params.first_frame, &shot->params);
    if (shot->params.last_frame < shot->params.first_frame) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: /sim/last_frame: %d comes before the first frame, %d", scene->path,
                         shot->params.last_frame, shot->params.first_frame);
    }
    return coif_bodies_load(&shot->bodies, &shot->body_count, scene, shot->arena, error);
}

static bool are_equal(const coif_mesh *a, const coif_mesh *b)
{
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->positions, b->positions, sizeof *a->positions * (size_t)a->vertex_count) ==
               0 &&
           memcmp(a->indices, b->indices, 3 * sizeof *a->indices * (size_t)a->triangle_count) == 0;
}

// The collider of an equal body that does not change its shape, or NULL.
static const coif_collider *collider_like(const coif_sim_scene *shot, const coif_body *body)
{
    const coif_sim_scene *like = shot->like;
    for (int32_t c = 0; like != NULL && !body->sequence && c < like->collider_count; ++c) {
        const int32_t b = like->collider_bodies[c];
        if (b >= 0 && !like->bodies[b].sequence && are_equal(&like->bodies[b].rest, &body->rest)) {
            return &like->colliders[c];
        }
    }
    return NULL;
}

static void build_collider(coif_collider *collider, const coif_sim_scene *shot,
                           const coif_body *body)
{
    const coif_collider *like = collider_like(shot, body);
    if (like != NULL) {
        coif_collider_copy(collider, like, &body->rest, shot->arena);
        return;
    }
    coif_collider_build(collider, &body->rest, shot->arena);
    // What changes its shape from frame to frame has no distances that would last.
    if (!body->sequence) {
        coif_collider_build_sdf(collider, &body->rest, shot->arena, shot->jobs);
    }
}

// Spheres, capsules and planes; a scene of few words may know no such section.
static void build_rounds(coif_sim_scene *shot, const coif_node *list)
{
    shot->round_count = list != NULL ? list->child_count : 0;
    shot->rounds = coif_arena_new(shot->arena, shot->round_count, coif_primitive);
    for (int32_t r = 0; r < shot->round_count; ++r) {
        coif_primitive_params params;
        coif_node_read(&list->children[r], shot->params.first_frame, &params);
        shot->rounds[r] = (coif_primitive){.shape = params.shape, .node = &list->children[r]};
        shot->collider_bodies[shot->collider_count++] = -1;
    }
    coif_sim_scene_move_primitives(shot, shot->params.first_frame, shot->params.first_frame);
}

void coif_sim_scene_move_primitives(coif_sim_scene *shot, double begin, double end)
{
    const int32_t first = shot->collider_count - shot->round_count;
    for (int32_t r = 0; r < shot->round_count; ++r) {
        const coif_primitive_pose from = coif_primitive_pose_at(&shot->rounds[r], begin);
        const coif_primitive_pose to = coif_primitive_pose_at(&shot->rounds[r], end);
        coif_primitive_move(&shot->colliders[first + r], &shot->rounds[r], &from, &to);
    }
}

static const coif_node *list_of_rounds(const coif_sim_scene *shot)
{
    const coif_node *root = shot->desc->scene->root;
    for (int32_t c = 0; c < root->child_count; ++c) {
        if (root->children[c].section == &COIF_COLLIDERS_SECTION) {
            return &root->children[c];
        }
    }
    return NULL;
}

static void build_colliders(coif_sim_scene *shot)
{
    const coif_node *rounds = list_of_rounds(shot);
    const int32_t most = shot->body_count + (rounds != NULL ? rounds->child_count : 0);
    shot->colliders = coif_arena_new(shot->arena, most, coif_collider);
    shot->collider_bodies = coif_arena_new(shot->arena, most, int32_t);
    for (int32_t b = 0; b < shot->body_count; ++b) {
        if (shot->bodies[b].params.collide && shot->bodies[b].rest.triangle_count > 0) {
            build_collider(&shot->colliders[shot->collider_count], shot, &shot->bodies[b]);
            shot->collider_bodies[shot->collider_count++] = b;
        }
    }
    build_rounds(shot, rounds);
}

static coif_status digest_sequences(uint64_t *digest, const coif_sim_scene *shot, int frame,
                                    coif_error *error)
{
    for (int32_t b = 0; b < shot->body_count; ++b) {
        const coif_body *body = &shot->bodies[b];
        uint64_t file;
        // A pose that is held reads nothing new.
        if (body->sequence && frame > body->sequence_first && frame <= body->sequence_last) {
            COIF_TRY(coif_body_file_digest(&file, body, frame, error));
            *digest = coif_hash64_extend(*digest, &b, sizeof b);
            *digest = coif_hash64_extend(*digest, &file, sizeof file);
        }
    }
    return COIF_OK;
}

static int last_frame(const coif_sim_scene *shot)
{
    const coif_frame_range asked = shot->desc->frames;
    const int last = coif_frame_range_given(asked) ? asked.last : shot->params.last_frame;
    return last < shot->params.first_frame ? shot->params.first_frame : last;
}

// Seconds add up frame by frame where they pass at a keyed rate.
static void measure_time(coif_sim_scene *shot)
{
    const int first = shot->params.first_frame;
    const int count = last_frame(shot) - first + 1;
    const bool keyed = coif_values_find(&shot->sim->values, "time_scale")->key_count > 1;
    shot->times = coif_arena_new(shot->arena, count, double);
    for (int i = 1; i < count; ++i) {
        coif_sim_params params = {0};
        coif_node_read(shot->sim, first + i, &params);
        shot->times[i] = keyed ? shot->times[i - 1] + coif_frame_seconds(&params)
                               : i * (double)params.time_scale / (double)shot->params.fps;
    }
}

// Hair at a frame has felt every file until then, and where bodies move smoothly the one after it,
// so that files may be added and changed while earlier frames stay.
static coif_status read_ways(coif_sim_scene *shot, coif_error *error)
{
    const int first = shot->params.first_frame;
    const int last = last_frame(shot);
    const int ahead = shot->params.body_interpolation == COIF_MOTION_SMOOTH;
    uint64_t digest = 0;
    shot->ways = coif_arena_new(shot->arena, last - (int64_t)first + 1, uint64_t);
    for (int f = first - (shot->still_before < first); f <= first; ++f) {
        COIF_TRY(digest_sequences(&digest, shot, f, error));
    }
    shot->ways[0] = digest;
    for (int f = first + 1; f <= last; ++f) {
        if (f == first + 1 && ahead) {
            COIF_TRY(digest_sequences(&digest, shot, f, error));
        }
        COIF_TRY(digest_sequences(&digest, shot, f + ahead, error));
        shot->ways[f - first] = digest;
        if (coif_progress_cancelled(shot->progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "stopped before growing");
        }
    }
    return COIF_OK;
}

coif_status coif_sim_scene_open_forces(coif_sim_scene *shot, const coif_scene *scene,
                                       coif_arena *arena, coif_error *error)
{
    const coif_node *list = coif_node_at(scene->root, "forces");
    shot->force_count = 0;
    shot->forces = coif_arena_new(arena, list->child_count, coif_plugin_instance *);
    for (int32_t f = 0; f < list->child_count; ++f) {
        coif_force_params own;
        coif_node_read(&list->children[f], shot->params.first_frame, &own);
        if (!own.enabled) {
            continue;
        }
        coif_error cause = {.status = COIF_OK};
        if (coif_plugin_instance_open(&shot->forces[shot->force_count++], &list->children[f],
                                      shot->params.first_frame, arena, &cause) != COIF_OK) {
            return coif_fail_within(error, scene->path, &cause);
        }
    }
    return COIF_OK;
}

coif_status coif_sim_scene_prepare(coif_sim_scene *shot, coif_error *error)
{
    COIF_TRY(coif_kernels_find(&shot->kernels, shot->desc->kernel, error));
    // A run that begins from the state of another goes on with the motion of its bodies.
    const bool goes_on = shot->desc->from != NULL || (shot->params.initial_state != NULL &&
                                                      shot->params.initial_state[0] != '\0');
    shot->still_before = shot->params.first_frame - goes_on;
    COIF_TRY(read_ways(shot, error));
    measure_time(shot);
    build_colliders(shot);
    return coif_sim_scene_open_forces(shot, shot->desc->scene, shot->arena, error);
}

coif_status coif_sim_scene_body(const coif_body **body, const coif_sim_scene *shot,
                                const coif_node *groom, coif_error *error)
{
    coif_groom_params params;
    coif_node_read(groom, shot->params.first_frame, &params);
    *body = coif_bodies_find(shot->bodies, shot->body_count, params.body);
    if (*body != NULL) {
        return COIF_OK;
    }
    const char *known = shot->body_count > 0 ? shot->bodies[0].params.name : "none";
    for (int32_t b = 1; b < shot->body_count; ++b) {
        known = coif_arena_print(shot->arena, "%s, %s", known, shot->bodies[b].params.name);
    }
    return coif_fail(error, COIF_ERR_SCENE, "%s: %s/body: no body \"%s\"; the bodies: %s",
                     shot->desc->scene->path, groom->path, params.body, known);
}

double coif_sim_scene_time(const coif_sim_scene *shot, int frame)
{
    return shot->times[frame - shot->params.first_frame];
}

uint64_t coif_sim_scene_digest(const coif_sim_scene *shot, const coif_groom *groom,
                               const coif_node *node)
{
    const coif_sim_input_digest inputs = {.scene = shot->desc->scene,
                                          .bodies = shot->bodies,
                                          .body_count = shot->body_count,
                                          .node = node,
                                          .groom = groom->digest};
    return coif_sim_settings_digest(&inputs);
}

uint64_t coif_sim_scene_settings(const coif_sim_scene *shot, uint64_t digest, int frame)
{
    const uint64_t way = shot->ways[frame - shot->params.first_frame];
    return way == 0 ? digest : coif_hash64_extend(digest, &way, sizeof way);
}

const char *coif_sim_scene_metadata(const coif_sim_scene *shot, const coif_groom *groom,
                                    const coif_sim_scene_digests *digests, coif_arena *arena)
{
    const char *text = coif_arena_print(
        arena, "program=coif %s\nsettings=%016llx\ninputs=%016llx\n", COIF_VERSION,
        (unsigned long long)digests->settings, (unsigned long long)digests->inputs);
    for (int32_t f = 0; f < shot->force_count; ++f) {
        const coif_plugin *plugin = coif_plugin_instance_plugin(shot->forces[f]);
        text = coif_arena_print(arena, "%splugin=%s %s\n", text, plugin->id, plugin->version);
    }
    text = coif_arena_print(arena, "%ssolver=%s\n", text,
                            coif_solver_vtable_at(shot->params.solver)->name);
    return coif_arena_print(arena, "%sgroom_settings=%s\n", text,
                            coif_metadata_value(groom->metadata, "settings", arena));
}
