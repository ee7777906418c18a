// Writer of USD: files, prims, metadata of the layer.
#include "core/archive/usd/usd_write.h"

#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"

#include <stdlib.h>
#include <string.h>

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

coif_usd_out_prim *coif_usd_add_out_prim(coif_archive_writer *writer, const char *path,
                                         const char *type)
{
    coif_usd_out_prim *prim = coif_arena_new(writer->arena, 1, coif_usd_out_prim);
    prim->path = clean_path(path, writer->arena);
    prim->type = type;
    writer->prims = coif_array_grow(writer->prims, writer->prim_count, 1, &writer->prim_capacity,
                                    sizeof(coif_usd_out_prim *), writer->arena);
    writer->prims[writer->prim_count++] = prim;
    return prim;
}

coif_status coif_usd_put(coif_archive_writer *writer, coif_usd_out_prim *prim,
                         const coif_usd_out_desc *desc, int32_t sample, const void *data,
                         int64_t count, coif_error *error)
{
    coif_usd_out_attribute **at = &prim->attributes;
    while (*at != NULL && strcmp((*at)->desc.name, desc->name) != 0) {
        at = &(*at)->next;
    }
    if (*at == NULL) {
        *at = coif_arena_new(writer->arena, 1, coif_usd_out_attribute);
        (*at)->desc = *desc;
        coif_usd_type_of(&(*at)->type, desc->type);
    }
    return writer->encoding->put(writer, *at, sample, data, count, error);
}

static bool look_is_taken(const coif_archive_writer *writer, const char *path)
{
    for (size_t i = 0; i < writer->prim_count; ++i) {
        const char *other = writer->prims[i]->look_path;
        if (other != NULL && strcmp(other, path) == 0) {
            return true;
        }
    }
    return false;
}

// The material has the name of the first object of the look.
static const char *look_path(const coif_archive_writer *writer, const coif_usd_out_prim *prim)
{
    const char *path =
        coif_arena_print(writer->arena, "%s%s", COIF_USD_LOOKS_PATH, strrchr(prim->path, '/'));
    while (look_is_taken(writer, path)) {
        path = coif_arena_print(writer->arena, "%s_", path);
    }
    return path;
}

// Materials of all looks.
static coif_status write_looks(coif_archive_writer *writer, coif_error *error)
{
    const size_t count = writer->prim_count;
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
        const coif_usd_out_prim *prim = writer->prims[i];
        bool written = prim->look == NULL;
        for (size_t k = 0; k < i; ++k) {
            written = written || writer->prims[k]->look == prim->look;
        }
        if (!written && !any) {
            coif_usd_add_out_prim(writer, COIF_USD_LOOKS_PATH, "Scope");
            any = true;
        }
        if (!written) {
            COIF_TRY(coif_usd_write_look(writer, prim->look_path, prim->look, error));
        }
    }
    return COIF_OK;
}

static coif_status create(const coif_usd_encoding *encoding, coif_archive_writer **writer,
                          const char *path, const coif_archive_write_desc *desc,
                          const coif_archive_write_object *objects, int32_t object_count,
                          coif_arena *arena, coif_error *error)
{
    static const char *const types[] = {"BasisCurves", "Mesh", "Camera"};
    coif_archive_writer *to = coif_arena_new(arena, 1, coif_archive_writer);
    const double s = 1.0 / desc->meters_per_unit;
    *to = (coif_archive_writer){.encoding = encoding,
                                .desc = *desc,
                                .path = coif_arena_copy_text(arena, path),
                                .arena = arena};
    to->to_file = desc->up_axis == 'z'
                      ? (coif_transform){{{s, 0, 0, 0}, {0, 0, -s, 0}, {0, s, 0, 0}}}
                      : (coif_transform){{{s, 0, 0, 0}, {0, s, 0, 0}, {0, 0, s, 0}}};
    to->file = coif_arena_new(arena, 1, coif_text_writer);
    COIF_TRY(encoding->open(to, path, error));
    for (int32_t i = 0; i < object_count; ++i) {
        coif_usd_out_prim *prim =
            coif_usd_add_out_prim(to, objects[i].path, types[objects[i].kind]);
        prim->animated = objects[i].animated;
        prim->is_guide = objects[i].is_guide;
        prim->look = objects[i].look;
        for (int32_t k = 0; k < i && prim->look != NULL; ++k) {
            prim->look_path =
                to->prims[k]->look == prim->look ? to->prims[k]->look_path : prim->look_path;
        }
        if (prim->look != NULL && prim->look_path == NULL) {
            prim->look_path = look_path(to, prim);
        }
    }
    *writer = to;
    return COIF_OK;
}

static coif_status create_text(coif_archive_writer **writer, const char *path,
                               const coif_archive_write_desc *desc,
                               const coif_archive_write_object *objects, int32_t object_count,
                               coif_arena *arena, coif_error *error)
{
    return create(&COIF_USD_TEXT_ENCODING, writer, path, desc, objects, object_count, arena, error);
}

static coif_status create_crate(coif_archive_writer **writer, const char *path,
                                const coif_archive_write_desc *desc,
                                const coif_archive_write_object *objects, int32_t object_count,
                                coif_arena *arena, coif_error *error)
{
    return create(&COIF_USD_CRATE_ENCODING, writer, path, desc, objects, object_count, arena,
                  error);
}

static int by_path(const void *a, const void *b)
{
    const coif_usd_out_prim *const *x = a, *const *y = b;
    // '/' is less than all characters of names: children follow their parent.
    const unsigned char *p = (const unsigned char *)(*x)->path, *q = (const void *)(*y)->path;
    while (*p == *q && *p != '\0') {
        ++p;
        ++q;
    }
    return (*p == '/' ? 1 : *p) - (*q == '/' ? 1 : *q);
}

enum { MAX_METADATA = 8 };

static int32_t set_metadata(coif_usd_out_metadata *metadata, const coif_archive_writer *writer,
                            const char *first_path)
{
    const coif_archive_write_desc *desc = &writer->desc;
    int32_t count = 0;
    bool animated = false;
    for (size_t i = 0; i < writer->prim_count; ++i) {
        animated = animated || writer->prims[i]->animated;
    }
    if (first_path != NULL) {
        char *name = coif_arena_copy_text(writer->arena, first_path + 1);
        name[strcspn(name, "/")] = '\0';
        metadata[count++] =
            (coif_usd_out_metadata){.name = "defaultPrim", .text = name, .token = true};
    }
    metadata[count++] = (coif_usd_out_metadata){.name = "documentation", .text = desc->application};
    if (animated) {
        metadata[count++] = (coif_usd_out_metadata){
            .name = "endTimeCode", .number = coif_usd_time_code(writer, desc->sample_count - 1)};
        metadata[count++] = (coif_usd_out_metadata){.name = "framesPerSecond", .number = desc->fps};
    }
    metadata[count++] =
        (coif_usd_out_metadata){.name = "metersPerUnit", .number = desc->meters_per_unit};
    if (animated) {
        metadata[count++] = (coif_usd_out_metadata){.name = "startTimeCode",
                                                    .number = coif_usd_time_code(writer, 0)};
        metadata[count++] =
            (coif_usd_out_metadata){.name = "timeCodesPerSecond", .number = desc->fps};
    }
    metadata[count++] = (coif_usd_out_metadata){
        .name = "upAxis", .text = desc->up_axis == 'z' ? "Z" : "Y", .token = true};
    return count;
}

static void discard(coif_archive_writer *writer)
{
    writer->encoding->discard(writer);
    coif_text_writer_discard(writer->file);
}

static coif_status finish(coif_archive_writer *writer, coif_error *error)
{
    coif_usd_out_metadata metadata[MAX_METADATA];
    const char *first = writer->prim_count > 0 ? writer->prims[0]->path : NULL;
    COIF_TRY(write_looks(writer, error));
    if (writer->prim_count > 1) {
        qsort(writer->prims, writer->prim_count, sizeof *writer->prims, by_path);
    }
    for (size_t i = 1; i < writer->prim_count; ++i) {
        if (strcmp(writer->prims[i]->path, writer->prims[i - 1]->path) == 0) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s: two objects have the path %s",
                             writer->path, writer->prims[i]->path);
        }
    }
    writer->file->error = error;
    const int32_t count = set_metadata(metadata, writer, first);
    return writer->encoding->finish(writer, metadata, count, error);
}

static coif_status commit(coif_archive_writer *writer, coif_error *error)
{
    coif_status status = finish(writer, error);
    status = status == COIF_OK ? coif_text_writer_commit(writer->file) : status;
    discard(writer);
    return status;
}

const coif_archive_writer_vtable COIF_ARCHIVE_WRITE_USDA = {.name = "USD text",
                                                            .extensions = "usda",
                                                            .create = create_text,
                                                            .write_curves = coif_usd_write_curves,
                                                            .write_mesh = coif_usd_write_mesh,
                                                            .write_camera = coif_usd_write_camera,
                                                            .commit = commit,
                                                            .discard = discard};

const coif_archive_writer_vtable COIF_ARCHIVE_WRITE_USDC = {.name = "USD crate",
                                                            .extensions = "usdc",
                                                            .create = create_crate,
                                                            .write_curves = coif_usd_write_curves,
                                                            .write_mesh = coif_usd_write_mesh,
                                                            .write_camera = coif_usd_write_camera,
                                                            .commit = commit,
                                                            .discard = discard};
