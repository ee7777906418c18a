// Curves of pbrt-v4 scenes (.pbrt): Shape "curve" directives, positions as stored.
//
// A strand is written as one Bezier spline through its points (Catmull-Rom tangents, one cubic per
// segment), so that every third control point is a point of the strand and reading is exact. Widths
// are diameters that pbrt interpolates between width0 and width1 of a curve. B-splines are read as
// their control points. Consecutive curves that share an end are one strand; so are curves of four
// points that each begin with the last three of the one before, as the hair of the pbrt scenes:
// their points are those of the strand.
#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/text_writer.h"
#include "core/hair/formats/strand_builder.h"
#include "core/mesh/parse_float.h"

#include <string.h>

enum { MAX_WORD = 64, WINDOW = 4, WINDOW_FLOATS = 3 * WINDOW };

// Width that pbrt interpolates at point k of n segments.
static float width_at(float width0, float width1, size_t k, size_t n)
{
    return k == n ? width1 : width0 + (float)k / (float)n * (width1 - width0);
}

typedef struct pbrt_reader {
    const char *name, *at, *end;
    int32_t line;
    coif_error *error;
    coif_strand_builder builder;
    coif_strand_file *file;
    coif_vec4 last; // end of the strand under construction
    bool transformed;
    // The curve of four points before, and where its first point is among those of the builder.
    bool has_window;
    float window[WINDOW_FLOATS];
    size_t window_begin;
    // The curve directive being read.
    float *values;
    size_t value_count, value_capacity;
    float *points;
    size_t point_count, point_capacity; // floats
    float width0, width1;
    bool is_bezier, has_width;
} pbrt_reader;

static coif_status damaged(const pbrt_reader *reader, const char *what)
{
    return coif_fail(reader->error, COIF_ERR_FORMAT, "%s: line %d: %s", reader->name, reader->line,
                     what);
}

static void skip_space(pbrt_reader *reader)
{
    for (; reader->at < reader->end; ++reader->at) {
        if (*reader->at == '#') {
            reader->at += strcspn(reader->at, "\n");
        }
        if (*reader->at == '\n') {
            ++reader->line;
        } else if (strchr(" \t\r", *reader->at) == NULL || *reader->at == '\0') {
            return;
        }
    }
}

// The next token: a quoted text without its quotes, a bracket, or a word. False at the end.
static bool next_token(pbrt_reader *reader, char *token, bool *quoted)
{
    skip_space(reader);
    *quoted = reader->at < reader->end && *reader->at == '"';
    size_t length = 0;
    if (reader->at >= reader->end || *reader->at == '\0') {
        return false;
    }
    if (*quoted) {
        const char *begin = ++reader->at;
        length = strcspn(begin, "\"\n");
        reader->at = begin + length;
        memcpy(token, begin, length < MAX_WORD ? length : MAX_WORD - 1);
        reader->at += *reader->at == '"';
    } else {
        const char *begin = reader->at;
        length = *begin == '[' || *begin == ']' ? 1 : strcspn(begin, " \t\r\n[]\"#");
        memcpy(token, begin, length < MAX_WORD ? length : MAX_WORD - 1);
        reader->at += length;
    }
    token[length < MAX_WORD ? length : MAX_WORD - 1] = '\0';
    return true;
}

// Values of a parameter: numbers in brackets or one number into values, texts into text.
static coif_status read_values(pbrt_reader *reader, char *text)
{
    char token[MAX_WORD];
    bool quoted, in_brackets = false;
    reader->value_count = 0;
    text[0] = '\0';
    do {
        skip_space(reader);
        float value;
        const char *end = coif_parse_float(&value, reader->at);
        if (end != NULL && end <= reader->end) {
            reader->at = end;
            reader->values =
                coif_array_grow(reader->values, reader->value_count, 1, &reader->value_capacity,
                                sizeof value, reader->builder.arena);
            reader->values[reader->value_count++] = value;
            continue;
        }
        if (!next_token(reader, token, &quoted)) {
            return damaged(reader, "the file ends within a parameter");
        }
        if (quoted) {
            memcpy(text, token, MAX_WORD);
        } else if (strcmp(token, "[") == 0) {
            in_brackets = true;
        } else if (strcmp(token, "]") == 0) {
            return COIF_OK;
        } else if (strcmp(token, "true") != 0 && strcmp(token, "false") != 0) {
            return damaged(reader, "expected a number, a text or a bracket");
        }
    } while (in_brackets);
    return COIF_OK;
}

static coif_status read_parameter(pbrt_reader *reader, const char *declaration)
{
    char text[MAX_WORD];
    COIF_TRY(read_values(reader, text));
    if (strcmp(declaration, "point3 P") == 0 || strcmp(declaration, "point P") == 0) {
        reader->points =
            coif_array_grow(reader->points, 0, reader->value_count, &reader->point_capacity,
                            sizeof(float), reader->builder.arena);
        reader->point_count = reader->value_count;
        if (reader->value_count > 0) {
            memcpy(reader->points, reader->values, reader->value_count * sizeof(float));
        }
    } else if (reader->value_count > 0 && strncmp(declaration, "float width", 11) == 0) {
        reader->has_width = true;
        reader->width0 = declaration[11] != '1' ? reader->values[0] : reader->width0;
        reader->width1 = declaration[11] != '0' ? reader->values[0] : reader->width1;
    } else if (strcmp(declaration, "string basis") == 0) {
        reader->is_bezier = strcmp(text, "bezier") == 0;
    }
    return COIF_OK;
}

static coif_vec4 point_at(const pbrt_reader *reader, const float *p, size_t k, size_t last)
{
    const float width =
        reader->has_width ? width_at(reader->width0, reader->width1, k, last) : 0.0f;
    return (coif_vec4){p[0], p[1], p[2], 0.5f * width};
}

// Whether the curve is the window of the one before, moved by one point.
static bool is_moved_window(const pbrt_reader *reader)
{
    return reader->has_window && reader->point_count == WINDOW_FLOATS &&
           reader->window_begin >= reader->builder.begin &&
           memcmp(reader->points, reader->window + 3, 3 * 3 * sizeof(float)) == 0;
}

// Puts all points of the window before and the last one of this into the strand.
static coif_status move_window(pbrt_reader *reader)
{
    coif_strand_builder *builder = &reader->builder;
    const size_t begin = reader->window_begin;
    builder->point_count = begin + 1;
    for (size_t k = 1; k <= WINDOW; ++k) {
        const float *p = k < WINDOW ? reader->window + 3 * k : reader->points + WINDOW_FLOATS - 3;
        COIF_TRY(coif_strand_builder_add(builder, point_at(reader, p, k - 1, WINDOW - 1),
                                         reader->name, reader->error));
    }
    reader->last = builder->points[begin + WINDOW];
    memcpy(reader->window, reader->points, sizeof reader->window);
    reader->window_begin = begin + 1;
    return COIF_OK;
}

static coif_status add_curve(pbrt_reader *reader)
{
    const size_t controls = reader->point_count / 3;
    if (reader->point_count % 3 != 0 || controls < 2) {
        return damaged(reader, "a curve whose P does not hold two or more points");
    }
    if (is_moved_window(reader)) {
        return move_window(reader);
    }
    const size_t step = reader->is_bezier ? 3 : 1, last = (controls - 1) / step;
    for (size_t k = 0; k <= last; ++k) {
        const coif_vec4 point = point_at(reader, reader->points + 3 * step * k, k, last);
        const bool continues = k == 0 && reader->builder.point_count > reader->builder.begin &&
                               memcmp(&point, &reader->last, sizeof(coif_vec3)) == 0;
        if (k == 0 && !continues) {
            coif_strand_builder_end(&reader->builder, reader->file);
        }
        if (!continues) {
            COIF_TRY(coif_strand_builder_add(&reader->builder, point, reader->name, reader->error));
        }
        if (k == 0) {
            reader->window_begin = reader->builder.point_count - 1;
        }
        reader->last = point;
    }
    reader->file->has_radius = reader->file->has_radius || reader->has_width;
    reader->has_window = controls == WINDOW;
    if (reader->has_window) {
        memcpy(reader->window, reader->points, sizeof reader->window);
    }
    return COIF_OK;
}

// Parameters follow a directive as quoted declarations with values.
static coif_status read_curve(pbrt_reader *reader)
{
    char token[MAX_WORD];
    bool quoted;
    reader->point_count = 0;
    reader->width0 = reader->width1 = 1.0f;
    reader->is_bezier = true;
    reader->has_width = false;
    for (;;) {
        const pbrt_reader before = *reader;
        if (!next_token(reader, token, &quoted) || !quoted) {
            reader->at = before.at;
            reader->line = before.line;
            return add_curve(reader);
        }
        COIF_TRY(read_parameter(reader, token));
    }
}

static coif_status read_file(pbrt_reader *reader)
{
    char token[MAX_WORD];
    bool quoted;
    while (next_token(reader, token, &quoted)) {
        if (quoted) {
            continue; // parameters of other directives
        }
        if (strcmp(token, "Shape") == 0 && next_token(reader, token, &quoted) && quoted &&
            strcmp(token, "curve") == 0) {
            COIF_TRY(read_curve(reader));
        } else if (strstr("Transform ConcatTransform Translate Scale Rotate ObjectInstance",
                          token) != NULL &&
                   strlen(token) > 4) {
            reader->transformed = true;
        }
    }
    return reader->at < reader->end ? damaged(reader, "a zero byte") : COIF_OK;
}

coif_status coif_pbrt_read(coif_strand_file *file, const coif_bytes *bytes,
                           const coif_hair_import *import, coif_arena *arena, coif_error *error)
{
    (void)import;
    COIF_SCOPED_ARENA(scratch, "pbrt file");
    pbrt_reader reader = {.name = bytes->name,
                          .at = bytes->data,
                          .end = (const char *)bytes->data + bytes->size,
                          .line = 1,
                          .error = error,
                          .builder = {.arena = &scratch},
                          .file = file};
    COIF_TRY(read_file(&reader));
    coif_strand_builder_end(&reader.builder, file);
    COIF_TRY(coif_strand_builder_finish(&reader.builder, file, arena, error));
    if (reader.transformed) {
        coif_log(COIF_LOG_WARNING,
                 "%s: transforms are ignored; the curves are read in their object space",
                 bytes->name);
    }
    return COIF_OK;
}

static coif_vec3 point_of(const coif_strands *strands, int32_t i)
{
    return coif_vec4_xyz(strands->points[i]);
}

static void put_point(coif_text_writer *writer, coif_vec3 p)
{
    coif_put_number(writer, p.x);
    coif_put_text(writer, " ");
    coif_put_number(writer, p.y);
    coif_put_text(writer, " ");
    coif_put_number(writer, p.z);
    coif_put_text(writer, "  ");
}

// Tangent of the Catmull-Rom spline at a point, one-sided at the ends.
static coif_vec3 tangent_at(const coif_strands *strands, int32_t first, int32_t last, int32_t i)
{
    const int32_t before = i > first ? i - 1 : i, after = i < last ? i + 1 : i;
    return coif_scale(coif_sub(point_of(strands, after), point_of(strands, before)),
                      1.0f / (float)(after - before));
}

// Widths change along a strand; a curve of pbrt has two, so each segment is a curve of its own
// where the width is not linear.
static bool has_linear_width(const coif_strands *strands, int32_t first, int32_t last)
{
    const coif_vec4 *p = strands->points;
    for (int32_t i = first; i <= last; ++i) {
        if (p[i].w !=
            width_at(p[first].w, p[last].w, (size_t)(i - first), (size_t)(last - first))) {
            return false;
        }
    }
    return true;
}

static void put_curve(coif_text_writer *writer, const coif_strand_file *file, int32_t first,
                      int32_t last, int32_t begin, int32_t end, float default_radius)
{
    const coif_strands *strands = &file->strands;
    coif_put_text(writer, "Shape \"curve\" \"string type\" \"cylinder\" \"point3 P\" [ ");
    put_point(writer, point_of(strands, begin));
    for (int32_t i = begin; i < end; ++i) {
        const coif_vec3 a = point_of(strands, i), b = point_of(strands, i + 1);
        put_point(writer, coif_mad(a, 1.0f / 3.0f, tangent_at(strands, first, last, i)));
        put_point(writer, coif_mad(b, -1.0f / 3.0f, tangent_at(strands, first, last, i + 1)));
        put_point(writer, b);
    }
    const float radius[] = {file->has_radius ? strands->points[begin].w : default_radius,
                            file->has_radius ? strands->points[end].w : default_radius};
    coif_put_text(writer, "] \"float width0\" ");
    coif_put_number(writer, 2.0f * radius[0]);
    coif_put_text(writer, " \"float width1\" ");
    coif_put_number(writer, 2.0f * radius[1]);
    coif_put_text(writer, "\n");
}

coif_status coif_pbrt_save(const coif_strand_file *file, const char *path,
                           const coif_strand_export *desc, coif_error *error)
{
    const coif_strands *strands = &file->strands;
    coif_text_writer writer;
    COIF_TRY(coif_text_writer_open(&writer, path, error));
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t first = strands->first[s], last = strands->first[s + 1] - 1;
        const int32_t step = has_linear_width(strands, first, last) ? last - first : 1;
        for (int32_t i = first; i < last; i += step) {
            put_curve(&writer, file, first, last, i, i + step, desc->default_radius);
        }
    }
    return coif_text_writer_commit(&writer);
}
