// USD text: values of attributes.
#include "core/archive/usd/usd_text.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/mesh/parse_float.h"

// Numbers or texts of one value, as they are read.
typedef struct value_buffer {
    const coif_usd_type *type;
    char *data;
    size_t count, capacity; // numbers
    coif_arena *arena;
} value_buffer;

static size_t element_size(coif_usd_element element)
{
    return element == COIF_USD_TEXT     ? sizeof(const char *)
           : element == COIF_USD_DOUBLE ? sizeof(double)
                                        : sizeof(float);
}

static void *next_slot(value_buffer *buffer)
{
    const size_t size = element_size(buffer->type->element);
    buffer->data =
        coif_array_grow(buffer->data, buffer->count, 1, &buffer->capacity, size, buffer->arena);
    return buffer->data + size * buffer->count++;
}

static coif_status read_integer(coif_usd_scanner *scanner, int32_t *to)
{
    double number;
    coif_usd_scanner word = *scanner;
    const coif_usd_span name = coif_usd_scan_name(&word, "");
    if (coif_usd_span_is(name, "true") || coif_usd_span_is(name, "false")) {
        *to = name.text[0] == 't';
        *scanner = word;
        return COIF_OK;
    }
    const coif_usd_scanner before = *scanner;
    COIF_TRY(coif_usd_scan_number(scanner, &number));
    if (!(number >= INT32_MIN && number <= INT32_MAX) || number != (double)(int32_t)number) {
        return coif_usd_scan_fail(&before, "an integer of 32 bits");
    }
    *to = (int32_t)number;
    return COIF_OK;
}

static coif_status read_text(coif_usd_scanner *scanner, const char **to, coif_arena *arena)
{
    coif_usd_span span;
    COIF_TRY(coif_usd_scan_string(scanner, &span));
    *to = coif_usd_unescape(span, arena);
    return COIF_OK;
}

// Floats are rounded once, from their digits.
static coif_status read_float(coif_usd_scanner *scanner, float *to)
{
    const char *end = NULL;
    if (!coif_usd_number_is_bounded(scanner) || (end = coif_parse_float(to, scanner->at)) == NULL) {
        double number;
        COIF_TRY(coif_usd_scan_number(scanner, &number));
        *to = (float)number;
        return COIF_OK;
    }
    scanner->at = end;
    return COIF_OK;
}

static coif_status read_number(coif_usd_scanner *scanner, value_buffer *buffer)
{
    void *slot = next_slot(buffer);
    switch (buffer->type->element) {
    case COIF_USD_INT:
        return read_integer(scanner, slot);
    case COIF_USD_FLOAT:
        return read_float(scanner, slot);
    case COIF_USD_DOUBLE:
        return coif_usd_scan_number(scanner, slot);
    default:
        return read_text(scanner, slot, buffer->arena);
    }
}

// "(1, 2, 3)"; a matrix is a tuple of rows.
static coif_status read_tuple(coif_usd_scanner *scanner, value_buffer *buffer, int32_t columns,
                              int32_t rows)
{
    if (!coif_usd_accept(scanner, '(')) {
        return coif_usd_scan_fail(scanner, "'('");
    }
    const int32_t count = rows > 1 ? rows : columns;
    for (int32_t i = 0; i < count; ++i) {
        if (i > 0 && !coif_usd_accept(scanner, ',')) {
            return coif_usd_scan_fail(scanner, "','");
        }
        COIF_TRY(rows > 1 ? read_tuple(scanner, buffer, columns, 1) : read_number(scanner, buffer));
    }
    return coif_usd_accept(scanner, ')') ? COIF_OK : coif_usd_scan_fail(scanner, "')'");
}

static coif_status read_element(coif_usd_scanner *scanner, value_buffer *buffer)
{
    const int32_t components = buffer->type->components;
    if (components == 1) {
        return read_number(scanner, buffer);
    }
    const int32_t rows = !buffer->type->matrix ? 1 : components == 16 ? 4 : components == 9 ? 3 : 2;
    return read_tuple(scanner, buffer, components / rows, rows);
}

// Room for all numbers of an array: they are separated by commas.
static void reserve(value_buffer *buffer, const coif_usd_scanner *scanner)
{
    const char *close = memchr(scanner->at, ']', (size_t)(scanner->end - scanner->at));
    size_t commas = 0;
    for (const char *c = scanner->at; close != NULL && c < close; ++c) {
        commas += *c == ',';
    }
    buffer->data = coif_array_grow(NULL, 0, commas + 1, &buffer->capacity,
                                   element_size(buffer->type->element), buffer->arena);
}

coif_status coif_usd_text_decode(const coif_usd_layer *layer, coif_usd_handle handle,
                                 const coif_usd_type *type, coif_usd_value *value,
                                 coif_arena *arena, coif_error *error)
{
    coif_usd_scanner scanner = coif_usd_scanner_at(&layer->bytes, (size_t)handle, error);
    value_buffer buffer = {.type = type, .arena = arena};
    if (!type->array) {
        COIF_TRY(read_element(&scanner, &buffer));
    } else if (!coif_usd_accept(&scanner, '[')) {
        return coif_usd_scan_fail(&scanner, "'['");
    } else {
        reserve(&buffer, &scanner);
        while (!coif_usd_accept(&scanner, ']')) {
            COIF_TRY(read_element(&scanner, &buffer));
            if (!coif_usd_accept(&scanner, ',') && !coif_usd_accept(&scanner, ']')) {
                return coif_usd_scan_fail(&scanner, "',' or ']'");
            }
            if (scanner.at[-1] == ']') {
                break;
            }
        }
    }
    *value = (coif_usd_value){.element = type->element,
                              .components = type->components,
                              .count = (int64_t)buffer.count / type->components,
                              .data = buffer.data};
    return COIF_OK;
}
