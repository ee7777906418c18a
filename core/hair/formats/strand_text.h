// Text export of strands: OBJ polylines, which have positions only.
#ifndef COIF_CORE_HAIR_FORMATS_STRAND_TEXT_H
#define COIF_CORE_HAIR_FORMATS_STRAND_TEXT_H

#include "core/hair/strands.h"

// One `l` line per strand, in a group of that name.
coif_status coif_strands_save_obj(const coif_strands *strands, const char *name, const char *path,
                                  coif_error *error);

#endif
