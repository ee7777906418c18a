// deforming_sdf: the signed distance field of a body that changes its shape, such as a skinned head
// or a hand of a mesh sequence.
//
// The distance is sampled once, in the rest pose (sdf.h). A frame only maps positions to it: world
// space is divided into bricks, and near the surface each has an affine map to rest space, fitted
// by least squares to the triangles around it and their normals. Maps are fitted at both ends of a
// slice of the frame and lerped between; a slice is so short that no triangle moves by more than
// half a brick. A map whose residual at the triangles is too large (lips, armpits, folds) is
// not used: there the BVH is queried.
//
// Slices and bricks are prepared by the first query that comes to them, so a frame costs what hair
// can reach. Maps depend on the mesh alone, not on which thread asks, or when.
#ifndef COIF_CORE_COLLISION_DEFORMING_SDF_H
#define COIF_CORE_COLLISION_DEFORMING_SDF_H

#include "core/collision/sdf.h"

typedef struct coif_deforming_sdf coif_deforming_sdf;

// For a field of the rest pose, which must outlive it. Nothing is computed before the first update.
coif_deforming_sdf *coif_deforming_sdf_new(coif_sdf *sdf, coif_arena *arena);

// To be called when the BVH of the collider was refitted to a pose for which the field is not
// valid.
void coif_deforming_sdf_update(coif_deforming_sdf *deforming, const coif_collider *collider);

typedef enum coif_deforming_sdf_result {
    COIF_DEFORMING_SDF_UNKNOWN, // the BVH has to be queried; triangle is a hint
    COIF_DEFORMING_SDF_FAR,     // distance is a lower bound of its absolute value
    COIF_DEFORMING_SDF_NEAR     // the closest point; triangle is one nearby
} coif_deforming_sdf_result;

// Closest point at a time of the frame, 0..1.
coif_deforming_sdf_result coif_deforming_sdf_query(coif_closest_point *nearest,
                                                   coif_deforming_sdf *deforming,
                                                   coif_vec3 position, float time);

#endif
