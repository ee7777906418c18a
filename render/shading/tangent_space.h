// tangents: the frame of normal maps, shared between triangles so that none of their edges shows.
//
// As MikkTSpace has it (Mikkelsen 2008): every corner takes the direction of u on its triangle, in
// the plane of its normal; those of one place with one normal, one uv and the same hand are added,
// each by its angle. Places are those that the mesh shares by index, and triangles need not touch
// by an edge. Between corners tangents are mixed and not made even again, as bakers assume.
#ifndef COIF_RENDER_SHADING_TANGENT_SPACE_H
#define COIF_RENDER_SHADING_TANGENT_SPACE_H

#include "core/mesh/mesh.h"
#include "render/geometry/instance.h"

// How a triangle with those corners runs with u and with v. False where uv do not tell.
bool coif_triangle_uv_derivatives(const coif_mesh *mesh, int32_t triangle, const coif_vec3 p[3],
                                  coif_vec3 *u, coif_vec3 *v);

// One per corner of steps meshes of one topology, a step after the other; zero where uv do not
// tell. The meshes have uv.
coif_vec3 *coif_tangents_init(const coif_mesh *meshes, int32_t steps, coif_arena *arena);

// Those of a triangle at a time, as a copy of it shows them (or NULL).
void coif_tangents_at(coif_vec3 t[3], const coif_vec3 *tangents, const coif_mesh *meshes,
                      int32_t steps, int32_t triangle, float time, const coif_transform *copy);

#endif
