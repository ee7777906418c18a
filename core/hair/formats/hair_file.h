// Cem Yuksel's .hair files.
//
// Little endian: a 128-byte header, then the arrays whose bits are set: segments per strand (16
// bit), points, thickness (a diameter), transparency and colour per point. Missing arrays use the
// defaults of the header.
#ifndef COIF_CORE_HAIR_FORMATS_HAIR_FILE_H
#define COIF_CORE_HAIR_FORMATS_HAIR_FILE_H

#include "core/base/fs.h"
#include "core/hair/strands.h"

typedef struct coif_hair_file {
    coif_strands strands; // radius is half the thickness; root_uv is zero
    float *transparency;  // per point, NULL when absent
    float default_thickness, default_transparency, default_color[3];
    char information[89]; // zero-terminated
    int32_t skipped;      // read: number of strands without segments, which are omitted
} coif_hair_file;

// Strand files have no unit and no up axis: scale multiplies positions and thickness, z_up converts
// (x, y, z) to (x, z, -y).
typedef struct coif_hair_import {
    float scale;
    bool z_up;
    int32_t points_per_strand; // of formats that do not divide points into strands; 0: unknown
    const char *object;        // curves of an archive by path or name; NULL or "": all
    const double *seconds;     // time of the curves of an archive; NULL: of the first samples
    bool guides;               // of an archive: curves marked as guides instead of the others
    bool all_curves;           // of an archive: guides as well as the others
} coif_hair_import;

// Import may be NULL: no conversion. Truncated files, inconsistent counts and non-finite numbers
// are COIF_ERR_FORMAT with the location; strands without segments are omitted and counted in one
// warning.
coif_status coif_hair_file_load(coif_hair_file *hair, const char *path,
                                const coif_hair_import *import, coif_arena *arena,
                                coif_error *error);
coif_status coif_hair_file_read(coif_hair_file *hair, const coif_bytes *bytes,
                                const coif_hair_import *import, coif_arena *arena,
                                coif_error *error);

// Writes segments, points and thickness, and colours and transparency if present. A strand of more
// than 65535 segments is COIF_ERR_ARGUMENT.
coif_status coif_hair_file_save(const coif_hair_file *hair, const char *path, coif_error *error);

#endif
