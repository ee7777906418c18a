// PLY files (Turk 1994): points of strands, ASCII or binary of either byte order.
//
// The element "vertex" has the positions, radii and colours. Points are divided into strands by, in
// this order: a property of vertices that names the strand (strand, strand_id, strand_index, curve,
// segment or group), an element strand or curve with a point count, an element of polylines
// (strand, curve, polyline, edge) with indices, or points_per_strand of the import.
#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/text_writer.h"
#include "core/hair/formats/strand_builder.h"
#include "core/mesh/ply_parse.h"

#include <math.h>
#include <string.h>

typedef struct ply_reader {
    coif_ply ply;
    // Per vertex.
    uint64_t vertex_count;
    coif_vec4 *points;
    coif_vec3 *colors;
    double *strand; // value of the property that names the strand
    bool has_strand, has_radius;
    // Polylines: indices with the length of each; edges are polylines of two points.
    int32_t *indices, *lengths;
    size_t index_count, index_capacity, length_count, length_capacity;
    bool has_lengths; // lengths alone: points follow in file order
} ply_reader;

static void set_vertex(ply_reader *reader, uint64_t v, const coif_ply_property *property,
                       double value)
{
    coif_vec4 *p = &reader->points[v];
    coif_vec3 *color = &reader->colors[v];
    const char *name = property->name;
    const float unit = (float)(property->type == COIF_PLY_UINT8 ? value / 255.0 : value);
    if (name[0] != '\0' && name[1] == '\0' && name[0] >= 'x' && name[0] <= 'z') {
        *(name[0] == 'x' ? &p->x : name[0] == 'y' ? &p->y : &p->z) = (float)value;
    } else if (coif_ply_is_one_of(name, "radius")) {
        p->w = (float)value;
        reader->has_radius = true;
    } else if (coif_ply_is_one_of(name, "width thickness")) {
        p->w = 0.5f * (float)value;
        reader->has_radius = true;
    } else if (coif_ply_is_one_of(name, "red green blue")) {
        *(name[0] == 'r' ? &color->x : name[0] == 'g' ? &color->y : &color->z) = unit;
    } else if (coif_ply_is_one_of(name, "strand strand_id strand_index curve segment group")) {
        reader->strand[v] = value;
        reader->has_strand = true;
    }
}

static coif_status read_vertices(ply_reader *reader, const coif_ply_element *element)
{
    if (reader->vertex_count > 0 || element->count > COIF_MAX_POINTS) {
        return coif_ply_fail(&reader->ply, "two vertex elements, or too many vertices");
    }
    bool has_color = false;
    for (int32_t i = 0; i < element->property_count; ++i) {
        has_color = has_color || strcmp(element->properties[i].name, "red") == 0;
    }
    reader->vertex_count = element->count;
    reader->points = coif_arena_new(reader->ply.arena, element->count, coif_vec4);
    reader->strand = coif_arena_new(reader->ply.arena, element->count, double);
    reader->colors = coif_arena_new(reader->ply.arena, element->count, coif_vec3);
    for (uint64_t v = 0; v < element->count; ++v) {
        for (int32_t i = 0; i < element->property_count; ++i) {
            double value = 0.0;
            if (element->properties[i].is_list) {
                return coif_ply_fail(&reader->ply, "a list property of vertices");
            }
            COIF_TRY(coif_ply_read_number(&value, &reader->ply, element->properties[i].type));
            set_vertex(reader, v, &element->properties[i], value);
        }
    }
    reader->colors = has_color ? reader->colors : NULL;
    return COIF_OK;
}

static coif_status add_index(ply_reader *reader, double value)
{
    if (!(value >= 0.0 && value < (double)reader->vertex_count)) {
        return coif_ply_fail(&reader->ply, "an index of a vertex is out of range");
    }
    reader->indices = coif_array_grow(reader->indices, reader->index_count, 1,
                                      &reader->index_capacity, sizeof(int32_t), reader->ply.arena);
    reader->indices[reader->index_count++] = (int32_t)value;
    return COIF_OK;
}

static void add_length(ply_reader *reader, int32_t length)
{
    reader->lengths = coif_array_grow(reader->lengths, reader->length_count, 1,
                                      &reader->length_capacity, sizeof length, reader->ply.arena);
    reader->lengths[reader->length_count++] = length;
}

// Rows of other elements: those of strands are kept, all others are passed over.
static coif_status read_rows(ply_reader *reader, const coif_ply_element *element)
{
    const bool polylines =
        coif_ply_is_one_of(element->name, "strand strands curve curves polyline edge");
    for (uint64_t row = 0; row < element->count; ++row) {
        for (int32_t i = 0; i < element->property_count; ++i) {
            const coif_ply_property *property = &element->properties[i];
            double value = 0.0;
            if (!property->is_list) {
                COIF_TRY(coif_ply_read_number(&value, &reader->ply, property->type));
                if (polylines && coif_ply_is_one_of(property->name, "vertex1 vertex2")) {
                    COIF_TRY(add_index(reader, value));
                } else if (polylines &&
                           coif_ply_is_one_of(property->name, "count point_count length")) {
                    reader->has_lengths = true;
                    add_length(reader,
                               value >= 0.0 && value <= COIF_MAX_POINTS ? (int32_t)value : -1);
                }
                continue;
            }
            int32_t count = 0;
            COIF_TRY(coif_ply_read_list_length(&count, &reader->ply, property));
            for (int32_t k = 0; k < count; ++k) {
                double index = 0.0;
                COIF_TRY(coif_ply_read_number(&index, &reader->ply, property->type));
                if (polylines) {
                    COIF_TRY(add_index(reader, index));
                }
            }
            if (polylines) {
                add_length(reader, count);
            }
        }
        if (polylines && strcmp(element->name, "edge") == 0) {
            add_length(reader, 2);
        }
    }
    return COIF_OK;
}

// Strands in the order of their points, with the colours of kept points.
typedef struct ply_strands {
    ply_reader *reader;
    coif_strand_builder builder;
    coif_strand_file *file;
    coif_vec3 *colors;
    size_t color_capacity;
} ply_strands;

static coif_status add_vertex(ply_strands *to, uint64_t vertex)
{
    const ply_reader *reader = to->reader;
    const size_t at = to->builder.point_count;
    COIF_TRY(coif_strand_builder_add(&to->builder, reader->points[vertex], reader->ply.bytes->name,
                                     reader->ply.error));
    if (reader->colors != NULL) {
        to->colors = coif_array_grow(to->colors, at, 1, &to->color_capacity, sizeof(coif_vec3),
                                     reader->ply.arena);
        const coif_vec3 color = reader->colors[vertex];
        to->colors[at] = color;
        if (!isfinite(color.x) || !isfinite(color.y) || !isfinite(color.z)) {
            return coif_fail(reader->ply.error, COIF_ERR_FORMAT,
                             "%s: vertex %llu: the colour is not finite", reader->ply.bytes->name,
                             (unsigned long long)vertex);
        }
    }
    return COIF_OK;
}

static void end_strand(ply_strands *to)
{
    coif_strand_builder_end(&to->builder, to->file);
}

static coif_status divide_by_attribute(ply_strands *to)
{
    const ply_reader *reader = to->reader;
    for (uint64_t v = 0; v < reader->vertex_count; ++v) {
        if (v > 0 && reader->strand[v] != reader->strand[v - 1]) {
            end_strand(to);
        }
        COIF_TRY(add_vertex(to, v));
    }
    end_strand(to);
    return COIF_OK;
}

// An edge that begins at the end of the previous one continues it.
static coif_status divide_by_polylines(ply_strands *to)
{
    ply_reader *reader = to->reader;
    size_t at = 0;
    int32_t last = -1;
    for (size_t i = 0; i < reader->length_count; ++i) {
        const int32_t length = reader->lengths[i];
        if (length < 0 || (size_t)length > reader->index_count - at) {
            return coif_fail(reader->ply.error, COIF_ERR_FORMAT,
                             "%s: polyline %zu: %d vertices, but %zu indices are left",
                             reader->ply.bytes->name, i, length, reader->index_count - at);
        }
        const bool continues = length == 2 && reader->indices[at] == last;
        if (!continues) {
            end_strand(to);
        }
        for (int32_t k = continues; k < length; ++k) {
            last = reader->indices[at + (size_t)k];
            COIF_TRY(add_vertex(to, (uint64_t)last));
        }
        at += (size_t)length;
    }
    end_strand(to);
    return COIF_OK;
}

static coif_status divide_by_lengths(ply_strands *to, int32_t fixed)
{
    const ply_reader *reader = to->reader;
    uint64_t vertex = 0;
    for (size_t i = 0; vertex < reader->vertex_count; ++i) {
        const int32_t length = fixed > 0                  ? fixed
                               : i < reader->length_count ? reader->lengths[i]
                                                          : -1;
        if (length < 0 || (uint64_t)length > reader->vertex_count - vertex) {
            return coif_fail(reader->ply.error, COIF_ERR_FORMAT,
                             "%s: strand %zu: %d points, but %llu vertices are left",
                             reader->ply.bytes->name, i, length,
                             (unsigned long long)(reader->vertex_count - vertex));
        }
        for (int32_t k = 0; k < length; ++k) {
            COIF_TRY(add_vertex(to, vertex++));
        }
        end_strand(to);
    }
    return COIF_OK;
}

static coif_status divide(ply_strands *to, const coif_hair_import *import)
{
    const ply_reader *reader = to->reader;
    if (reader->vertex_count == 0) {
        return COIF_OK;
    }
    if (import != NULL && import->points_per_strand > 0) {
        return divide_by_lengths(to, import->points_per_strand);
    }
    if (reader->has_strand) {
        return divide_by_attribute(to);
    }
    if (reader->has_lengths && reader->index_count == 0) {
        return divide_by_lengths(to, 0);
    }
    if (reader->index_count > 0 && !reader->has_lengths) {
        return divide_by_polylines(to);
    }
    return coif_fail(
        reader->ply.error, COIF_ERR_FORMAT,
        "%s: nothing divides the %llu points into strands: expected a vertex property "
        "strand, an element strand or edge, or the number of points per strand (coif convert "
        "--points-per-strand N)",
        reader->ply.bytes->name, (unsigned long long)reader->vertex_count);
}

static coif_status read_ply(ply_reader *reader, coif_strand_file *file,
                            const coif_hair_import *import, coif_arena *arena)
{
    for (int32_t i = 0; i < reader->ply.element_count; ++i) {
        const coif_ply_element *element = &reader->ply.elements[i];
        COIF_TRY(
            (strcmp(element->name, "vertex") == 0 ? read_vertices : read_rows)(reader, element));
    }
    ply_strands to = {.reader = reader, .builder = {.arena = reader->ply.arena}, .file = file};
    COIF_TRY(divide(&to, import));
    COIF_TRY(coif_strand_builder_finish(&to.builder, file, arena, reader->ply.error));
    file->has_radius = reader->has_radius;
    if (reader->colors != NULL) {
        const size_t count = (size_t)file->strands.point_count;
        file->strands.colors = coif_arena_new(arena, count, coif_vec3);
        if (count > 0) {
            memcpy(file->strands.colors, to.colors, count * sizeof(coif_vec3));
        }
    }
    return COIF_OK;
}

coif_status coif_ply_read(coif_strand_file *file, const coif_bytes *bytes,
                          const coif_hair_import *import, coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "PLY file");
    ply_reader *reader = coif_arena_new(&scratch, 1, ply_reader);
    COIF_TRY(coif_ply_open(&reader->ply, bytes, &scratch, error));
    return read_ply(reader, file, import, arena);
}

coif_status coif_ply_save(const coif_strand_file *file, const char *path,
                          const coif_strand_export *desc, coif_error *error)
{
    (void)desc;
    const coif_strands *strands = &file->strands;
    coif_text_writer writer;
    COIF_TRY(coif_text_writer_open(&writer, path, error));
    coif_put_format(&writer,
                    "ply\nformat binary_little_endian 1.0\nelement vertex %d\n"
                    "property float x\nproperty float y\nproperty float z\n%sproperty int strand\n",
                    strands->point_count, file->has_radius ? "property float radius\n" : "");
    coif_put_text(&writer, strands->colors != NULL
                               ? "property float red\nproperty float green\nproperty float blue\n"
                                 "end_header\n"
                               : "end_header\n");
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        for (int32_t i = strands->first[s]; i < strands->first[s + 1]; ++i) {
            coif_put_bytes(&writer, &strands->points[i], file->has_radius ? 16 : 12);
            coif_put_bytes(&writer, &s, sizeof s);
            if (strands->colors != NULL) {
                coif_put_bytes(&writer, &strands->colors[i], sizeof(coif_vec3));
            }
        }
    }
    return coif_text_writer_commit(&writer);
}
