// Opening of Alembic archives: the hierarchy and its objects, and the calls of their readers.
#include "core/archive/alembic/abc_reader.h"
#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 256,            // of the hierarchy
    MIN_LIBRARY_VERSION = 9999, // of Alembic, major * 10000 + minor * 100 + patch
    ROOT_VERSION = 0,           // references of the root group
    ROOT_LIBRARY = 1,
    ROOT_TOP = 2,
    ROOT_METADATA = 3,
    ROOT_SAMPLINGS = 4,
    ROOT_INDEXED = 5
};
static const uint64_t MAX_TIMES = 1000000; // of all objects, beyond the bytes of the file

// Compound of a schema and what is read of it; objects state the schema in their metadata.
static const struct {
    const char *title, *compound;
    coif_abc_schema schema;
} SCHEMAS[] = {
    {"AbcGeom_Xform_v3", ".xform", COIF_ABC_XFORM},
    {"AbcGeom_Curve_v2", ".geom", COIF_ABC_CURVES},
    {"AbcGeom_PolyMesh_v1", ".geom", COIF_ABC_MESH},
    {"AbcGeom_SubD_v1", ".geom", COIF_ABC_MESH},
    {"AbcGeom_Camera_v1", ".geom", COIF_ABC_CAMERA},
    {"AbcGeom_FaceSet_v1", ".faceset", COIF_ABC_FACE_SET},
};

typedef struct hierarchy {
    coif_abc_file *file;
    coif_abc_node **nodes; // with geometry or camera
    size_t count, capacity;
    uint64_t times; // that objects may still take
} hierarchy;

static coif_status read_schema(coif_abc_node *node, coif_abc_file *file,
                               const coif_ogawa_group *group, const char *metadata,
                               coif_error *error)
{
    uint64_t reference;
    char title[64];
    coif_abc_metadata_get(title, sizeof title, metadata, "schema");
    for (size_t i = 0; i < COIF_COUNT_OF(SCHEMAS); ++i) {
        if (strcmp(title, SCHEMAS[i].title) != 0 || group->count == 0) {
            continue;
        }
        coif_abc_property all = {.compound = true};
        COIF_TRY(coif_ogawa_child(&reference, &file->ogawa, group, 0, error));
        COIF_TRY(coif_abc_read_compound(&all, file, reference, error));
        const coif_abc_property *found = coif_abc_find(&all, SCHEMAS[i].compound);
        if (found == NULL || !found->compound) {
            return coif_ogawa_fail(&file->ogawa, group->offset, error, "%s of %s is missing",
                                   SCHEMAS[i].compound, node->path);
        }
        node->schema = SCHEMAS[i].schema;
        node->properties = coif_arena_new(file->arena, 1, coif_abc_property);
        *node->properties = *found;
    }
    if (coif_abc_metadata_is(metadata, "isInstance", "1")) {
        coif_log(COIF_LOG_WARNING, "%s: %s: instances are not read", file->ogawa.source.name,
                 node->path);
    }
    return COIF_OK;
}

static void add_node(hierarchy *all, coif_abc_node *node)
{
    if (node->schema == COIF_ABC_FACE_SET && node->parent->schema == COIF_ABC_MESH) {
        coif_abc_node **last = &node->parent->face_sets;
        while (*last != NULL) {
            last = &(*last)->next_face_set;
        }
        *last = node;
    }
    if (node->schema == COIF_ABC_CURVES || node->schema == COIF_ABC_MESH ||
        node->schema == COIF_ABC_CAMERA) {
        all->nodes = coif_array_grow(all->nodes, all->count, 1, &all->capacity, sizeof *all->nodes,
                                     all->file->arena);
        all->nodes[all->count++] = node;
    }
}

// The header of a child object: name and metadata.
static coif_status take_child(coif_abc_node *child, const char **metadata, coif_abc_cursor *headers,
                              coif_error *error)
{
    coif_abc_file *file = headers->file;
    const uint64_t offset = headers->offset + headers->at;
    uint32_t size;
    uint8_t index;
    COIF_TRY(coif_abc_take(&size, sizeof size, headers, error));
    COIF_TRY(coif_abc_take_text(&child->name, size, headers, error));
    COIF_TRY(coif_abc_take(&index, sizeof index, headers, error));
    COIF_TRY(coif_abc_take_metadata(metadata, index, sizeof size, headers, error));
    COIF_TRY(coif_ogawa_charge(&file->ogawa, strlen(child->parent->path), offset, error));
    child->path = coif_arena_print(file->arena, "%s/%s", child->parent->path, child->name);
    return COIF_OK;
}

static coif_status read_object(hierarchy *all, coif_abc_node *node, uint64_t reference,
                               const char *metadata, int depth, coif_error *error);

static coif_status read_children(hierarchy *all, coif_abc_node *node, const coif_ogawa_group *group,
                                 int depth, coif_error *error)
{
    coif_abc_file *file = all->file;
    coif_abc_cursor headers;
    COIF_TRY(coif_abc_load(&headers, file, group, group->count - 1, error));
    headers.size -= headers.size < COIF_ABC_DIGEST_BYTES ? headers.size : COIF_ABC_DIGEST_BYTES;
    for (uint64_t i = 1; headers.at < headers.size; ++i) {
        coif_abc_node *child = coif_arena_new(file->arena, 1, coif_abc_node);
        const char *metadata;
        uint64_t reference;
        child->parent = node;
        COIF_TRY(take_child(child, &metadata, &headers, error));
        COIF_TRY(coif_ogawa_child(&reference, &file->ogawa, group, i, error));
        COIF_TRY(read_object(all, child, reference, metadata, depth + 1, error));
    }
    return COIF_OK;
}

static coif_status read_object(hierarchy *all, coif_abc_node *node, uint64_t reference,
                               const char *metadata, int depth, coif_error *error)
{
    coif_abc_file *file = all->file;
    coif_ogawa_group group;
    if (depth > MAX_DEPTH) {
        return coif_ogawa_fail(&file->ogawa, reference, error, "objects nested deeper than %d",
                               MAX_DEPTH);
    }
    COIF_TRY(coif_ogawa_charge(&file->ogawa, sizeof(uint64_t), reference, error));
    COIF_TRY(coif_ogawa_group_at(&group, &file->ogawa, reference, error));
    if (group.count == 0) {
        return COIF_OK;
    }
    COIF_TRY(read_schema(node, file, &group, metadata, error));
    add_node(all, node);
    const coif_arena_mark mark = coif_arena_mark_here(file->scratch);
    const coif_status status = read_children(all, node, &group, depth, error);
    coif_arena_rewind(file->scratch, mark);
    return status;
}

static coif_status read_number(int32_t *number, coif_abc_file *file, const coif_ogawa_group *root,
                               uint64_t index, coif_error *error)
{
    coif_abc_cursor cursor;
    COIF_TRY(coif_abc_load(&cursor, file, root, index, error));
    return coif_abc_take(number, sizeof *number, &cursor, error);
}

// Versions, time samplings and metadata.
static coif_status read_root(coif_abc_archive *archive, coif_abc_file *file,
                             const coif_ogawa_group *root, coif_error *error)
{
    int32_t version, library;
    coif_abc_cursor cursor;
    const char *metadata;
    COIF_TRY(read_number(&version, file, root, ROOT_VERSION, error));
    COIF_TRY(read_number(&library, file, root, ROOT_LIBRARY, error));
    if (version != 0 || library < MIN_LIBRARY_VERSION) {
        return coif_ogawa_fail(&file->ogawa, root->offset, error,
                               "version %d of Alembic %d, expected 0 and at least %d", version,
                               library, MIN_LIBRARY_VERSION);
    }
    COIF_TRY(coif_abc_read_samplings(file, root, ROOT_SAMPLINGS, error));
    COIF_TRY(coif_abc_read_indexed_metadata(file, root, ROOT_INDEXED, error));
    COIF_TRY(coif_abc_load(&cursor, file, root, ROOT_METADATA, error));
    COIF_TRY(coif_abc_take_text(&metadata, cursor.size, &cursor, error));

    char text[256];
    coif_archive *base = &archive->base;
    base->format = coif_arena_print(file->arena, "Alembic %d.%d (Ogawa)", library / 10000,
                                    library / 100 % 100);
    coif_abc_metadata_get(text, sizeof text, metadata, "_ai_Application");
    base->application = coif_arena_copy_text(file->arena, text);
    coif_abc_metadata_get(text, sizeof text, metadata, "_ai_DCC_FPS");
    if (text[0] == '\0') {
        coif_abc_metadata_get(text, sizeof text, metadata, "FramesPerTimeUnit");
    }
    const double fps = strtod(text, NULL);
    base->fps = fps > 0.0 && fps < 1e6 ? fps : 0.0;
    coif_abc_metadata_get(text, sizeof text, metadata, "metersPerUnit");
    const double meters = strtod(text, NULL);
    base->states_units = meters > 0.0 && meters < 1e9;
    base->meters_per_unit = base->states_units ? meters : 1.0;
    base->up_axis = coif_abc_metadata_is(metadata, "upAxis", "z") ? 'z' : 'y';
    return COIF_OK;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// Appends the times of the samples of an animated property.
static coif_status add_times(double **times, size_t *count, size_t *capacity, hierarchy *all,
                             const coif_abc_property *property, coif_error *error)
{
    if (!coif_abc_is_animated(property)) {
        return COIF_OK;
    }
    if (property->sample_count > all->times) {
        return coif_ogawa_fail(&all->file->ogawa, property->group.offset, error,
                               "too many samples: %u of %s", property->sample_count,
                               property->name);
    }
    all->times -= property->sample_count;
    *times = coif_array_grow(*times, *count, property->sample_count, capacity, sizeof **times,
                             all->file->scratch);
    for (uint32_t i = 0; i < property->sample_count; ++i) {
        (*times)[(*count)++] = coif_abc_sample_time(property, i);
    }
    return COIF_OK;
}

// Two samples nearer than this are one, in seconds.
static const double SAME_TIME = 1e-6;

// The union of the times of the properties that move an object.
static coif_status collect_times(coif_archive_object *object, hierarchy *all,
                                 const coif_abc_node *node, coif_error *error)
{
    static const char *const moving[] = {"P", "nVertices", ".faceCounts", ".faceIndices", ".core"};
    double *times = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < COIF_COUNT_OF(moving); ++i) {
        COIF_TRY(add_times(&times, &count, &capacity, all,
                           coif_abc_find(node->properties, moving[i]), error));
    }
    for (const coif_abc_node *at = node->parent; at != NULL; at = at->parent) {
        COIF_TRY(add_times(&times, &count, &capacity, all, coif_abc_find(at->properties, ".vals"),
                           error));
    }
    if (count > 0) {
        qsort(times, count, sizeof *times, compare_times);
    }
    double *kept = coif_arena_new(all->file->arena, count > 0 ? count : 1, double);
    object->times = kept;
    object->sample_count = count == 0;
    for (size_t i = 0; i < count; ++i) {
        if (object->sample_count == 0 || times[i] > kept[object->sample_count - 1] + SAME_TIME) {
            kept[object->sample_count++] = times[i];
        }
    }
    return COIF_OK;
}

// Whether a constant groom_guide marks all curves of the object.
static coif_status read_is_guide(bool *is_guide, coif_abc_file *file, const coif_abc_node *node,
                                 coif_error *error)
{
    const coif_abc_query query = {.ogawa = &file->ogawa, .node = node, .arena = file->scratch};
    *is_guide = false;
    for (const coif_abc_node *at = node; at != NULL; at = at->parent) {
        const coif_abc_property *guide =
            coif_abc_find(coif_abc_find(at->properties, ".arbGeomParams"), "groom_guide");
        if (guide != NULL && coif_abc_metadata_is(guide->metadata, "geoScope", "con")) {
            double value = 0.0;
            uint32_t count = 1;
            COIF_TRY(coif_abc_read_doubles(&value, &count, &query, guide, error));
            *is_guide = value != 0.0;
            return COIF_OK;
        }
    }
    return COIF_OK;
}

static coif_status describe_object(coif_archive_object *object, hierarchy *all,
                                   const coif_abc_node *node, coif_error *error)
{
    const coif_abc_property *properties = node->properties;
    object->path = node->path;
    object->kind = node->schema == COIF_ABC_CURVES ? COIF_ARCHIVE_CURVES
                   : node->schema == COIF_ABC_MESH ? COIF_ARCHIVE_MESH
                                                   : COIF_ARCHIVE_CAMERA;
    object->constant_topology = !coif_abc_is_animated(coif_abc_find(properties, "nVertices")) &&
                                !coif_abc_is_animated(coif_abc_find(properties, ".faceCounts")) &&
                                !coif_abc_is_animated(coif_abc_find(properties, ".faceIndices"));
    const coif_arena_mark mark = coif_arena_mark_here(all->file->scratch);
    COIF_TRY(collect_times(object, all, node, error));
    COIF_TRY(node->schema == COIF_ABC_CURVES
                 ? read_is_guide(&object->is_guide, all->file, node, error)
                 : COIF_OK);
    coif_arena_rewind(all->file->scratch, mark);
    return COIF_OK;
}

static coif_status read_archive(coif_abc_archive *archive, coif_abc_file *file, coif_error *error)
{
    coif_ogawa_group root;
    uint64_t top;
    hierarchy all = {.file = file, .times = MAX_TIMES + file->ogawa.source.size};
    COIF_TRY(coif_ogawa_group_at(&root, &file->ogawa, file->ogawa.root, error));
    COIF_TRY(read_root(archive, file, &root, error));
    COIF_TRY(coif_ogawa_child(&top, &file->ogawa, &root, ROOT_TOP, error));
    coif_abc_node *node = coif_arena_new(file->arena, 1, coif_abc_node);
    node->name = node->path = "";
    COIF_TRY(read_object(&all, node, top, "", 0, error));
    archive->nodes = all.nodes;
    archive->base.objects = coif_arena_new(file->arena, all.count, coif_archive_object);
    archive->base.object_count = (int32_t)all.count;
    for (size_t i = 0; i < all.count; ++i) {
        COIF_TRY(describe_object(&archive->base.objects[i], &all, all.nodes[i], error));
    }
    return COIF_OK;
}

static void apply_import(coif_archive *base, const coif_archive_import *import)
{
    if (import != NULL && import->meters_per_unit > 0.0) {
        base->meters_per_unit = import->meters_per_unit;
        base->states_units = true;
    }
    if (import != NULL && import->up_axis != 0) {
        base->up_axis = import->up_axis;
    }
}

coif_status coif_abc_open(coif_archive **archive, const coif_bytes *source,
                          const coif_archive_import *import, coif_arena *arena, coif_error *error)
{
    coif_arena scratch;
    coif_abc_file file = {.arena = arena, .scratch = &scratch};
    COIF_TRY(coif_ogawa_open(&file.ogawa, source, error));
    coif_abc_archive *opened = coif_arena_new(arena, 1, coif_abc_archive);
    opened->base = (coif_archive){.vtable = &COIF_ARCHIVE_ALEMBIC,
                                  .path = coif_arena_copy_text(arena, source->name)};
    opened->source = file.ogawa.source;
    opened->source.name = opened->base.path;
    coif_arena_init(&scratch, "alembic");
    const coif_status status = read_archive(opened, &file, error);
    coif_arena_free(&scratch);
    coif_ogawa_close(&file.ogawa);
    apply_import(&opened->base, import);
    *archive = &opened->base;
    return status;
}

coif_status coif_abc_run(coif_abc_reader reader, void *result, const coif_archive *archive,
                         int32_t object, int32_t sample, coif_arena *arena, coif_error *error)
{
    const coif_abc_archive *self = (const coif_abc_archive *)archive;
    COIF_REQUIRE(object >= 0 && object < archive->object_count);
    COIF_REQUIRE(sample >= 0 && sample < archive->objects[object].sample_count);
    const double *times = archive->objects[object].times;
    coif_ogawa ogawa;
    COIF_TRY(coif_ogawa_open(&ogawa, &self->source, error));
    coif_abc_query query = {.ogawa = &ogawa,
                            .node = self->nodes[object],
                            .time = times[sample],
                            .first_time = times[0],
                            .last_time = times[archive->objects[object].sample_count - 1],
                            .units =
                                coif_transform_of_units(archive->meters_per_unit, archive->up_axis),
                            .arena = arena};
    coif_status status = coif_abc_transform_at(&query.to_world, &query, query.time, error);
    if (status == COIF_OK) {
        status = reader(result, &query, error);
    }
    coif_ogawa_close(&ogawa);
    return status;
}

static bool matches(const unsigned char *head, size_t size)
{
    return size >= 5 && memcmp(head, "Ogawa", 5) == 0;
}

static coif_status open_path(coif_archive **archive, const char *path,
                             const coif_archive_import *import, coif_arena *arena,
                             coif_error *error)
{
    const coif_bytes source = {.name = path};
    return coif_abc_open(archive, &source, import, arena, error);
}

static coif_status read_curves(const coif_archive *archive, int32_t object, int32_t sample,
                               coif_archive_curves *curves, coif_arena *arena, coif_error *error)
{
    return coif_abc_run(coif_abc_read_curves, curves, archive, object, sample, arena, error);
}

static coif_status read_mesh(const coif_archive *archive, int32_t object, int32_t sample,
                             coif_archive_mesh *mesh, coif_arena *arena, coif_error *error)
{
    return coif_abc_run(coif_abc_read_mesh, mesh, archive, object, sample, arena, error);
}

static coif_status read_camera(const coif_archive *archive, int32_t object, int32_t sample,
                               coif_archive_camera *camera, coif_arena *arena, coif_error *error)
{
    return coif_abc_run(coif_abc_read_camera, camera, archive, object, sample, arena, error);
}

const coif_archive_vtable COIF_ARCHIVE_ALEMBIC = {.name = "alembic",
                                                  .extensions = "abc",
                                                  .matches = matches,
                                                  .open = open_path,
                                                  .read_curves = read_curves,
                                                  .read_mesh = read_mesh,
                                                  .read_camera = read_camera};
