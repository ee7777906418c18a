// Import of strands from files of other programs.
#include "core/hair/formats/strand_file.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/formats/tfx_file.h"
#include "core/mesh/obj_polylines.h"

static coif_status load_hair(coif_strand_file *file, const char *path,
                             const coif_hair_import *import, coif_arena *arena, coif_error *error)
{
    coif_hair_file hair;
    COIF_TRY(coif_hair_file_load(&hair, path, import, arena, error));
    file->strands = hair.strands;
    for (int32_t i = 0; i < hair.strands.point_count && !file->has_radius; ++i) {
        file->has_radius = hair.strands.points[i].w > 0.0f;
    }
    return COIF_OK;
}

static coif_status load_curves(coif_strand_file *file, const char *path, coif_arena *arena,
                               coif_error *error)
{
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

// Applies scale and axis conversion; checks that the result is finite.
static coif_status transform_import(coif_strands *strands, const char *path,
                                    const coif_hair_import *import, coif_error *error)
{
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const coif_vec4 p = strands->points[i];
        const float scale = import->scale;
        strands->points[i] = (coif_vec4){scale * p.x, scale * (import->z_up ? p.z : p.y),
                                         scale * (import->z_up ? -p.y : p.z), scale * p.w};
    }
    const int32_t invalid = coif_strands_find_invalid(strands);
    return invalid < 0 ? COIF_OK
                       : coif_fail(error, COIF_ERR_FORMAT,
                                   "%s: point %d is not finite after scaling", path, invalid);
}

coif_status coif_strand_file_load(coif_strand_file *file, const char *path,
                                  const coif_hair_import *import, coif_arena *arena,
                                  coif_error *error)
{
    *file = (coif_strand_file){.has_radius = false};
    if (coif_path_has_extension(path, "hair")) {
        return load_hair(file, path, import, arena, error);
    }
    if (coif_path_has_extension(path, "tfx")) {
        COIF_TRY(coif_tfx_file_load(&file->strands, path, arena, error));
    } else if (coif_path_has_extension(path, "obj")) {
        COIF_TRY(load_curves(file, path, arena, error));
    } else {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: unknown strand file extension; expected .hair .tfx or .obj", path);
    }
    return transform_import(&file->strands, path, import, error);
}
