// Meshes of archives as bodies.
#include "core/body/body_archive.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <math.h>
#include <string.h>

// Nearer to a sample than this, in frames, a frame is at the sample.
static const double FRAME_TOLERANCE = 1e-4;

coif_status coif_body_archive_open(coif_body_archive *body, const char *path, const char *object,
                                   const coif_archive_import *import, double fps, coif_arena *arena,
                                   coif_error *error)
{
    coif_archive *archive;
    COIF_TRY(coif_archive_open(&archive, path, import, arena, error));
    *body = (coif_body_archive){.archive = archive, .fps = fps};
    return coif_archive_select(&body->object, archive, COIF_ARCHIVE_MESH, object, error);
}

static const coif_archive_object *object_of(const coif_body_archive *body)
{
    return &body->archive->objects[body->object];
}

void coif_body_archive_frames(int *first, int *last, const coif_body_archive *body)
{
    const coif_archive_object *object = object_of(body);
    const double begin = object->times[0] * body->fps;
    const double end = object->times[object->sample_count - 1] * body->fps;
    *first = (int)fmax(floor(begin + FRAME_TOLERANCE), -1e8);
    *last = (int)fmin(ceil(end - FRAME_TOLERANCE), 1e8);
}

bool coif_body_archive_has_subframes(const coif_body_archive *body)
{
    int first, last;
    coif_body_archive_frames(&first, &last, body);
    return object_of(body)->sample_count > last - first + 1;
}

// The samples around a frame and the weight of the second.
typedef struct sample_pair {
    int32_t before, after;
    float weight;
} sample_pair;

static sample_pair find_samples(const coif_body_archive *body, double frame)
{
    const coif_archive_object *object = object_of(body);
    int32_t low = 0, high = object->sample_count - 1;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        *(frame < object->times[middle] * body->fps ? &high : &low) = middle;
    }
    const double begin = object->times[low] * body->fps, end = object->times[high] * body->fps;
    if (high == low || !(frame > begin + FRAME_TOLERANCE)) {
        return (sample_pair){low, low, 0.0f};
    }
    if (frame > end - FRAME_TOLERANCE) {
        return (sample_pair){high, high, 0.0f};
    }
    return (sample_pair){low, high, (float)((frame - begin) / (end - begin))};
}

static void add_face(coif_obj *obj, const coif_archive_mesh *mesh, int32_t face, int32_t first)
{
    obj->first[obj->face_count] = obj->corner_count;
    obj->groups[obj->face_count] =
        mesh->face_group != NULL && mesh->face_group[face] >= 0 ? mesh->face_group[face] + 1 : 0;
    obj->materials[obj->face_count] = -1;
    for (int32_t i = first; i < first + mesh->face_sizes[face]; ++i) {
        obj->corners[obj->corner_count++] =
            (coif_obj_corner){.position = mesh->corners[i],
                              .uv = mesh->uv != NULL ? i : -1,
                              .normal = mesh->normals != NULL ? i : -1};
    }
    obj->first[++obj->face_count] = obj->corner_count;
}

// Group 0 has the faces of no set.
static void make_obj(coif_obj *obj, const coif_archive_mesh *mesh, coif_arena *arena)
{
    *obj = (coif_obj){.position_count = mesh->vertex_count,
                      .positions = mesh->positions,
                      .normals = mesh->normals,
                      .normal_count = mesh->normals != NULL ? mesh->corner_count : 0,
                      .uvs = (coif_vec2 *)(void *)mesh->uv,
                      .uv_count = mesh->uv != NULL ? mesh->corner_count : 0};
    obj->first = coif_arena_new(arena, (size_t)mesh->face_count + 1, int32_t);
    obj->groups = coif_arena_new(arena, mesh->face_count, int32_t);
    obj->materials = coif_arena_new(arena, mesh->face_count, int32_t);
    obj->corners = coif_arena_new(arena, mesh->corner_count, coif_obj_corner);
    coif_string_table_intern(&obj->group_names, "default", strlen("default"), arena);
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        const char *name = mesh->group_names[g];
        coif_string_table_intern(&obj->group_names, name, strlen(name), arena);
    }
    int32_t first = 0;
    for (int32_t f = 0; f < mesh->face_count; ++f) {
        if (mesh->face_sizes[f] >= 3) {
            add_face(obj, mesh, f, first);
        } else {
            ++obj->short_faces;
        }
        first += mesh->face_sizes[f];
    }
}

static void blend(coif_vec3 *values, const coif_vec3 *next, int32_t count, float t)
{
    for (int32_t i = 0; i < count; ++i) {
        values[i] = coif_lerp(values[i], next[i], t);
    }
}

static coif_status blend_sample(coif_archive_mesh *mesh, const coif_body_archive *body,
                                const sample_pair *samples, coif_arena *arena, coif_error *error)
{
    coif_archive_mesh next;
    COIF_TRY(
        coif_archive_read_mesh(body->archive, body->object, samples->after, &next, arena, error));
    const size_t bytes = sizeof *mesh->corners * (size_t)mesh->corner_count;
    if (next.vertex_count != mesh->vertex_count || next.corner_count != mesh->corner_count ||
        memcmp(next.corners, mesh->corners, bytes) != 0) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: %s: topology changes from %d vertices and %d corners at %g s to %d "
                         "and %d at %g s; a body keeps its topology",
                         body->archive->path, object_of(body)->path, mesh->vertex_count,
                         mesh->corner_count, object_of(body)->times[samples->before],
                         next.vertex_count, next.corner_count,
                         object_of(body)->times[samples->after]);
    }
    blend(mesh->positions, next.positions, mesh->vertex_count, samples->weight);
    if (mesh->normals != NULL && next.normals != NULL) {
        blend(mesh->normals, next.normals, mesh->corner_count, samples->weight);
    }
    return COIF_OK;
}

coif_status coif_body_archive_read(coif_obj *obj, const coif_body_archive *body, double frame,
                                   coif_arena *arena, coif_error *error)
{
    const sample_pair samples = find_samples(body, frame);
    coif_archive_mesh mesh;
    COIF_TRY(
        coif_archive_read_mesh(body->archive, body->object, samples.before, &mesh, arena, error));
    if (samples.weight > 0.0f) {
        COIF_TRY(blend_sample(&mesh, body, &samples, arena, error));
    }
    make_obj(obj, &mesh, arena);
    return COIF_OK;
}
