// Text export of strands: USD curves (.usda) or OBJ polylines.
//
// USD curves are Catmull-Rom splines through the points, with widths, colours and root uv. OBJ
// polylines have positions only.
#ifndef COIF_CORE_HAIR_FORMATS_STRAND_TEXT_H
#define COIF_CORE_HAIR_FORMATS_STRAND_TEXT_H

#include "core/hair/strands.h"

// BasisCurves with vertex widths (diameters), metres, y up. Characters of name that are not allowed
// in a prim name become underscores.
coif_status coif_strands_save_usd(const coif_strands *strands, const char *name, const char *path,
                                  coif_error *error);

// One `l` line per strand, in a group of that name.
coif_status coif_strands_save_obj(const coif_strands *strands, const char *name, const char *path,
                                  coif_error *error);

#endif
