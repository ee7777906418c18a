// Binary glTF files: one mesh per node, in metres and y up, with a group per material name.
#include "core/archive/mesh/glb_json.h"
#include "core/archive/mesh/mesh_archive.h"
#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/strbuf.h"

#include <math.h>
#include <string.h>

typedef struct glb_object {
    int32_t mesh;
    coif_transform to_world;
} glb_object;

typedef struct glb_archive {
    coif_archive base; // first: coif_archive points here
    coif_glb_document document;
    glb_object *objects;
} glb_archive;

// ---- nodes

// Numbers of an array, all finite; false: not that many.
static bool read_numbers(double *numbers, int32_t count, const coif_json *array)
{
    bool valid = array->kind == COIF_JSON_ARRAY && array->child_count == count;
    int32_t i = 0;
    for (const coif_json *item = array->child; valid && item != NULL; item = item->next) {
        valid = item->kind == COIF_JSON_NUMBER && fabs(item->number) < 1e30;
        numbers[i++] = item->number;
    }
    return valid;
}

static bool read_member(double *numbers, int32_t count, const coif_json *node, const char *key)
{
    const coif_json *array = coif_json_find(node, key);
    return array == NULL || read_numbers(numbers, count, array);
}

// Translation, rotation as a unit quaternion, scale, or a matrix in columns.
static bool local_transform(coif_transform *local, const coif_json *node)
{
    double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1}, matrix[16];
    if (coif_json_find(node, "matrix") != NULL) {
        const bool valid = read_member(matrix, 16, node, "matrix");
        for (int i = 0; valid && i < 12; ++i) {
            local->m[i / 4][i % 4] = matrix[4 * (i % 4) + i / 4];
        }
        return valid;
    }
    const bool valid = read_member(t, 3, node, "translation") &&
                       read_member(q, 4, node, "rotation") && read_member(s, 3, node, "scale");
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double square = x * x + y * y + z * z + w * w;
    const double k = square > 0.0 ? 2.0 / square : 0.0;
    const coif_transform turned = {{{s[0] * (1 - k * (y * y + z * z)), s[1] * k * (x * y - z * w),
                                     s[2] * k * (x * z + y * w), t[0]},
                                    {s[0] * k * (x * y + z * w), s[1] * (1 - k * (x * x + z * z)),
                                     s[2] * k * (y * z - x * w), t[1]},
                                    {s[0] * k * (x * z - y * w), s[1] * k * (y * z + x * w),
                                     s[2] * (1 - k * (x * x + y * y)), t[2]}}};
    *local = turned;
    return valid;
}

static const char *name_of(const coif_json *object, const char *prefix, int32_t index,
                           coif_arena *arena)
{
    const coif_json *name = object != NULL ? coif_json_find(object, "name") : NULL;
    return name != NULL && name->kind == COIF_JSON_STRING && *name->text != '\0'
               ? name->text
               : coif_arena_print(arena, "%s%d", prefix, index);
}

// Parent of each node, -1: none.
static coif_status find_parents(int32_t *parents, const coif_glb_document *document,
                                coif_error *error)
{
    const coif_glb_list *nodes = &document->nodes;
    memset(parents, 0xff, (size_t)nodes->count * sizeof *parents);
    for (int32_t n = 0; n < nodes->count; ++n) {
        const coif_json *children = coif_json_find(nodes->items[n], "children");
        for (const coif_json *child = children != NULL ? children->child : NULL; child != NULL;
             child = child->next) {
            const bool valid = child->kind == COIF_JSON_NUMBER && child->number >= 0.0 &&
                               child->number < nodes->count;
            if (!valid || parents[(int32_t)child->number] >= 0) {
                return coif_fail(error, COIF_ERR_FORMAT,
                                 "%s: node %d: a child is no node or has two parents",
                                 document->path, n);
            }
            parents[(int32_t)child->number] = n;
        }
    }
    return COIF_OK;
}

// Path and transform of a node, from the product over its parents. Skinned meshes are placed by
// their joints, not by their node.
static coif_status place_object(glb_archive *glb, int32_t object, int32_t node,
                                const int32_t *parents, coif_arena *arena, coif_error *error)
{
    enum { DEEPEST = 100 };
    int32_t chain[DEEPEST];
    const coif_glb_list *nodes = &glb->document.nodes;
    const bool skinned = coif_json_find(nodes->items[node], "skin") != NULL;
    coif_transform to_world = COIF_TRANSFORM_IDENTITY;
    int depth = 0;
    for (int32_t n = node; n >= 0; n = parents[n]) {
        coif_transform local;
        if (depth == DEEPEST || !local_transform(&local, nodes->items[n])) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: node %d: an invalid transform, or more than %d parents",
                             glb->document.path, n, DEEPEST);
        }
        chain[depth++] = n;
        to_world = skinned ? to_world : coif_transform_multiply(&local, &to_world);
    }
    coif_strbuf path;
    coif_strbuf_init(&path, arena);
    while (depth-- > 0) {
        const int32_t n = chain[depth];
        coif_strbuf_print(&path, "/%.100s", name_of(nodes->items[n], "node", n, arena));
    }
    const coif_transform units =
        coif_transform_of_units(glb->base.meters_per_unit, glb->base.up_axis);
    glb->objects[object].to_world = coif_transform_multiply(&units, &to_world);
    glb->base.objects[object].path = path.data;
    return COIF_OK;
}

static bool has_items(const coif_glb_document *document, const char *key)
{
    const coif_json *list = coif_json_find(document->root, key);
    return list != NULL && list->child_count > 0;
}

static const char *application_of(const coif_glb_document *document)
{
    const coif_json *asset = coif_json_find(document->root, "asset");
    const coif_json *generator = asset != NULL && asset->kind == COIF_JSON_OBJECT
                                     ? coif_json_find(asset, "generator")
                                     : NULL;
    return generator != NULL && generator->kind == COIF_JSON_STRING ? generator->text : "";
}

coif_status coif_glb_archive_open_bytes(coif_archive **archive, const coif_bytes *bytes,
                                        const coif_archive_import *import, coif_arena *arena,
                                        coif_error *error)
{
    glb_archive *glb = coif_arena_new(arena, 1, glb_archive);
    COIF_TRY(coif_glb_document_parse(&glb->document, bytes, arena, error));
    const coif_glb_list *nodes = &glb->document.nodes;
    int32_t *parents = coif_arena_new(arena, nodes->count, int32_t);
    COIF_TRY(find_parents(parents, &glb->document, error));
    int32_t count = 0;
    for (int32_t n = 0; n < nodes->count; ++n) {
        count += coif_json_find(nodes->items[n], "mesh") != NULL;
    }
    coif_mesh_archive_init(&glb->base, &COIF_ARCHIVE_GLB, bytes->name, import, count, arena);
    glb->base.format = "GLB 2.0";
    glb->base.application = application_of(&glb->document);
    glb->base.states_units = true;
    glb->objects = coif_arena_new(arena, count, glb_object);
    int32_t object = 0;
    for (int32_t n = 0; n < nodes->count; ++n) {
        if (coif_json_find(nodes->items[n], "mesh") != NULL) {
            glb->objects[object].mesh = coif_glb_integer(nodes->items[n], "mesh", -1);
            COIF_TRY(place_object(glb, object++, n, parents, arena, error));
        }
    }
    if (has_items(&glb->document, "animations") || has_items(&glb->document, "skins")) {
        coif_log_once(COIF_LOG_WARNING,
                      "%s: animation of GLB is not supported; export Alembic. Meshes are read at "
                      "rest",
                      bytes->name);
    }
    *archive = &glb->base;
    return COIF_OK;
}

// ---- meshes

typedef struct glb_mesh {
    const glb_archive *glb;
    const coif_bytes *bytes;
    coif_archive_mesh *mesh;
    coif_vec3 *normals;
    coif_vec2 *uv;
    bool all_normals, any_uv;
    size_t position_capacity, normal_capacity, uv_capacity;
    size_t corner_capacity, size_capacity, group_capacity, name_capacity;
    coif_arena *arena;
    coif_error *error;
} glb_mesh;

enum { TRIANGLES = 4, TRIANGLE_STRIP = 5, TRIANGLE_FAN = 6, MOST_ELEMENTS = 100000000 };

static coif_status fail(const glb_mesh *to, const char *what)
{
    return coif_fail(to->error, COIF_ERR_FORMAT, "%s: %s", to->glb->document.path, what);
}

// Group of the primitive's material; -1 without one.
static int32_t group_of(glb_mesh *to, const coif_json *primitive)
{
    coif_archive_mesh *mesh = to->mesh;
    const int32_t index = coif_glb_integer(primitive, "material", -1);
    if (index < 0) {
        return -1;
    }
    const coif_json *material = coif_glb_item(&to->glb->document.materials, index);
    const char *name = name_of(material, "material", index, to->arena);
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        if (strcmp(mesh->group_names[g], name) == 0) {
            return g;
        }
    }
    mesh->group_names = coif_array_grow(mesh->group_names, (size_t)mesh->group_count, 1,
                                        &to->name_capacity, sizeof(char *), to->arena);
    mesh->group_names[mesh->group_count] = name;
    return mesh->group_count++;
}

// Floats of an attribute; count must be that of the positions.
static coif_status read_attribute(float *values, size_t value_stride, glb_mesh *to, int32_t index,
                                  const char *type, int32_t count)
{
    coif_glb_accessor accessor;
    COIF_TRY(
        coif_glb_accessor_open(&accessor, &to->glb->document, to->bytes, index, type, to->error));
    if (accessor.count != count) {
        return fail(to, "attributes of a primitive differ in count");
    }
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k < accessor.components; ++k) {
            const float value = (float)coif_glb_accessor_at(&accessor, i, k);
            if (!isfinite(value)) {
                return fail(to, "a number of a vertex is not finite");
            }
            values[value_stride * (size_t)i + (size_t)k] = value;
        }
    }
    return COIF_OK;
}

static coif_status add_vertices(glb_mesh *to, const coif_json *attributes, int32_t *count)
{
    coif_archive_mesh *mesh = to->mesh;
    coif_glb_accessor accessor;
    const int32_t position = coif_glb_integer(attributes, "POSITION", -1);
    const int32_t normal = coif_glb_integer(attributes, "NORMAL", -1);
    const int32_t uv = coif_glb_integer(attributes, "TEXCOORD_0", -1);
    COIF_TRY(coif_glb_accessor_open(&accessor, &to->glb->document, to->bytes, position, "VEC3",
                                    to->error));
    *count = accessor.count;
    if (*count > MOST_ELEMENTS - mesh->vertex_count) {
        return fail(to, "more than 100 million vertices");
    }
    const size_t first = (size_t)mesh->vertex_count, more = (size_t)*count;
    mesh->positions = coif_array_grow(mesh->positions, first, more, &to->position_capacity,
                                      sizeof(coif_vec3), to->arena);
    to->normals = coif_array_grow(to->normals, first, more, &to->normal_capacity, sizeof(coif_vec3),
                                  to->arena);
    to->uv = coif_array_grow(to->uv, first, more, &to->uv_capacity, sizeof(coif_vec2), to->arena);
    COIF_TRY(read_attribute(&mesh->positions[first].x, 3, to, position, "VEC3", *count));
    if (normal != -1) {
        COIF_TRY(read_attribute(&to->normals[first].x, 3, to, normal, "VEC3", *count));
    }
    if (uv != -1) {
        COIF_TRY(read_attribute(&to->uv[first].x, 2, to, uv, "VEC2", *count));
        for (size_t i = first; i < first + more; ++i) {
            to->uv[i].y = 1.0f - to->uv[i].y; // the origin is the upper left corner
        }
    }
    to->all_normals = to->all_normals && normal != -1;
    to->any_uv = to->any_uv || uv != -1;
    mesh->vertex_count += *count;
    return COIF_OK;
}

// Index of vertex k of triangle t in the list of indices.
static int32_t element_of(int32_t mode, int32_t t, int32_t k)
{
    if (mode == TRIANGLES) {
        return 3 * t + k;
    }
    if (mode == TRIANGLE_FAN) {
        return k == 0 ? 0 : t + k;
    }
    return k == 0 ? t : t + (t % 2 == 0 ? k : 3 - k); // every second one of a strip is turned
}

static coif_status add_faces(glb_mesh *to, const coif_json *primitive, int32_t mode, int32_t first,
                             int32_t vertices)
{
    coif_archive_mesh *mesh = to->mesh;
    coif_glb_accessor indices;
    const int32_t index = coif_glb_integer(primitive, "indices", -1);
    const bool indexed = index != -1;
    COIF_TRY(indexed ? coif_glb_accessor_open(&indices, &to->glb->document, to->bytes, index,
                                              "SCALAR", to->error)
                     : COIF_OK);
    const int32_t elements = indexed ? indices.count : vertices;
    const int32_t faces = mode == TRIANGLES ? elements / 3 : elements < 3 ? 0 : elements - 2;
    const int32_t group = group_of(to, primitive);
    if (faces > MOST_ELEMENTS - mesh->face_count) {
        return fail(to, "more than 100 million triangles");
    }
    const size_t at = (size_t)mesh->face_count, more = (size_t)faces;
    mesh->corners = coif_array_grow(mesh->corners, 3 * at, 3 * more, &to->corner_capacity,
                                    sizeof(int32_t), to->arena);
    mesh->face_sizes =
        coif_array_grow(mesh->face_sizes, at, more, &to->size_capacity, sizeof(int32_t), to->arena);
    mesh->face_group = coif_array_grow(mesh->face_group, at, more, &to->group_capacity,
                                       sizeof(int32_t), to->arena);
    for (int32_t t = 0; t < faces; ++t) {
        for (int32_t k = 0; k < 3; ++k) {
            const int32_t element = element_of(mode, t, k);
            const double vertex =
                indexed ? coif_glb_accessor_at(&indices, element, 0) : (double)element;
            if (!(vertex >= 0.0 && vertex < vertices)) {
                return fail(to, "an index of a vertex is out of range");
            }
            mesh->corners[mesh->corner_count++] = first + (int32_t)vertex;
        }
        mesh->face_sizes[mesh->face_count] = 3;
        mesh->face_group[mesh->face_count++] = group;
    }
    return COIF_OK;
}

static coif_status add_primitive(glb_mesh *to, const coif_json *primitive)
{
    if (primitive->kind != COIF_JSON_OBJECT) {
        return fail(to, "a primitive is not an object");
    }
    const coif_json *attributes = coif_json_find(primitive, "attributes");
    const int32_t mode = coif_glb_integer(primitive, "mode", TRIANGLES);
    if (mode < TRIANGLES || mode > TRIANGLE_FAN) { // points and lines
        return COIF_OK;
    }
    if (attributes == NULL || attributes->kind != COIF_JSON_OBJECT) {
        return fail(to, "a primitive has no attributes");
    }
    const int32_t first = to->mesh->vertex_count;
    int32_t vertices = 0;
    COIF_TRY(add_vertices(to, attributes, &vertices));
    return add_faces(to, primitive, mode, first, vertices);
}

// Mirrored nodes turn triangles inside out.
static void flip_faces(coif_archive_mesh *mesh)
{
    for (int32_t c = 0; c < mesh->corner_count; c += 3) {
        const int32_t second = mesh->corners[c + 1];
        mesh->corners[c + 1] = mesh->corners[c + 2];
        mesh->corners[c + 2] = second;
    }
}

coif_status coif_glb_archive_read_bytes(const coif_archive *archive, const coif_bytes *bytes,
                                        int32_t object, coif_archive_mesh *mesh, coif_arena *arena,
                                        coif_error *error)
{
    const glb_archive *glb = (const glb_archive *)(const void *)archive;
    const glb_object *from = &glb->objects[object];
    glb_mesh to = {.glb = glb,
                   .bytes = bytes,
                   .mesh = mesh,
                   .all_normals = true,
                   .arena = arena,
                   .error = error};
    *mesh = (coif_archive_mesh){0};
    const coif_json *item = coif_glb_item(&glb->document.meshes, from->mesh);
    const coif_json *primitives = item != NULL ? coif_json_find(item, "primitives") : NULL;
    if (primitives == NULL) {
        return fail(&to, "a node refers to no mesh with primitives");
    }
    for (const coif_json *p = primitives->child; p != NULL; p = p->next) {
        COIF_TRY(add_primitive(&to, p));
    }
    if (coif_transform_determinant(&from->to_world) < 0.0) {
        flip_faces(mesh);
    }
    coif_mesh_archive_finish(mesh, &from->to_world, to.all_normals ? to.normals : NULL,
                             to.any_uv ? to.uv : NULL, arena);
    return COIF_OK;
}

// ---- files

static coif_status open_file(coif_archive **archive, const char *path,
                             const coif_archive_import *import, coif_arena *arena,
                             coif_error *error)
{
    coif_bytes bytes;
    COIF_TRY(coif_file_map(&bytes, path, error));
    const coif_status status = coif_glb_archive_open_bytes(archive, &bytes, import, arena, error);
    coif_file_unmap(&bytes);
    return status;
}

static coif_status read_mesh(const coif_archive *archive, int32_t object, int32_t sample,
                             coif_archive_mesh *mesh, coif_arena *arena, coif_error *error)
{
    (void)sample;
    coif_bytes bytes;
    COIF_TRY(coif_file_map(&bytes, archive->path, error));
    const coif_status status =
        coif_glb_archive_read_bytes(archive, &bytes, object, mesh, arena, error);
    coif_file_unmap(&bytes);
    return status;
}

static bool matches(const unsigned char *head, size_t size)
{
    return size >= 4 && memcmp(head, "glTF", 4) == 0;
}

const coif_archive_vtable COIF_ARCHIVE_GLB = {.name = "GLB",
                                              .extensions = "glb",
                                              .matches = matches,
                                              .open = open_file,
                                              .read_mesh = read_mesh};
