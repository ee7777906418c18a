// strand_text: strands as text that other programs read: curves of USD (.usda), or polylines of
// OBJ.
//
// USD draws a smooth curve through the points, from root to tip, as coif does; it has widths,
// colours and the place on the scalp too. OBJ has places alone, joined by straight pieces.
#ifndef COIF_CORE_HAIR_FORMATS_STRAND_TEXT_H
#define COIF_CORE_HAIR_FORMATS_STRAND_TEXT_H

#include "core/hair/strands.h"

// BasisCurves with vertex widths (diameters), metres, y up. The name becomes that of the prim, with
// what USD does not allow in names turned into underscores.
coif_status coif_strands_save_usd(const coif_strands *strands, const char *name, const char *path,
                                  coif_error *error);

// One `l` line for each strand, in a group of that name.
coif_status coif_strands_save_obj(const coif_strands *strands, const char *name, const char *path,
                                  coif_error *error);

#endif
