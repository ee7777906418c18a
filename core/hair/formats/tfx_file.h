// tfx_file: hair of TressFX, AMD's library for games (.tfx, versions 3 and 4).
//
// Little endian. Words of the header: version (a float), strands, points of each, where the places
// are. Version 4 has 160 bytes of it and places of four floats, the last of which says whether a
// point may move; version 3 keeps the way to its places in word 36, and these have three floats.
// All strands have the same number of points. No thickness is in it.
#ifndef COIF_CORE_HAIR_FORMATS_TFX_FILE_H
#define COIF_CORE_HAIR_FORMATS_TFX_FILE_H

#include "core/base/fs.h"
#include "core/hair/strands.h"

// Places as they are in the file, radius 0. A file that is cut short, of another version or with
// numbers that are not finite is COIF_ERR_FORMAT with the place.
coif_status coif_tfx_file_read(coif_strands *strands, const coif_bytes *bytes, coif_arena *arena,
                               coif_error *error);
coif_status coif_tfx_file_load(coif_strands *strands, const char *path, coif_arena *arena,
                               coif_error *error);

#endif
