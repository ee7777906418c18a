// PLY files of polygons. Normals are nx ny nz, texture coordinates s t, u v or texture_u texture_v
// of vertices, or the list texcoord of faces.
#include "core/archive/mesh/mesh_archive.h"
#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/mesh/ply_parse.h"

#include <math.h>
#include <string.h>

typedef struct ply_mesh {
    coif_ply ply;
    coif_archive_mesh *mesh;
    coif_vec3 *normals;
    coif_vec2 *uv;
    size_t corner_capacity, uv_capacity, uv_count; // numbers of texcoord lists
    coif_arena *arena;
} ply_mesh;

static const char VERTEX_LISTS[] = "vertex_indices vertex_index";

static coif_status check_elements(const coif_ply *ply)
{
    const coif_ply_element *vertices = coif_ply_find(ply, "vertex");
    const coif_ply_element *faces = coif_ply_find(ply, "face");
    bool has_list = false;
    for (int32_t i = 0; faces != NULL && i < faces->property_count; ++i) {
        has_list = has_list || (faces->properties[i].is_list &&
                                coif_ply_is_one_of(faces->properties[i].name, VERTEX_LISTS));
    }
    if (vertices == NULL || !has_list || vertices > faces) {
        return coif_ply_fail(ply, "not a mesh: expected an element vertex, then an element face "
                                  "with the list vertex_indices");
    }
    return COIF_OK;
}

coif_status coif_ply_archive_open_bytes(coif_archive **archive, const coif_bytes *bytes,
                                        const coif_archive_import *import, coif_arena *arena,
                                        coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "PLY header");
    coif_ply *ply = coif_arena_new(&scratch, 1, coif_ply);
    COIF_TRY(coif_ply_open(ply, bytes, &scratch, error));
    COIF_TRY(check_elements(ply));
    *archive = coif_arena_new(arena, 1, coif_archive);
    coif_mesh_archive_init(*archive, &COIF_ARCHIVE_PLY, bytes->name, import, 1, arena);
    (*archive)->format = ply->ascii        ? "PLY text"
                         : ply->big_endian ? "PLY big-endian"
                                           : "PLY little-endian";
    (*archive)->objects[0].path = "/mesh";
    return COIF_OK;
}

// The number that a property of vertices is stored in; NULL: none.
static float *find_target(const ply_mesh *to, const char *name, int32_t v)
{
    static const char *const axes[] = {"x nx", "y ny", "z nz"};
    static const char *const coordinates[] = {"s u texture_u", "t v texture_v"};
    for (int k = 0; k < 3; ++k) {
        if (coif_ply_is_one_of(name, axes[k])) {
            return (name[0] == 'n' ? &to->normals[v].x : &to->mesh->positions[v].x) + k;
        }
    }
    for (int k = 0; k < 2; ++k) {
        if (coif_ply_is_one_of(name, coordinates[k])) {
            return &to->uv[v].x + k;
        }
    }
    return NULL;
}

static bool has_property(const coif_ply_element *element, const char *names)
{
    bool found = false;
    for (int32_t i = 0; i < element->property_count; ++i) {
        found = found || coif_ply_is_one_of(element->properties[i].name, names);
    }
    return found;
}

static coif_status read_vertices(ply_mesh *to, const coif_ply_element *element)
{
    if (to->mesh->positions != NULL || element->count > INT32_MAX / 4 ||
        !has_property(element, "x")) {
        return coif_ply_fail(&to->ply, "two vertex elements, too many vertices, or none with x");
    }
    to->mesh->vertex_count = (int32_t)element->count;
    to->mesh->positions = coif_arena_new(to->arena, element->count, coif_vec3);
    to->normals = coif_arena_new(to->ply.arena, element->count, coif_vec3);
    to->uv = coif_arena_new(to->ply.arena, element->count, coif_vec2);
    for (int32_t v = 0; v < to->mesh->vertex_count; ++v) {
        for (int32_t i = 0; i < element->property_count; ++i) {
            const coif_ply_property *property = &element->properties[i];
            if (property->is_list) {
                return coif_ply_fail(&to->ply, "a list property of vertices");
            }
            double value = 0.0;
            COIF_TRY(coif_ply_read_number(&value, &to->ply, property->type));
            float *target = find_target(to, property->name, v);
            if (target != NULL && !isfinite((float)value)) {
                return coif_ply_fail(&to->ply, "a number of a vertex is not finite");
            }
            if (target != NULL) {
                *target = (float)value;
            }
        }
    }
    to->normals = has_property(element, "nx") ? to->normals : NULL;
    to->uv = has_property(element, "s u texture_u") ? to->uv : NULL;
    return COIF_OK;
}

static coif_status add_corner(ply_mesh *to, double index)
{
    coif_archive_mesh *mesh = to->mesh;
    if (!(index >= 0.0 && index < (double)mesh->vertex_count) ||
        mesh->corner_count == INT32_MAX / 4) {
        return coif_ply_fail(&to->ply, "an index of a vertex is out of range");
    }
    mesh->corners = coif_array_grow(mesh->corners, (size_t)mesh->corner_count, 1,
                                    &to->corner_capacity, sizeof(int32_t), to->arena);
    mesh->corners[mesh->corner_count++] = (int32_t)index;
    return COIF_OK;
}

static coif_status add_uv(ply_mesh *to, double value)
{
    coif_archive_mesh *mesh = to->mesh;
    if (!isfinite((float)value)) {
        return coif_ply_fail(&to->ply, "a texture coordinate is not finite");
    }
    mesh->uv =
        coif_array_grow(mesh->uv, to->uv_count, 1, &to->uv_capacity, sizeof(float), to->arena);
    mesh->uv[to->uv_count++] = (float)value;
    return COIF_OK;
}

// A property of one row. Face -1: a row of another element, which is passed over.
static coif_status read_property(ply_mesh *to, const coif_ply_property *property, int32_t face)
{
    double value = 0.0;
    if (!property->is_list) {
        return coif_ply_read_number(&value, &to->ply, property->type);
    }
    const bool corners = face >= 0 && coif_ply_is_one_of(property->name, VERTEX_LISTS);
    const bool uv = face >= 0 && strcmp(property->name, "texcoord") == 0;
    int32_t count = 0;
    COIF_TRY(coif_ply_read_list_length(&count, &to->ply, property));
    for (int32_t k = 0; k < count; ++k) {
        COIF_TRY(coif_ply_read_number(&value, &to->ply, property->type));
        COIF_TRY(corners ? add_corner(to, value) : uv ? add_uv(to, value) : COIF_OK);
    }
    if (corners) {
        to->mesh->face_sizes[face] += count;
    }
    return COIF_OK;
}

static coif_status read_rows(ply_mesh *to, const coif_ply_element *element, bool faces)
{
    if (faces) {
        if (to->mesh->face_sizes != NULL || element->count > INT32_MAX / 4) {
            return coif_ply_fail(&to->ply, "two face elements, or too many faces");
        }
        to->mesh->face_count = (int32_t)element->count;
        to->mesh->face_sizes = coif_arena_new(to->arena, element->count, int32_t);
    }
    for (uint64_t row = 0; row < element->count; ++row) {
        for (int32_t i = 0; i < element->property_count; ++i) {
            COIF_TRY(read_property(to, &element->properties[i], faces ? (int32_t)row : -1));
        }
    }
    return COIF_OK;
}

coif_status coif_ply_archive_read_bytes(const coif_archive *archive, const coif_bytes *bytes,
                                        coif_archive_mesh *mesh, coif_arena *arena,
                                        coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "PLY file");
    ply_mesh *to = coif_arena_new(&scratch, 1, ply_mesh);
    *mesh = (coif_archive_mesh){0};
    to->mesh = mesh;
    to->arena = arena;
    COIF_TRY(coif_ply_open(&to->ply, bytes, &scratch, error));
    COIF_TRY(check_elements(&to->ply));
    for (int32_t i = 0; i < to->ply.element_count; ++i) {
        const coif_ply_element *element = &to->ply.elements[i];
        COIF_TRY(strcmp(element->name, "vertex") == 0
                     ? read_vertices(to, element)
                     : read_rows(to, element, strcmp(element->name, "face") == 0));
    }
    const bool of_corners = to->uv_count > 0 && to->uv_count == 2 * (size_t)mesh->corner_count;
    mesh->uv = of_corners ? mesh->uv : NULL;
    const coif_transform to_world =
        coif_transform_of_units(archive->meters_per_unit, archive->up_axis);
    coif_mesh_archive_finish(mesh, &to_world, to->normals, of_corners ? NULL : to->uv, arena);
    return COIF_OK;
}

static coif_status open_file(coif_archive **archive, const char *path,
                             const coif_archive_import *import, coif_arena *arena,
                             coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "PLY file");
    char *data;
    coif_bytes bytes = {.name = path};
    COIF_TRY(coif_file_load(&data, &bytes.size, path, &scratch, error));
    bytes.data = data;
    return coif_ply_archive_open_bytes(archive, &bytes, import, arena, error);
}

static coif_status read_mesh(const coif_archive *archive, int32_t object, int32_t sample,
                             coif_archive_mesh *mesh, coif_arena *arena, coif_error *error)
{
    (void)object, (void)sample;
    COIF_SCOPED_ARENA(scratch, "PLY file");
    char *data;
    coif_bytes bytes = {.name = archive->path};
    COIF_TRY(coif_file_load(&data, &bytes.size, archive->path, &scratch, error));
    bytes.data = data;
    return coif_ply_archive_read_bytes(archive, &bytes, mesh, arena, error);
}

static bool matches(const unsigned char *head, size_t size)
{
    return size >= 4 && memcmp(head, "ply", 3) == 0 && (head[3] == '\n' || head[3] == '\r');
}

const coif_archive_vtable COIF_ARCHIVE_PLY = {.name = "PLY",
                                              .extensions = "ply",
                                              .matches = matches,
                                              .open = open_file,
                                              .read_mesh = read_mesh};
