// Mesh construction from the polygons of an OBJ file, and loading of OBJ and MTL files.
#include "core/mesh/mesh_build.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/nearest_name.h"
#include "core/base/strbuf.h"
#include "core/base/vec3d.h"
#include "core/mesh/mesh_normals.h"
#include "core/mesh/mesh_topology.h"
#include "core/mesh/mtl.h"
#include "core/mesh/obj.h"
#include "core/mesh/triangulate.h"

#include <stdio.h>
#include <string.h>

// Selection of faces by group and material name.
typedef struct face_filter {
    bool *groups, *materials;                   // by index: included by name
    bool *excluded_groups, *excluded_materials; // by index: excluded by name
    bool all;                                   // no name to include: all are included
} face_filter;

// A face is selected when its group or its material is included and neither is excluded. Material
// -1 means none.
static bool filter_matches(const face_filter *filter, int32_t group, int32_t material)
{
    const bool kept =
        filter->all || filter->groups[group] || (material >= 0 && filter->materials[material]);
    const bool is_excluded =
        filter->excluded_groups[group] || (material >= 0 && filter->excluded_materials[material]);
    return kept && !is_excluded;
}

// "group: the mesh has no group or material "scelp", did you mean "scalp"? (known: ...)"
static coif_status fail_unknown(const char *key, const char *name, const coif_obj *obj,
                                coif_arena *arena, coif_error *error)
{
    const size_t groups = (size_t)obj->group_names.count;
    const size_t count = groups + (size_t)obj->material_names.count;
    const char **names = coif_arena_new(arena, count, const char *);
    for (size_t i = 0; i < count; ++i) {
        names[i] = i < groups ? obj->group_names.names[i] : obj->material_names.names[i - groups];
    }
    coif_strbuf groups_known, materials_known;
    coif_strbuf_init(&groups_known, arena);
    coif_strbuf_init(&materials_known, arena);
    coif_strbuf_add_names(&groups_known, names, groups, 20);
    coif_strbuf_add_names(&materials_known, names + groups, count - groups, 20);
    const char *similar = coif_nearest_name(name, names, count);
    return coif_fail(error, COIF_ERR_SCENE,
                     "%s: the mesh has no group or material \"%s\"%s%s%s (groups: %s%s%s)", key,
                     name, similar != NULL ? ", did you mean \"" : "",
                     similar != NULL ? similar : "", similar != NULL ? "\"?" : "",
                     groups_known.data, count > groups ? "; materials: " : "",
                     materials_known.data);
}

static bool select(bool *selected, const coif_string_table *names, const char *name)
{
    for (int32_t i = 0; i < names->count; ++i) {
        if (strcmp(names->names[i], name) == 0) {
            selected[i] = true;
            return true;
        }
    }
    return false;
}

// Next name of a list "a, b c, d", trimmed; NULL at the end.
static const char *next_name(const char **list, coif_arena *arena)
{
    const char *at = *list + strspn(*list, ", \t");
    if (*at == '\0') {
        return NULL;
    }
    size_t size = strcspn(at, ",");
    *list = at + size;
    while (at[size - 1] == ' ' || at[size - 1] == '\t') {
        --size;
    }
    return coif_arena_print(arena, "%.*s", (int)size, at);
}

typedef struct name_list {
    const char *key, *names;
    bool *groups, *materials;
} name_list;

static coif_status select_names(const name_list *list, const coif_obj *obj, coif_arena *arena,
                                coif_error *error)
{
    const char *rest = list->names != NULL ? list->names : "";
    for (const char *name; (name = next_name(&rest, arena)) != NULL;) {
        const bool group = select(list->groups, &obj->group_names, name);
        const bool material = select(list->materials, &obj->material_names, name);
        if (!group && !material) {
            return fail_unknown(list->key, name, obj, arena, error);
        }
    }
    return COIF_OK;
}

static bool is_empty_list(const char *names)
{
    return names == NULL || names[strspn(names, ", \t")] == '\0';
}

static coif_status filter_apply(face_filter *filter, const coif_mesh_desc *desc,
                                const coif_obj *obj, coif_arena *arena, coif_error *error)
{
    *filter =
        (face_filter){.groups = coif_arena_new(arena, obj->group_names.count, bool),
                      .materials = coif_arena_new(arena, obj->material_names.count, bool),
                      .excluded_groups = coif_arena_new(arena, obj->group_names.count, bool),
                      .excluded_materials = coif_arena_new(arena, obj->material_names.count, bool),
                      .all = is_empty_list(desc->group)};
    const name_list included = {"include_groups", desc->group, filter->groups, filter->materials};
    const name_list excluded = {"exclude_groups", desc->without, filter->excluded_groups,
                                filter->excluded_materials};
    COIF_TRY(select_names(&included, obj, arena, error));
    COIF_TRY(select_names(&excluded, obj, arena, error));
    for (int32_t face = 0; face < obj->face_count; ++face) {
        if (filter_matches(filter, obj->groups[face], obj->materials[face])) {
            return COIF_OK;
        }
    }
    if (obj->face_count == 0 || (filter->all && is_empty_list(desc->without))) {
        return COIF_OK; // a file without faces is reported elsewhere
    }
    return coif_fail(error, COIF_ERR_SCENE, "%s: excludes all %d faces",
                     is_empty_list(desc->without) ? "include_groups" : "exclude_groups",
                     obj->face_count);
}

// Degenerate triangles: twice the area relative to the squared longest edge.
static const double MIN_RELATIVE_AREA = 1e-10;

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
    return sqrt(coif_vec3d_dot(normal, normal)) > MIN_RELATIVE_AREA * longest;
}

// Buffers for the triangulation of one face.
typedef struct face_triangulator {
    coif_vec3 *points;
    int32_t *triangles;
    int32_t capacity;
    coif_arena scratch;
} face_triangulator;

static void reserve_face(face_triangulator *triangulator, int32_t count)
{
    if (count > triangulator->capacity) {
        triangulator->capacity = count > INT32_MAX / 2 ? count : 2 * count;
        triangulator->points =
            coif_arena_new(&triangulator->scratch, triangulator->capacity, coif_vec3);
        triangulator->triangles =
            coif_arena_new(&triangulator->scratch, 3 * (size_t)triangulator->capacity, int32_t);
    }
}

// Writes the corner indices of the triangles of one face; returns their number.
static int32_t triangulate_face(face_triangulator *triangulator, const coif_obj *obj, int32_t face)
{
    const int32_t first = obj->first[face];
    const int32_t count = obj->first[face + 1] - first;
    reserve_face(triangulator, count);
    if (count == 3) {
        triangulator->triangles[0] = 0;
        triangulator->triangles[1] = 1;
        triangulator->triangles[2] = 2;
        return 1;
    }
    for (int32_t i = 0; i < count; ++i) {
        triangulator->points[i] = obj->positions[obj->corners[first + i].position];
    }
    return coif_triangulate(triangulator->triangles, triangulator->points, count,
                            &triangulator->scratch);
}

// Adds the triangles of a face that have area; false when none has.
static bool add_face(coif_mesh *mesh, const coif_obj *obj, int32_t face,
                     face_triangulator *triangulator)
{
    const int32_t first = obj->first[face];
    const int32_t count = triangulate_face(triangulator, obj, face);
    const int32_t first_triangle = mesh->triangle_count;
    for (int32_t t = 0; t < count; ++t) {
        int32_t *corners = mesh->corners + 3 * (size_t)mesh->triangle_count;
        for (int k = 0; k < 3; ++k) {
            corners[k] = first + triangulator->triangles[3 * (size_t)t + (size_t)k];
        }
        if (has_area(obj, corners)) {
            mesh->groups[mesh->triangle_count] = obj->groups[face];
            mesh->materials[mesh->triangle_count] = obj->materials[face];
            ++mesh->triangle_count;
        }
    }
    return mesh->triangle_count > first_triangle;
}

// Adds all faces selected by the filter; returns the number of degenerate ones.
static int32_t add_faces(coif_mesh *mesh, const coif_obj *obj, const face_filter *filter)
{
    face_triangulator triangulator = {0};
    coif_arena_init(&triangulator.scratch, "triangulate");
    int32_t skipped = obj->short_faces;
    for (int32_t face = 0; face < obj->face_count; ++face) {
        if (filter_matches(filter, obj->groups[face], obj->materials[face])) {
            skipped += !add_face(mesh, obj, face, &triangulator);
        }
    }
    coif_arena_free(&triangulator.scratch);
    return skipped;
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

// Copies names, which belong to the memory of the file.
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

// Reports all tolerated defects of a file in one line.
static void warn(const coif_mesh *mesh, const char *path, int32_t skipped)
{
    COIF_SCOPED_ARENA(scratch, "edges");
    const coif_mesh_edges edges = coif_mesh_count_edges(mesh, &scratch);
    char faces[64] = "";
    char edge_text[80] = "";
    if (skipped > 0) {
        snprintf(faces, sizeof faces, "%d degenerate face%s skipped", skipped,
                 skipped == 1 ? "" : "s");
    }
    if (edges.nonmanifold > 0) {
        snprintf(edge_text, sizeof edge_text, "%lld edge%s shared by more than two triangles",
                 (long long)edges.nonmanifold, edges.nonmanifold == 1 ? "" : "s");
    }
    if (skipped > 0 || edges.nonmanifold > 0) {
        coif_log(COIF_LOG_WARNING, "%s: %s%s%s", path, faces,
                 skipped > 0 && edges.nonmanifold > 0 ? ", " : "", edge_text);
    }
}

static void reserve(coif_mesh *mesh, const coif_obj *obj, coif_arena *arena)
{
    const size_t max_triangles = (size_t)obj->corner_count - 2 * (size_t)obj->face_count;
    mesh->corners = coif_arena_new(arena, 3 * max_triangles, int32_t);
    mesh->groups = coif_arena_new(arena, max_triangles, int32_t);
    mesh->materials = coif_arena_new(arena, max_triangles, int32_t);
    mesh->positions = coif_arena_new(arena, obj->position_count, coif_vec3);
}

coif_status coif_mesh_build(coif_mesh *mesh, const coif_obj *obj, const coif_mesh_file *file,
                            coif_arena *arena, coif_error *error)
{
    const char *path = file->path;
    face_filter filter;
    COIF_TRY(filter_apply(&filter, file->desc, obj, arena, error));
    *mesh = (coif_mesh){.vertex_count = obj->position_count, .crease = file->desc->crease};
    reserve(mesh, obj, arena);
    memcpy(mesh->positions, obj->positions, sizeof *mesh->positions * (size_t)mesh->vertex_count);
    const int32_t skipped = add_faces(mesh, obj, &filter);
    if (mesh->triangle_count == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: all %d faces are degenerate", path, skipped);
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
    COIF_SCOPED_ARENA(scratch, "normals");
    coif_mesh_make_normals(mesh->normals, mesh, mesh->positions, obj, &scratch);
    warn(mesh, path, skipped);
    return COIF_OK;
}

const coif_mesh_desc COIF_MESH_ALL_TRIANGLES = {.group = "", .without = "", .crease = 60.0f};

coif_status coif_mesh_load(coif_mesh *mesh, const char *path, const coif_mesh_desc *desc,
                           coif_arena *arena, coif_error *error)
{
    *mesh = (coif_mesh){0};
    COIF_SCOPED_ARENA(scratch, "obj");
    coif_obj obj;
    COIF_TRY(coif_obj_load(&obj, path, &scratch, error));
    if (desc->z_up) {
        coif_obj_turn_z_up(&obj);
        coif_log_once(COIF_LOG_INFO, "%s: z up, turned to y up", path);
    }
    COIF_TRY(coif_mesh_build(mesh, &obj, &(coif_mesh_file){path, desc}, arena, error));
    for (int32_t i = 0; i < obj.libraries.count; ++i) {
        coif_mtl_load(mesh->material_table, &obj.material_names, obj.libraries.names[i], path,
                      arena);
    }
    return COIF_OK;
}
