// PLY files: header and numbers.
#include "core/mesh/ply_parse.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/mesh/parse_float.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *sized_name;
    uint32_t bytes;
} TYPES[] = {{"char", "int8", 1},     {"uchar", "uint8", 1},   {"short", "int16", 2},
             {"ushort", "uint16", 2}, {"int", "int32", 4},     {"uint", "uint32", 4},
             {"float", "float32", 4}, {"double", "float64", 8}};

coif_status coif_ply_fail(const coif_ply *ply, const char *what)
{
    return coif_fail(ply->error, COIF_ERR_FORMAT, "%s: byte %zu: %s", ply->bytes->name,
                     (size_t)(ply->at - (const char *)ply->bytes->data), what);
}

// The next word of the header line into word; false at the end of the line.
static bool next_word(const char **text, const char *end, char *word)
{
    while (*text < end && (**text == ' ' || **text == '\t')) {
        ++*text;
    }
    int length = 0;
    while (*text < end && strchr(" \t\r\n", **text) == NULL) {
        if (length < COIF_PLY_NAME - 1) {
            word[length++] = **text;
        }
        ++*text;
    }
    word[length] = '\0';
    return length > 0;
}

static bool find_type(coif_ply_type *type, const char *word)
{
    for (size_t i = 0; i < COIF_COUNT_OF(TYPES); ++i) {
        if (strcmp(word, TYPES[i].name) == 0 || strcmp(word, TYPES[i].sized_name) == 0) {
            *type = (coif_ply_type)i;
            return true;
        }
    }
    return false;
}

static coif_status read_property(coif_ply *ply, const char **line)
{
    char word[COIF_PLY_NAME];
    if (ply->element_count == 0 ||
        ply->elements[ply->element_count - 1].property_count == COIF_PLY_PROPERTIES) {
        return coif_ply_fail(ply, "a property without an element, or more than 256 properties");
    }
    coif_ply_element *element = &ply->elements[ply->element_count - 1];
    coif_ply_property *property = &element->properties[element->property_count++];
    next_word(line, ply->end, word);
    property->is_list = strcmp(word, "list") == 0;
    bool known = true;
    if (property->is_list) {
        known = next_word(line, ply->end, word) && find_type(&property->count_type, word);
        next_word(line, ply->end, word);
    }
    known = known && find_type(&property->type, word);
    if (!known || !next_word(line, ply->end, property->name)) {
        return coif_ply_fail(ply, "expected property TYPE NAME or property list TYPE TYPE NAME");
    }
    return COIF_OK;
}

static coif_status read_element(coif_ply *ply, const char **line)
{
    char word[COIF_PLY_NAME];
    if (ply->element_count == COIF_PLY_ELEMENTS) {
        return coif_ply_fail(ply, "more than 16 elements");
    }
    coif_ply_element *element = &ply->elements[ply->element_count++];
    element->properties = coif_arena_new(ply->arena, COIF_PLY_PROPERTIES, coif_ply_property);
    next_word(line, ply->end, element->name);
    char *end = word;
    if (next_word(line, ply->end, word)) {
        element->count = strtoull(word, &end, 10);
    }
    // A row has at least one byte.
    if (end == word || *end != '\0' || element->count > ply->bytes->size) {
        return coif_ply_fail(ply, "expected element NAME COUNT, with no more rows than bytes");
    }
    return COIF_OK;
}

static coif_status read_format(coif_ply *ply, const char **line)
{
    char word[COIF_PLY_NAME];
    next_word(line, ply->end, word);
    ply->ascii = strcmp(word, "ascii") == 0;
    ply->big_endian = strcmp(word, "binary_big_endian") == 0;
    return ply->ascii || ply->big_endian || strcmp(word, "binary_little_endian") == 0
               ? COIF_OK
               : coif_ply_fail(ply,
                               "expected format ascii, binary_little_endian or binary_big_endian");
}

static coif_status read_header(coif_ply *ply)
{
    char word[COIF_PLY_NAME];
    if (ply->bytes->size < 4 || memcmp(ply->at, "ply", 3) != 0) {
        return coif_fail(ply->error, COIF_ERR_FORMAT, "%s: not a PLY file: expected ply",
                         ply->bytes->name);
    }
    bool has_format = false;
    while (ply->at < ply->end) {
        const char *line = ply->at;
        next_word(&line, ply->end, word);
        if (strcmp(word, "format") == 0) {
            has_format = true;
            COIF_TRY(read_format(ply, &line));
        } else if (strcmp(word, "element") == 0) {
            COIF_TRY(read_element(ply, &line));
        } else if (strcmp(word, "property") == 0) {
            COIF_TRY(read_property(ply, &line));
        }
        const char *next = memchr(line, '\n', (size_t)(ply->end - line));
        ply->at = next != NULL ? next + 1 : ply->end;
        if (strcmp(word, "end_header") == 0) {
            return has_format ? COIF_OK : coif_ply_fail(ply, "the header has no format line");
        }
    }
    return coif_ply_fail(ply, "the header has no end_header");
}

static coif_status read_ascii(double *value, coif_ply *ply)
{
    while (ply->at < ply->end && strchr(" \t\r\n", *ply->at) != NULL) {
        ++ply->at;
    }
    float number;
    const char *end = coif_parse_float(&number, ply->at);
    *value = end != NULL ? (double)number : 0.0;
    if (end != NULL && fabs(*value) >= 1 << 24) { // an index beyond the integers of a float
        *value = (double)strtoll(ply->at, NULL, 10);
    }
    if (end == NULL || end > ply->end) {
        return coif_ply_fail(ply, ply->at < ply->end ? "expected a number" : "truncated");
    }
    ply->at = end;
    return COIF_OK;
}

coif_status coif_ply_read_number(double *value, coif_ply *ply, coif_ply_type type)
{
    if (ply->ascii) {
        return read_ascii(value, ply);
    }
    const uint32_t size = TYPES[type].bytes;
    union {
        unsigned char bytes[8];
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
    } raw;
    if ((size_t)(ply->end - ply->at) < size) {
        return coif_ply_fail(ply, "truncated");
    }
    for (uint32_t i = 0; i < size; ++i) {
        raw.bytes[i] = (unsigned char)ply->at[ply->big_endian ? size - 1 - i : i];
    }
    ply->at += size;
    switch (type) {
    case COIF_PLY_INT8:
        *value = raw.i8;
        break;
    case COIF_PLY_UINT8:
        *value = raw.u8;
        break;
    case COIF_PLY_INT16:
        *value = raw.i16;
        break;
    case COIF_PLY_UINT16:
        *value = raw.u16;
        break;
    case COIF_PLY_INT32:
        *value = raw.i32;
        break;
    case COIF_PLY_UINT32:
        *value = raw.u32;
        break;
    case COIF_PLY_FLOAT32:
        *value = (double)raw.f32;
        break;
    case COIF_PLY_FLOAT64:
        *value = raw.f64;
        break;
    }
    return COIF_OK;
}

bool coif_ply_is_one_of(const char *name, const char *names)
{
    const size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL; at += length) {
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

coif_status coif_ply_open(coif_ply *ply, const coif_bytes *bytes, coif_arena *arena,
                          coif_error *error)
{
    *ply = (coif_ply){.bytes = bytes, .at = bytes->data, .arena = arena, .error = error};
    ply->end = ply->at + bytes->size;
    return read_header(ply);
}

coif_status coif_ply_read_list_length(int32_t *count, coif_ply *ply, const coif_ply_property *list)
{
    double value = 0.0;
    COIF_TRY(coif_ply_read_number(&value, ply, list->count_type));
    if (!(value >= 0.0 && value < (double)ply->bytes->size && value <= INT32_MAX)) {
        return coif_ply_fail(ply, "a list of invalid length");
    }
    *count = (int32_t)value;
    return COIF_OK;
}

const coif_ply_element *coif_ply_find(const coif_ply *ply, const char *name)
{
    for (int32_t i = 0; i < ply->element_count; ++i) {
        if (strcmp(ply->elements[i].name, name) == 0) {
            return &ply->elements[i];
        }
    }
    return NULL;
}
