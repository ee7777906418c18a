// Validating OBJ parser in front of tinyobj_loader_c.
#include "core/mesh/obj_parse.h"

#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/mesh/parse_float.h"

// Unknown statements (s, l, p, curves) are ignored, as the format requires.
enum {
    PIECE_BYTES = 256 * 1024, // target size of a piece
    PIECE_LINES = 4096,
    CORNERS_PER_LINE = 15, // the library has a fixed array of 16 and does not check it
    CORNER_BYTES = 36,     // three indices of ten digits, two slashes, a space
    MAX_QUOTED = 40        // characters of an invalid token in a message
};

static const int32_t MAX_ELEMENTS = INT32_MAX / 3 - 1; // 3 per triangle must fit an int32_t

static const char *const ELEMENT_NAMES[3] = {"vertex", "texture coordinate", "normal"};

static bool is_token_end(char c)
{
    return c == '\0' || coif_obj_blank(c);
}

// A token for messages: truncated, and without control characters.
typedef struct quoted_token {
    char text[MAX_QUOTED + 1];
} quoted_token;

static quoted_token quote(const char *token)
{
    quoted_token quoted = {""};
    for (int i = 0; i < MAX_QUOTED && !is_token_end(token[i]); ++i) {
        quoted.text[i] = (char)(token[i] > ' ' && token[i] < 127 ? token[i] : '?');
    }
    return quoted;
}

static coif_status fail_token(const coif_obj_parser *parser, coif_error *error, const char *token,
                              const char *expected)
{
    const quoted_token quoted = quote(token);
    return coif_fail(error, COIF_ERR_FORMAT, "%s: line %lld: found \"%s\", expected %s",
                     parser->name, (long long)parser->lines.number, quoted.text, expected);
}

static coif_status fail_count(const coif_obj_parser *parser, coif_error *error)
{
    return coif_fail(error, COIF_ERR_FORMAT, "%s: line %lld: more than %d elements of one kind",
                     parser->name, (long long)parser->lines.number, MAX_ELEMENTS);
}

static void reserve(coif_obj_parser *parser, coif_obj_piece *piece, size_t bytes)
{
    piece->text =
        coif_array_grow(piece->text, piece->size, bytes, &piece->capacity, 1, parser->arena);
}

// Parses a v, vt or vn line: the first two or three numbers, padded with zeros; the others
// (weights, colours) are only validated.
static coif_status read_numbers(const coif_obj_parser *parser, float numbers[3], int32_t elements,
                                bool uv, char *at, coif_error *error)
{
    const int used = uv ? 2 : 3;
    const int needed = uv ? 1 : 3;
    int count = 0;
    if (elements >= MAX_ELEMENTS) {
        return fail_count(parser, error);
    }
    for (at = coif_obj_skip_blanks(at); *at != '\0' && *at != '#'; at = coif_obj_skip_blanks(at)) {
        float number;
        const char *end = coif_parse_float(&number, at);
        if (end == NULL || !is_token_end(*end)) {
            return fail_token(parser, error, at, "a number");
        }
        if (!isfinite(number)) {
            return fail_token(parser, error, at, "a number that fits a float");
        }
        if (count < used) {
            numbers[count] = number;
        }
        ++count;
        at += end - at;
    }
    return count >= needed
               ? COIF_OK
               : coif_fail(error, COIF_ERR_FORMAT, "%s: line %lld: %d numbers, expected %d",
                           parser->name, (long long)parser->lines.number, count, needed);
}

// Appends a vector of size bytes to an array of the file.
static void *append(const coif_obj_parser *parser, void *array, int32_t *count, size_t *capacity,
                    const float *vector, size_t size)
{
    char *grown = coif_array_grow(array, (size_t)*count, 1, capacity, size, parser->arena);
    memcpy(grown + (size_t)(*count)++ * size, vector, size);
    return grown;
}

// Parses one index of a corner and makes it absolute; 0 when absent. Kind is 0, 1, 2 for v, vt, vn.
static coif_status read_index(coif_obj_parser *parser, int32_t *index, char **at, int kind,
                              coif_error *error)
{
    const int32_t counts[3] = {parser->obj->position_count, parser->obj->uv_count,
                               parser->obj->normal_count};
    const char *begin = *at;
    const bool negative = *begin == '-';
    char *digit = *at + (*begin == '-' || *begin == '+');
    int64_t value = 0;
    const char *digits = digit;
    for (; *digit >= '0' && *digit <= '9'; ++digit) {
        value = value > INT32_MAX ? value : 10 * value + (*digit - '0');
    }
    *at = digit;
    *index = 0;
    if (digit == begin && kind > 0) {
        return COIF_OK; // 7/ and 7//: absent
    }
    if (digit == digits || value == 0) {
        return fail_token(parser, error, begin, "an index from 1");
    }
    value = negative ? counts[kind] + 1 - value : value;
    if (value < 1 || value > INT32_MAX) {
        const quoted_token quoted = quote(begin);
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: line %lld: %s %s does not exist: there are %d", parser->name,
                         (long long)parser->lines.number, ELEMENT_NAMES[kind], quoted.text,
                         counts[kind]);
    }
    *index = (int32_t)value;
    if (*index > counts[kind] && *index > parser->ahead[kind].index) {
        parser->ahead[kind] = (coif_obj_forward_reference){*index, parser->lines.number};
    }
    return COIF_OK;
}

// v, v/vt, v//vn or v/vt/vn.
static coif_status read_corner(coif_obj_parser *parser, coif_obj_corner *corner, char **at,
                               coif_error *error)
{
    const char *token = *at;
    *corner = (coif_obj_corner){0, 0, 0};
    COIF_TRY(read_index(parser, &corner->position, at, 0, error));
    if (**at == '/') {
        ++*at;
        COIF_TRY(read_index(parser, &corner->uv, at, 1, error));
    }
    if (**at == '/') {
        ++*at;
        COIF_TRY(read_index(parser, &corner->normal, at, 2, error));
    }
    return is_token_end(**at) ? COIF_OK : fail_token(parser, error, token, "v/vt/vn");
}

static char *print_index(int32_t number, char *out)
{
    char digits[12];
    char *at = digits + sizeof digits;
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    const size_t length = (size_t)(digits + sizeof digits - at);
    memcpy(out, at, length);
    return out + length;
}

static char *print_corner(const coif_obj_corner *corner, char *out)
{
    *out++ = ' ';
    out = print_index(corner->position, out);
    if (corner->uv > 0 || corner->normal > 0) {
        *out++ = '/';
    }
    if (corner->uv > 0) {
        out = print_index(corner->uv, out);
    }
    if (corner->normal > 0) {
        *out++ = '/';
        out = print_index(corner->normal, out);
    }
    return out;
}

// A long face is split to several lines; its corners are joined again by obj->first.
static void copy_face(coif_obj_parser *parser, coif_obj_piece *piece)
{
    const size_t lines = (parser->corner_count + CORNERS_PER_LINE - 1) / CORNERS_PER_LINE;
    reserve(parser, piece, parser->corner_count * CORNER_BYTES + lines * 2);
    char *out = piece->text + piece->size;
    for (size_t i = 0; i < parser->corner_count; ++i) {
        if (i % CORNERS_PER_LINE == 0) {
            *out++ = 'f';
        }
        out = print_corner(&parser->corners[i], out);
        if (i % CORNERS_PER_LINE == CORNERS_PER_LINE - 1 || i + 1 == parser->corner_count) {
            *out++ = '\n';
        }
    }
    piece->size = (size_t)(out - piece->text);
    piece->lines += lines;
    piece->corners += parser->corner_count;
}

// Names are interned when a face uses them, so that empty groups do not appear.
static void record_face(coif_obj_parser *parser)
{
    coif_obj *obj = parser->obj;
    if (parser->group < 0) {
        parser->group = coif_string_table_intern(&obj->group_names, parser->group_name,
                                                 parser->group_length, parser->arena);
    }
    if (parser->material < 0 && parser->material_name != NULL) {
        parser->material = coif_string_table_intern(&obj->material_names, parser->material_name,
                                                    parser->material_length, parser->arena);
    }
    const size_t count = (size_t)obj->face_count;
    obj->first = coif_array_grow(obj->first, count + 1, 1, &parser->first_capacity,
                                 sizeof *obj->first, parser->arena);
    obj->groups = coif_array_grow(obj->groups, count, 1, &parser->group_capacity,
                                  sizeof *obj->groups, parser->arena);
    obj->materials = coif_array_grow(obj->materials, count, 1, &parser->material_capacity,
                                     sizeof *obj->materials, parser->arena);
    obj->groups[count] = parser->group;
    obj->materials[count] = parser->material;
    obj->corner_count += (int32_t)parser->corner_count;
    obj->first[count + 1] = obj->corner_count;
    ++obj->face_count;
}

static coif_status read_face(coif_obj_parser *parser, coif_obj_piece *piece, char *at,
                             coif_error *error)
{
    parser->corner_count = 0;
    for (at = coif_obj_skip_blanks(at); *at != '\0' && *at != '#'; at = coif_obj_skip_blanks(at)) {
        parser->corners =
            coif_array_grow(parser->corners, parser->corner_count, 1, &parser->corner_capacity,
                            sizeof *parser->corners, parser->arena);
        COIF_TRY(read_corner(parser, &parser->corners[parser->corner_count], &at, error));
        ++parser->corner_count;
    }
    if (parser->corner_count < 3) {
        ++parser->obj->short_faces;
        return COIF_OK;
    }
    if (parser->corner_count > (size_t)(MAX_ELEMENTS - parser->obj->corner_count)) {
        return fail_count(parser, error);
    }
    copy_face(parser, piece);
    record_face(parser);
    return COIF_OK;
}

// Trims the rest of a line and returns its length.
static size_t trim(char **at)
{
    *at = coif_obj_skip_blanks(*at);
    return coif_obj_trimmed_length(*at);
}

static void read_group(coif_obj_parser *parser, char *at, bool object)
{
    size_t length = trim(&at);
    if (!object) { // of several group names the first one counts
        size_t first = 0;
        while (first < length && !coif_obj_blank(at[first])) {
            ++first;
        }
        length = first;
    }
    parser->group_name = length > 0 ? at : "default";
    parser->group_length = length > 0 ? length : strlen("default");
    parser->group = -1;
}

static bool is_keyword(const char *at, const char *keyword, size_t length)
{
    return strncmp(at, keyword, length) == 0 && is_token_end(at[length]);
}

static coif_status read_line(coif_obj_parser *parser, coif_obj_piece *piece, char *at,
                             coif_error *error)
{
    coif_obj *obj = parser->obj;
    float numbers[3] = {0.0f, 0.0f, 0.0f};
    if (is_keyword(at, "v", 1)) {
        COIF_TRY(read_numbers(parser, numbers, obj->position_count, false, at + 1, error));
        obj->positions = append(parser, obj->positions, &obj->position_count,
                                &parser->position_capacity, numbers, sizeof *obj->positions);
        return COIF_OK;
    }
    if (is_keyword(at, "vt", 2)) {
        COIF_TRY(read_numbers(parser, numbers, obj->uv_count, true, at + 2, error));
        obj->uvs = append(parser, obj->uvs, &obj->uv_count, &parser->uv_capacity, numbers,
                          sizeof *obj->uvs);
        return COIF_OK;
    }
    if (is_keyword(at, "vn", 2)) {
        COIF_TRY(read_numbers(parser, numbers, obj->normal_count, false, at + 2, error));
        obj->normals = append(parser, obj->normals, &obj->normal_count, &parser->normal_capacity,
                              numbers, sizeof *obj->normals);
        return COIF_OK;
    }
    if (is_keyword(at, "f", 1)) {
        return read_face(parser, piece, at + 1, error);
    }
    if (is_keyword(at, "g", 1) || is_keyword(at, "o", 1)) {
        read_group(parser, at + 1, *at == 'o');
    } else if (is_keyword(at, "usemtl", 6)) {
        at += 6;
        parser->material_length = trim(&at);
        parser->material_name = parser->material_length > 0 ? at : NULL;
        parser->material = -1;
    } else if (is_keyword(at, "mtllib", 6)) {
        at += 6;
        const size_t length = trim(&at);
        if (length > 0) {
            coif_string_table_intern(&obj->libraries, at, length, parser->arena);
        }
    }
    return COIF_OK;
}

coif_status coif_obj_parser_init(coif_obj_parser *parser, coif_obj *obj, char *text, size_t size,
                                 coif_error *error)
{
    COIF_TRY(coif_obj_lines_init(&parser->lines, parser->name, text, size, error));
    parser->obj = obj;
    parser->group_name = "default";
    parser->group_length = strlen("default");
    parser->group = parser->material = -1;
    obj->first =
        coif_array_grow(NULL, 0, 1, &parser->first_capacity, sizeof *obj->first, parser->arena);
    return COIF_OK;
}

coif_status coif_obj_parser_fill(coif_obj_parser *parser, coif_obj_piece *piece, coif_error *error)
{
    piece->size = piece->lines = 0;
    piece->corners = 0;
    while (piece->size < PIECE_BYTES && piece->lines < PIECE_LINES) {
        char *line = coif_obj_lines_next(&parser->lines);
        if (line == NULL) {
            break;
        }
        COIF_TRY(read_line(parser, piece, line, error));
    }
    return COIF_OK;
}

coif_status coif_obj_parser_finish(const coif_obj_parser *parser, coif_error *error)
{
    const coif_obj *obj = parser->obj;
    const int32_t counts[3] = {obj->position_count, obj->uv_count, obj->normal_count};
    for (int kind = 0; kind < 3; ++kind) {
        if (parser->ahead[kind].index > counts[kind]) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: line %lld: %s %d does not exist: there are %d", parser->name,
                             (long long)parser->ahead[kind].line, ELEMENT_NAMES[kind],
                             parser->ahead[kind].index, counts[kind]);
        }
    }
    if (obj->face_count == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: no faces", parser->name);
    }
    return COIF_OK;
}
