// Writer of USD: encoding as text.
//
// USD lists all samples of an attribute together, but samples arrive object by object in the order
// of time. So an attribute that changes has a temporary file of its own, which is appended when the
// file is finished; values without time wait in memory.
#include "core/archive/usd/usd_write.h"
#include "core/base/arena.h"
#include "core/base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t element_bytes(const coif_usd_type *type)
{
    const size_t size = type->element == COIF_USD_DOUBLE ? sizeof(double)
                        : type->element == COIF_USD_TEXT ? sizeof(const char *)
                                                         : sizeof(float);
    return size * (size_t)type->components;
}

static void put_integer(coif_text_writer *text, int32_t value)
{
    char digits[16];
    char *at = digits + sizeof digits;
    uint32_t rest = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        *--at = '-';
    }
    coif_put_bytes(text, at, (size_t)(digits + sizeof digits - at));
}

// The fewer digits that read back as the same number.
static void put_double(coif_text_writer *text, double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.10g", value);
    if (strtod(digits, NULL) != value) {
        snprintf(digits, sizeof digits, "%.17g", value);
    }
    coif_put_text(text, digits);
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

static void put_component(coif_text_writer *text, coif_usd_element element, const void *data,
                          int64_t index)
{
    switch (element) {
    case COIF_USD_FLOAT:
        coif_put_number(text, ((const float *)data)[index]);
        break;
    case COIF_USD_INT:
        put_integer(text, ((const int32_t *)data)[index]);
        break;
    case COIF_USD_DOUBLE:
        put_double(text, ((const double *)data)[index]);
        break;
    case COIF_USD_TEXT:
        put_quoted(text, ((const char *const *)data)[index]);
        break;
    }
}

// "1", "(1, 2, 3)", of matrices of 4 rows "((...), (...), (...), (...))".
static void put_element(coif_text_writer *text, const coif_usd_type *type, const void *data,
                        int64_t first)
{
    const int32_t count = type->components;
    const bool matrix = type->matrix;
    coif_put_text(text, count > 1 ? "(" : "");
    for (int32_t k = 0; k < count; ++k) {
        coif_put_text(text, k == 0 ? "" : matrix && k % 4 == 0 ? "), " : ", ");
        coif_put_text(text, matrix && k % 4 == 0 ? "(" : "");
        put_component(text, type->element, data, first + k);
    }
    coif_put_text(text, matrix ? "))" : count > 1 ? ")" : "");
}

static void put_value(coif_text_writer *text, const coif_usd_type *type, const void *data,
                      int64_t count)
{
    coif_put_text(text, type->array ? "[" : "");
    for (int64_t i = 0; i < count; ++i) {
        coif_put_text(text, i == 0 ? "" : ", ");
        put_element(text, type, data, i * type->components);
    }
    coif_put_text(text, type->array ? "]" : "");
}

static void put_declaration(coif_text_writer *text, const coif_usd_out_desc *desc)
{
    coif_put_format(text, "    %s%s %s", desc->uniform ? "uniform " : "", desc->type, desc->name);
}

static void put_attribute_metadata(coif_text_writer *text, const coif_usd_out_desc *desc)
{
    if (desc->interpolation == NULL) {
        return;
    }
    coif_put_text(text, " (\n");
    if (desc->element_size > 0) {
        coif_put_format(text, "        elementSize = %d\n", desc->element_size);
    }
    coif_put_format(text, "        interpolation = \"%s\"\n    )", desc->interpolation);
}

static void put_sample(const coif_archive_writer *writer, coif_usd_out_attribute *attribute,
                       int32_t sample, const void *data, int64_t count)
{
    coif_put_format(attribute->text, "        %.10g: ", coif_usd_time_code(writer, sample));
    put_value(attribute->text, &attribute->type, data, count);
    coif_put_text(attribute->text, ",\n");
}

static void keep(coif_usd_out_attribute *attribute, int32_t sample, const void *data, int64_t count,
                 coif_arena *arena)
{
    const size_t size = element_bytes(&attribute->type);
    attribute->first = coif_arena_alloc(arena, (size_t)count, size);
    attribute->first_count = count;
    attribute->first_sample = attribute->last_sample = sample;
    if (count > 0) {
        memcpy(attribute->first, data, (size_t)count * size);
    }
    for (int64_t i = 0; attribute->type.element == COIF_USD_TEXT && i < count; ++i) {
        const char **texts = attribute->first;
        texts[i] = coif_arena_copy_text(arena, texts[i]);
    }
}

static bool same_as_first(const coif_usd_out_attribute *attribute, const void *data, int64_t count)
{
    bool same = count == attribute->first_count;
    if (attribute->type.element != COIF_USD_TEXT) {
        const size_t size = element_bytes(&attribute->type);
        return same && (count == 0 || memcmp(attribute->first, data, (size_t)count * size) == 0);
    }
    const char *const *texts = data, *const *first = attribute->first;
    for (int64_t i = 0; same && i < count; ++i) {
        same = strcmp(texts[i], first[i]) == 0;
    }
    return same;
}

// Opens the temporary file and writes the samples so far.
static coif_status open_samples(coif_archive_writer *writer, coif_usd_out_attribute *attribute,
                                coif_error *error)
{
    const coif_usd_out_desc *desc = &attribute->desc;
    coif_text_writer *text = coif_arena_new(writer->arena, 1, coif_text_writer);
    COIF_TRY(coif_text_writer_open(text, writer->path, error));
    attribute->text = text;
    if (desc->interpolation != NULL) { // metadata belong to the declaration without samples
        put_declaration(text, desc);
        put_attribute_metadata(text, desc);
        coif_put_text(text, "\n");
    }
    put_declaration(text, desc);
    coif_put_text(text, ".timeSamples = {\n");
    if (attribute->first != NULL) {
        put_sample(writer, attribute, attribute->first_sample, attribute->first,
                   attribute->first_count);
    }
    if (attribute->last_sample > attribute->first_sample) {
        put_sample(writer, attribute, attribute->last_sample, attribute->first,
                   attribute->first_count);
    }
    return COIF_OK;
}

static coif_status put(coif_archive_writer *writer, coif_usd_out_attribute *attribute,
                       int32_t sample, const void *data, int64_t count, coif_error *error)
{
    if (data == NULL) {
        return COIF_OK;
    }
    if (attribute->text == NULL && (sample < 0 || attribute->desc.held)) {
        if (attribute->first == NULL) {
            keep(attribute, sample, data, count, writer->arena);
            return COIF_OK;
        }
        if (same_as_first(attribute, data, count)) {
            attribute->last_sample = sample;
            return COIF_OK;
        }
    }
    if (attribute->text == NULL) {
        COIF_TRY(open_samples(writer, attribute, error));
    }
    attribute->text->error = error;
    put_sample(writer, attribute, sample, data, count);
    return attribute->text->status;
}

static coif_status open(coif_archive_writer *writer, const char *path, coif_error *error)
{
    return coif_text_writer_open(writer->file, path, error);
}

static void put_header(const coif_archive_writer *writer, const coif_usd_out_metadata *metadata,
                       int32_t count)
{
    coif_text_writer *file = writer->file;
    coif_put_text(file, "#usda 1.0\n(\n");
    for (int32_t i = 0; i < count; ++i) {
        const bool doc = strcmp(metadata[i].name, "documentation") == 0;
        coif_put_format(file, "    %s = ", doc ? "doc" : metadata[i].name);
        if (metadata[i].text != NULL) {
            put_quoted(file, metadata[i].text);
        } else {
            put_double(file, metadata[i].number);
        }
        coif_put_text(file, "\n");
    }
    coif_put_text(file, ")\n");
}

static coif_status append_file(coif_text_writer *to, const char *path, coif_error *error)
{
    char chunk[COIF_TEXT_BUFFER];
    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_READ, error));
    coif_status status = COIF_OK;
    for (uint64_t left = file.size; status == COIF_OK && left > 0;) {
        const size_t bytes = left < sizeof chunk ? (size_t)left : sizeof chunk;
        status = coif_file_read(&file, chunk, bytes, error);
        if (status == COIF_OK) {
            coif_put_bytes(to, chunk, bytes);
        }
        left -= bytes;
    }
    coif_file_close(&file);
    return status;
}

static coif_status put_attribute(const coif_archive_writer *writer,
                                 coif_usd_out_attribute *attribute, coif_error *error)
{
    const coif_usd_out_desc *desc = &attribute->desc;
    coif_text_writer *file = writer->file;
    if (attribute->text == NULL) {
        put_declaration(file, desc);
        if (desc->target != NULL) {
            const bool relationship = strcmp(desc->type, "rel") == 0;
            coif_put_format(file, "%s = <%s>", relationship ? "" : ".connect", desc->target);
        }
        if (attribute->first != NULL) {
            coif_put_text(file, " = ");
            put_value(file, &attribute->type, attribute->first, attribute->first_count);
        }
        put_attribute_metadata(file, desc);
        coif_put_text(file, "\n");
        return COIF_OK;
    }
    attribute->text->error = error;
    coif_put_text(attribute->text, "    }\n");
    COIF_TRY(coif_text_writer_flush(attribute->text));
    COIF_TRY(append_file(file, attribute->text->file.temporary, error));
    coif_text_writer_discard(attribute->text);
    attribute->text = NULL;
    return COIF_OK;
}

static void close_prims(const coif_archive_writer *writer, int depth, int to)
{
    for (; depth > to; --depth) {
        coif_put_text(writer->file, "}\n");
    }
}

// Closes the prims of the previous path and opens the parents of the next one; returns its depth.
static int open_parents(const coif_archive_writer *writer, const char *previous, const char *path)
{
    int common = 0, depth = 0, old_depth = 0;
    size_t begin = 0;
    for (const char *c = previous; *c != '\0'; ++c) {
        old_depth += *c == '/';
    }
    for (size_t i = 1; previous[0] != '\0'; ++i) { // whole names that both have
        const bool end_a = previous[i] == '/' || previous[i] == '\0';
        const bool end_b = path[i] == '/' || path[i] == '\0';
        if (end_a && end_b) {
            ++common;
            begin = i;
        }
        if (previous[i] != path[i] || previous[i] == '\0') {
            break;
        }
    }
    close_prims(writer, old_depth, common);
    depth = common;
    for (const char *name = path + begin + (path[begin] == '/'); *name != '\0'; ++depth) {
        const size_t length = strcspn(name, "/");
        if (name[length] == '\0') {
            return depth + 1;
        }
        coif_put_format(writer->file, "\ndef Xform \"%.*s\"\n{\n", (int)length, name);
        name += length + 1;
    }
    return depth;
}

static coif_status finish(coif_archive_writer *writer, const coif_usd_out_metadata *metadata,
                          int32_t metadata_count, coif_error *error)
{
    const char *previous = "";
    int depth = 0;
    put_header(writer, metadata, metadata_count);
    for (size_t i = 0; i < writer->prim_count; ++i) {
        const coif_usd_out_prim *prim = writer->prims[i];
        depth = open_parents(writer, previous, prim->path);
        coif_put_format(writer->file, "\ndef %s \"", prim->type);
        coif_put_text(writer->file, strrchr(prim->path, '/') + 1);
        coif_put_text(writer->file, "\"");
        if (prim->api_schema != NULL) {
            coif_put_format(writer->file, " (\n    prepend apiSchemas = [\"%s\"]\n)",
                            prim->api_schema);
        }
        coif_put_text(writer->file, "\n{\n");
        for (coif_usd_out_attribute *a = prim->attributes; a != NULL; a = a->next) {
            COIF_TRY(put_attribute(writer, a, error));
        }
        previous = prim->path;
    }
    close_prims(writer, depth, 0);
    return COIF_OK;
}

static void discard(coif_archive_writer *writer)
{
    for (size_t i = 0; i < writer->prim_count; ++i) {
        for (coif_usd_out_attribute *a = writer->prims[i]->attributes; a != NULL; a = a->next) {
            if (a->text != NULL) {
                coif_text_writer_discard(a->text);
                a->text = NULL;
            }
        }
    }
}

const coif_usd_encoding COIF_USD_TEXT_ENCODING = {
    .open = open, .put = put, .finish = finish, .discard = discard};
