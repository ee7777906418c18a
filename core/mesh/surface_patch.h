// surface_patch: best-fit rigid motion of a part of a surface.
#ifndef COIF_CORE_MESH_SURFACE_PATCH_H
#define COIF_CORE_MESH_SURFACE_PATCH_H

#include "core/mesh/affine.h"
#include "core/mesh/mesh.h"

typedef struct coif_surface_patch {
    int32_t vertex_count;
    int32_t *vertices;
    float *weights;    // rest areas around the vertices, sum 1
    coif_vec3 *offset; // at rest, from the centre
    coif_vec3 centre;  // weighted mean at rest
    int32_t corner[3]; // of the largest triangle of the patch; its frame is the initial rotation
    coif_vec3 corner_rest[3];
} coif_surface_patch;

// The triangles with a corner at most radius farther from a point than the nearest corner.
// INFINITY: the whole mesh, which must have a triangle.
void coif_surface_patch_init(coif_surface_patch *patch, const coif_mesh *rest, coif_vec3 point,
                             float radius, coif_arena *arena);

// The rotation R and translation that minimise  sum w |R p + t - q|^2  over rest positions p and
// posed positions q.
coif_affine coif_surface_patch_fit(const coif_surface_patch *patch, const coif_vec3 *posed);

#endif
