// Triangulation of a polygon in the plane by ear clipping.
//
// An ear is a convex corner whose triangle contains no other corner; every simple polygon has two
// (Meisters 1975).
#ifndef COIF_CORE_MESH_EAR_CLIP_H
#define COIF_CORE_MESH_EAR_CLIP_H

#include "core/base/base.h"

typedef struct coif_point2d {
    double x, y;
} coif_point2d;

// The polygon must be counter-clockwise with at least three corners. Writes up to 3 * (count - 2)
// corner indices and returns the number of triangles. Polygons with many thousand reflex corners
// may exceed the time budget and then get overlapping triangles.
int32_t coif_ear_clip(int32_t *triangles, const coif_point2d *points, int32_t count,
                      coif_arena *scratch);

#endif
