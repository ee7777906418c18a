// hair_file: Cem Yuksel's .hair files, which benchmarks and other programs speak.
//
// Little endian: a header of 128 bytes, then those arrays whose bits it sets: segments per strand
// (16 bit), points, thickness, transparency and colour per point. Thickness is a diameter. What the
// file leaves out, its defaults give.
#ifndef COIF_CORE_HAIR_FORMATS_HAIR_FILE_H
#define COIF_CORE_HAIR_FORMATS_HAIR_FILE_H

#include "core/base/fs.h"
#include "core/hair/strands.h"

typedef struct coif_hair_file {
    coif_strands strands; // radius is half the thickness; root_uv is zero, the format has none
    float *transparency;  // per point, NULL when the file has none
    float default_thickness, default_transparency, default_color[3];
    char information[89]; // who made it; ends with a zero
    int32_t left_out;     // read: strands without a segment, which are not in strands
} coif_hair_file;

// Files state no unit and no up axis: scale multiplies places and thickness, z_up turns (x, y, z)
// into (x, z, -y).
typedef struct coif_hair_import {
    float scale;
    bool z_up;
} coif_hair_import;

// Import may be NULL: taken as it is. A file that is cut short, whose counts do not fit together or
// that holds numbers which are not finite is COIF_ERR_FORMAT with the place; strands without a
// segment are left out and counted in one warning.
coif_status coif_hair_file_load(coif_hair_file *hair, const char *path,
                                const coif_hair_import *import, coif_arena *arena,
                                coif_error *error);
coif_status coif_hair_file_read(coif_hair_file *hair, const coif_bytes *bytes,
                                const coif_hair_import *import, coif_arena *arena,
                                coif_error *error);

// Writes segments, points and thickness; colours and transparency where present. A strand of more
// than 65535 segments does not fit the format: COIF_ERR_ARGUMENT.
coif_status coif_hair_file_save(const coif_hair_file *hair, const char *path, coif_error *error);

#endif
