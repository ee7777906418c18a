// triangulate: a polygon in space becomes triangles that cover exactly it.
//
// Ear clipping in the plane that the polygon lies in, or nearly lies in. Concave
// polygons, corners on straight edges and bridges to holes come out right; polygons that cross
// themselves have no right answer and get some triangles.
#ifndef COIF_CORE_MESH_TRIANGULATE_H
#define COIF_CORE_MESH_TRIANGULATE_H

#include "core/base/base.h"
#include "core/base/vec.h"

// Writes the corner numbers of each triangle, in the polygon's own sense of turning; there is room
// for 3 * (count - 2). Triangles without area are left out. Returns how many there are. Time grows
// little faster than count.
int32_t coif_triangulate(int32_t *triangles, const coif_vec3 *points, int32_t count,
                         coif_arena *scratch);

#endif
