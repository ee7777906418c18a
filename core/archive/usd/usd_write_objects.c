// Writer of USD: curves, meshes, cameras.
#include "core/archive/object_names.h"
#include "core/archive/usd/usd_write.h"
#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/error.h"
#include "core/base/string_table.h"

#include <math.h>
#include <string.h>

// One call of the writer.
typedef struct target {
    coif_archive_writer *writer;
    coif_usd_out_prim *prim;
    int32_t sample; // -1: the prim does not move
    coif_arena *scratch;
    coif_error *error;
} target;

static target target_of(coif_archive_writer *writer, int32_t object, int32_t sample,
                        coif_arena *scratch, coif_error *error)
{
    COIF_REQUIRE(object >= 0 && (size_t)object < writer->prim_count);
    coif_usd_out_prim *prim = writer->prims[object];
    return (target){writer, prim, prim->animated ? sample : -1, scratch, error};
}

static coif_status put(const target *to, const coif_usd_out_desc *desc, const void *data,
                       int64_t count)
{
    return data != NULL
               ? coif_usd_put(to->writer, to->prim, desc, to->sample, data, count, to->error)
               : COIF_OK;
}

// A value that has no time.
static coif_status put_fixed(const target *to, const coif_usd_out_desc *desc, const void *data,
                             int64_t count)
{
    target fixed = *to;
    fixed.sample = -1;
    return put(&fixed, desc, data, count);
}

static coif_status put_token(const target *to, const char *name, const char *token)
{
    const coif_usd_out_desc desc = {.name = name, .type = "token", .uniform = true};
    return put_fixed(to, &desc, &token, 1);
}

// Vectors (or, with the translation of the unit's transform, points) in the space of the file.
static coif_vec3 *to_file(const target *to, const coif_transform *transform,
                          const coif_vec3 *vectors, int64_t count)
{
    if (vectors == NULL) {
        return NULL;
    }
    coif_vec3 *converted = coif_arena_new(to->scratch, count, coif_vec3);
    for (int64_t i = 0; i < count; ++i) {
        converted[i] = coif_transform_vector(transform, vectors[i]);
    }
    return converted;
}

static coif_status put_vectors(const target *to, const coif_usd_out_desc *desc,
                               const coif_vec3 *vectors, int64_t count)
{
    return put(to, desc, to_file(to, &to->writer->to_file, vectors, count), count);
}

// Bounds of points in the space of the file, larger by a radius.
static coif_status put_extent(const target *to, const coif_vec3 *points, int64_t count,
                              float radius)
{
    static const coif_usd_out_desc desc = {.name = "extent", .type = "float3[]"};
    coif_bounds bounds = coif_bounds_empty();
    for (int64_t i = 0; i < count; ++i) {
        coif_bounds_add(&bounds, points[i]);
    }
    if (count == 0) {
        return COIF_OK;
    }
    const coif_vec3 margin = {radius, radius, radius};
    coif_vec3 box[2] = {coif_sub(bounds.low, margin), coif_add(bounds.high, margin)};
    if (to->writer->desc.up_axis == 'z') { // -z becomes an axis: its limits change sides
        const float low = box[0].z;
        box[0].z = box[1].z;
        box[1].z = low;
    }
    return put_vectors(to, &desc, box, 2);
}

// Distinct texts, and for each element the index of its text.
static coif_status put_group_names(const target *to, const char *const *texts, int32_t count)
{
    static const coif_usd_out_desc names = {.name = "primvars:groom_group_name",
                                            .type = "string[]",
                                            .interpolation = "uniform",
                                            .held = true};
    static const coif_usd_out_desc indices_of = {
        .name = "primvars:groom_group_name:indices", .type = "int[]", .held = true};
    coif_string_table table = {0};
    if (texts == NULL) {
        return COIF_OK;
    }
    int32_t *indices = coif_arena_new(to->scratch, count, int32_t);
    for (int32_t i = 0; i < count; ++i) {
        indices[i] = coif_string_table_intern(&table, texts[i], strlen(texts[i]), to->scratch);
    }
    COIF_TRY(put(to, &names, table.names, table.count));
    return put(to, &indices_of, indices, count);
}

static coif_status put_basis(const target *to, const coif_archive_curves *curves)
{
    static const char *const bases[] = {"", "bspline", "catmullRom", "bezier"};
    const coif_curve_basis basis = to->writer->desc.basis;
    COIF_TRY(put_token(to, "type", basis == COIF_BASIS_LINEAR ? "linear" : "cubic"));
    if (basis != COIF_BASIS_LINEAR) {
        COIF_TRY(put_token(to, "basis", bases[basis]));
    }
    return put_token(to, "wrap",
                     curves->periodic                                ? "periodic"
                     : basis == COIF_BASIS_LINEAR || !curves->pinned ? "nonperiodic"
                                                                     : "pinned");
}

// Purpose, look, and basis.
static coif_status put_fixed_curves(const target *to, const coif_archive_curves *curves)
{
    const coif_usd_out_desc binding = {
        .name = "material:binding", .type = "rel", .target = to->prim->look_path};
    COIF_TRY(put_basis(to, curves));
    COIF_TRY(to->prim->is_guide ? put_token(to, "purpose", "guide") : COIF_OK);
    if (to->prim->look == NULL) {
        return COIF_OK;
    }
    to->prim->api_schema = "MaterialBindingAPI";
    return coif_usd_put(to->writer, to->prim, &binding, -1, NULL, 0, to->error);
}

// Values per curve, which change where the number of curves does.
static coif_status put_values_per_curve(const target *to, const coif_archive_curves *curves)
{
    const struct {
        const char *name, *type;
        const void *values;
    } attributes[] = {{"curveVertexCounts", "int[]", curves->counts},
                      {"primvars:st", "texCoord2f[]", curves->uv},
                      {"primvars:groom_root_uv", "float2[]", curves->uv},
                      {"primvars:groom_id", "int[]", curves->ids},
                      {"primvars:groom_group_id", "int[]", curves->group_ids},
                      {"primvars:groom_guide", "int[]", curves->guide},
                      {"primvars:groom_guide_weights", "float3[]", curves->guide_weights}};
    static const coif_usd_out_desc closest = {.name = "primvars:groom_closest_guides",
                                              .type = "int[]",
                                              .interpolation = "uniform",
                                              .element_size = 3,
                                              .held = true};
    for (size_t i = 0; i < COIF_COUNT_OF(attributes); ++i) {
        const coif_usd_out_desc desc = {.name = attributes[i].name,
                                        .type = attributes[i].type,
                                        .interpolation = i == 0 ? NULL : "uniform",
                                        .held = true};
        COIF_TRY(put(to, &desc, attributes[i].values, curves->curve_count));
    }
    COIF_TRY(put_group_names(to, curves->group_names, curves->curve_count));
    return put(to, &closest, curves->closest_guides, 3 * (int64_t)curves->curve_count);
}

static coif_status put_curves(const target *to, const coif_archive_curves *curves)
{
    static const coif_usd_out_desc points = {.name = "points", .type = "point3f[]"};
    static const coif_usd_out_desc velocities = {.name = "velocities", .type = "vector3f[]"};
    static const coif_usd_out_desc colors = {.name = "primvars:displayColor",
                                             .type = "color3f[]",
                                             .interpolation = "vertex",
                                             .held = true};
    const coif_usd_out_desc widths = {.name = "widths",
                                      .type = "float[]",
                                      .interpolation =
                                          to->writer->desc.varying_widths ? "varying" : "vertex",
                                      .held = true};
    const int64_t count = curves->point_count;
    const float scale = (float)(1.0 / to->writer->desc.meters_per_unit);
    float largest = 0.0f, *scaled = NULL;
    if (!to->prim->started) {
        to->prim->started = true;
        COIF_TRY(put_fixed_curves(to, curves));
    }
    COIF_TRY(put_values_per_curve(to, curves));
    if (curves->widths != NULL) {
        scaled = coif_arena_new(to->scratch, count, float);
        for (int64_t i = 0; i < count; ++i) {
            largest = fmaxf(largest, curves->widths[i]);
            scaled[i] = curves->widths[i] * scale;
        }
    }
    COIF_TRY(put_extent(to, curves->points, count, 0.5f * largest));
    COIF_TRY(put_vectors(to, &points, curves->points, count));
    COIF_TRY(put_vectors(to, &velocities, curves->velocities, count));
    COIF_TRY(put(to, &widths, scaled, count));
    return put(to, &colors, curves->colors, count);
}

coif_status coif_usd_write_curves(coif_archive_writer *writer, int32_t object, int32_t sample,
                                  const coif_archive_curves *curves, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "USD curves");
    const target to = target_of(writer, object, sample, &scratch, error);
    return put_curves(&to, curves);
}

// A child prim per group of faces.
static coif_status put_groups(const target *to, const coif_archive_mesh *mesh)
{
    static const coif_usd_out_desc indices = {.name = "indices", .type = "int[]"};
    int32_t *faces = coif_arena_new(to->scratch, mesh->face_count, int32_t);
    const char **names =
        coif_archive_object_names(mesh->group_names, mesh->group_count, true, to->scratch);
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        int32_t count = 0;
        for (int32_t f = 0; f < mesh->face_count; ++f) {
            if (mesh->face_group[f] == g) {
                faces[count++] = f;
            }
        }
        target group = *to;
        group.prim = coif_usd_add_out_prim(
            to->writer, coif_arena_print(to->scratch, "%s/%s", to->prim->path, names[g]),
            "GeomSubset");
        COIF_TRY(put_token(&group, "elementType", "face"));
        COIF_TRY(put_token(&group, "familyName", "group"));
        COIF_TRY(put_fixed(&group, &indices, faces, count));
    }
    return COIF_OK;
}

// Faces, and values per corner, which change where the topology does.
static coif_status put_faces(const target *to, const coif_archive_mesh *mesh)
{
    static const coif_usd_out_desc sizes = {
        .name = "faceVertexCounts", .type = "int[]", .held = true};
    static const coif_usd_out_desc corners = {
        .name = "faceVertexIndices", .type = "int[]", .held = true};
    static const coif_usd_out_desc uv = {.name = "primvars:st",
                                         .type = "texCoord2f[]",
                                         .interpolation = "faceVarying",
                                         .held = true};
    COIF_TRY(put(to, &sizes, mesh->face_sizes, mesh->face_count));
    COIF_TRY(put(to, &corners, mesh->corners, mesh->corner_count));
    return put(to, &uv, mesh->uv, mesh->corner_count);
}

static coif_status put_mesh(const target *to, const coif_archive_mesh *mesh)
{
    static const coif_usd_out_desc points = {.name = "points", .type = "point3f[]"};
    static const coif_usd_out_desc velocities = {.name = "velocities", .type = "vector3f[]"};
    static const coif_usd_out_desc normals = {
        .name = "normals", .type = "normal3f[]", .interpolation = "faceVarying"};
    if (!to->prim->started) {
        to->prim->started = true;
        COIF_TRY(put_token(to, "subdivisionScheme", "none"));
        COIF_TRY(put_faces(to, mesh));
        COIF_TRY(put_groups(to, mesh));
    } else {
        COIF_TRY(put_faces(to, mesh));
    }
    COIF_TRY(put_extent(to, mesh->positions, mesh->vertex_count, 0.0f));
    COIF_TRY(put_vectors(to, &points, mesh->positions, mesh->vertex_count));
    COIF_TRY(put_vectors(to, &velocities, mesh->velocities, mesh->vertex_count));
    // Directions keep their length: only the axes change.
    const double unit = to->writer->desc.meters_per_unit;
    coif_transform axes = {{{0}}};
    for (int i = 0; i < 9; ++i) {
        axes.m[i / 3][i % 3] = to->writer->to_file.m[i / 3][i % 3] * unit;
    }
    return put(to, &normals, to_file(to, &axes, mesh->normals, mesh->corner_count),
               mesh->corner_count);
}

coif_status coif_usd_write_mesh(coif_archive_writer *writer, int32_t object, int32_t sample,
                                const coif_archive_mesh *mesh, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "USD mesh");
    const target to = target_of(writer, object, sample, &scratch, error);
    return put_mesh(&to, mesh);
}

static coif_status put_number(const target *to, const char *name, double value)
{
    const coif_usd_out_desc desc = {.name = name, .type = "float", .held = true};
    const float number = (float)value;
    return put(to, &desc, &number, 1);
}

static coif_status put_fixed_camera(const target *to, const coif_archive_camera *camera)
{
    static const coif_usd_out_desc order = {
        .name = "xformOpOrder", .type = "token[]", .uniform = true};
    static const coif_usd_out_desc open = {.name = "shutter:open", .type = "double"};
    static const coif_usd_out_desc close = {.name = "shutter:close", .type = "double"};
    const char *const operation = "xformOp:transform";
    const double fps = to->writer->desc.fps;
    const double opens = (double)camera->shutter_open * fps,
                 closes = (double)camera->shutter_close * fps;
    COIF_TRY(put_fixed(to, &order, &operation, 1));
    COIF_TRY(put_fixed(to, &open, &opens, 1));
    return put_fixed(to, &close, &closes, 1);
}

// The unit scales the position alone: a camera has no size. Rows are the images of the axes.
static coif_status put_matrix(const target *to, const coif_archive_camera *camera)
{
    static const coif_usd_out_desc transform = {
        .name = "xformOp:transform", .type = "matrix4d", .held = true};
    const double unit = to->writer->desc.meters_per_unit;
    coif_transform world;
    double rows[16];
    for (int i = 0; i < 12; ++i) {
        world.m[i / 4][i % 4] = (double)camera->to_world[i] * (i % 4 < 3 ? unit : 1.0);
    }
    const coif_transform matrix = coif_transform_multiply(&to->writer->to_file, &world);
    for (int i = 0; i < 16; ++i) {
        rows[i] = i % 4 < 3 ? matrix.m[i % 4][i / 4] : i == 15;
    }
    return put(to, &transform, rows, 1);
}

coif_status coif_usd_write_camera(coif_archive_writer *writer, int32_t object, int32_t sample,
                                  const coif_archive_camera *camera, coif_error *error)
{
    const target to = target_of(writer, object, sample, writer->arena, error);
    const double unit = writer->desc.meters_per_unit, tenth = 100.0 * unit;
    if (!to.prim->started) {
        to.prim->started = true;
        COIF_TRY(put_fixed_camera(&to, camera));
    }
    COIF_TRY(put_matrix(&to, camera));
    COIF_TRY(put_number(&to, "focalLength", (double)camera->focal_length / tenth));
    COIF_TRY(put_number(&to, "horizontalAperture", (double)camera->film_width / tenth));
    COIF_TRY(put_number(&to, "verticalAperture", (double)camera->film_height / tenth));
    COIF_TRY(put_number(&to, "horizontalApertureOffset", (double)camera->film_offset[0] / tenth));
    COIF_TRY(put_number(&to, "verticalApertureOffset", (double)camera->film_offset[1] / tenth));
    COIF_TRY(put_number(&to, "focusDistance", (double)camera->focus_distance / unit));
    return put_number(&to, "fStop", (double)camera->f_stop);
}
