// Body animation from a sequence of OBJ files or from an archive.
#include "core/body/body_sequence.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/mesh/mesh_normals.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

bool coif_body_sequence_is_pattern(const char *path)
{
    return strchr(coif_path_name(path), '#') != NULL;
}

char *coif_body_sequence_path(const char *path, int frame, coif_arena *arena)
{
    const char *name = coif_path_name(path);
    return coif_arena_print(arena, "%.*s%s", (int)(name - path), path,
                            coif_path_frame(name, frame, arena));
}

// Frame number of a name that matches the pattern, else -1.
static int match(const char *name, const char *pattern, coif_arena *scratch)
{
    const size_t before = strcspn(pattern, "#");
    if (strncmp(name, pattern, before) != 0) {
        return -1;
    }
    int number = 0;
    for (const char *digit = name + before; *digit >= '0' && *digit <= '9'; ++digit) {
        if (number > 99999999) {
            return -1;
        }
        number = 10 * number + (*digit - '0');
    }
    return strcmp(name, coif_path_frame(pattern, number, scratch)) == 0 ? number : -1;
}

// Range and number of the frames found in a directory.
typedef struct frame_range {
    int first, last, count;
} frame_range;

static void scan_directory(frame_range *found, DIR *folder, const char *pattern,
                           coif_arena *scratch)
{
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        const coif_arena_mark mark = coif_arena_mark_here(scratch);
        const int number = match(entry->d_name, pattern, scratch);
        coif_arena_rewind(scratch, mark);
        if (number >= 0) {
            found->first = found->count == 0 || number < found->first ? number : found->first;
            found->last = found->count == 0 || number > found->last ? number : found->last;
            ++found->count;
        }
    }
}

coif_status coif_body_sequence_find(int *first, int *last, const char *path, coif_arena *scratch,
                                    coif_error *error)
{
    const char *name = coif_path_folder(path, scratch);
    DIR *folder = opendir(name);
    if (folder == NULL) {
        return coif_fail(error, COIF_ERR_IO, "%s: cannot open: %s", name, strerror(errno));
    }
    frame_range found = {0};
    scan_directory(&found, folder, coif_path_name(path), scratch);
    closedir(folder);
    if (found.count == 0) {
        return coif_fail(error, COIF_ERR_IO, "%s: no file of this sequence", path);
    }
    *first = found.first;
    *last = found.last;
    for (int frame = *first; found.count != *last - *first + 1 && frame < *last; ++frame) {
        const char *file = coif_body_sequence_path(path, frame, scratch);
        if (!coif_path_exists(file)) {
            return coif_fail(error, COIF_ERR_IO, "%s: missing file between frames %d and %d", file,
                             *first, *last);
        }
    }
    return COIF_OK;
}

static coif_status digest_file(uint64_t *digest, const coif_body_sequence *sequence, int frame,
                               coif_arena *scratch, coif_error *error)
{
    char *data;
    size_t size;
    const char *path = coif_body_sequence_path(sequence->pattern, frame, scratch);
    COIF_TRY(coif_file_load(&data, &size, path, scratch, error));
    *digest = coif_hash64(data, size);
    return COIF_OK;
}

static coif_status digest_archive(uint64_t *digest, const coif_body_sequence *sequence, int frame,
                                  coif_arena *scratch, coif_error *error)
{
    coif_obj obj;
    COIF_TRY(coif_body_archive_read(&obj, sequence->archive, frame, scratch, error));
    *digest = coif_hash64_extend(coif_obj_topology_digest(&obj), obj.positions,
                                 sizeof *obj.positions * (size_t)obj.position_count);
    return COIF_OK;
}

coif_status coif_body_sequence_digest(uint64_t *digest, const coif_body_sequence *sequence,
                                      int frame, coif_error *error)
{
    const int clamped = frame < sequence->first  ? sequence->first
                        : frame > sequence->last ? sequence->last
                                                 : frame;
    COIF_SCOPED_ARENA(scratch, "sequence");
    return sequence->archive != NULL ? digest_archive(digest, sequence, clamped, &scratch, error)
                                     : digest_file(digest, sequence, clamped, &scratch, error);
}

static coif_status check_topology(const coif_obj *obj, const coif_body_sequence *sequence,
                                  const char *path, coif_error *error)
{
    if (coif_obj_topology_digest(obj) == sequence->rest->polygon_digest) {
        return COIF_OK;
    }
    return coif_fail(error, COIF_ERR_FORMAT,
                     "%s: topology of %d vertices and %d faces differs from %s (%d vertices)", path,
                     obj->position_count, obj->face_count, sequence->rest_path,
                     sequence->rest->vertex_count);
}

// Uses the triangulation of the rest mesh: another one per frame would flicker and detach hair
// roots.
static coif_status set_pose(coif_mesh *mesh, const coif_body_sequence *sequence,
                            const coif_obj *obj, const char *path, coif_arena *scratch,
                            coif_error *error)
{
    COIF_TRY(check_topology(obj, sequence, path, error));
    for (int32_t i = 0; i < obj->position_count; ++i) {
        mesh->positions[i] = coif_scale(obj->positions[i], sequence->scale);
    }
    coif_mesh_make_normals(mesh->normals, mesh, mesh->positions, obj, scratch);
    return COIF_OK;
}

static coif_status read_frame(coif_mesh *mesh, const coif_body_sequence *sequence, int frame,
                              coif_arena *scratch, coif_error *error)
{
    const char *path = coif_body_sequence_path(sequence->pattern, frame, scratch);
    coif_obj obj;
    COIF_TRY(coif_obj_load(&obj, path, scratch, error));
    if (sequence->z_up) {
        coif_obj_turn_z_up(&obj);
    }
    return set_pose(mesh, sequence, &obj, path, scratch, error);
}

static coif_status read_archive(coif_mesh *mesh, const coif_body_sequence *sequence, double frame,
                                coif_arena *scratch, coif_error *error)
{
    coif_obj obj;
    COIF_TRY(coif_body_archive_read(&obj, sequence->archive, frame, scratch, error));
    const char *path =
        coif_arena_print(scratch, "%s: frame %g", sequence->archive->archive->path, frame);
    return set_pose(mesh, sequence, &obj, path, scratch, error);
}

static void copy_rest(coif_mesh *mesh, const coif_mesh *rest)
{
    memcpy(mesh->positions, rest->positions, sizeof *mesh->positions * (size_t)mesh->vertex_count);
    memcpy(mesh->normals, rest->normals, 3 * sizeof *mesh->normals * (size_t)mesh->triangle_count);
}

static coif_status load_frame(coif_mesh *mesh, const coif_body_sequence *sequence, int frame,
                              coif_error *error)
{
    if (frame == sequence->rest_frame) {
        copy_rest(mesh, sequence->rest);
        return COIF_OK;
    }
    COIF_SCOPED_ARENA(scratch, "sequence");
    return read_frame(mesh, sequence, frame, &scratch, error);
}

static void blend(coif_mesh *mesh, const coif_mesh *next, float t)
{
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        mesh->positions[i] = coif_lerp(mesh->positions[i], next->positions[i], t);
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        const coif_vec3 normal = coif_lerp(mesh->normals[i], next->normals[i], t);
        if (coif_dot(normal, normal) > 1e-6f) { // opposite normals keep the first one
            mesh->normals[i] = coif_normalize(normal);
        }
    }
}

static coif_status blend_with(coif_mesh *mesh, const coif_body_sequence *sequence, int frame,
                              float t, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "sequence");
    coif_mesh next = *mesh;
    next.positions = coif_arena_new(&scratch, mesh->vertex_count, coif_vec3);
    next.normals = coif_arena_new(&scratch, 3 * (size_t)mesh->triangle_count, coif_vec3);
    COIF_TRY(load_frame(&next, sequence, frame, error));
    blend(mesh, &next, t);
    return COIF_OK;
}

static coif_status pose_archive(coif_mesh *mesh, const coif_body_sequence *sequence, double frame,
                                coif_error *error)
{
    if (sequence->rest_frame >= 0 && frame == sequence->rest_frame) {
        copy_rest(mesh, sequence->rest);
        return COIF_OK;
    }
    COIF_SCOPED_ARENA(scratch, "sequence");
    return read_archive(mesh, sequence, frame, &scratch, error);
}

coif_status coif_body_sequence_pose(coif_mesh *mesh, const coif_body_sequence *sequence,
                                    double frame, coif_error *error)
{
    // NaN selects the first frame.
    double clamped = frame > sequence->first ? frame : sequence->first;
    clamped = clamped < sequence->last ? clamped : sequence->last;
    if (sequence->archive != NULL) {
        return pose_archive(mesh, sequence, clamped, error);
    }
    const int whole = (int)clamped;
    const float t = (float)(clamped - whole);
    COIF_TRY(load_frame(mesh, sequence, whole, error));
    return t > 0.0f ? blend_with(mesh, sequence, whole + 1, t, error) : COIF_OK;
}
