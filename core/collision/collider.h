// collider: building, refitting and querying collision bodies, whatever represents them: a BVH, a
// signed distance field in rest space, an analytic primitive, or a distance function.
#ifndef COIF_CORE_COLLISION_COLLIDER_H
#define COIF_CORE_COLLISION_COLLIDER_H

#include "core/collision/bvh.h"

// The mesh must outlive the collider, which stays in its pose until refitted.
void coif_collider_build(coif_collider *collider, const coif_mesh *mesh, coif_arena *arena);

// Refits the BVH to vertices that move from begin to end during the frame (both may be the same
// array). Copies what it needs.
void coif_collider_refit(coif_collider *collider, const coif_vec3 *begin, const coif_vec3 *end);

// The same for two poses of the mesh, which may describe a deformation by height.
void coif_collider_refit_posed(coif_collider *collider, const coif_mesh *begin,
                               const coif_mesh *end);

// Adds a signed distance field, so that contact queries are cheap while the body moves rigidly or
// deforms by height. The collider must be in the rest pose. Closest point queries give the same
// results as before.
void coif_collider_build_sdf(coif_collider *collider, const coif_mesh *mesh, coif_arena *arena);

// Copies a collider, with its SDF, for a mesh equal to the one it was built from.
void coif_collider_copy(coif_collider *collider, const coif_collider *like, const coif_mesh *mesh,
                        coif_arena *arena);

// False when nothing lies within max_distance; then triangle is -1 and distance max_distance.
bool coif_collider_closest_point(coif_closest_point *nearest, const coif_collider *collider,
                                 const coif_closest_point_query *query);

#endif
