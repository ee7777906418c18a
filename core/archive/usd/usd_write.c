// Writer of USD text: parts, prims, files.
#include "core/archive/usd/usd_write.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <stdlib.h>
#include <string.h>

static double time_code_of(const coif_archive_writer *writer, int32_t sample)
{
    return writer->desc.first_frame + sample * writer->desc.frame_step;
}

static void put_time(coif_text_writer *text, const coif_archive_writer *writer, int32_t sample)
{
    coif_put_format(text, "        %.10g: ", time_code_of(writer, sample));
}

coif_status coif_usd_part_open(const coif_usd_write_sample *at, coif_usd_part_kind kind,
                               const char *declaration, const char *metadata, coif_usd_part **part)
{
    *part = &at->object->parts[kind];
    if ((*part)->text != NULL) {
        (*part)->text->error = at->error;
        return COIF_OK;
    }
    coif_text_writer *text = coif_arena_new(at->writer->arena, 1, coif_text_writer);
    COIF_TRY(coif_text_writer_open(text, at->writer->file->file.path, at->error));
    (*part)->text = text;
    if (at->object->desc.animated && kind != COIF_USD_FIXED) {
        // Metadata belong to the declaration without samples.
        if (metadata[0] != '\0') {
            coif_put_format(text, "    %s %s\n", declaration, metadata);
        }
        coif_put_format(text, "    %s.timeSamples = {\n", declaration);
    } else if (kind != COIF_USD_FIXED) {
        coif_put_format(text, "    %s = ", declaration);
    }
    return COIF_OK;
}

void coif_usd_part_begin(const coif_usd_write_sample *at, coif_usd_part *part)
{
    if (at->object->desc.animated) {
        put_time(part->text, at->writer, at->sample);
    }
    ++part->samples;
}

void coif_usd_part_end(const coif_usd_write_sample *at, coif_usd_part *part)
{
    coif_put_text(part->text, at->object->desc.animated ? ",\n" : "");
}

void coif_usd_put_floats(coif_text_writer *text, const float *values, int64_t count,
                         int32_t components, float scale)
{
    coif_put_text(text, "[");
    for (int64_t i = 0; i < count; ++i) {
        coif_put_text(text, i == 0 ? "" : ", ");
        for (int32_t k = 0; k < components; ++k) {
            coif_put_text(text, components == 1 ? "" : k == 0 ? "(" : ", ");
            coif_put_number(text, values[i * components + k] * scale);
        }
        coif_put_text(text, components == 1 ? "" : ")");
    }
    coif_put_text(text, "]");
}

void coif_usd_put_integers(coif_text_writer *text, const int32_t *values, int64_t count)
{
    coif_put_text(text, "[");
    for (int64_t i = 0; i < count; ++i) {
        char digits[16];
        char *at = digits + sizeof digits;
        const bool negative = values[i] < 0;
        uint32_t rest = negative ? 0u - (uint32_t)values[i] : (uint32_t)values[i];
        do {
            *--at = (char)('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        if (negative) {
            *--at = '-';
        }
        coif_put_text(text, i == 0 ? "" : ", ");
        coif_put_bytes(text, at, (size_t)(digits + sizeof digits - at));
    }
    coif_put_text(text, "]");
}

static void put_held_sample(const coif_usd_write_sample *at, coif_usd_part *part, int32_t sample,
                            const coif_usd_held *array)
{
    coif_usd_write_sample own = *at;
    own.sample = sample;
    coif_usd_part_begin(&own, part);
    coif_usd_put_floats(part->text, array->values, array->count, array->components, array->scale);
    coif_usd_part_end(&own, part);
}

coif_status coif_usd_put_held(const coif_usd_write_sample *at, const coif_usd_held *array)
{
    coif_usd_part *part = &at->object->parts[array->kind];
    if (at->object->desc.animated && part->samples == 0) {
        const int64_t numbers = array->count * array->components;
        if (part->first.values == NULL) {
            float *copy = coif_arena_new(at->writer->arena, numbers, float);
            memcpy(copy, array->values, (size_t)numbers * sizeof(float));
            part->first = *array;
            part->first.values = copy;
            part->first_sample = at->sample;
        }
        if (array->count == part->first.count &&
            memcmp(part->first.values, array->values, (size_t)numbers * sizeof(float)) == 0) {
            part->last_sample = at->sample;
            return COIF_OK;
        }
    }
    COIF_TRY(coif_usd_part_open(at, array->kind, array->declaration, array->metadata, &part));
    if (part->samples == 0 && part->first.values != NULL) {
        put_held_sample(at, part, part->first_sample, &part->first);
        if (part->last_sample > part->first_sample) {
            put_held_sample(at, part, part->last_sample, &part->first);
        }
    }
    put_held_sample(at, part, at->sample, array);
    if (!at->object->desc.animated) {
        coif_put_format(part->text, " %s", array->metadata);
    }
    return COIF_OK;
}

// Letters, digits and _ with a letter or _ first; other characters become _.
static char *clean_path(const char *path, coif_arena *arena)
{
    char *clean = coif_arena_print(arena, "%s%s", path[0] == '/' ? "" : "/", path);
    for (char *c = clean; *c != '\0'; ++c) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        const bool digit = *c >= '0' && *c <= '9';
        if (*c != '/' && !letter && !(digit && c[-1] != '/')) {
            *c = '_';
        }
    }
    return clean;
}

static int by_path(const void *a, const void *b)
{
    const coif_usd_write_object *const *x = a, *const *y = b;
    return strcmp((*x)->path, (*y)->path);
}

static coif_status create(coif_archive_writer **writer, const char *path,
                          const coif_archive_write_desc *desc,
                          const coif_archive_write_object *objects, int32_t object_count,
                          coif_arena *arena, coif_error *error)
{
    coif_archive_writer *to = coif_arena_new(arena, 1, coif_archive_writer);
    const double s = 1.0 / desc->meters_per_unit;
    *to = (coif_archive_writer){.desc = *desc, .object_count = object_count, .arena = arena};
    to->to_file = desc->up_axis == 'z'
                      ? (coif_transform){{{s, 0, 0, 0}, {0, 0, -s, 0}, {0, s, 0, 0}}}
                      : (coif_transform){{{s, 0, 0, 0}, {0, s, 0, 0}, {0, 0, s, 0}}};
    to->file = coif_arena_new(arena, 1, coif_text_writer);
    to->objects = coif_arena_new(arena, object_count, coif_usd_write_object);
    for (int32_t i = 0; i < object_count; ++i) {
        to->objects[i].desc = objects[i];
        to->objects[i].path = clean_path(objects[i].path, arena);
    }
    *writer = to;
    return coif_text_writer_open(to->file, path, error);
}

static void put_header(const coif_archive_writer *writer)
{
    coif_text_writer *file = writer->file;
    const coif_archive_write_desc *desc = &writer->desc;
    bool animated = false;
    for (int32_t i = 0; i < writer->object_count; ++i) {
        animated = animated || writer->objects[i].desc.animated;
    }
    coif_put_text(file, "#usda 1.0\n(\n");
    if (writer->object_count > 0) {
        const char *path = writer->objects[0].path + 1;
        coif_put_format(file, "    defaultPrim = \"%.*s\"\n", (int)strcspn(path, "/"), path);
    }
    coif_put_format(file, "    doc = \"%.200s\"\n", desc->application);
    if (animated) {
        coif_put_format(file, "    endTimeCode = %.10g\n    framesPerSecond = %.10g\n",
                        time_code_of(writer, desc->sample_count - 1), desc->fps);
    }
    coif_put_format(file, "    metersPerUnit = %.10g\n", desc->meters_per_unit);
    if (animated) {
        coif_put_format(file, "    startTimeCode = %.10g\n    timeCodesPerSecond = %.10g\n",
                        time_code_of(writer, 0), desc->fps);
    }
    coif_put_format(file, "    upAxis = \"%c\"\n)\n", desc->up_axis == 'z' ? 'Z' : 'Y');
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

// Appends the text of a part to the file.
static coif_status join_part(const coif_archive_writer *writer, const coif_usd_write_object *object,
                             coif_usd_part *part, coif_error *error)
{
    const coif_usd_held *first = &part->first;
    if (part->text == NULL && first->values != NULL) { // an array that never changed
        coif_put_format(writer->file, "    %s = ", first->declaration);
        coif_usd_put_floats(writer->file, first->values, first->count, first->components,
                            first->scale);
        coif_put_format(writer->file, " %s\n", first->metadata);
    }
    if (part->text == NULL) {
        return COIF_OK;
    }
    part->text->error = error;
    const bool fixed = part == &object->parts[COIF_USD_FIXED];
    coif_put_text(part->text, fixed ? "" : object->desc.animated ? "    }\n" : "\n");
    COIF_TRY(coif_text_writer_flush(part->text));
    COIF_TRY(append_file(writer->file, part->text->file.temporary, error));
    coif_text_writer_discard(part->text);
    part->text = NULL;
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

static coif_status put_objects(const coif_archive_writer *writer, coif_error *error)
{
    static const char *const types[] = {"BasisCurves", "Mesh", "Camera"};
    const coif_usd_write_object **order =
        coif_arena_new(writer->arena, writer->object_count, const coif_usd_write_object *);
    for (int32_t i = 0; i < writer->object_count; ++i) {
        order[i] = &writer->objects[i];
    }
    if (writer->object_count > 1) {
        qsort(order, (size_t)writer->object_count, sizeof *order, by_path);
    }
    const char *previous = "";
    int depth = 0;
    for (int32_t i = 0; i < writer->object_count; ++i) {
        coif_usd_write_object *object = &writer->objects[order[i] - writer->objects];
        if (i > 0 && strcmp(previous, object->path) == 0) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s: two objects have the path %s",
                             writer->file->file.path, object->path);
        }
        depth = open_parents(writer, previous, object->path);
        coif_put_format(writer->file, "\ndef %s \"%.200s\"%s\n{\n", types[object->desc.kind],
                        strrchr(object->path, '/') + 1,
                        object->desc.kind == COIF_ARCHIVE_CURVES && writer->desc.look != NULL
                            ? " (\n    prepend apiSchemas = [\"MaterialBindingAPI\"]\n)"
                            : "");
        for (int p = 0; p < COIF_USD_PARTS; ++p) {
            COIF_TRY(join_part(writer, object, &object->parts[p], error));
        }
        previous = object->path;
    }
    close_prims(writer, depth, 0);
    return COIF_OK;
}

static void discard(coif_archive_writer *writer)
{
    for (int32_t i = 0; i < writer->object_count; ++i) {
        for (int p = 0; p < COIF_USD_PARTS; ++p) {
            coif_usd_part *part = &writer->objects[i].parts[p];
            if (part->text != NULL) {
                coif_text_writer_discard(part->text);
                part->text = NULL;
            }
        }
    }
    coif_text_writer_discard(writer->file);
}

static coif_status commit(coif_archive_writer *writer, coif_error *error)
{
    put_header(writer);
    writer->file->error = error;
    coif_status status = put_objects(writer, error);
    if (status == COIF_OK && writer->desc.look != NULL) {
        coif_usd_put_look(writer->file, writer->desc.look);
    }
    status = status == COIF_OK ? coif_text_writer_commit(writer->file) : status;
    discard(writer);
    return status;
}

const coif_archive_writer_vtable COIF_ARCHIVE_WRITE_USDA = {.name = "USD text",
                                                            .extensions = "usda",
                                                            .create = create,
                                                            .write_curves = coif_usd_write_curves,
                                                            .write_mesh = coif_usd_write_mesh,
                                                            .write_camera = coif_usd_write_camera,
                                                            .commit = commit,
                                                            .discard = discard};
