// Loading of bodies: files of the mesh, its rest pose and its animation.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/body/body_archive.h"
#include "core/body/body_parent.h"
#include "core/body/body_sequence.h"
#include "core/mesh/mesh_build.h"

#include <string.h>

static coif_body_sequence sequence_of(const coif_body *body)
{
    return (coif_body_sequence){.pattern = body->params.mesh,
                                .archive = body->archive,
                                .first = body->sequence_first,
                                .last = body->sequence_last,
                                .rest_frame = body->rest_frame,
                                .rest_path = body->rest_path,
                                .scale = body->params.scale,
                                .z_up = body->params.up_axis == COIF_UP_Z,
                                .rest = &body->rest};
}

static coif_archive_import import_of(const coif_body *body)
{
    return (coif_archive_import){.up_axis = coif_up_axis(body->params.up_axis)};
}

static bool has_rest_file(const coif_body *body)
{
    return body->params.rest != NULL && *body->params.rest != '\0';
}

// Range of frames of the mesh: of files, of an archive, or none. Returns whether there are several.
static coif_status find_frames(bool *frames, coif_body *body, const coif_scene *scene,
                               coif_arena *arena, coif_error *error)
{
    const char *path = body->params.mesh;
    *frames = coif_body_sequence_is_pattern(path);
    if (*frames) {
        return coif_body_sequence_find(&body->sequence_first, &body->sequence_last, path, arena,
                                       error);
    }
    if (!coif_archive_is_archive(path)) {
        return COIF_OK;
    }
    coif_body_archive *archive = coif_arena_new(arena, 1, coif_body_archive);
    const coif_archive_import import = import_of(body);
    COIF_TRY(coif_body_archive_open(archive, path, body->params.object, &import,
                                    coif_scene_fps(scene), arena, error));
    body->archive = archive;
    *frames = archive->archive->objects[archive->object].sample_count > 1;
    if (*frames) {
        coif_body_archive_frames(&body->sequence_first, &body->sequence_last, archive);
        body->subframes = coif_body_archive_has_subframes(archive);
    }
    return COIF_OK;
}

// File of the rest mesh.
static coif_status find_rest(coif_body *body, const coif_scene *scene, coif_arena *arena,
                             coif_error *error)
{
    const bool own_file = has_rest_file(body);
    const int frame = body->params.rest_frame;
    bool frames;
    COIF_TRY(find_frames(&frames, body, scene, arena, error));
    body->rest_path = own_file ? body->params.rest : body->params.mesh;
    if (frame >= 0 && (own_file || !frames)) {
        return coif_fail(error, COIF_ERR_SCENE, "rest_frame: %d %s", frame,
                         own_file ? "and rest are two bind poses; give one of them"
                                  : "needs a mesh sequence (name.####.obj) or an animated archive; "
                                    "give the file as rest");
    }
    body->sequence = frames || own_file;
    body->follows_sequence = body->sequence;
    body->rest_frame = -1;
    if (!frames || own_file) {
        return COIF_OK;
    }
    if (frame >= 0 && (frame < body->sequence_first || frame > body->sequence_last)) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "rest_frame: %d is not a frame of the sequence, %d to %d", frame,
                         body->sequence_first, body->sequence_last);
    }
    body->rest_frame = frame >= 0 ? frame : body->sequence_first;
    if (body->archive == NULL) {
        body->rest_path = coif_body_sequence_path(body->params.mesh, body->rest_frame, arena);
    }
    return COIF_OK;
}

static coif_status build_from_archive(coif_body *body, const coif_mesh_desc *desc,
                                      const coif_body_archive *from, coif_arena *arena,
                                      coif_arena *scratch, coif_error *error)
{
    coif_obj obj;
    COIF_TRY(coif_body_archive_read(&obj, from, body->rest_frame, scratch, error));
    return coif_mesh_build(&body->rest, &obj, &(coif_mesh_file){body->rest_path, desc}, arena,
                           error);
}

// The rest mesh of an archive: that of the mesh, or the first sample of another one.
static coif_status load_archive(coif_body *body, const coif_mesh_desc *desc,
                                const coif_scene *scene, coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "archive");
    coif_body_archive own;
    const coif_body_archive *from = body->archive;
    if (has_rest_file(body)) {
        from = &own;
        const coif_archive_import import = import_of(body);
        COIF_TRY(coif_body_archive_open(&own, body->rest_path, body->params.object, &import,
                                        coif_scene_fps(scene), &scratch, error));
    }
    return build_from_archive(body, desc, from, arena, &scratch, error);
}

static coif_status load_rest(coif_body *body, const coif_scene *scene, coif_arena *arena,
                             coif_error *error)
{
    COIF_TRY(find_rest(body, scene, arena, error));
    const coif_mesh_desc desc = {body->params.include_groups, body->params.exclude_groups,
                                 body->params.crease_angle, body->params.up_axis == COIF_UP_Z};
    const bool in_archive =
        has_rest_file(body) ? coif_archive_is_archive(body->rest_path) : body->archive != NULL;
    COIF_TRY(in_archive ? load_archive(body, &desc, scene, arena, error)
                        : coif_mesh_load(&body->rest, body->rest_path, &desc, arena, error));
    for (int32_t i = 0; i < body->rest.vertex_count; ++i) {
        body->rest.positions[i] = coif_scale(body->rest.positions[i], body->params.scale);
    }
    if (body->params.object != NULL && *body->params.object != '\0' && !in_archive &&
        body->archive == NULL) {
        coif_log(COIF_LOG_WARNING, "%s: %s/object: no effect, %s is not an archive", scene->path,
                 body->node->path, body->params.mesh);
    }
    return COIF_OK;
}

coif_status coif_body_load(coif_body *body, const coif_node *node, const coif_scene *scene,
                           coif_arena *arena, coif_error *error)
{
    *body = (coif_body){.node = node};
    coif_node_read(node, 0.0, &body->params);
    if (body->params.mesh == NULL || *body->params.mesh == '\0') {
        return coif_fail(error, COIF_ERR_SCENE, "%s: %s/mesh: missing", scene->path, node->path);
    }
    coif_error cause = {.status = COIF_OK};
    const coif_status status = load_rest(body, scene, arena, &cause);
    if (status != COIF_OK) {
        // Messages about scene values already contain the key.
        const bool in_rest = has_rest_file(body) &&
                             strncmp(cause.text, body->params.rest, strlen(body->params.rest)) == 0;
        const char *key = status == COIF_ERR_SCENE ? "" : in_rest ? "rest: " : "mesh: ";
        return coif_fail(error, status, "%s: %s/%s%s", scene->path, node->path, key, cause.text);
    }
    return COIF_OK;
}

static bool is_within(const coif_mesh *mesh, const coif_mesh *other)
{
    coif_vec3 low, high, other_low, other_high;
    coif_mesh_bounds(mesh, &low, &high);
    coif_mesh_bounds(other, &other_low, &other_high);
    return low.x >= other_low.x && low.y >= other_low.y && low.z >= other_low.z &&
           high.x <= other_high.x && high.y <= other_high.y && high.z <= other_high.z;
}

bool coif_body_takes_drag(const coif_body *body, const coif_body *dragged)
{
    return body == dragged || (body->parent == NULL && is_within(&body->rest, &dragged->rest));
}

static void apply_scene_drag(coif_body *bodies, int32_t count, const coif_body_drag *drag,
                             coif_arena *arena)
{
    const coif_body *dragged = coif_bodies_find(bodies, count, drag->body);
    if (dragged == NULL) {
        return;
    }
    coif_body_params *params = coif_arena_new(arena, 1, coif_body_params);
    *params = dragged->params;
    memcpy(params->translate, drag->translate, sizeof params->translate);
    memcpy(params->rotate, drag->rotate, sizeof params->rotate);
    for (int32_t i = 0; i < count; ++i) {
        bodies[i].drag = coif_body_takes_drag(&bodies[i], dragged) ? params : NULL;
    }
}

coif_status coif_bodies_load(coif_body **bodies, int32_t *count, const coif_scene *scene,
                             coif_arena *arena, coif_error *error)
{
    const coif_node *nodes = coif_node_at(scene->root, "bodies");
    *count = nodes->child_count;
    *bodies = coif_arena_new(arena, *count, coif_body);
    coif_status first = COIF_OK;
    const char *lines = "";
    for (int32_t i = 0; i < *count; ++i) {
        coif_error cause = {.status = COIF_OK};
        const coif_status status =
            coif_body_load(*bodies + i, &nodes->children[i], scene, arena, &cause);
        if (status != COIF_OK) {
            lines =
                coif_arena_print(arena, "%s%s%s", lines, *lines == '\0' ? "" : "\n", cause.text);
            first = first == COIF_OK ? status : first;
        }
    }
    if (first != COIF_OK) {
        return coif_fail(error, first, "%s", lines);
    }
    COIF_TRY(coif_bodies_link(*bodies, *count, scene, arena, error));
    if (scene->drag != NULL) {
        apply_scene_drag(*bodies, *count, scene->drag, arena);
    }
    return COIF_OK;
}

const coif_body *coif_bodies_find(const coif_body *bodies, int32_t count, const char *name)
{
    for (int32_t i = 0; i < count; ++i) {
        if (bodies[i].params.name != NULL && strcmp(bodies[i].params.name, name) == 0) {
            return &bodies[i];
        }
    }
    return NULL;
}

coif_status coif_body_file_digest(uint64_t *digest, const coif_body *body, int frame,
                                  coif_error *error)
{
    const coif_body_sequence sequence = sequence_of(body);
    return coif_body_sequence_digest(digest, &sequence, frame, error);
}

coif_status coif_body_read_sequence(coif_mesh *mesh, const coif_body *body, double frame,
                                    coif_error *error)
{
    const coif_body_sequence sequence = sequence_of(body);
    return coif_body_sequence_pose(mesh, &sequence, frame, error);
}
