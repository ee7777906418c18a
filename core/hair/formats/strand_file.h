// Import of strands from files of other programs: .hair, .tfx, or the polylines of an OBJ file.
#ifndef COIF_CORE_HAIR_FORMATS_STRAND_FILE_H
#define COIF_CORE_HAIR_FORMATS_STRAND_FILE_H

#include "core/base/string_table.h"
#include "core/hair/formats/hair_file.h"

typedef struct coif_strand_file {
    coif_strands strands;
    bool has_radius; // the file has radii; else they are 0
    int32_t *groups; // OBJ files, per strand: index in group_names; NULL: one group
    coif_string_table group_names;
} coif_strand_file;

// Selects the format by extension.
coif_status coif_strand_file_load(coif_strand_file *file, const char *path,
                                  const coif_hair_import *import, coif_arena *arena,
                                  coif_error *error);

#endif
