#include "sim/run/sim_scene.h"

#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/body/input_digest.h"
#include "core/pack/pack.h"
#include "sim/groom/groom_generate.h"

#include <string.h>

const coif_node *coif_sim_scene_settings_node(const coif_sim_scene *sim_scene,
                                              const coif_node *groom)
{
    const coif_node *own = coif_node_find(groom, COIF_GROOM_SIM_SECTION.name);
    return own != NULL ? own : sim_scene->sim;
}

static void read_children(coif_sim_scene *sim_scene)
{
    const coif_node *grooms = coif_node_at(sim_scene->scene->root, "grooms");
    sim_scene->children = coif_arena_new(sim_scene->arena, grooms->child_count, coif_child_params);
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_node *settings = coif_sim_scene_settings_node(sim_scene, &grooms->children[g]);
        coif_sim_params params;
        coif_param_fields_read(settings, sim_scene->params.first_frame, &params);
        sim_scene->children[g] = coif_child_params_of(&params, settings);
    }
}

coif_status coif_sim_scene_open(coif_sim_scene *sim_scene, coif_error *error)
{
    const coif_scene *scene = sim_scene->scene;
    sim_scene->sim = coif_node_at(scene->root, "sim");
    coif_param_fields_read(sim_scene->sim, 0.0, &sim_scene->params);
    coif_param_fields_read(sim_scene->sim, sim_scene->params.first_frame, &sim_scene->params);
    const char *initial_state = sim_scene->params.initial_state;
    if (sim_scene->initial_state == NULL && initial_state != NULL && initial_state[0] != '\0') {
        sim_scene->initial_state = initial_state;
    }
    read_children(sim_scene);
    if (sim_scene->params.last_frame < sim_scene->params.first_frame) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: /sim/last_frame: %d comes before the first frame, %d", scene->path,
                         sim_scene->params.last_frame, sim_scene->params.first_frame);
    }
    return coif_bodies_load(&sim_scene->bodies, &sim_scene->body_count, scene, sim_scene->arena,
                            error);
}

static bool meshes_equal(const coif_mesh *a, const coif_mesh *b)
{
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->positions, b->positions, sizeof *a->positions * (size_t)a->vertex_count) ==
               0 &&
           memcmp(a->indices, b->indices, 3 * sizeof *a->indices * (size_t)a->triangle_count) == 0;
}

// The collider of an equal body without a mesh sequence, or NULL.
static const coif_collider *find_equal_collider(const coif_sim_scene *sim_scene,
                                                const coif_body *body)
{
    const coif_sim_scene *source = sim_scene->reuse_from;
    for (int32_t c = 0; source != NULL && !body->sequence && c < source->collider_count; ++c) {
        const int32_t b = source->collider_bodies[c];
        if (b >= 0 && !source->bodies[b].sequence &&
            meshes_equal(&source->bodies[b].rest, &body->rest)) {
            return &source->colliders[c];
        }
    }
    return NULL;
}

static void build_collider(coif_collider *collider, const coif_sim_scene *sim_scene,
                           const coif_body *body)
{
    const coif_collider *source = find_equal_collider(sim_scene, body);
    if (source != NULL) {
        coif_collider_copy(collider, source, &body->rest, sim_scene->arena);
        return;
    }
    coif_collider_build(collider, &body->rest, sim_scene->arena);
    coif_collider_build_sdf(collider, &body->rest, sim_scene->arena);
}

static coif_status attach_primitive(coif_attachment *attachment, const coif_sim_scene *sim_scene,
                                    const coif_node *node, const coif_collider_params *params,
                                    coif_error *error)
{
    const float *p = params->position;
    const coif_vec3 position = coif_vec3_of(p[0], p[1], p[2]);
    const coif_attachment_desc desc = {.bodies = sim_scene->bodies,
                                       .body_count = sim_scene->body_count,
                                       .parent = params->parent,
                                       .point = &position,
                                       .radius = params->radius};
    if (coif_attachment_open(attachment, &desc, sim_scene->arena)) {
        return COIF_OK;
    }
    return coif_fail(error, COIF_ERR_SCENE, "%s: %s/parent: \"%s\" is not the name of a body",
                     sim_scene->scene->path, node->path, desc.parent);
}

// Primitive colliders; the section may be absent.
static coif_status build_primitives(coif_sim_scene *sim_scene, const coif_node *list,
                                    coif_error *error)
{
    sim_scene->primitive_count = list != NULL ? list->child_count : 0;
    sim_scene->primitive_nodes = list != NULL ? list->children : NULL;
    sim_scene->primitives =
        coif_arena_new(sim_scene->arena, sim_scene->primitive_count, coif_primitive);
    sim_scene->primitive_attachments =
        coif_arena_new(sim_scene->arena, sim_scene->primitive_count, coif_attachment);
    for (int32_t r = 0; r < sim_scene->primitive_count; ++r) {
        coif_collider_params params;
        coif_node_read(&list->children[r], sim_scene->params.first_frame, &params);
        COIF_TRY(attach_primitive(&sim_scene->primitive_attachments[r], sim_scene,
                                  &list->children[r], &params, error));
        sim_scene->collider_params[sim_scene->collider_count] = params.contact;
        sim_scene->primitives[r] = (coif_primitive){.shape = params.shape};
        sim_scene->collider_bodies[sim_scene->collider_count++] = -1;
    }
    const coif_posed_frame first = {.frame = sim_scene->params.first_frame};
    coif_sim_scene_move_primitives(sim_scene, first, first);
    return COIF_OK;
}

bool coif_sim_scene_collider_touches(const coif_sim_scene *sim_scene, int32_t collider,
                                     const coif_node *groom)
{
    return coif_node_is_addressed(groom, sim_scene->collider_params[collider].affects);
}

bool coif_sim_scene_is_uniform(const coif_sim_scene *sim_scene, const coif_node *groom,
                               int32_t body)
{
    for (int32_t c = 0; c < sim_scene->collider_count; ++c) {
        if (!coif_sim_scene_collider_touches(sim_scene, c, groom) ||
            (sim_scene->collider_bodies[c] == body &&
             sim_scene->collider_params[c].margin > 0.0f)) {
            return false;
        }
    }
    return true;
}

int32_t coif_sim_scene_select_colliders(coif_collider *selected, const coif_sim_scene *sim_scene,
                                        const coif_node *groom, int32_t body)
{
    int32_t count = 0;
    for (int32_t c = 0; c < sim_scene->collider_count; ++c) {
        if (coif_sim_scene_collider_touches(sim_scene, c, groom)) {
            selected[count] = sim_scene->colliders[c];
            if (sim_scene->collider_bodies[c] == body) {
                selected[count].surface.margin = 0.0f;
            }
            ++count;
        }
    }
    return count;
}

void coif_sim_scene_move_bodies(coif_sim_scene *sim_scene, const coif_mesh *begin,
                                const coif_mesh *end, bool include_static)
{
    for (int32_t c = 0; c < sim_scene->collider_count; ++c) {
        const int32_t b = sim_scene->collider_bodies[c]; // -1: primitive
        if (b >= 0 && (include_static || coif_body_is_animated(&sim_scene->bodies[b]))) {
            coif_collider_refit_posed(&sim_scene->colliders[c], &begin[b], &end[b]);
        }
    }
}

static coif_primitive_pose primitive_pose(const coif_sim_scene *sim_scene, int32_t primitive,
                                          coif_posed_frame at)
{
    const coif_attachment *attachment = &sim_scene->primitive_attachments[primitive];
    const coif_affine motion = coif_attachment_frame(attachment, at.meshes);
    return coif_collider_params_pose(&sim_scene->primitive_nodes[primitive], at.frame,
                                     attachment->body >= 0 ? &motion : NULL);
}

void coif_sim_scene_move_primitives(coif_sim_scene *sim_scene, coif_posed_frame begin,
                                    coif_posed_frame end)
{
    const int32_t first = sim_scene->collider_count - sim_scene->primitive_count;
    for (int32_t r = 0; r < sim_scene->primitive_count; ++r) {
        const coif_primitive_pose from = primitive_pose(sim_scene, r, begin);
        const coif_primitive_pose to = primitive_pose(sim_scene, r, end);
        coif_collider *collider = &sim_scene->colliders[first + r];
        coif_primitive_move(collider, &sim_scene->primitives[r], &from, &to);
        collider->surface = coif_contact_surface_of(&sim_scene->collider_params[first + r]);
    }
}

static const coif_node *find_colliders_section(const coif_sim_scene *sim_scene)
{
    const coif_node *root = sim_scene->scene->root;
    for (int32_t c = 0; c < root->child_count; ++c) {
        if (root->children[c].section == &COIF_COLLIDERS_SECTION) {
            return &root->children[c];
        }
    }
    return NULL;
}

coif_status coif_sim_scene_build_colliders(coif_sim_scene *sim_scene, coif_error *error)
{
    const coif_node *primitives = find_colliders_section(sim_scene);
    const int32_t max_count =
        sim_scene->body_count + (primitives != NULL ? primitives->child_count : 0);
    sim_scene->colliders = coif_arena_new(sim_scene->arena, max_count, coif_collider);
    sim_scene->collider_bodies = coif_arena_new(sim_scene->arena, max_count, int32_t);
    sim_scene->collider_params = coif_arena_new(sim_scene->arena, max_count, coif_contact_params);
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        if (sim_scene->bodies[b].params.collide && sim_scene->bodies[b].rest.triangle_count > 0) {
            const int32_t c = sim_scene->collider_count++;
            const coif_contact_params *contact = &sim_scene->bodies[b].params.contact;
            build_collider(&sim_scene->colliders[c], sim_scene, &sim_scene->bodies[b]);
            sim_scene->colliders[c].surface = coif_contact_surface_of(contact);
            sim_scene->collider_params[c] = *contact;
            sim_scene->collider_bodies[c] = b;
        }
    }
    return build_primitives(sim_scene, primitives, error);
}

static coif_status digest_sequences(uint64_t *digest, const coif_sim_scene *sim_scene, int frame,
                                    coif_error *error)
{
    for (int32_t b = 0; b < sim_scene->body_count; ++b) {
        const coif_body *body = &sim_scene->bodies[b];
        uint64_t file;
        // A held pose reads no new file, and the digest of the settings covers the rest mesh.
        const bool reads =
            (frame > body->sequence_first && frame <= body->sequence_last) ||
            (frame == sim_scene->params.first_frame && body->rest_frame != body->sequence_first);
        if (body->sequence && reads) {
            COIF_TRY(coif_body_file_digest(&file, body, frame, error));
            *digest = coif_hash64_extend(*digest, &b, sizeof b);
            *digest = coif_hash64_extend(*digest, &file, sizeof file);
        }
    }
    return COIF_OK;
}

static int last_frame(const coif_sim_scene *sim_scene)
{
    const coif_frame_range frames = sim_scene->frames;
    const int last = coif_frame_range_given(frames) ? frames.last : sim_scene->params.last_frame;
    return last < sim_scene->params.first_frame ? sim_scene->params.first_frame : last;
}

// With a keyed time scale, seconds are accumulated per frame.
static void compute_frame_times(coif_sim_scene *sim_scene)
{
    const int first = sim_scene->params.first_frame;
    const int count = last_frame(sim_scene) - first + 1;
    const bool keyed = coif_values_find(&sim_scene->sim->values, "time_scale")->key_count > 1;
    sim_scene->frame_times = coif_arena_new(sim_scene->arena, count, double);
    for (int i = 1; i < count; ++i) {
        coif_sim_params params = {0};
        coif_node_read(sim_scene->sim, first + i, &params);
        sim_scene->frame_times[i] =
            keyed ? sim_scene->frame_times[i - 1] + coif_frame_seconds(&params)
                  : i * (double)params.time_scale / (double)sim_scene->params.fps;
    }
}

// The state at a frame depends on all files up to it, and with smooth motion on the one after
// it, so that later files can change while earlier frames stay valid.
static coif_status digest_motion_files(coif_sim_scene *sim_scene, coif_error *error)
{
    const int first = sim_scene->params.first_frame;
    const int last = last_frame(sim_scene);
    const int lookahead = sim_scene->params.body_interpolation == COIF_MOTION_SMOOTH;
    uint64_t digest = 0;
    sim_scene->motion_digests =
        coif_arena_new(sim_scene->arena, last - (int64_t)first + 1, uint64_t);
    for (int f = first - (sim_scene->static_before < first); f <= first; ++f) {
        COIF_TRY(digest_sequences(&digest, sim_scene, f, error));
    }
    sim_scene->motion_digests[0] = digest;
    for (int f = first + 1; f <= last; ++f) {
        if (f == first + 1 && lookahead) {
            COIF_TRY(digest_sequences(&digest, sim_scene, f, error));
        }
        COIF_TRY(digest_sequences(&digest, sim_scene, f + lookahead, error));
        sim_scene->motion_digests[f - first] = digest;
        if (coif_progress_cancelled(sim_scene->progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "cancelled before groom generation");
        }
    }
    return COIF_OK;
}

coif_status coif_sim_scene_open_forces(coif_sim_scene *sim_scene, const coif_scene *scene,
                                       coif_arena *arena, coif_error *error)
{
    const coif_node *list = coif_node_at(scene->root, "forces");
    sim_scene->force_count = 0;
    sim_scene->forces = coif_arena_new(arena, list->child_count, coif_plugin_instance *);
    sim_scene->force_regions = coif_arena_new(arena, list->child_count, coif_force_region);
    for (int32_t f = 0; f < list->child_count; ++f) {
        coif_force_region *region = &sim_scene->force_regions[sim_scene->force_count];
        const coif_node *node = &list->children[f];
        const double frame = sim_scene->params.first_frame;
        coif_error cause = {.status = COIF_OK};
        if (coif_force_region_open(region, node, frame, sim_scene->bodies, sim_scene->body_count,
                                   arena, &cause) != COIF_OK) {
            return coif_fail_within(error, scene->path, &cause);
        }
        if (region->params.enabled == 0 &&
            coif_values_find(&node->values, "enabled")->key_count <= 1) {
            continue;
        }
        if (coif_plugin_instance_open(&sim_scene->forces[sim_scene->force_count++], node, frame,
                                      arena, &cause) != COIF_OK) {
            return coif_fail_within(error, scene->path, &cause);
        }
    }
    return COIF_OK;
}

coif_status coif_sim_scene_prepare(coif_sim_scene *sim_scene, coif_error *error)
{
    COIF_TRY(coif_kernels_find(&sim_scene->kernels, sim_scene->kernel, error));
    // A run that starts from a checkpoint continues the motion of its bodies.
    sim_scene->static_before = sim_scene->params.first_frame - (sim_scene->initial_state != NULL);
    COIF_TRY(digest_motion_files(sim_scene, error));
    compute_frame_times(sim_scene);
    COIF_TRY(coif_sim_scene_build_colliders(sim_scene, error));
    return coif_sim_scene_open_forces(sim_scene, sim_scene->scene, sim_scene->arena, error);
}

coif_status coif_sim_scene_body(const coif_body **body, const coif_sim_scene *sim_scene,
                                const coif_node *groom, coif_error *error)
{
    coif_groom_params params;
    coif_node_read(groom, sim_scene->params.first_frame, &params);
    *body = coif_bodies_find(sim_scene->bodies, sim_scene->body_count, params.body);
    if (*body != NULL) {
        return COIF_OK;
    }
    const char *known = sim_scene->body_count > 0 ? sim_scene->bodies[0].params.name : "none";
    for (int32_t b = 1; b < sim_scene->body_count; ++b) {
        known =
            coif_arena_print(sim_scene->arena, "%s, %s", known, sim_scene->bodies[b].params.name);
    }
    return coif_fail(error, COIF_ERR_SCENE, "%s: %s/body: no body \"%s\"; the bodies: %s",
                     sim_scene->scene->path, groom->path, params.body, known);
}

coif_groom_generate_desc coif_sim_scene_groom_desc(const coif_sim_scene *sim_scene,
                                                   const coif_node *groom, const coif_body *body)
{
    const int64_t index = groom - groom->parent->children;
    return (coif_groom_generate_desc){
        .scene = sim_scene->scene,
        .node = groom,
        .body = body,
        .children = sim_scene->children != NULL ? &sim_scene->children[index] : NULL,
        .frame = sim_scene->params.first_frame,
        .progress = sim_scene->progress};
}

double coif_sim_scene_time(const coif_sim_scene *sim_scene, int frame)
{
    return sim_scene->frame_times[frame - sim_scene->params.first_frame];
}

uint64_t coif_sim_scene_digest(const coif_sim_scene *sim_scene, const coif_groom *groom,
                               const coif_node *node)
{
    const coif_sim_input_digest inputs = {.scene = sim_scene->scene,
                                          .bodies = sim_scene->bodies,
                                          .body_count = sim_scene->body_count,
                                          .node = node,
                                          .groom = groom->digest};
    return coif_sim_settings_digest(&inputs);
}

uint64_t coif_sim_scene_settings(const coif_sim_scene *sim_scene, uint64_t digest, int frame)
{
    const uint64_t motion = sim_scene->motion_digests[frame - sim_scene->params.first_frame];
    return motion == 0 ? digest : coif_hash64_extend(digest, &motion, sizeof motion);
}

const char *coif_sim_scene_metadata(const coif_sim_scene *sim_scene, const coif_groom *groom,
                                    const coif_sim_params *params,
                                    const coif_sim_scene_digests *digests, coif_arena *arena)
{
    const char *text = coif_arena_print(
        arena, "program=coif %s\nsettings=%016llx\ninputs=%016llx\n", COIF_VERSION,
        (unsigned long long)digests->settings, (unsigned long long)digests->inputs);
    for (int32_t f = 0; f < sim_scene->force_count; ++f) {
        const coif_plugin *plugin = coif_plugin_instance_plugin(sim_scene->forces[f]);
        text = coif_arena_print(arena, "%splugin=%s %s\n", text, plugin->id, plugin->version);
    }
    text = coif_arena_print(arena, "%ssolver=%s\n", text,
                            params->enabled ? coif_solver_vtable_at(params->solver)->name : "none");
    return coif_arena_print(arena, "%sgroom_settings=%s\n", text,
                            coif_metadata_value(groom->metadata, "settings", arena));
}
