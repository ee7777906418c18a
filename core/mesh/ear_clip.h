// ear_clip: triangles of a polygon in the plane, by cutting off one ear after the other.
//
// An ear is a corner that turns left and whose triangle holds no other corner; every polygon that
// does not cross itself has two (Meisters 1975).
#ifndef COIF_CORE_MESH_EAR_CLIP_H
#define COIF_CORE_MESH_EAR_CLIP_H

#include "core/base/base.h"

typedef struct coif_point2d {
    double x, y;
} coif_point2d;

// The polygon must run counter-clockwise and have at least three corners. Writes the corner numbers
// of each triangle (room for 3 * (count - 2)) and returns how many there are.
int32_t coif_ear_clip(int32_t *triangles, const coif_point2d *points, int32_t count,
                      coif_arena *scratch);

#endif
