// Pinned splines in formats that cannot say that curves start and end at their outer control
// points.
#ifndef COIF_CORE_ARCHIVE_SPLINE_ENDS_H
#define COIF_CORE_ARCHIVE_SPLINE_ENDS_H

#include "core/archive/archive.h"

// Adds a control point before and after each curve on the line of its ends, so that an unpinned
// spline has the same shape. Linear, periodic and unpinned curves stay as they are.
void coif_curves_add_ends(coif_archive_curves *curves, coif_arena *arena);

// The inverse, in place. Curves of fewer than four points stay as they are, all of them.
void coif_curves_remove_ends(coif_archive_curves *curves);

#endif
