#include "core/mesh/mesh_build.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/vec3d.h"
#include "core/mesh/mesh_filter.h"
#include "core/mesh/mesh_normals.h"
#include "core/mesh/mtl.h"
#include "core/mesh/triangulate.h"

#include <stdio.h>
#include <string.h>

// A triangle flatter than this, as a share of its longest edge squared, has no direction.
static const double FLATTEST = 1e-10;

static bool has_area(const coif_obj *obj, const int32_t corners[3])
{
    const int32_t a = obj->corners[corners[0]].position;
    const int32_t b = obj->corners[corners[1]].position;
    const int32_t c = obj->corners[corners[2]].position;
    if (a == b || b == c || c == a) {
        return false;
    }
    const coif_vec3d ab = coif_vec3d_difference(obj->positions[b], obj->positions[a]);
    const coif_vec3d ac = coif_vec3d_difference(obj->positions[c], obj->positions[a]);
    const coif_vec3d bc = coif_vec3d_difference(obj->positions[c], obj->positions[b]);
    const coif_vec3d normal = coif_vec3d_cross(ab, ac);
    const double longest =
        fmax(coif_vec3d_dot(ab, ab), fmax(coif_vec3d_dot(ac, ac), coif_vec3d_dot(bc, bc)));
    return sqrt(coif_vec3d_dot(normal, normal)) > FLATTEST * longest;
}

// Room for one face at a time.
typedef struct face_cutter {
    coif_vec3 *points;
    int32_t *triangles;
    int32_t capacity;
    coif_arena scratch;
} face_cutter;

static void make_room(face_cutter *cutter, int32_t count)
{
    if (count > cutter->capacity) {
        cutter->capacity = count > INT32_MAX / 2 ? count : 2 * count;
        cutter->points = coif_arena_new(&cutter->scratch, cutter->capacity, coif_vec3);
        cutter->triangles = coif_arena_new(&cutter->scratch, 3 * (size_t)cutter->capacity, int32_t);
    }
}

// Corner numbers of the triangles of one face go to cutter->triangles; returns how many.
static int32_t cut_face(face_cutter *cutter, const coif_obj *obj, int32_t face)
{
    const int32_t first = obj->first[face];
    const int32_t count = obj->first[face + 1] - first;
    make_room(cutter, count);
    if (count == 3) {
        cutter->triangles[0] = 0;
        cutter->triangles[1] = 1;
        cutter->triangles[2] = 2;
        return 1;
    }
    for (int32_t i = 0; i < count; ++i) {
        cutter->points[i] = obj->positions[obj->corners[first + i].position];
    }
    return coif_triangulate(cutter->triangles, cutter->points, count, &cutter->scratch);
}

// Keeps what has area; false when nothing of the face does.
static bool add_face(coif_mesh *mesh, const coif_obj *obj, int32_t face, face_cutter *cutter)
{
    const int32_t first = obj->first[face];
    const int32_t count = cut_face(cutter, obj, face);
    const int32_t before = mesh->triangle_count;
    for (int32_t t = 0; t < count; ++t) {
        int32_t *corners = mesh->corners + 3 * (size_t)mesh->triangle_count;
        for (int k = 0; k < 3; ++k) {
            corners[k] = first + cutter->triangles[3 * (size_t)t + (size_t)k];
        }
        if (has_area(obj, corners)) {
            mesh->groups[mesh->triangle_count] = obj->groups[face];
            mesh->materials[mesh->triangle_count] = obj->materials[face];
            ++mesh->triangle_count;
        }
    }
    return mesh->triangle_count > before;
}

// All faces that are picked; returns how many could not be used.
static int32_t add_faces(coif_mesh *mesh, const coif_obj *obj, const coif_mesh_filter *picked)
{
    face_cutter cutter = {0};
    coif_arena_init(&cutter.scratch, "triangulate");
    int32_t left_out = obj->short_faces;
    for (int32_t face = 0; face < obj->face_count; ++face) {
        if (coif_mesh_filter_matches(picked, obj->groups[face], obj->materials[face])) {
            left_out += !add_face(mesh, obj, face, &cutter);
        }
    }
    coif_arena_free(&cutter.scratch);
    return left_out;
}

static void add_uvs(coif_mesh *mesh, const coif_obj *obj, coif_arena *arena)
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    for (size_t i = 0; i < count; ++i) {
        const int32_t uv = obj->corners[mesh->corners[i]].uv;
        if (uv < 0) {
            continue;
        }
        if (mesh->uvs == NULL) {
            mesh->uvs = coif_arena_new(arena, count, coif_vec2);
        }
        mesh->uvs[i] = obj->uvs[uv];
    }
}

// Names live in the file's memory; the mesh gets its own.
static const char **copy_names(const coif_string_table *names, coif_arena *arena)
{
    const char **copies = coif_arena_new(arena, names->count, const char *);
    for (int32_t i = 0; i < names->count; ++i) {
        copies[i] = coif_arena_copy_text(arena, names->names[i]);
    }
    return copies;
}

static void add_names(coif_mesh *mesh, const coif_obj *obj, coif_arena *arena)
{
    mesh->group_count = obj->group_names.count;
    mesh->group_names = copy_names(&obj->group_names, arena);
    mesh->material_count = obj->material_names.count;
    mesh->material_table = coif_arena_new(arena, mesh->material_count, coif_mtl);
    const char **names = copy_names(&obj->material_names, arena);
    for (int32_t i = 0; i < mesh->material_count; ++i) {
        mesh->material_table[i] = coif_mtl_default(names[i]);
    }
}

// One line for everything that was put up with.
static void warn(const coif_mesh *mesh, const char *path, int32_t left_out)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "edges");
    const coif_mesh_edges edges = coif_mesh_count_edges(mesh, &scratch);
    coif_arena_free(&scratch);
    char faces[64] = "";
    char crowded[80] = "";
    if (left_out > 0) {
        snprintf(faces, sizeof faces, "%d degenerate face%s left out", left_out,
                 left_out == 1 ? "" : "s");
    }
    if (edges.nonmanifold > 0) {
        snprintf(crowded, sizeof crowded, "%lld edge%s shared by more than two triangles",
                 (long long)edges.nonmanifold, edges.nonmanifold == 1 ? "" : "s");
    }
    if (left_out > 0 || edges.nonmanifold > 0) {
        coif_log(COIF_LOG_WARNING, "%s: %s%s%s", path, faces,
                 left_out > 0 && edges.nonmanifold > 0 ? ", " : "", crowded);
    }
}

static void reserve(coif_mesh *mesh, const coif_obj *obj, coif_arena *arena)
{
    const size_t most = (size_t)obj->corner_count - 2 * (size_t)obj->face_count;
    mesh->corners = coif_arena_new(arena, 3 * most, int32_t);
    mesh->groups = coif_arena_new(arena, most, int32_t);
    mesh->materials = coif_arena_new(arena, most, int32_t);
    mesh->positions = coif_arena_new(arena, obj->position_count, coif_vec3);
}

coif_status coif_mesh_build(coif_mesh *mesh, const coif_obj *obj, const coif_mesh_file *file,
                            coif_arena *arena, coif_error *error)
{
    const char *path = file->path;
    coif_mesh_filter picked;
    COIF_TRY(coif_mesh_filter_apply(&picked, file->desc, obj, arena, error));
    *mesh = (coif_mesh){.vertex_count = obj->position_count, .crease = file->desc->crease};
    reserve(mesh, obj, arena);
    memcpy(mesh->positions, obj->positions, sizeof *mesh->positions * (size_t)mesh->vertex_count);
    const int32_t left_out = add_faces(mesh, obj, &picked);
    if (mesh->triangle_count == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: none of its %d faces has any area", path,
                         left_out);
    }
    const size_t count = 3 * (size_t)mesh->triangle_count;
    mesh->indices = coif_arena_new(arena, count, int32_t);
    for (size_t i = 0; i < count; ++i) {
        mesh->indices[i] = obj->corners[mesh->corners[i]].position;
    }
    add_uvs(mesh, obj, arena);
    add_names(mesh, obj, arena);
    mesh->polygon_digest = coif_obj_topology_digest(obj);
    mesh->normals = coif_arena_new(arena, count, coif_vec3);
    coif_arena scratch;
    coif_arena_init(&scratch, "normals");
    coif_mesh_make_normals(mesh->normals, mesh, mesh->positions, obj, &scratch);
    coif_arena_free(&scratch);
    warn(mesh, path, left_out);
    return COIF_OK;
}
