// Table of strand formats; files are loaded and saved by it.
#include "core/archive/archive.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/hair/formats/strand_file.h"
#include "core/hair/formats/strand_text.h"
#include "core/hair/guide_edits.h"
#include "core/mesh/obj_polylines.h"

#include <string.h>

static coif_status read_hair(coif_strand_file *file, const coif_bytes *bytes,
                             const coif_hair_import *import, coif_arena *arena, coif_error *error)
{
    (void)import;
    coif_hair_file hair;
    COIF_TRY(coif_hair_file_read(&hair, bytes, NULL, arena, error));
    file->strands = hair.strands;
    file->transparency = hair.transparency;
    file->has_radius = true;
    return COIF_OK;
}

static coif_status save_hair(const coif_strand_file *file, const char *path,
                             const coif_strand_export *desc, coif_error *error)
{
    const coif_hair_file hair = {.strands = file->strands,
                                 .transparency = file->transparency,
                                 .default_thickness = 2.0f * desc->default_radius,
                                 .default_color = {0.5f, 0.4f, 0.3f}};
    return coif_hair_file_save(&hair, path, error);
}

static coif_status load_obj(coif_strand_file *file, const char *path,
                            const coif_hair_import *import, coif_arena *arena, coif_error *error)
{
    (void)import;
    coif_obj_polylines curves;
    COIF_TRY(coif_obj_polylines_load(&curves, path, arena, error));
    int32_t *lengths = coif_arena_new(arena, curves.count, int32_t);
    for (int32_t c = 0; c < curves.count; ++c) {
        lengths[c] = curves.first[c + 1] - curves.first[c];
    }
    COIF_TRY(coif_strands_init(&file->strands, lengths, curves.count, arena, error));
    for (int32_t i = 0; i < curves.point_count; ++i) {
        const coif_vec3 p = curves.points[i];
        file->strands.points[i] = (coif_vec4){p.x, p.y, p.z, 0.0f};
    }
    file->groups = curves.groups;
    file->group_names = curves.group_names;
    return COIF_OK;
}

static coif_status save_obj(const coif_strand_file *file, const char *path,
                            const coif_strand_export *desc, coif_error *error)
{
    const coif_obj_groups groups = {
        .names = file->group_names.names, .of_strands = file->groups, .name = desc->name};
    return coif_strands_save_obj(&file->strands, &groups, path, error);
}

// clang-format off
const coif_strand_format COIF_STRAND_FORMATS[] = {
    {.extension = "hair", .name = "Cem Yuksel", .read = read_hair, .save = save_hair},
    {.extension = "tfx", .name = "TressFX", .read = coif_tfx_read, .save = coif_tfx_save},
    {.extension = "obj", .name = "OBJ polylines", .load = load_obj, .save = save_obj},
    {.extension = "ply", .name = "PLY points", .read = coif_ply_read, .save = coif_ply_save},
    {.extension = "data", .name = "USC-HairSalon", .read = coif_hairsalon_read, .save = coif_hairsalon_save},
    {.extension = "txt", .name = "Mitsuba curves", .read = coif_mitsuba_read, .save = coif_mitsuba_save},
    {.extension = "pbrt", .name = "pbrt curves", .read = coif_pbrt_read, .save = coif_pbrt_save},
    {.extension = "guides", .name = "edited guides", .read = coif_guides_read},
    {.extension = "usda", .name = "USD text", .save = coif_strand_curves_save},
    {.extension = "usdc", .name = "USD crate", .save = coif_strand_curves_save},
    {.extension = "abc", .name = "Alembic", .save = coif_strand_curves_save},
};
// clang-format on
const int32_t COIF_STRAND_FORMAT_COUNT = COIF_COUNT_OF(COIF_STRAND_FORMATS);

const coif_strand_format *coif_strand_format_of(const char *path)
{
    for (int32_t i = 0; i < COIF_STRAND_FORMAT_COUNT; ++i) {
        if (coif_path_has_extension(path, COIF_STRAND_FORMATS[i].extension)) {
            return &COIF_STRAND_FORMATS[i];
        }
    }
    return NULL;
}

const char *coif_strand_format_list(bool written, coif_arena *arena)
{
    const char *list = "";
    for (int32_t i = 0; i < COIF_STRAND_FORMAT_COUNT; ++i) {
        const coif_strand_format *format = &COIF_STRAND_FORMATS[i];
        if (written ? format->save != NULL : format->read != NULL || format->load != NULL) {
            list = coif_arena_print(arena, "%s%s.%s", list, *list != '\0' ? " " : "",
                                    format->extension);
        }
    }
    return list;
}

coif_status coif_strand_file_transform(coif_strand_file *file, const char *path,
                                       const coif_hair_import *import, coif_error *error)
{
    coif_strands *strands = &file->strands;
    const float scale = import->scale;
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const coif_vec4 p = strands->points[i];
        strands->points[i] = (coif_vec4){scale * p.x, scale * (import->z_up ? p.z : p.y),
                                         scale * (import->z_up ? -p.y : p.z), scale * p.w};
    }
    for (int32_t i = 0; strands->velocities != NULL && i < strands->point_count; ++i) {
        const coif_vec3 v = strands->velocities[i];
        strands->velocities[i] = coif_scale(import->z_up ? (coif_vec3){v.x, v.z, -v.y} : v, scale);
    }
    const int32_t invalid = coif_strands_find_invalid(strands);
    return invalid < 0 ? COIF_OK
                       : coif_fail(error, COIF_ERR_FORMAT,
                                   "%s: point %d is not finite after scaling", path, invalid);
}

static coif_status read_file(coif_strand_file *file, const coif_strand_format *format,
                             const char *path, const coif_hair_import *import, coif_arena *arena,
                             coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "strand file");
    char *data;
    coif_bytes bytes = {.name = path};
    COIF_TRY(coif_file_load(&data, &bytes.size, path, &scratch, error));
    bytes.data = data;
    return format->read(file, &bytes, import, arena, error);
}

bool coif_strand_file_is_archive(const char *path)
{
    const coif_strand_format *format = coif_strand_format_of(path);
    const bool known = format != NULL && (format->read != NULL || format->load != NULL);
    return !known && (format != NULL || coif_archive_is_archive(path)); // PLY may be both
}

coif_status coif_strand_file_load(coif_strand_file *file, const char *path,
                                  const coif_hair_import *import, coif_arena *arena,
                                  coif_error *error)
{
    *file = (coif_strand_file){.has_radius = false};
    const coif_strand_format *format = coif_strand_format_of(path);
    const bool known = format != NULL && (format->read != NULL || format->load != NULL);
    const bool is_archive = coif_strand_file_is_archive(path);
    if (import->object != NULL && *import->object != '\0' && !is_archive) {
        coif_log(COIF_LOG_WARNING, "%s: object \"%s\" has no effect, the file is not an archive",
                 path, import->object);
    }
    if (is_archive) {
        return coif_strand_archive_load(file, path, import, arena, error);
    }
    if (!known) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: unknown strand file; expected one of %s or an archive (Alembic, USD)",
                         path, coif_strand_format_list(false, arena));
    }
    COIF_TRY(format->read != NULL ? read_file(file, format, path, import, arena, error)
                                  : format->load(file, path, import, arena, error));
    bool positive = false;
    for (int32_t i = 0; i < file->strands.point_count && !positive; ++i) {
        positive = file->strands.points[i].w > 0.0f;
    }
    file->has_radius = file->has_radius && positive;
    if (file->skipped > 0) {
        coif_log(COIF_LOG_WARNING, "%s: %d strands of fewer than two points are omitted", path,
                 file->skipped);
    }
    return coif_strand_file_transform(file, path, import, error);
}

coif_status coif_strand_file_save(const coif_strand_file *file, const char *path,
                                  const coif_strand_export *desc, coif_error *error)
{
    const coif_strand_format *format = coif_strand_format_of(path);
    if (format == NULL || format->save == NULL) {
        COIF_SCOPED_ARENA(scratch, "format list");
        coif_fail(error, COIF_ERR_ARGUMENT, "%s: unknown strand file extension; expected one of %s",
                  path, coif_strand_format_list(true, &scratch));
        return COIF_ERR_ARGUMENT;
    }
    return format->save(file, path, desc, error);
}
