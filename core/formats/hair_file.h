// hair_file: Cem Yuksel's .hair files, which benchmarks and other programs speak.
#ifndef COIF_CORE_FORMATS_HAIR_FILE_H
#define COIF_CORE_FORMATS_HAIR_FILE_H

#include "core/strands.h"

// The arrays of the format. Thickness is a diameter and becomes a radius in strands->points; files
// state no unit and no up axis, so scale multiplies both and z_up turns (x, y, z) into (x, z, -y).
typedef struct coif_hair_file {
    coif_strands strands;
    float *transparency; // per point, NULL when the file has none
    float default_thickness, default_transparency, default_color[3];
    char information[89];
} coif_hair_file;

typedef struct coif_hair_import {
    float scale;
    bool z_up;
} coif_hair_import;

coif_status coif_hair_file_load(coif_hair_file *hair, const char *path,
                                const coif_hair_import *import, coif_arena *arena,
                                coif_error *error);

// Writes segments, points and thickness; colours and transparency where present.
coif_status coif_hair_file_save(const coif_hair_file *hair, const char *path, coif_error *error);

#endif
