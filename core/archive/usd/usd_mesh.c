// USD meshes.
#include "core/archive/usd/usd_archive.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <string.h>

// Corners of the file in the order of the result.
typedef struct corner_order {
    const coif_usd_query *query;
    const coif_archive_mesh *mesh;
    const int32_t *source; // corner of the file; NULL: the same
    const int32_t *faces;  // face of each corner of the result
} corner_order;

static coif_status check_topology(const coif_usd_query *query, const coif_archive_mesh *mesh)
{
    int64_t sum = 0;
    for (int32_t f = 0; f < mesh->face_count; ++f) {
        if (mesh->face_sizes[f] < 0) {
            return coif_usd_fail(query, "faceVertexCounts", "face %d has %d corners", f,
                                 mesh->face_sizes[f]);
        }
        sum += mesh->face_sizes[f];
    }
    if (sum != mesh->corner_count) {
        return coif_usd_fail(query, "faceVertexCounts",
                             "the counts add up to %lld corners, faceVertexIndices has %d",
                             (long long)sum, mesh->corner_count);
    }
    for (int32_t c = 0; c < mesh->corner_count; ++c) {
        if (mesh->corners[c] < 0 || mesh->corners[c] >= mesh->vertex_count) {
            return coif_usd_fail(query, "faceVertexIndices", "vertex %d of %d at corner %d",
                                 mesh->corners[c], mesh->vertex_count, c);
        }
    }
    return COIF_OK;
}

// Faces are counter-clockwise in the result: those of a left-handed or mirrored mesh are reversed.
static void order_corners(corner_order *order, coif_archive_mesh *mesh, bool reversed)
{
    coif_arena *arena = order->query->arena;
    int32_t *faces = coif_arena_new(arena, mesh->corner_count, int32_t);
    int32_t *source = coif_arena_new(arena, mesh->corner_count, int32_t);
    int32_t *corners = coif_arena_new(arena, mesh->corner_count, int32_t);
    int32_t first = 0;
    for (int32_t f = 0; f < mesh->face_count; ++f) {
        const int32_t size = mesh->face_sizes[f];
        for (int32_t i = 0; i < size; ++i) {
            // The first corner stays, so that a face keeps its fan.
            source[first + i] = first + (reversed && i > 0 ? size - i : i);
            corners[first + i] = mesh->corners[source[first + i]];
            faces[first + i] = f;
        }
        first += size;
    }
    mesh->corners = corners;
    order->faces = faces;
    order->source = source;
}

// Values per corner, NULL for a wrong number of them.
static float *per_corner(const corner_order *order, const char *name,
                         const coif_usd_primvar *primvar, const char *fallback)
{
    const coif_archive_mesh *mesh = order->mesh;
    const char *given = primvar->interpolation[0] != '\0' ? primvar->interpolation : fallback;
    const bool by_vertex = strcmp(given, "vertex") == 0 || strcmp(given, "varying") == 0;
    const bool by_face = strcmp(given, "uniform") == 0;
    const bool constant = strcmp(given, "constant") == 0;
    const int64_t expected = by_vertex  ? mesh->vertex_count
                             : by_face  ? mesh->face_count
                             : constant ? 1
                                        : mesh->corner_count;
    if (primvar->count != expected) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s.%s: %lld values of interpolation %s, expected %lld; the attribute is "
                 "ignored",
                 order->query->layer->bytes.name,
                 order->query->layer->prims[order->query->prim].path, name,
                 (long long)primvar->count, given, (long long)expected);
        return NULL;
    }
    const int n = primvar->components;
    float *values = coif_arena_new(order->query->arena, (size_t)mesh->corner_count * n, float);
    for (int32_t c = 0; c < mesh->corner_count; ++c) {
        const int64_t from = by_vertex  ? mesh->corners[c]
                             : by_face  ? order->faces[c]
                             : constant ? 0
                                        : order->source[c];
        memcpy(values + (int64_t)c * n, primvar->values + from * n, (size_t)n * sizeof(float));
    }
    return values;
}

static coif_status read_normals(const corner_order *order, const coif_transform *world,
                                coif_archive_mesh *mesh)
{
    coif_usd_primvar normals;
    const char *name = "primvars:normals";
    COIF_TRY(coif_usd_read_primvar(order->query, name, 3, &normals));
    if (normals.values == NULL) {
        name = "normals";
        COIF_TRY(coif_usd_read_primvar(order->query, name, 3, &normals));
    }
    float *values = normals.values != NULL ? per_corner(order, name, &normals, "vertex") : NULL;
    if (values != NULL) {
        mesh->normals = (coif_vec3 *)(void *)values;
        const coif_transform to_world = coif_transform_of_normals(world);
        for (int32_t c = 0; c < mesh->corner_count; ++c) {
            mesh->normals[c] = coif_normalize(coif_transform_vector(&to_world, mesh->normals[c]));
        }
    }
    return COIF_OK;
}

// primvars:st, else the first primvar of texture coordinates or pairs of floats.
static const char *uv_name(const coif_usd_query *query)
{
    static const char *const names[] = {"primvars:st", "primvars:UVMap", "primvars:uv"};
    for (size_t i = 0; i < COIF_COUNT_OF(names); ++i) {
        if (coif_usd_find(query->layer, query->prim, names[i]) != NULL) {
            return names[i];
        }
    }
    const coif_usd_layer *layer = query->layer;
    for (int32_t a = layer->prims[query->prim].first_attribute; a >= 0;
         a = layer->attributes[a].next) {
        const coif_usd_attribute *attribute = &layer->attributes[a];
        if (strncmp(attribute->name, "primvars:", 9) == 0 &&
            (strncmp(attribute->type, "texCoord2", 9) == 0 ||
             strcmp(attribute->type, "float2[]") == 0)) {
            return attribute->name;
        }
    }
    return NULL;
}

static coif_status read_uv(const corner_order *order, coif_archive_mesh *mesh)
{
    const char *name = uv_name(order->query);
    coif_usd_primvar uv;
    if (name == NULL) {
        return COIF_OK;
    }
    COIF_TRY(coif_usd_read_primvar(order->query, name, 2, &uv));
    if (uv.values != NULL) {
        mesh->uv = per_corner(order, name, &uv, "constant");
    }
    return COIF_OK;
}

// Child prims of type GeomSubset with faces.
static coif_status read_groups(const coif_usd_query *query, coif_archive_mesh *mesh)
{
    const coif_usd_layer *layer = query->layer;
    int32_t count = 0;
    for (size_t p = (size_t)query->prim; p < layer->prim_count; ++p) {
        count += layer->prims[p].parent == query->prim &&
                 strcmp(layer->prims[p].type, "GeomSubset") == 0;
    }
    if (count == 0) {
        return COIF_OK;
    }
    mesh->group_names = coif_arena_new(query->arena, count, const char *);
    mesh->face_group = coif_arena_new(query->arena, mesh->face_count, int32_t);
    memset(mesh->face_group, 0xff, (size_t)mesh->face_count * sizeof(int32_t));
    for (size_t p = (size_t)query->prim; p < layer->prim_count; ++p) {
        if (layer->prims[p].parent != query->prim ||
            strcmp(layer->prims[p].type, "GeomSubset") != 0) {
            continue;
        }
        coif_usd_query subset = *query;
        subset.prim = (int32_t)p;
        const char *element;
        int32_t *faces, face_count;
        COIF_TRY(coif_usd_get_text(&subset, "elementType", "face", &element));
        if (strcmp(element, "face") != 0) {
            continue;
        }
        COIF_TRY(coif_usd_read_integers(&subset, "indices", &faces, &face_count));
        for (int32_t i = 0; i < face_count; ++i) {
            if (faces[i] < 0 || faces[i] >= mesh->face_count) {
                return coif_usd_fail(&subset, "indices", "face %d of %d", faces[i],
                                     mesh->face_count);
            }
            mesh->face_group[faces[i]] = mesh->group_count;
        }
        mesh->group_names[mesh->group_count++] = layer->prims[p].name;
    }
    return COIF_OK;
}

static coif_status warn_of_surface(const coif_usd_query *query)
{
    const char *file = query->layer->bytes.name, *path = query->layer->prims[query->prim].path;
    const char *scheme;
    COIF_TRY(coif_usd_get_text(query, "subdivisionScheme", "catmullClark", &scheme));
    if (strcmp(scheme, "none") != 0) {
        coif_log(COIF_LOG_WARNING, "%s: %s: subdivision (%s) is not applied", file, path, scheme);
    }
    int32_t *holes, hole_count;
    COIF_TRY(coif_usd_read_integers(query, "holeIndices", &holes, &hole_count));
    if (hole_count > 0) {
        coif_log(COIF_LOG_WARNING, "%s: %s: %d holes are faces like others", file, path,
                 hole_count);
    }
    return COIF_OK;
}

static coif_status read_mesh(const coif_usd_sample_query *at, coif_archive_mesh *mesh)
{
    const char *orientation;
    const coif_usd_query *query = &at->query;
    COIF_TRY(warn_of_surface(query));
    COIF_TRY(coif_usd_read_points(at, &mesh->positions, &mesh->vertex_count, &mesh->velocities));
    COIF_TRY(
        coif_usd_read_integers(query, "faceVertexCounts", &mesh->face_sizes, &mesh->face_count));
    COIF_TRY(
        coif_usd_read_integers(query, "faceVertexIndices", &mesh->corners, &mesh->corner_count));
    COIF_TRY(check_topology(query, mesh));
    COIF_TRY(coif_usd_get_text(query, "orientation", "rightHanded", &orientation));
    corner_order order = {.query = query, .mesh = mesh};
    order_corners(&order, mesh,
                  (strcmp(orientation, "leftHanded") == 0) !=
                      (coif_transform_determinant(&at->to_world) < 0.0));
    COIF_TRY(read_normals(&order, &at->to_world, mesh));
    COIF_TRY(read_uv(&order, mesh));
    return read_groups(query, mesh);
}

coif_status coif_usd_read_mesh(const coif_archive *archive, int32_t object, int32_t sample,
                               coif_archive_mesh *mesh, coif_arena *arena, coif_error *error)
{
    coif_usd_sample_query at;
    memset(mesh, 0, sizeof *mesh);
    coif_status status = coif_usd_sample_begin(&at, archive, object, sample, arena, error);
    if (status == COIF_OK) {
        status = read_mesh(&at, mesh);
    }
    coif_usd_sample_end(&at);
    return status;
}
