#include "core/mesh/obj_polylines.h"

#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/hair/strands.h"
#include "core/mesh/obj_lines.h"
#include "core/mesh/parse_float.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 24, MOST_POINTS = 100000000 };

typedef struct reading {
    const char *name;
    coif_obj_lines lines;
    coif_vec3 *places; // of v lines
    size_t place_count, place_capacity;
    coif_vec3 *points; // of curves
    size_t point_count, point_capacity;
    int32_t *first, *groups;
    size_t curve_count, first_capacity, group_capacity;
    int64_t last; // the place at which the last curve ended, -1 for none
    const char *group_name;
    size_t group_length;
    coif_string_table names;
    coif_arena *arena;
    coif_error *error;
} reading;

static bool is_word_end(char c)
{
    return c == '\0' || c == '#' || coif_obj_blank(c);
}

static coif_status fail_word(const reading *all, const char *word, const char *wanted)
{
    char shown[SHOWN + 1] = "";
    for (int i = 0; i < SHOWN && !is_word_end(word[i]); ++i) {
        shown[i] = (char)(word[i] > ' ' && word[i] < 127 ? word[i] : '?');
    }
    return coif_fail(all->error, COIF_ERR_FORMAT, "%s: line %lld: \"%s\" where %s was expected",
                     all->name, (long long)all->lines.number, shown, wanted);
}

static coif_status read_place(reading *all, char *at)
{
    float numbers[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        coif_decimal_float number;
        at = coif_obj_skip_blanks(at);
        const char *end = coif_parse_float(&number, at);
        if (end == NULL || !is_word_end(*end) || !isfinite(number.value)) {
            return fail_word(all, at, "a number");
        }
        numbers[i] = number.value;
        at += end - at;
    }
    if (all->place_count >= MOST_POINTS) {
        return coif_fail(all->error, COIF_ERR_FORMAT, "%s: line %lld: more than %d points",
                         all->name, (long long)all->lines.number, MOST_POINTS);
    }
    all->places = coif_array_grow(all->places, all->place_count, 1, &all->place_capacity,
                                  sizeof *all->places, all->arena);
    all->places[all->place_count++] = coif_vec3_of(numbers[0], numbers[1], numbers[2]);
    return COIF_OK;
}

// A number of a point from 1 on, or back from the last one; what follows a slash is not needed.
static coif_status read_index(const reading *all, char **at, int64_t *index)
{
    const char *word = *at, *digit = word + (*word == '-');
    int64_t number = 0;
    while (*digit >= '0' && *digit <= '9' && number < MOST_POINTS * (int64_t)10) {
        number = 10 * number + (*digit++ - '0');
    }
    if (number == 0 || !(is_word_end(*digit) || *digit == '/')) {
        return fail_word(all, word, "the number of a point");
    }
    const int64_t count = (int64_t)all->place_count;
    *index = *word == '-' ? count - number : number - 1;
    if (*index < 0 || *index >= count) {
        return coif_fail(all->error, COIF_ERR_FORMAT,
                         "%s: line %lld: point %s%lld of a curve, but there are %lld points before "
                         "it",
                         all->name, (long long)all->lines.number, *word == '-' ? "-" : "",
                         (long long)number, (long long)count);
    }
    while (!is_word_end(*digit)) {
        ++digit;
    }
    *at += digit - *at;
    return COIF_OK;
}

static void add_point(reading *all, int64_t index)
{
    all->points = coif_array_grow(all->points, all->point_count, 1, &all->point_capacity,
                                  sizeof *all->points, all->arena);
    all->points[all->point_count++] = all->places[index];
    all->last = index;
}

static void begin_curve(reading *all)
{
    all->first = coif_array_grow(all->first, all->curve_count, 1, &all->first_capacity,
                                 sizeof *all->first, all->arena);
    all->groups = coif_array_grow(all->groups, all->curve_count, 1, &all->group_capacity,
                                  sizeof *all->groups, all->arena);
    all->first[all->curve_count] = (int32_t)all->point_count;
    all->groups[all->curve_count++] =
        coif_string_table_intern(&all->names, all->group_name, all->group_length, all->arena);
}

static coif_status read_curve(reading *all, char *at)
{
    int32_t count = 0;
    for (at = coif_obj_skip_blanks(at); *at != '\0' && *at != '#'; at = coif_obj_skip_blanks(at)) {
        int64_t index = 0;
        COIF_TRY(read_index(all, &at, &index));
        if (count == 0 && index != all->last) {
            begin_curve(all);
            add_point(all, index);
        } else if (index != all->last) {
            add_point(all, index);
        }
        ++count;
    }
    if (count < 2) {
        return coif_fail(all->error, COIF_ERR_FORMAT,
                         "%s: line %lld: a curve of %d points, wanted two or more", all->name,
                         (long long)all->lines.number, count);
    }
    return COIF_OK;
}

static coif_status read_line(reading *all, char *line)
{
    const char next = line[0] != '\0' ? line[1] : '\0';
    if (!coif_obj_blank(next)) {
        return COIF_OK; // vt, vn, mtllib, usemtl, ...
    }
    char *rest = coif_obj_skip_blanks(line + 1);
    switch (line[0]) {
    case 'v':
        return read_place(all, rest);
    case 'l':
        return read_curve(all, rest);
    case 'g':
    case 'o':
        all->group_name = rest;
        all->group_length = strlen(rest);
        while (all->group_length > 0 && coif_obj_blank(rest[all->group_length - 1])) {
            --all->group_length;
        }
        all->last = -1; // curves of two groups are two curves
        return COIF_OK;
    default:
        return COIF_OK;
    }
}

coif_status coif_obj_polylines_read(coif_obj_polylines *curves, const char *name, char *text,
                                    size_t size, coif_arena *arena, coif_error *error)
{
    reading all = {.name = name,
                   .last = -1,
                   .group_name = "default",
                   .group_length = strlen("default"),
                   .arena = arena,
                   .error = error};
    COIF_TRY(coif_obj_lines_init(&all.lines, name, text, size, error));
    for (char *line; (line = coif_obj_lines_next(&all.lines)) != NULL;) {
        COIF_TRY(read_line(&all, line));
        if (all.point_count > COIF_MAX_POINTS) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: more than %d points in curves", name,
                             COIF_MAX_POINTS);
        }
    }
    if (all.curve_count == 0) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: no curve in this file; wanted \"l\" lines, which are polylines",
                         name);
    }
    all.first = coif_array_grow(all.first, all.curve_count, 1, &all.first_capacity,
                                sizeof *all.first, arena);
    all.first[all.curve_count] = (int32_t)all.point_count;
    for (size_t c = 0; c < all.curve_count; ++c) {
        if (all.first[c + 1] - all.first[c] < 2) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: curve %zu has no length", name, c + 1);
        }
    }
    *curves = (coif_obj_polylines){.count = (int32_t)all.curve_count,
                                   .point_count = (int32_t)all.point_count,
                                   .first = all.first,
                                   .points = all.points,
                                   .groups = all.groups,
                                   .group_names = all.names};
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
