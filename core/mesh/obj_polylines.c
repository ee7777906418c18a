// Parser of polylines in OBJ files.
#include "core/mesh/obj_polylines.h"

#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/mesh/obj_lines.h"
#include "core/mesh/parse_float.h"

#include <stdio.h>
#include <string.h>

enum { MAX_QUOTED = 24, MAX_POINTS = 100000000, MAX_CURVE_POINTS = 1000000000 };

typedef struct polyline_parser {
    const char *name;
    coif_obj_lines lines;
    coif_vec3 *positions; // of v lines
    size_t position_count, position_capacity;
    coif_vec3 *points; // of curves
    size_t point_count, point_capacity;
    int32_t *first, *groups;
    size_t curve_count, first_capacity, group_capacity;
    int64_t last; // last point index of the last curve, -1 for none
    const char *group_name;
    size_t group_length;
    coif_string_table names;
    coif_arena *arena;
    coif_error *error;
} polyline_parser;

static bool is_token_end(char c)
{
    return c == '\0' || c == '#' || coif_obj_blank(c);
}

static coif_status fail_token(const polyline_parser *parser, const char *token,
                              const char *expected)
{
    char shown[MAX_QUOTED + 1] = "";
    for (int i = 0; i < MAX_QUOTED && !is_token_end(token[i]); ++i) {
        shown[i] = (char)(token[i] > ' ' && token[i] < 127 ? token[i] : '?');
    }
    return coif_fail(parser->error, COIF_ERR_FORMAT, "%s: line %lld: found \"%s\", expected %s",
                     parser->name, (long long)parser->lines.number, shown, expected);
}

static coif_status parse_position(polyline_parser *parser, char *at)
{
    float numbers[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        float number;
        at = coif_obj_skip_blanks(at);
        const char *end = coif_parse_float(&number, at);
        if (end == NULL || !is_token_end(*end) || !isfinite(number)) {
            return fail_token(parser, at, "a number");
        }
        numbers[i] = number;
        at += end - at;
    }
    if (parser->position_count >= MAX_POINTS) {
        return coif_fail(parser->error, COIF_ERR_FORMAT, "%s: line %lld: more than %d points",
                         parser->name, (long long)parser->lines.number, MAX_POINTS);
    }
    parser->positions =
        coif_array_grow(parser->positions, parser->position_count, 1, &parser->position_capacity,
                        sizeof *parser->positions, parser->arena);
    parser->positions[parser->position_count++] = coif_vec3_of(numbers[0], numbers[1], numbers[2]);
    return COIF_OK;
}

// Vertex index from 1, or negative relative to the end; texture indices after a slash are ignored.
static coif_status parse_index(const polyline_parser *parser, char **at, int64_t *index)
{
    const char *word = *at, *digit = word + (*word == '-');
    int64_t number = 0;
    while (*digit >= '0' && *digit <= '9' && number < MAX_POINTS * (int64_t)10) {
        number = 10 * number + (*digit++ - '0');
    }
    if (number == 0 || !(is_token_end(*digit) || *digit == '/')) {
        return fail_token(parser, word, "a vertex index");
    }
    const int64_t count = (int64_t)parser->position_count;
    *index = *word == '-' ? count - number : number - 1;
    if (*index < 0 || *index >= count) {
        return coif_fail(parser->error, COIF_ERR_FORMAT,
                         "%s: line %lld: vertex %s%lld does not exist: %lld vertices so far",
                         parser->name, (long long)parser->lines.number, *word == '-' ? "-" : "",
                         (long long)number, (long long)count);
    }
    while (!is_token_end(*digit)) {
        ++digit;
    }
    *at += digit - *at;
    return COIF_OK;
}

static void add_point(polyline_parser *parser, int64_t index)
{
    parser->points =
        coif_array_grow(parser->points, parser->point_count, 1, &parser->point_capacity,
                        sizeof *parser->points, parser->arena);
    parser->points[parser->point_count++] = parser->positions[index];
    parser->last = index;
}

static void begin_curve(polyline_parser *parser)
{
    parser->first = coif_array_grow(parser->first, parser->curve_count, 1, &parser->first_capacity,
                                    sizeof *parser->first, parser->arena);
    parser->groups =
        coif_array_grow(parser->groups, parser->curve_count, 1, &parser->group_capacity,
                        sizeof *parser->groups, parser->arena);
    parser->first[parser->curve_count] = (int32_t)parser->point_count;
    parser->groups[parser->curve_count++] = coif_string_table_intern(
        &parser->names, parser->group_name, parser->group_length, parser->arena);
}

static coif_status parse_curve(polyline_parser *parser, char *at)
{
    int32_t count = 0;
    for (at = coif_obj_skip_blanks(at); *at != '\0' && *at != '#'; at = coif_obj_skip_blanks(at)) {
        int64_t index = 0;
        COIF_TRY(parse_index(parser, &at, &index));
        if (count == 0 && index != parser->last) {
            begin_curve(parser);
            add_point(parser, index);
        } else if (index != parser->last) {
            add_point(parser, index);
        }
        ++count;
    }
    if (count < 2) {
        return coif_fail(parser->error, COIF_ERR_FORMAT,
                         "%s: line %lld: curve of %d points, expected two or more", parser->name,
                         (long long)parser->lines.number, count);
    }
    return COIF_OK;
}

static coif_status parse_line(polyline_parser *parser, char *line)
{
    const char next = line[0] != '\0' ? line[1] : '\0';
    if (!coif_obj_blank(next)) {
        return COIF_OK; // vt, vn, mtllib, usemtl, ...
    }
    char *rest = coif_obj_skip_blanks(line + 1);
    switch (line[0]) {
    case 'v':
        return parse_position(parser, rest);
    case 'l':
        return parse_curve(parser, rest);
    case 'g':
    case 'o':
        parser->group_name = rest;
        parser->group_length = coif_obj_trimmed_length(rest);
        parser->last = -1; // a new group starts a new curve
        return COIF_OK;
    default:
        return COIF_OK;
    }
}

coif_status coif_obj_polylines_read(coif_obj_polylines *curves, const char *name, char *text,
                                    size_t size, coif_arena *arena, coif_error *error)
{
    polyline_parser parser = {.name = name,
                              .last = -1,
                              .group_name = "default",
                              .group_length = strlen("default"),
                              .arena = arena,
                              .error = error};
    COIF_TRY(coif_obj_lines_init(&parser.lines, name, text, size, error));
    for (char *line; (line = coif_obj_lines_next(&parser.lines)) != NULL;) {
        COIF_TRY(parse_line(&parser, line));
        if (parser.point_count > MAX_CURVE_POINTS) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: more than %d points in curves", name,
                             MAX_CURVE_POINTS);
        }
    }
    if (parser.curve_count == 0) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: no polyline in this file; expected \"l\" lines", name);
    }
    parser.first = coif_array_grow(parser.first, parser.curve_count, 1, &parser.first_capacity,
                                   sizeof *parser.first, arena);
    parser.first[parser.curve_count] = (int32_t)parser.point_count;
    for (size_t c = 0; c < parser.curve_count; ++c) {
        if (parser.first[c + 1] - parser.first[c] < 2) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: curve %zu has zero length", name, c + 1);
        }
    }
    *curves = (coif_obj_polylines){.count = (int32_t)parser.curve_count,
                                   .point_count = (int32_t)parser.point_count,
                                   .first = parser.first,
                                   .points = parser.points,
                                   .groups = parser.groups,
                                   .group_names = parser.names};
    return COIF_OK;
}

coif_status coif_obj_polylines_load(coif_obj_polylines *curves, const char *path, coif_arena *arena,
                                    coif_error *error)
{
    char *text;
    size_t size;
    COIF_TRY(coif_file_load(&text, &size, path, arena, error));
    return coif_obj_polylines_read(curves, path, text, size, arena, error);
}
