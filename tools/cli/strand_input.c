// strand_input: strands of any file.
#include "tools/cli/strand_input.h"

#include "core/archive/archive.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/frame_cache.h"

#include <ctype.h>
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

static coif_status load_frame(coif_strand_file *file, const char *path, coif_arena *arena,
                              coif_error *error)
{
    coif_groom groom;
    COIF_TRY(coif_groom_load(&groom, groom_of_frame(path, arena), arena, error));
    return coif_frame_cache_load(&file->strands, NULL, &groom, path, arena, error);
}

static coif_status load_groom(coif_strand_file *file, const char *path, coif_arena *arena,
                              coif_error *error)
{
    coif_groom groom;
    COIF_TRY(coif_groom_load(&groom, path, arena, error));
    file->strands = groom.rest;
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
    *file = (coif_strand_file){.has_radius = true, .has_root_uv = true};
    COIF_TRY((groom ? load_groom : load_frame)(file, path, arena, error));
    return coif_strand_file_transform(file, path, import, error);
}

bool coif_strand_input_reads(const char *path)
{
    const coif_strand_format *format = coif_strand_format_of(path);
    return coif_path_has_extension(path, "groom") || coif_path_has_extension(path, "strands") ||
           (format != NULL && (format->read != NULL || format->load != NULL)) ||
           coif_archive_is_archive(path);
}
