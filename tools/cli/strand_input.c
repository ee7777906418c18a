// strand_input: strands of any file.
#include "tools/cli/strand_input.h"

#include "core/archive/archive.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/frame_list.h"
#include "core/base/log.h"
#include "core/hair/formats/strand_curves.h"
#include "core/hair/frame_cache.h"
#include "sim/cache/cache_input.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// NAME.groom beside NAME.0042.strands.
static const char *groom_of_frame(const char *path, coif_arena *arena)
{
    char *name = coif_arena_copy_text(arena, path);
    char *end = name + strlen(name) - strlen(".strands");
    for (*end = '\0'; end > name && (isdigit((unsigned char)end[-1]) || end[-1] == '.');) {
        *--end = '\0';
    }
    return coif_arena_print(arena, "%s.groom", name);
}

// Ids, groups and root UVs as in `coif export`.
static void set_groom(coif_strand_file *file, const coif_groom *groom, bool simulated,
                      coif_arena *arena)
{
    coif_archive_curves curves = {.curve_count = file->strands.strand_count};
    coif_curves_set_groom(&curves, groom, simulated && curves.curve_count == groom->simulated_count,
                          arena);
    file->ids = curves.ids;
    file->closest_guides = curves.closest_guides;
    file->guide_weights = curves.closest_guides != NULL ? curves.guide_weights : NULL;
    file->strands.root_uv = curves.uv != NULL ? curves.uv : file->strands.root_uv;
    file->has_root_uv = curves.uv != NULL;
    if (curves.group_ids != NULL) {
        file->groups = coif_arena_new(arena, curves.curve_count, int32_t);
    }
    for (int32_t s = 0; curves.group_ids != NULL && s < curves.curve_count; ++s) {
        const char *name = coif_arena_print(arena, "%d", curves.group_ids[s]);
        file->groups[s] = coif_string_table_intern(&file->group_names, name, strlen(name), arena);
    }
}

static coif_status load_frame(coif_strand_file *file, const char *path, coif_arena *arena,
                              coif_error *error)
{
    coif_groom groom;
    COIF_TRY(coif_groom_load(&groom, groom_of_frame(path, arena), arena, error));
    COIF_TRY(coif_frame_cache_load(&file->strands, NULL, &groom, path, arena, error));
    set_groom(file, &groom, true, arena);
    return COIF_OK;
}

static coif_status load_groom(coif_strand_file *file, const char *path, coif_arena *arena,
                              coif_error *error)
{
    coif_groom groom;
    COIF_TRY(coif_groom_load(&groom, path, arena, error));
    file->strands = groom.rest;
    set_groom(file, &groom, false, arena);
    return COIF_OK;
}

coif_status coif_strand_input_load(coif_strand_file *file, const char *path,
                                   const coif_hair_import *import, coif_arena *arena,
                                   coif_error *error)
{
    const bool groom = coif_path_has_extension(path, "groom");
    if (!groom && !coif_path_has_extension(path, "strands")) {
        return coif_strand_file_load(file, path, import, arena, error);
    }
    *file = (coif_strand_file){.has_radius = true};
    COIF_TRY((groom ? load_groom : load_frame)(file, path, arena, error));
    return coif_strand_file_transform(file, path, import, error);
}

static const double DEFAULT_FPS = 24.0;

// Frames of the samples of the curves with the most samples.
static coif_status open_archive(coif_strand_source *source, double fps, coif_arena *arena,
                                coif_error *error)
{
    const coif_hair_import *import = &source->import;
    const coif_archive_import conversion = {.up_axis = import->z_up ? 'z' : 0};
    const bool named = import->object != NULL && *import->object != '\0';
    int32_t only = -1, most = -1;
    COIF_TRY(coif_archive_open(&source->archive, source->path, &conversion, arena, error));
    const coif_archive *archive = source->archive;
    if (named) {
        COIF_TRY(coif_archive_select(&only, archive, COIF_ARCHIVE_CURVES, import->object, error));
    }
    for (int32_t i = 0; i < archive->object_count; ++i) {
        const coif_archive_object *object = &archive->objects[i];
        if (object->kind == COIF_ARCHIVE_CURVES && (only < 0 || i == only) &&
            (most < 0 || object->sample_count > archive->objects[most].sample_count)) {
            most = i;
        }
    }
    source->fps = fps > 0.0 ? fps : archive->fps > 0.0 ? archive->fps : DEFAULT_FPS;
    if (most < 0 || archive->objects[most].sample_count == 1) {
        return COIF_OK;
    }
    if (fps == 0.0 && archive->fps == 0.0) {
        coif_log(COIF_LOG_WARNING, "%s: the file states no frame rate; %g is assumed", source->path,
                 DEFAULT_FPS);
    }
    source->frame_count = archive->objects[most].sample_count;
    double *frames = coif_arena_new(arena, source->frame_count, double);
    for (int32_t i = 0; i < source->frame_count; ++i) {
        const double frame = archive->objects[most].times[i] * source->fps;
        frames[i] = floor(frame * 1e6 + 0.5) / 1e6; // times are fractions of the rate
    }
    source->frames = frames;
    return COIF_OK;
}

coif_status coif_strand_source_open(coif_strand_source *source, const char *path, const char *groom,
                                    const coif_hair_import *import, double fps, coif_arena *arena,
                                    coif_error *error)
{
    *source = (coif_strand_source){
        .path = path, .groom = groom, .import = *import, .fps = fps > 0.0 ? fps : DEFAULT_FPS};
    if (coif_path_is_directory(path)) {
        coif_frame_range range;
        if (groom == NULL) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s: a folder needs --groom NAME", path);
        }
        COIF_TRY(coif_cache_input_range(&range, path, groom, error));
        source->frame_count = range.last - range.first + 1;
        double *frames = coif_arena_new(arena, source->frame_count, double);
        for (int32_t i = 0; i < source->frame_count; ++i) {
            frames[i] = range.first + i;
        }
        source->frames = frames;
        return COIF_OK;
    }
    return strchr(path, '#') == NULL && coif_strand_file_is_archive(path)
               ? open_archive(source, fps, arena, error)
               : COIF_OK;
}

coif_status coif_strand_source_load(coif_strand_file *file, const coif_strand_source *source,
                                    const double *frame, coif_arena *arena, coif_error *error)
{
    coif_hair_import import = source->import;
    const char *path = source->path;
    if (source->archive != NULL) {
        const double seconds = frame != NULL ? *frame / source->fps : 0.0;
        import.seconds = frame != NULL ? &seconds : NULL;
        return coif_strand_archive_read(file, source->archive, &import, arena, error);
    }
    if (frame == NULL && strchr(path, '#') != NULL && !coif_path_exists(path)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: a sequence of files needs --frames", path);
    }
    if (frame != NULL && coif_path_is_directory(path)) {
        if (!coif_frame_is_whole(*frame)) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s: frame %.10g of a cache, expected a whole number", path, *frame);
        }
        path = coif_frame_file_path(path, source->groom, (int)*frame, arena);
    } else if (frame != NULL) {
        path = coif_path_frame_time(path, *frame, arena);
    }
    return coif_strand_input_load(file, path, &import, arena, error);
}

bool coif_strand_input_reads(const char *path)
{
    const coif_strand_format *format = coif_strand_format_of(path);
    return coif_path_has_extension(path, "groom") || coif_path_has_extension(path, "strands") ||
           format != NULL || coif_archive_is_archive(path);
}
