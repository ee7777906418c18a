// Writer of USD text: curves, meshes, cameras.
#include "core/archive/object_names.h"
#include "core/archive/usd/usd_write.h"
#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/string_table.h"

#include <math.h>
#include <string.h>

static coif_usd_write_sample sample_of(coif_archive_writer *writer, int32_t object, int32_t sample,
                                       coif_error *error)
{
    COIF_REQUIRE(object >= 0 && object < writer->object_count);
    return (coif_usd_write_sample){writer, &writer->objects[object], sample, error};
}

// Vectors (or, with the translation of the unit's transform, points) in the space of the file.
static void put_vectors(const coif_usd_write_sample *at, coif_text_writer *text,
                        const coif_vec3 *vectors, int64_t count)
{
    enum { BATCH = 256 };
    coif_vec3 batch[BATCH];
    coif_put_text(text, "[");
    for (int64_t first = 0; first < count; first += BATCH) {
        const int64_t size = count - first < BATCH ? count - first : BATCH;
        for (int64_t i = 0; i < size; ++i) {
            batch[i] = coif_transform_vector(&at->writer->to_file, vectors[first + i]);
            coif_put_text(text, first + i == 0 ? "(" : ", (");
            coif_put_number(text, batch[i].x);
            coif_put_text(text, ", ");
            coif_put_number(text, batch[i].y);
            coif_put_text(text, ", ");
            coif_put_number(text, batch[i].z);
            coif_put_text(text, ")");
        }
    }
    coif_put_text(text, "]");
}

static coif_status put_vector_part(const coif_usd_write_sample *at, coif_usd_part_kind kind,
                                   const char *declaration, const char *metadata,
                                   const coif_vec3 *vectors, int64_t count)
{
    coif_usd_part *part;
    COIF_TRY(coif_usd_part_open(at, kind, declaration, metadata, &part));
    coif_usd_part_begin(at, part);
    put_vectors(at, part->text, vectors, count);
    if (!at->object->desc.animated && metadata[0] != '\0') {
        coif_put_format(part->text, " %s", metadata);
    }
    coif_usd_part_end(at, part);
    return COIF_OK;
}

// Bounds of points in the space of the file, larger by a radius.
static coif_status put_extent(const coif_usd_write_sample *at, const coif_vec3 *points,
                              int64_t count, float radius)
{
    coif_bounds bounds = coif_bounds_empty();
    for (int64_t i = 0; i < count; ++i) {
        coif_bounds_add(&bounds, points[i]);
    }
    if (count == 0) {
        return COIF_OK;
    }
    const coif_vec3 margin = {radius, radius, radius};
    coif_vec3 box[2] = {coif_sub(bounds.low, margin), coif_add(bounds.high, margin)};
    if (at->writer->desc.up_axis == 'z') { // -z becomes an axis: its limits change sides
        const float low = box[0].z;
        box[0].z = box[1].z;
        box[1].z = low;
    }
    return put_vector_part(at, COIF_USD_EXTENT, "float3[] extent", "", box, 2);
}

static void put_integers(coif_text_writer *text, const char *declaration, const int32_t *values,
                         int64_t count, const char *metadata)
{
    if (values != NULL) {
        coif_put_format(text, "    %s = ", declaration);
        coif_usd_put_integers(text, values, count);
        coif_put_format(text, "%s\n", metadata);
    }
}

static void put_floats(coif_text_writer *text, const char *declaration, const float *values,
                       int64_t count, int32_t components, const char *metadata)
{
    if (values != NULL) {
        coif_put_format(text, "    %s = ", declaration);
        coif_usd_put_floats(text, values, count, components, 1.0f);
        coif_put_format(text, "%s\n", metadata);
    }
}

// Text in quotation marks; those within and backslashes are escaped, control characters are
// spaces.
static void put_quoted(coif_text_writer *text, const char *string)
{
    coif_put_text(text, "\"");
    for (const char *c = string; *c != '\0'; ++c) {
        if (*c == '"' || *c == '\\') {
            coif_put_text(text, "\\");
        }
        coif_put_bytes(text, (unsigned char)*c < ' ' ? " " : c, 1);
    }
    coif_put_text(text, "\"");
}

// Distinct texts, and for each element the index of its text.
static void put_texts(const coif_usd_write_sample *at, coif_text_writer *text, const char *name,
                      const char *const *texts, int32_t count, const char *metadata)
{
    coif_string_table table = {0};
    if (texts == NULL) {
        return;
    }
    int32_t *indices = coif_arena_new(at->writer->arena, count, int32_t);
    for (int32_t i = 0; i < count; ++i) {
        indices[i] =
            coif_string_table_intern(&table, texts[i], strlen(texts[i]), at->writer->arena);
    }
    coif_put_format(text, "    string[] %s = [", name);
    for (int32_t i = 0; i < table.count; ++i) {
        coif_put_text(text, i == 0 ? "" : ", ");
        put_quoted(text, table.names[i]);
    }
    coif_put_format(text, "]%s\n    int[] %s:indices = ", metadata, name);
    coif_usd_put_integers(text, indices, count);
    coif_put_text(text, "\n");
}

static const char UNIFORM[] = " (\n        interpolation = \"uniform\"\n    )";

// What is the same in all samples.
static coif_status put_fixed_curves(const coif_usd_write_sample *at,
                                    const coif_archive_curves *curves)
{
    static const char *const bases[] = {"", "bspline", "catmullRom", "bezier"};
    const coif_curve_basis basis = at->writer->desc.basis;
    const int64_t count = curves->curve_count;
    coif_usd_part *part;
    COIF_TRY(coif_usd_part_open(at, COIF_USD_FIXED, "", "", &part));
    coif_text_writer *text = part->text;
    coif_put_format(text, "    uniform token type = \"%s\"\n",
                    basis == COIF_BASIS_LINEAR ? "linear" : "cubic");
    if (basis != COIF_BASIS_LINEAR) {
        coif_put_format(text, "    uniform token basis = \"%s\"\n", bases[basis]);
    }
    coif_put_format(text, "    uniform token wrap = \"%s\"\n",
                    curves->periodic                                ? "periodic"
                    : basis == COIF_BASIS_LINEAR || !curves->pinned ? "nonperiodic"
                                                                    : "pinned");
    if (at->object->desc.is_guide) {
        coif_put_text(text, "    uniform token purpose = \"guide\"\n");
    }
    if (at->writer->desc.look != NULL) {
        coif_put_format(text, "    rel material:binding = <%s>\n", COIF_USD_LOOK_PATH);
    }
    put_integers(text, "int[] curveVertexCounts", curves->counts, count, "");
    put_floats(text, "texCoord2f[] primvars:st", curves->uv, count, 2, UNIFORM);
    put_floats(text, "float2[] primvars:groom_root_uv", curves->uv, count, 2, UNIFORM);
    put_integers(text, "int[] primvars:groom_id", curves->ids, count, UNIFORM);
    put_integers(text, "int[] primvars:groom_group_id", curves->group_ids, count, UNIFORM);
    put_texts(at, text, "primvars:groom_group_name", curves->group_names, curves->curve_count,
              UNIFORM);
    put_integers(text, "int[] primvars:groom_guide", curves->guide, count, UNIFORM);
    put_integers(text, "int[] primvars:groom_closest_guides", curves->closest_guides, 3 * count,
                 " (\n        elementSize = 3\n        interpolation = \"uniform\"\n    )");
    put_floats(text, "float3[] primvars:groom_guide_weights", curves->guide_weights, count, 3,
               UNIFORM);
    return COIF_OK;
}

coif_status coif_usd_write_curves(coif_archive_writer *writer, int32_t object, int32_t sample,
                                  const coif_archive_curves *curves, coif_error *error)
{
    const coif_usd_write_sample at = sample_of(writer, object, sample, error);
    const int64_t count = curves->point_count;
    const uint64_t topology =
        coif_hash64(curves->counts, (size_t)curves->curve_count * sizeof *curves->counts);
    if (!at.object->started) {
        at.object->started = true;
        at.object->topology = topology;
        COIF_TRY(put_fixed_curves(&at, curves));
    } else if (topology != at.object->topology) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: %s: sample %d has other numbers of curves or points than the first; "
                         "write Alembic, or one file per frame",
                         writer->file->file.path, at.object->path, sample);
    }
    float largest = 0.0f;
    if (curves->widths != NULL) {
        for (int64_t i = 0; i < count; ++i) {
            largest = fmaxf(largest, curves->widths[i]);
        }
        const coif_usd_held widths = {.kind = COIF_USD_WIDTHS,
                                      .declaration = "float[] widths",
                                      .metadata =
                                          writer->desc.varying_widths
                                              ? "(\n        interpolation = \"varying\"\n    )"
                                              : "(\n        interpolation = \"vertex\"\n    )",
                                      .values = curves->widths,
                                      .count = count,
                                      .components = 1,
                                      .scale = (float)(1.0 / writer->desc.meters_per_unit)};
        COIF_TRY(coif_usd_put_held(&at, &widths));
    }
    COIF_TRY(put_extent(&at, curves->points, count, 0.5f * largest));
    COIF_TRY(put_vector_part(&at, COIF_USD_POINTS, "point3f[] points", "", curves->points, count));
    if (curves->velocities != NULL) {
        COIF_TRY(put_vector_part(&at, COIF_USD_VELOCITIES, "vector3f[] velocities", "",
                                 curves->velocities, count));
    }
    if (curves->colors != NULL) {
        const coif_usd_held colors = {.kind = COIF_USD_COLORS,
                                      .declaration = "color3f[] primvars:displayColor",
                                      .metadata = "(\n        interpolation = \"vertex\"\n    )",
                                      .values = &curves->colors[0].x,
                                      .count = count,
                                      .components = 3,
                                      .scale = 1.0f};
        COIF_TRY(coif_usd_put_held(&at, &colors));
    }
    return COIF_OK;
}

static coif_status put_fixed_mesh(const coif_usd_write_sample *at, const coif_archive_mesh *mesh)
{
    coif_usd_part *part;
    COIF_TRY(coif_usd_part_open(at, COIF_USD_FIXED, "", "", &part));
    coif_text_writer *text = part->text;
    coif_put_text(text, "    uniform token subdivisionScheme = \"none\"\n");
    put_integers(text, "int[] faceVertexCounts", mesh->face_sizes, mesh->face_count, "");
    put_integers(text, "int[] faceVertexIndices", mesh->corners, mesh->corner_count, "");
    put_floats(text, "texCoord2f[] primvars:st", mesh->uv, mesh->corner_count, 2,
               " (\n        interpolation = \"faceVarying\"\n    )");
    int32_t *faces = coif_arena_new(at->writer->arena, mesh->face_count, int32_t);
    const char **names =
        coif_archive_object_names(mesh->group_names, mesh->group_count, true, at->writer->arena);
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        int32_t count = 0;
        for (int32_t f = 0; f < mesh->face_count; ++f) {
            if (mesh->face_group[f] == g) {
                faces[count++] = f;
            }
        }
        coif_put_text(text, "    def GeomSubset \"");
        coif_put_text(text, names[g]);
        coif_put_text(text, "\"\n    {\n");
        coif_put_text(text, "    uniform token elementType = \"face\"\n");
        coif_put_text(text, "    uniform token familyName = \"group\"\n");
        put_integers(text, "int[] indices", faces, count, "");
        coif_put_text(text, "    }\n");
    }
    return COIF_OK;
}

coif_status coif_usd_write_mesh(coif_archive_writer *writer, int32_t object, int32_t sample,
                                const coif_archive_mesh *mesh, coif_error *error)
{
    const coif_usd_write_sample at = sample_of(writer, object, sample, error);
    if (!at.object->started) {
        at.object->started = true;
        COIF_TRY(put_fixed_mesh(&at, mesh));
    }
    COIF_TRY(put_extent(&at, mesh->positions, mesh->vertex_count, 0.0f));
    COIF_TRY(put_vector_part(&at, COIF_USD_POINTS, "point3f[] points", "", mesh->positions,
                             mesh->vertex_count));
    if (mesh->velocities != NULL) {
        COIF_TRY(put_vector_part(&at, COIF_USD_VELOCITIES, "vector3f[] velocities", "",
                                 mesh->velocities, mesh->vertex_count));
    }
    if (mesh->normals == NULL) {
        return COIF_OK;
    }
    // Directions keep their length: only the axes change.
    const double unit = writer->desc.meters_per_unit;
    coif_transform axes = {{{0}}};
    for (int i = 0; i < 9; ++i) {
        axes.m[i / 3][i % 3] = writer->to_file.m[i / 3][i % 3] * unit;
    }
    coif_archive_writer turned = *writer;
    turned.to_file = axes;
    coif_usd_write_sample directions = at;
    directions.writer = &turned;
    return put_vector_part(&directions, COIF_USD_NORMALS, "normal3f[] normals",
                           "(\n        interpolation = \"faceVarying\"\n    )", mesh->normals,
                           mesh->corner_count);
}

coif_status coif_usd_write_camera(coif_archive_writer *writer, int32_t object, int32_t sample,
                                  const coif_archive_camera *camera, coif_error *error)
{
    const coif_usd_write_sample at = sample_of(writer, object, sample, error);
    const double unit = writer->desc.meters_per_unit, tenth = 100.0 * unit;
    const struct {
        const char *declaration;
        double value;
    } numbers[] = {{"float focalLength", (double)camera->focal_length / tenth},
                   {"float horizontalAperture", (double)camera->film_width / tenth},
                   {"float verticalAperture", (double)camera->film_height / tenth},
                   {"float horizontalApertureOffset", (double)camera->film_offset[0] / tenth},
                   {"float verticalApertureOffset", (double)camera->film_offset[1] / tenth},
                   {"float focusDistance", (double)camera->focus_distance / unit},
                   {"float fStop", (double)camera->f_stop}};
    coif_usd_part *part;
    if (!at.object->started) {
        at.object->started = true;
        COIF_TRY(coif_usd_part_open(&at, COIF_USD_FIXED, "", "", &part));
        coif_put_format(part->text,
                        "    uniform token[] xformOpOrder = [\"xformOp:transform\"]\n"
                        "    double shutter:open = %.10g\n    double shutter:close = %.10g\n",
                        (double)camera->shutter_open * writer->desc.fps,
                        (double)camera->shutter_close * writer->desc.fps);
    }
    // The unit scales the position alone: a camera has no size.
    coif_transform world;
    for (int i = 0; i < 12; ++i) {
        world.m[i / 4][i % 4] = (double)camera->to_world[i] * (i % 4 < 3 ? unit : 1.0);
    }
    const coif_transform matrix = coif_transform_multiply(&writer->to_file, &world);
    COIF_TRY(coif_usd_part_open(&at, COIF_USD_TRANSFORM, "matrix4d xformOp:transform", "", &part));
    coif_usd_part_begin(&at, part);
    coif_put_text(part->text, "(");
    for (int c = 0; c < 4; ++c) { // rows are the images of the axes
        coif_put_format(part->text, "%s(%.17g, %.17g, %.17g, %d)", c == 0 ? "" : ", ",
                        matrix.m[0][c], matrix.m[1][c], matrix.m[2][c], c == 3);
    }
    coif_put_text(part->text, ")");
    coif_usd_part_end(&at, part);
    for (size_t i = 0; i < COIF_COUNT_OF(numbers); ++i) {
        COIF_TRY(
            coif_usd_part_open(&at, COIF_USD_LENS + (int)i, numbers[i].declaration, "", &part));
        coif_usd_part_begin(&at, part);
        coif_put_number(part->text, (float)numbers[i].value);
        coif_usd_part_end(&at, part);
    }
    return COIF_OK;
}
