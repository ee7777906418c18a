// TressFX hair files (.tfx, versions 3 and 4).
//
// Little endian, 160-byte header of 32-bit words: version (a float), strand count, points per
// strand, offset of the positions (version 3: in word 36). Positions have four floats in version 4
// (the last marks movable points) and three in version 3. There is no thickness.
#ifndef COIF_CORE_HAIR_FORMATS_TFX_FILE_H
#define COIF_CORE_HAIR_FORMATS_TFX_FILE_H

#include "core/base/fs.h"
#include "core/hair/strands.h"

// Positions as stored, radius 0. A truncated file, another version and non-finite numbers are
// COIF_ERR_FORMAT.
coif_status coif_tfx_file_read(coif_strands *strands, const coif_bytes *bytes, coif_arena *arena,
                               coif_error *error);
coif_status coif_tfx_file_load(coif_strands *strands, const char *path, coif_arena *arena,
                               coif_error *error);

#endif
