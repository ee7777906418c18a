// Triangulation of a polygon in space.
//
// Quads are split along the shorter interior diagonal, other polygons by ear clipping in their
// dominant plane. Concave polygons, collinear corners and bridges to holes are supported;
// self-intersecting polygons give arbitrary triangles.
#ifndef COIF_CORE_MESH_TRIANGULATE_H
#define COIF_CORE_MESH_TRIANGULATE_H

#include "core/base/base.h"
#include "core/base/vec.h"

// Writes up to 3 * (count - 2) corner indices with the orientation of the polygon and returns the
// number of triangles. Degenerate triangles are omitted.
int32_t coif_triangulate(int32_t *triangles, const coif_vec3 *points, int32_t count,
                         coif_arena *scratch);

#endif
