// MikkTSpace tangents (Mikkelsen 2008), the tangent space of normal map bakers.
//
// As in the reference implementation: corners are welded by equal position, normal and uv; a group
// is the corners of one welded vertex that are reached across edges with the same handedness of uv;
// the tangent of a group is the sum of the triangles' directions of u, projected into the plane of
// the corner normal and weighted by the corner angle. Triangles without a uv area join the groups
// of their neighbours and add nothing; triangles with two corners in one position are left out.
// Between corners tangents are interpolated and not renormalised, as bakers assume.
//
// Measured against the reference (mikktspace 1.1.1 compiled to WebAssembly) over the bodies in
// scenes/assets: components within 2e-7 on ball, mannequin, eyes and hills; on the tiger cub within
// 4.2e-6 (13 corners of needle triangles; 165,095 of 165,114 within 1e-6). Differences that remain:
// - Bits: angles come from atan2 of fast_math.h in place of acos, so results are not bit-identical.
// - Corners in no group (no neighbour with a uv area, or two corners in one position) get a zero
//   vector in place of (1, 0, 0) or of another corner's tangent; shading then ignores the normal
//   map.
// - The angular threshold of the reference, 180 degrees by default, is not applied: it would
// separate
//   exactly opposite directions within a group.
// - Only triangles: a quad is not treated as one face.
#ifndef COIF_RENDER_SHADING_TANGENT_SPACE_H
#define COIF_RENDER_SHADING_TANGENT_SPACE_H

#include "core/mesh/mesh.h"
#include "render/geometry/instance.h"

// Derivatives of position by u and by v of a triangle with those corners. False without a uv area.
bool coif_triangle_uv_derivatives(const coif_mesh *mesh, int32_t triangle, const coif_vec3 p[3],
                                  coif_vec3 *u, coif_vec3 *v);

// One per corner and time step, step after step, of meshes of one topology with uv; zero for
// corners in no group.
coif_vec3 *coif_tangents_init(const coif_mesh *meshes, int32_t steps, coif_arena *arena);

// Tangents of a triangle at a time; transform may be NULL.
void coif_tangents_at(coif_vec3 t[3], const coif_vec3 *tangents, const coif_mesh *meshes,
                      int32_t steps, int32_t triangle, float time, const coif_transform *transform);

#endif
