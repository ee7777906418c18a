#include "core/mesh/obj_parse.h"

#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/mesh/parse_float.h"

// Lines are told apart by their first word; a word that is no geometry and no name is passed over,
// as the format asks (s, l, p, curves).
enum {
    PIECE_BYTES = 256 * 1024, // a piece ends soon after
    CORNERS_PER_LINE = 15,    // the foreign parser has room for 15 and checks nothing
    CORNER_ROOM = 36,         // three indices of ten digits, two slashes, a space
    SHOWN = 40                // characters of a bad word that a message repeats
};

static const int32_t MOST_ELEMENTS = INT32_MAX / 3 - 1; // 3 per triangle must stay an int32_t

static const char *const ELEMENT_NAMES[3] = {"vertex", "texture coordinate", "normal"};

static bool is_word_end(char c)
{
    return c == '\0' || coif_obj_blank(c);
}

// A word as a message may show it: not too long, and nothing that a terminal would obey.
typedef struct shown_word {
    char text[SHOWN + 1];
} shown_word;

static shown_word show(const char *word)
{
    shown_word shown = {""};
    for (int i = 0; i < SHOWN && !is_word_end(word[i]); ++i) {
        shown.text[i] = (char)(word[i] > ' ' && word[i] < 127 ? word[i] : '?');
    }
    return shown;
}

static coif_status fail_word(const coif_obj_parser *guard, coif_error *error, const char *word,
                             const char *wanted)
{
    const shown_word shown = show(word);
    return coif_fail(error, COIF_ERR_FORMAT, "%s: line %lld: found \"%s\", expected %s",
                     guard->name, (long long)guard->lines.number, shown.text, wanted);
}

static coif_status fail_count(const coif_obj_parser *guard, coif_error *error)
{
    return coif_fail(error, COIF_ERR_FORMAT, "%s: line %lld: more than %d elements of one kind",
                     guard->name, (long long)guard->lines.number, MOST_ELEMENTS);
}

static void reserve(coif_obj_parser *guard, coif_obj_piece *piece, size_t bytes)
{
    piece->text =
        coif_array_grow(piece->text, piece->size, bytes, &piece->capacity, 1, guard->arena);
}

// Numbers of a v, vt or vn line: the first `kept` go on (zero where fewer are given), the others
// (weights, colours) are only looked at.
static coif_status pass_numbers(coif_obj_parser *guard, coif_obj_piece *piece, const char *keyword,
                                char *at, coif_error *error)
{
    const bool uv = keyword[1] == 't';
    const int kept = uv ? 2 : 3;
    const int needed = uv ? 1 : 3;
    reserve(guard, piece, 8 + 3 * (COIF_EXACT_FLOAT_CHARS + 1));
    char *out = piece->text + piece->size;
    for (const char *letter = keyword; *letter != '\0'; ++letter) {
        *out++ = *letter;
    }
    int count = 0;
    for (at = coif_obj_skip_blanks(at); *at != '\0' && *at != '#'; at = coif_obj_skip_blanks(at)) {
        coif_decimal_float number;
        const char *end = coif_parse_float(&number, at);
        if (end == NULL || !is_word_end(*end)) {
            return fail_word(guard, error, at, "a number");
        }
        if (!isfinite(number.value)) {
            return fail_word(guard, error, at, "a number that fits a float");
        }
        if (count++ < kept) {
            *out++ = ' ';
            out = coif_print_exact_float(&number, out);
        }
        at += end - at;
    }
    if (count < needed) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: line %lld: %d numbers, expected %d",
                         guard->name, (long long)guard->lines.number, count, needed);
    }
    if (count < kept) {
        *out++ = ' ';
        *out++ = '0';
    }
    *out++ = '\n';
    piece->size = (size_t)(out - piece->text);
    ++piece->lines;
    return COIF_OK;
}

static coif_status count_element(const coif_obj_parser *guard, int32_t *total, size_t *here,
                                 coif_error *error)
{
    if (*total >= MOST_ELEMENTS) {
        return fail_count(guard, error);
    }
    ++*total;
    ++*here;
    return COIF_OK;
}

// One index of a corner, made absolute; 0 where none is written. Kind is 0, 1, 2 for v, vt, vn.
static coif_status read_index(coif_obj_parser *guard, int32_t *index, char **at, int kind,
                              coif_error *error)
{
    const int32_t counts[3] = {guard->obj->position_count, guard->obj->uv_count,
                               guard->obj->normal_count};
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
        return COIF_OK; // 7/ and 7//: nothing written
    }
    if (digit == digits || value == 0) {
        return fail_word(guard, error, begin, "an index from 1");
    }
    value = negative ? counts[kind] + 1 - value : value;
    if (value < 1 || value > INT32_MAX) {
        const shown_word shown = show(begin);
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: line %lld: %s %s does not exist: there are %d", guard->name,
                         (long long)guard->lines.number, ELEMENT_NAMES[kind], shown.text,
                         counts[kind]);
    }
    *index = (int32_t)value;
    if (*index > counts[kind] && *index > guard->ahead[kind].index) {
        guard->ahead[kind] = (coif_obj_forward_reference){*index, guard->lines.number};
    }
    return COIF_OK;
}

// v, v/vt, v//vn or v/vt/vn.
static coif_status read_corner(coif_obj_parser *guard, coif_obj_corner *corner, char **at,
                               coif_error *error)
{
    const char *word = *at;
    *corner = (coif_obj_corner){0, 0, 0};
    COIF_TRY(read_index(guard, &corner->position, at, 0, error));
    if (**at == '/') {
        ++*at;
        COIF_TRY(read_index(guard, &corner->uv, at, 1, error));
    }
    if (**at == '/') {
        ++*at;
        COIF_TRY(read_index(guard, &corner->normal, at, 2, error));
    }
    return is_word_end(**at) ? COIF_OK : fail_word(guard, error, word, "v/vt/vn");
}

static char *print_corner(const coif_obj_corner *corner, char *out)
{
    *out++ = ' ';
    out = coif_print_uint((uint64_t)corner->position, out);
    if (corner->uv > 0 || corner->normal > 0) {
        *out++ = '/';
    }
    if (corner->uv > 0) {
        out = coif_print_uint((uint64_t)corner->uv, out);
    }
    if (corner->normal > 0) {
        *out++ = '/';
        out = coif_print_uint((uint64_t)corner->normal, out);
    }
    return out;
}

// A long face goes on as several lines; its corners are put together again afterwards.
static void pass_face(coif_obj_parser *guard, coif_obj_piece *piece)
{
    const size_t lines = (guard->corner_count + CORNERS_PER_LINE - 1) / CORNERS_PER_LINE;
    reserve(guard, piece, guard->corner_count * CORNER_ROOM + lines * 2);
    char *out = piece->text + piece->size;
    for (size_t i = 0; i < guard->corner_count; ++i) {
        if (i % CORNERS_PER_LINE == 0) {
            *out++ = 'f';
        }
        out = print_corner(&guard->corners[i], out);
        if (i % CORNERS_PER_LINE == CORNERS_PER_LINE - 1 || i + 1 == guard->corner_count) {
            *out++ = '\n';
        }
    }
    piece->size = (size_t)(out - piece->text);
    piece->lines += lines;
    piece->corners += guard->corner_count;
}

// Names get their numbers when a face uses them, so that empty groups do not appear.
static void record_face(coif_obj_parser *guard)
{
    coif_obj *obj = guard->obj;
    if (guard->group < 0) {
        guard->group = coif_string_table_intern(&obj->group_names, guard->group_name,
                                                guard->group_length, guard->arena);
    }
    if (guard->material < 0 && guard->material_name != NULL) {
        guard->material = coif_string_table_intern(&obj->material_names, guard->material_name,
                                                   guard->material_length, guard->arena);
    }
    const size_t count = (size_t)obj->face_count;
    obj->first = coif_array_grow(obj->first, count + 1, 1, &guard->first_capacity,
                                 sizeof *obj->first, guard->arena);
    obj->groups = coif_array_grow(obj->groups, count, 1, &guard->group_capacity,
                                  sizeof *obj->groups, guard->arena);
    obj->materials = coif_array_grow(obj->materials, count, 1, &guard->material_capacity,
                                     sizeof *obj->materials, guard->arena);
    obj->groups[count] = guard->group;
    obj->materials[count] = guard->material;
    obj->corner_count += (int32_t)guard->corner_count;
    obj->first[count + 1] = obj->corner_count;
    ++obj->face_count;
}

static coif_status read_face(coif_obj_parser *guard, coif_obj_piece *piece, char *at,
                             coif_error *error)
{
    guard->corner_count = 0;
    for (at = coif_obj_skip_blanks(at); *at != '\0' && *at != '#'; at = coif_obj_skip_blanks(at)) {
        guard->corners =
            coif_array_grow(guard->corners, guard->corner_count, 1, &guard->corner_capacity,
                            sizeof *guard->corners, guard->arena);
        COIF_TRY(read_corner(guard, &guard->corners[guard->corner_count], &at, error));
        ++guard->corner_count;
    }
    if (guard->corner_count < 3) {
        ++guard->obj->short_faces;
        return COIF_OK;
    }
    if (guard->corner_count > (size_t)(MOST_ELEMENTS - guard->obj->corner_count)) {
        return fail_count(guard, error);
    }
    pass_face(guard, piece);
    record_face(guard);
    return COIF_OK;
}

// The rest of a line without the blanks around it.
static size_t trim(char **at)
{
    *at = coif_obj_skip_blanks(*at);
    size_t length = strlen(*at);
    while (length > 0 && coif_obj_blank((*at)[length - 1])) {
        --length;
    }
    return length;
}

static void read_group(coif_obj_parser *guard, char *at, bool object)
{
    size_t length = trim(&at);
    if (!object) { // a face may be in several groups; the first name is the one that counts
        size_t first = 0;
        while (first < length && !coif_obj_blank(at[first])) {
            ++first;
        }
        length = first;
    }
    guard->group_name = length > 0 ? at : "default";
    guard->group_length = length > 0 ? length : strlen("default");
    guard->group = -1;
}

static bool is_keyword(const char *at, const char *keyword, size_t length)
{
    return strncmp(at, keyword, length) == 0 && is_word_end(at[length]);
}

static coif_status read_line(coif_obj_parser *guard, coif_obj_piece *piece, char *at,
                             coif_error *error)
{
    coif_obj *obj = guard->obj;
    if (is_keyword(at, "v", 1)) {
        COIF_TRY(pass_numbers(guard, piece, "v", at + 1, error));
        return count_element(guard, &obj->position_count, &piece->positions, error);
    }
    if (is_keyword(at, "vt", 2)) {
        COIF_TRY(pass_numbers(guard, piece, "vt", at + 2, error));
        return count_element(guard, &obj->uv_count, &piece->uvs, error);
    }
    if (is_keyword(at, "vn", 2)) {
        COIF_TRY(pass_numbers(guard, piece, "vn", at + 2, error));
        return count_element(guard, &obj->normal_count, &piece->normals, error);
    }
    if (is_keyword(at, "f", 1)) {
        return read_face(guard, piece, at + 1, error);
    }
    if (is_keyword(at, "g", 1) || is_keyword(at, "o", 1)) {
        read_group(guard, at + 1, *at == 'o');
    } else if (is_keyword(at, "usemtl", 6)) {
        at += 6;
        guard->material_length = trim(&at);
        guard->material_name = guard->material_length > 0 ? at : NULL;
        guard->material = -1;
    } else if (is_keyword(at, "mtllib", 6)) {
        at += 6;
        const size_t length = trim(&at);
        if (length > 0) {
            coif_string_table_intern(&obj->libraries, at, length, guard->arena);
        }
    }
    return COIF_OK;
}

coif_status coif_obj_parser_init(coif_obj_parser *guard, coif_obj *obj, char *text, size_t size,
                                 coif_error *error)
{
    COIF_TRY(coif_obj_lines_init(&guard->lines, guard->name, text, size, error));
    guard->obj = obj;
    guard->group_name = "default";
    guard->group_length = strlen("default");
    guard->group = guard->material = -1;
    guard->guess = coif_obj_lines_estimate(&guard->lines);
    const size_t faces = guard->guess.faces;
    obj->first = coif_arena_new(guard->arena, faces + 1, int32_t);
    obj->groups = coif_arena_new(guard->arena, faces, int32_t);
    obj->materials = coif_arena_new(guard->arena, faces, int32_t);
    guard->first_capacity = faces + 1;
    guard->group_capacity = guard->material_capacity = faces;
    return COIF_OK;
}

coif_status coif_obj_parser_fill(coif_obj_parser *guard, coif_obj_piece *piece, coif_error *error)
{
    piece->size = piece->lines = 0;
    piece->positions = piece->uvs = piece->normals = piece->corners = 0;
    while (piece->size < PIECE_BYTES && piece->lines < COIF_OBJ_PIECE_LINES) {
        char *line = coif_obj_lines_next(&guard->lines);
        if (line == NULL) {
            break;
        }
        COIF_TRY(read_line(guard, piece, line, error));
    }
    return COIF_OK;
}

coif_status coif_obj_parser_finish(const coif_obj_parser *guard, coif_error *error)
{
    const coif_obj *obj = guard->obj;
    const int32_t counts[3] = {obj->position_count, obj->uv_count, obj->normal_count};
    for (int kind = 0; kind < 3; ++kind) {
        if (guard->ahead[kind].index > counts[kind]) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: line %lld: %s %d does not exist: there are %d", guard->name,
                             (long long)guard->ahead[kind].line, ELEMENT_NAMES[kind],
                             guard->ahead[kind].index, counts[kind]);
        }
    }
    if (obj->face_count == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: no faces", guard->name);
    }
    return COIF_OK;
}
