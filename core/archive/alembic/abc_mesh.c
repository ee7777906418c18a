// Polygon meshes of Alembic archives.
//
// Faces are clockwise seen from outside in the file and counter-clockwise here: the corners of each
// face are reversed, unless the transform mirrors.
#include "core/archive/alembic/abc_reader.h"
#include "core/base/arena.h"
#include "core/base/error.h"

#include <string.h>

static coif_status read_faces(coif_archive_mesh *mesh, const coif_abc_query *query,
                              coif_error *error)
{
    const coif_abc_property *geometry = query->node->properties;
    coif_abc_values counts, corners;
    COIF_TRY(coif_abc_read_values(&counts, query, coif_abc_find(geometry, ".faceCounts"), 1,
                                  COIF_ABC_AS_INT, error));
    COIF_TRY(coif_abc_read_values(&corners, query, coif_abc_find(geometry, ".faceIndices"), 1,
                                  COIF_ABC_AS_INT, error));
    int64_t sum = 0;
    for (int64_t f = 0; f < counts.count; ++f) {
        if (counts.ints[f] < 0) {
            return coif_abc_fail(query, error, "face %lld has %d corners", (long long)f,
                                 counts.ints[f]);
        }
        sum += counts.ints[f];
    }
    if (sum != corners.count) {
        return coif_abc_fail(query, error, "%lld face indices, but the faces have %lld corners",
                             (long long)corners.count, (long long)sum);
    }
    for (int64_t i = 0; i < corners.count; ++i) {
        if (corners.ints[i] < 0 || corners.ints[i] >= mesh->vertex_count) {
            return coif_abc_fail(query, error, "face index %lld is vertex %d of %d", (long long)i,
                                 corners.ints[i], mesh->vertex_count);
        }
    }
    mesh->face_count = (int32_t)counts.count;
    mesh->face_sizes = counts.ints;
    mesh->corner_count = (int32_t)corners.count;
    mesh->corners = corners.ints;
    return COIF_OK;
}

// A parameter per corner, in the order of the file; NULL without it.
static coif_status read_per_corner(float **result, const coif_abc_query *query, const char *name,
                                   uint32_t extent, const coif_archive_mesh *mesh,
                                   coif_error *error)
{
    const int64_t counts[5] = {1, mesh->face_count, mesh->vertex_count, mesh->vertex_count,
                               mesh->corner_count};
    coif_abc_param param;
    *result = NULL;
    COIF_TRY(coif_abc_read_param(&param, query, coif_abc_find(query->node->properties, name),
                                 extent, COIF_ABC_AS_FLOAT, counts, error));
    if (param.values.count == 0) {
        return COIF_OK;
    }
    *result = coif_arena_new(query->arena, (size_t)extent * (size_t)mesh->corner_count, float);
    int64_t corner = 0;
    for (int32_t f = 0; f < mesh->face_count; ++f) {
        for (int32_t i = 0; i < mesh->face_sizes[f]; ++i, ++corner) {
            const int64_t element = param.scope == COIF_ABC_CONSTANT_SCOPE ? 0
                                    : param.scope == COIF_ABC_UNIFORM      ? f
                                    : param.scope == COIF_ABC_FACE_VARYING ? corner
                                                                           : mesh->corners[corner];
            memcpy(*result + extent * corner, param.values.floats + extent * element,
                   extent * sizeof **result);
        }
    }
    return COIF_OK;
}

// Reverses the corners of each face in an array of `extent` words per corner.
static void reverse_faces(void *values, size_t extent, const coif_archive_mesh *mesh)
{
    int32_t *words = values;
    size_t first = 0;
    for (int32_t f = 0; words != NULL && f < mesh->face_count; ++f) {
        const size_t count = (size_t)mesh->face_sizes[f];
        for (size_t i = 0; i < count / 2; ++i) {
            int32_t *a = words + extent * (first + i);
            int32_t *b = words + extent * (first + count - 1 - i);
            for (size_t k = 0; k < extent; ++k) {
                const int32_t word = a[k];
                a[k] = b[k];
                b[k] = word;
            }
        }
        first += count;
    }
}

static coif_status read_normals(coif_archive_mesh *mesh, const coif_abc_query *query,
                                coif_error *error)
{
    float *normals;
    const coif_transform transform = coif_transform_of_normals(&query->to_world);
    COIF_TRY(read_per_corner(&normals, query, "N", 3, mesh, error));
    mesh->normals = (coif_vec3 *)(void *)normals;
    for (int32_t i = 0; normals != NULL && i < mesh->corner_count; ++i) {
        // The scale of units would make short vectors of normals.
        const coif_vec3 n = coif_transform_vector(&transform, mesh->normals[i]);
        const coif_vec3d unit = coif_vec3d_normalize((coif_vec3d){n.x, n.y, n.z});
        mesh->normals[i] = (coif_vec3){(float)unit.x, (float)unit.y, (float)unit.z};
    }
    return COIF_OK;
}

// A face of several sets belongs to the first.
static coif_status read_groups(coif_archive_mesh *mesh, const coif_abc_query *query,
                               coif_error *error)
{
    for (const coif_abc_node *set = query->node->face_sets; set != NULL; set = set->next_face_set) {
        ++mesh->group_count;
    }
    if (mesh->group_count == 0) {
        return COIF_OK;
    }
    mesh->group_names = coif_arena_new(query->arena, mesh->group_count, const char *);
    mesh->face_group = coif_arena_new(query->arena, mesh->face_count, int32_t);
    memset(mesh->face_group, 0xff, (size_t)mesh->face_count * sizeof *mesh->face_group);
    int32_t group = 0;
    for (const coif_abc_node *set = query->node->face_sets; set != NULL; set = set->next_face_set) {
        coif_abc_values faces;
        coif_abc_query of_set = *query;
        of_set.node = set;
        COIF_TRY(coif_abc_read_values(&faces, &of_set, coif_abc_find(set->properties, ".faces"), 1,
                                      COIF_ABC_AS_INT, error));
        for (int64_t i = 0; i < faces.count; ++i) {
            if (faces.ints[i] < 0 || faces.ints[i] >= mesh->face_count) {
                return coif_abc_fail(&of_set, error, "face %d of %d", faces.ints[i],
                                     mesh->face_count);
            }
            int32_t *face = &mesh->face_group[faces.ints[i]];
            *face = *face < 0 ? group : *face;
        }
        mesh->group_names[group++] = coif_arena_copy_text(query->arena, set->name);
    }
    return COIF_OK;
}

coif_status coif_abc_read_mesh(void *result, const coif_abc_query *query, coif_error *error)
{
    coif_archive_mesh *mesh = result;
    coif_abc_values points;
    *mesh = (coif_archive_mesh){.vertex_count = 0};
    COIF_TRY(coif_abc_read_interpolated(&points, query, coif_abc_find(query->node->properties, "P"),
                                        3, error));
    mesh->vertex_count = (int32_t)points.count;
    COIF_TRY(read_faces(mesh, query, error));
    COIF_TRY(coif_abc_world_points(&mesh->positions, query, &points, error));
    COIF_TRY(coif_abc_read_velocities(&mesh->velocities, query, &points, error));
    COIF_TRY(read_normals(mesh, query, error));
    COIF_TRY(read_per_corner(&mesh->uv, query, "uv", 2, mesh, error));
    if (coif_transform_determinant(&query->to_world) >= 0.0) {
        reverse_faces(mesh->corners, 1, mesh);
        reverse_faces(mesh->normals, 3, mesh);
        reverse_faces(mesh->uv, 2, mesh);
    }
    return read_groups(mesh, query, error);
}
