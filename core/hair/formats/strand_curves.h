// Strands as curves of archives (core/archive): Alembic, USD.
#ifndef COIF_CORE_HAIR_FORMATS_STRAND_CURVES_H
#define COIF_CORE_HAIR_FORMATS_STRAND_CURVES_H

#include "core/archive/archive.h"
#include "core/hair/groom.h"

// Curves through the points of strands: Catmull-Rom, or linear. Arrays that need no conversion are
// those of strands.
coif_archive_curves coif_strands_curves(const coif_strands *strands, coif_curve_basis basis,
                                        coif_arena *arena);

// The same as a uniform cubic B-spline: its control points are those of the natural spline through
// the points of each strand.
coif_archive_curves coif_strands_bspline(const coif_strands *strands, coif_arena *arena);

// Ids, guides and weights of the strands of a groom: all of them, or the simulated ones. The id of
// a strand is its index in the groom.
void coif_curves_set_groom(coif_archive_curves *curves, const coif_groom *groom, bool guides,
                           coif_arena *arena);

#endif
