// Writer of Alembic archives: curves with the attributes of Unreal's groom schema 1.4, polygon
// meshes and cameras.
#include "core/archive/alembic/abc_output.h"
#include "core/archive/archive.h"
#include "core/archive/object_names.h"
#include "core/archive/spline_ends.h"
#include "core/archive/transform.h"
#include "core/base/arena.h"
#include "core/base/error.h"

#include <string.h>

enum { GROOM_VERSION_MAJOR = 1, GROOM_VERSION_MINOR = 4 };

struct coif_archive_writer {
    coif_abc_output output;
    coif_archive_write_desc desc;
    const coif_archive_write_object *objects;
    coif_abc_out_object **nodes; // per object
    double from_meters;
    coif_arena *arena, scratch; // scratch: rewound after each call
};

// Metadata of geometry parameters.
#define PARAM(scope, extent, type, interpretation)                                                 \
    "arrayExtent=1;geoScope=" scope interpretation ";isGeomParam=true;podExtent=" extent           \
    ";podName=" type
#define AS(interpretation) ";interpretation=" interpretation

#define CURVES_SCHEMA   "AbcGeom_Curve_v2"
#define MESH_SCHEMA     "AbcGeom_PolyMesh_v1"
#define CAMERA_SCHEMA   "AbcGeom_Camera_v1"
#define XFORM_SCHEMA    "AbcGeom_Xform_v3"
#define FACE_SET_SCHEMA "AbcGeom_FaceSet_v1"

static void set_schema(coif_abc_out_object *object, const char *schema, const char *compound)
{
    object->schema = schema;
    object->compound = compound;
    object->has_base = strcmp(schema, XFORM_SCHEMA) != 0 && strcmp(schema, CAMERA_SCHEMA) != 0;
}

// The transforms along a path and its last object. A camera is below a transform of its own with
// its name.
static coif_abc_out_object *make_path(coif_archive_writer *writer,
                                      const coif_archive_write_object *object)
{
    coif_abc_out_object *at = writer->output.top;
    const char *rest = object->path + strspn(object->path, "/");
    for (;;) {
        const size_t length = strcspn(rest, "/");
        const char *name = coif_arena_print(writer->arena, "%.*s", (int)length, rest);
        coif_abc_out_object *parent = at;
        at = coif_abc_out_child(&writer->output, parent, name);
        rest += length + strspn(rest + length, "/");
        if (*rest != '\0') {
            set_schema(at, XFORM_SCHEMA, ".xform");
        } else if (object->kind != COIF_ARCHIVE_CAMERA || strcmp(parent->name, name) == 0) {
            return at;
        } else {
            set_schema(at, XFORM_SCHEMA, ".xform");
            return coif_abc_out_child(&writer->output, at, name);
        }
    }
}

static void make_objects(coif_archive_writer *writer, int32_t count)
{
    static const char *const schemas[] = {CURVES_SCHEMA, MESH_SCHEMA, CAMERA_SCHEMA};
    writer->nodes = coif_arena_new(writer->arena, count, coif_abc_out_object *);
    for (int32_t i = 0; i < count; ++i) {
        writer->nodes[i] = make_path(writer, &writer->objects[i]);
        set_schema(writer->nodes[i], schemas[writer->objects[i].kind], ".geom");
    }
}

static coif_status create(coif_archive_writer **writer, const char *path,
                          const coif_archive_write_desc *desc,
                          const coif_archive_write_object *objects, int32_t object_count,
                          coif_arena *arena, coif_error *error)
{
    coif_archive_writer *made = coif_arena_new(arena, 1, coif_archive_writer);
    coif_archive_write_object *copies =
        coif_arena_new(arena, object_count, coif_archive_write_object);
    for (int32_t i = 0; i < object_count; ++i) {
        copies[i] = objects[i];
        copies[i].path = coif_arena_copy_text(arena, objects[i].path);
    }
    made->desc = *desc;
    made->objects = copies;
    made->from_meters = 1.0 / desc->meters_per_unit;
    made->arena = arena;
    made->output.arena = arena;
    made->output.start = desc->first_frame / desc->fps;
    made->output.step = (desc->frame_step > 0.0 ? desc->frame_step : 1.0) / desc->fps;
    made->output.top = coif_arena_new(arena, 1, coif_abc_out_object);
    made->output.top->name = "";
    made->output.metadata = coif_arena_print(
        arena,
        "FramesPerTimeUnit=%.9g;_ai_Application=%s;_ai_DCC_FPS=%.9g;metersPerUnit=%.9g;upAxis=%c",
        desc->fps, desc->application, desc->fps, desc->meters_per_unit, desc->up_axis);
    make_objects(made, object_count);
    COIF_TRY(coif_ogawa_create(&made->output.ogawa, path, arena, error));
    coif_arena_init(&made->scratch, "alembic");
    *writer = made;
    return COIF_OK;
}

// Vectors in the unit and up axis of the file; unit vectors keep their length.
static coif_vec3 *to_file(coif_archive_writer *writer, const coif_vec3 *vectors, size_t count,
                          bool unit)
{
    coif_vec3 *converted = coif_arena_new(&writer->scratch, count, coif_vec3);
    const double scale = unit ? 1.0 : writer->from_meters;
    const bool z_up = writer->desc.up_axis == 'z';
    for (size_t i = 0; i < count; ++i) {
        const coif_vec3 v = vectors[i];
        const coif_vec3 turned = z_up ? (coif_vec3){v.x, -v.z, v.y} : v;
        converted[i] = (coif_vec3){(float)(scale * turned.x), (float)(scale * turned.y),
                                   (float)(scale * turned.z)};
    }
    return converted;
}

// The object that a call writes, and the lists of its properties.
typedef struct target {
    coif_archive_writer *writer;
    coif_abc_out_property **list;
    uint32_t sampling;
} target;

static target target_of(coif_archive_writer *writer, int32_t object)
{
    return (target){.writer = writer,
                    .list = &writer->nodes[object]->properties,
                    .sampling = writer->objects[object].animated};
}

static target attributes_of(const target *geometry)
{
    target attributes = *geometry;
    attributes.list =
        &coif_abc_out_compound(&geometry->writer->output, geometry->list, ".arbGeomParams")
             ->children;
    return attributes;
}

// An array of count elements; NULL repeats the sample before.
static coif_status put_array(const target *to, const char *name, const char *metadata,
                             coif_abc_type type, uint32_t extent, const void *data, size_t count,
                             coif_error *error)
{
    const size_t width = type == COIF_ABC_INT16 ? 2 : 4;
    const coif_abc_out_desc desc = {name, metadata, true, type, extent, to->sampling};
    if (data == NULL) {
        coif_abc_out_repeat(&to->writer->output, *to->list, name);
        return COIF_OK;
    }
    return coif_abc_out_sample(&to->writer->output, to->list, &desc, data, extent * count * width,
                               error);
}

static coif_status put_scalar(const target *to, const char *name, const char *metadata,
                              coif_abc_type type, uint32_t extent, const void *data, size_t size,
                              coif_error *error)
{
    const coif_abc_out_desc desc = {name, metadata, false, type, extent, to->sampling};
    return coif_abc_out_sample(&to->writer->output, to->list, &desc, data, size, error);
}

// A constant attribute with one sample.
static coif_status put_constant(const target *to, const char *name, int16_t value,
                                coif_error *error)
{
    target once = *to;
    once.sampling = 0;
    return put_array(&once, name, PARAM("con", "1", "int16_t", ""), COIF_ABC_INT16, 1, &value, 1,
                     error);
}

static coif_status put_bounds(const target *to, const coif_vec3 *points, size_t count,
                              coif_error *error)
{
    double bounds[6] = {0};
    for (size_t i = 0; i < count; ++i) {
        const float p[3] = {points[i].x, points[i].y, points[i].z};
        for (int k = 0; k < 3; ++k) {
            bounds[k] = i == 0 || p[k] < bounds[k] ? p[k] : bounds[k];
            bounds[3 + k] = i == 0 || p[k] > bounds[3 + k] ? p[k] : bounds[3 + k];
        }
    }
    return put_scalar(to, ".selfBnds", "interpretation=box", COIF_ABC_FLOAT64, 6, bounds,
                      sizeof bounds, error);
}

static coif_status put_points(const target *to, const coif_vec3 *positions,
                              const coif_vec3 *velocities, size_t count, coif_error *error)
{
    const coif_vec3 *points = to_file(to->writer, positions, count, false);
    COIF_TRY(put_array(to, "P", "geoScope=vtx;interpretation=point", COIF_ABC_FLOAT32, 3, points,
                       count, error));
    COIF_TRY(put_bounds(to, points, count, error));
    return put_array(to, ".velocities", "interpretation=vector", COIF_ABC_FLOAT32, 3,
                     velocities != NULL ? to_file(to->writer, velocities, count, false) : NULL,
                     count, error);
}

static int16_t *to_int16(coif_archive_writer *writer, const int32_t *values, size_t count)
{
    if (values == NULL) {
        return NULL;
    }
    int16_t *narrow = coif_arena_new(&writer->scratch, count, int16_t);
    for (size_t i = 0; i < count; ++i) {
        narrow[i] = (int16_t)values[i];
    }
    return narrow;
}

static coif_status put_groom_constants(const target *to, bool is_guide, coif_error *error)
{
    static const char tool[] = "coif " COIF_VERSION; // with its zero byte
    const coif_abc_out_desc desc = {
        "groom_tool", PARAM("con", "1", "string", ""), true, COIF_ABC_STRING, 1, 0};
    COIF_TRY(put_constant(to, "groom_version_major", GROOM_VERSION_MAJOR, error));
    COIF_TRY(put_constant(to, "groom_version_minor", GROOM_VERSION_MINOR, error));
    COIF_TRY(is_guide ? put_constant(to, "groom_guide", 1, error) : COIF_OK);
    return coif_abc_out_sample(&to->writer->output, to->list, &desc, tool, sizeof tool, error);
}

// Text per curve, each with its zero byte.
static coif_status put_texts(const target *to, const char *name, const char *const *texts,
                             size_t count, coif_error *error)
{
    const coif_abc_out_desc desc = {
        name, PARAM("uni", "1", "string", ""), true, COIF_ABC_STRING, 1, to->sampling};
    size_t size = 0;
    if (texts == NULL) {
        coif_abc_out_repeat(&to->writer->output, *to->list, name);
        return COIF_OK;
    }
    for (size_t i = 0; i < count; ++i) {
        size += strlen(texts[i]) + 1;
    }
    char *joined = coif_arena_new(&to->writer->scratch, size, char), *at = joined;
    for (size_t i = 0; i < count; ++i) {
        const size_t bytes = strlen(texts[i]) + 1;
        memcpy(at, texts[i], bytes);
        at += bytes;
    }
    return coif_abc_out_sample(&to->writer->output, to->list, &desc, joined, size, error);
}

static coif_status put_groom(const target *to, const coif_archive_curves *curves, bool is_guide,
                             const float *widths, coif_error *error)
{
    const size_t count = (size_t)curves->curve_count, points = (size_t)curves->point_count;
    const char *const id = PARAM("uni", "1", "int32_t", "");
    COIF_TRY(put_array(to, "groom_width", PARAM("vtx", "1", "float32_t", ""), COIF_ABC_FLOAT32, 1,
                       widths, points, error));
    COIF_TRY(put_array(to, "groom_color", PARAM("vtx", "3", "float32_t", AS("rgb")),
                       COIF_ABC_FLOAT32, 3, curves->colors, points, error));
    COIF_TRY(put_array(to, "groom_root_uv", PARAM("uni", "2", "float32_t", AS("vector")),
                       COIF_ABC_FLOAT32, 2, curves->uv, count, error));
    COIF_TRY(put_array(to, "groom_id", id, COIF_ABC_INT32, 1, curves->ids, count, error));
    COIF_TRY(
        put_array(to, "groom_group_id", id, COIF_ABC_INT32, 1, curves->group_ids, count, error));
    COIF_TRY(put_texts(to, "groom_group_name", curves->group_names, count, error));
    COIF_TRY(put_array(to, "groom_closest_guides", PARAM("uni", "3", "int32_t", AS("vector")),
                       COIF_ABC_INT32, 3, curves->closest_guides, count, error));
    COIF_TRY(put_array(to, "groom_guide_weights", PARAM("uni", "3", "float32_t", AS("vector")),
                       COIF_ABC_FLOAT32, 3, curves->guide_weights, count, error));
    return is_guide ? COIF_OK
                    : put_array(to, "groom_guide", PARAM("uni", "1", "int16_t", ""), COIF_ABC_INT16,
                                1, to_int16(to->writer, curves->guide, count), count, error);
}

static coif_status put_basis(const target *to, const coif_archive_curves *curves, coif_error *error)
{
    static const uint8_t bases[] = {0, 2, 3, 1}; // by coif_curve_basis
    const coif_curve_basis basis = to->writer->desc.basis;
    const uint8_t codes[4] = {basis == COIF_BASIS_LINEAR, curves->periodic, bases[basis],
                              bases[basis]};
    return put_scalar(to, "curveBasisAndType", "", COIF_ABC_UINT8, 4, codes, sizeof codes, error);
}

static coif_status put_curves(const target *to, bool first, bool is_guide,
                              const coif_archive_curves *given, coif_error *error)
{
    coif_archive_writer *writer = to->writer;
    coif_archive_curves extended = *given;
    const coif_archive_curves *curves = &extended;
    extended.basis = writer->desc.basis;
    coif_curves_add_ends(&extended, &writer->scratch);
    const size_t points = (size_t)curves->point_count;
    float *widths = NULL;
    if (curves->widths != NULL) {
        widths = coif_arena_new(&writer->scratch, points, float);
        for (size_t i = 0; i < points; ++i) {
            widths[i] = (float)(writer->from_meters * (double)curves->widths[i]);
        }
    }
    COIF_TRY(put_points(to, curves->points, curves->velocities, points, error));
    COIF_TRY(put_array(to, "nVertices", "", COIF_ABC_INT32, 1, curves->counts,
                       (size_t)curves->curve_count, error));
    COIF_TRY(put_basis(to, curves, error));
    COIF_TRY(put_array(to, "width", PARAM("vtx", "1", "float32_t", ""), COIF_ABC_FLOAT32, 1, widths,
                       points, error));
    const target attributes = attributes_of(to);
    COIF_TRY(first ? put_groom_constants(&attributes, is_guide, error) : COIF_OK);
    COIF_TRY(first && given->pinned != curves->pinned
                 ? put_constant(&attributes, COIF_ABC_PINNED, 1, error)
                 : COIF_OK);
    return put_groom(&attributes, curves, is_guide, widths, error);
}

static coif_status write_curves(coif_archive_writer *writer, int32_t object, int32_t sample,
                                const coif_archive_curves *curves, coif_error *error)
{
    const coif_arena_mark mark = coif_arena_mark_here(&writer->scratch);
    const target to = target_of(writer, object);
    const coif_status status =
        put_curves(&to, sample == 0, writer->objects[object].is_guide, curves, error);
    coif_arena_rewind(&writer->scratch, mark);
    return status;
}

// Copies words per corner with the corners of each face reversed: files hold clockwise faces.
static void *reverse_faces(coif_archive_writer *writer, const coif_archive_mesh *mesh,
                           const void *words, size_t extent)
{
    if (words == NULL) {
        return NULL;
    }
    int32_t *reversed =
        coif_arena_new(&writer->scratch, extent * (size_t)mesh->corner_count, int32_t);
    size_t first = 0;
    for (int32_t f = 0; f < mesh->face_count; ++f) {
        const size_t count = (size_t)mesh->face_sizes[f];
        for (size_t i = 0; i < count; ++i) {
            memcpy(reversed + extent * (first + i),
                   (const int32_t *)words + extent * (first + count - 1 - i),
                   extent * sizeof *reversed);
        }
        first += count;
    }
    return reversed;
}

static coif_status put_face_sets(coif_archive_writer *writer, coif_abc_out_object *parent,
                                 const coif_archive_mesh *mesh, coif_error *error)
{
    int32_t *faces = coif_arena_new(&writer->scratch, mesh->face_count, int32_t);
    const char **names =
        coif_archive_object_names(mesh->group_names, mesh->group_count, false, writer->arena);
    for (int32_t g = 0; mesh->face_group != NULL && g < mesh->group_count; ++g) {
        coif_abc_out_object *set = coif_abc_out_child(&writer->output, parent, names[g]);
        const target to = {.writer = writer, .list = &set->properties};
        size_t count = 0;
        for (int32_t f = 0; f < mesh->face_count; ++f) {
            if (mesh->face_group[f] == g) {
                faces[count++] = f;
            }
        }
        set_schema(set, FACE_SET_SCHEMA, ".faceset");
        COIF_TRY(put_array(&to, ".faces", "", COIF_ABC_INT32, 1, faces, count, error));
    }
    return COIF_OK;
}

static coif_status put_mesh(const target *to, const coif_archive_mesh *mesh, coif_error *error)
{
    coif_archive_writer *writer = to->writer;
    const size_t corners = (size_t)mesh->corner_count;
    const coif_vec3 *normals =
        mesh->normals != NULL ? to_file(writer, mesh->normals, corners, true) : NULL;
    COIF_TRY(put_points(to, mesh->positions, mesh->velocities, (size_t)mesh->vertex_count, error));
    COIF_TRY(put_array(to, ".faceIndices", "", COIF_ABC_INT32, 1,
                       reverse_faces(writer, mesh, mesh->corners, 1), corners, error));
    COIF_TRY(put_array(to, ".faceCounts", "", COIF_ABC_INT32, 1, mesh->face_sizes,
                       (size_t)mesh->face_count, error));
    COIF_TRY(put_array(to, "uv", PARAM("fvr", "2", "float32_t", AS("vector")), COIF_ABC_FLOAT32, 2,
                       reverse_faces(writer, mesh, mesh->uv, 2), corners, error));
    return put_array(to, "N", PARAM("fvr", "3", "float32_t", AS("normal")), COIF_ABC_FLOAT32, 3,
                     reverse_faces(writer, mesh, normals, 3), corners, error);
}

static coif_status write_mesh(coif_archive_writer *writer, int32_t object, int32_t sample,
                              const coif_archive_mesh *mesh, coif_error *error)
{
    const coif_arena_mark mark = coif_arena_mark_here(&writer->scratch);
    const target to = target_of(writer, object);
    coif_status status = put_mesh(&to, mesh, error);
    if (status == COIF_OK && sample == 0) {
        status = put_face_sets(writer, writer->nodes[object], mesh, error);
    }
    coif_arena_rewind(&writer->scratch, mark);
    return status;
}

// The transform of a camera as one matrix of row vectors.
static coif_status put_matrix(const target *to, bool first, const coif_archive_camera *camera,
                              coif_error *error)
{
    static const uint8_t matrix_operation = 3 << 4, yes = 1;
    double values[16] = {0};
    for (int c = 0; c < 4; ++c) {
        const float *m = camera->to_world + c;
        const coif_vec3 axis = {m[0], m[4], m[8]};
        const coif_vec3 *v = to_file(to->writer, &axis, 1, c < 3);
        values[4 * c] = v->x;
        values[4 * c + 1] = v->y;
        values[4 * c + 2] = v->z;
    }
    values[15] = 1.0;
    target once = *to;
    once.sampling = 0;
    COIF_TRY(put_scalar(to, ".inherits", "", COIF_ABC_BOOL, 1, &yes, 1, error));
    if (first) {
        COIF_TRY(put_scalar(&once, ".ops", "", COIF_ABC_UINT8, 1, &matrix_operation, 1, error));
    }
    COIF_TRY(put_scalar(to, ".vals", "", COIF_ABC_FLOAT64, 16, values, sizeof values, error));
    return first ? put_scalar(&once, "isNotConstantIdentity", "", COIF_ABC_BOOL, 1, &yes, 1, error)
                 : COIF_OK;
}

static coif_abc_out_object *parent_of(coif_abc_out_object *at, const coif_abc_out_object *child)
{
    for (coif_abc_out_object *c = at->children; c != NULL; c = c->next) {
        coif_abc_out_object *found = c == child ? at : parent_of(c, child);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

// Millimetres for the focal length, centimetres for the film; clipping planes at 1 cm and 1 km.
static coif_status put_camera(const target *to, const coif_archive_camera *camera,
                              coif_error *error)
{
    const double per_meter = to->writer->from_meters;
    const double core[16] = {(double)camera->focal_length,
                             0.1 * (double)camera->film_width,
                             0.1 * (double)camera->film_offset[0],
                             0.1 * (double)camera->film_height,
                             0.1 * (double)camera->film_offset[1],
                             1.0,
                             0.0,
                             0.0,
                             0.0,
                             0.0,
                             (double)camera->f_stop,
                             per_meter * (double)camera->focus_distance,
                             (double)camera->shutter_open,
                             (double)camera->shutter_close,
                             0.01 * per_meter,
                             1000.0 * per_meter};
    return put_scalar(to, ".core", "", COIF_ABC_FLOAT64, 16, core, sizeof core, error);
}

static coif_status write_camera(coif_archive_writer *writer, int32_t object, int32_t sample,
                                const coif_archive_camera *camera, coif_error *error)
{
    const coif_arena_mark mark = coif_arena_mark_here(&writer->scratch);
    const target lens = target_of(writer, object);
    target place = lens;
    place.list = &parent_of(writer->output.top, writer->nodes[object])->properties;
    coif_status status = put_matrix(&place, sample == 0, camera, error);
    if (status == COIF_OK) {
        status = put_camera(&lens, camera, error);
    }
    coif_arena_rewind(&writer->scratch, mark);
    return status;
}

static coif_status commit(coif_archive_writer *writer, coif_error *error)
{
    const coif_status status = coif_abc_output_commit(&writer->output, error);
    coif_arena_free(&writer->scratch);
    return status;
}

static void discard(coif_archive_writer *writer)
{
    coif_ogawa_discard(&writer->output.ogawa);
    coif_arena_free(&writer->scratch);
}

const coif_archive_writer_vtable COIF_ARCHIVE_WRITE_ALEMBIC = {.name = "alembic",
                                                               .extensions = "abc",
                                                               .create = create,
                                                               .write_curves = write_curves,
                                                               .write_mesh = write_mesh,
                                                               .write_camera = write_camera,
                                                               .commit = commit,
                                                               .discard = discard};
