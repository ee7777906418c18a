// scalp_closest_point: closest point of the scalp (a group of a mesh) to a position.
#ifndef COIF_SIM_GROOM_SCALP_CLOSEST_POINT_H
#define COIF_SIM_GROOM_SCALP_CLOSEST_POINT_H

#include "core/collision/collider.h"

// The triangles of one group of a mesh, or all of them.
typedef struct coif_scalp_locator {
    const coif_mesh *mesh;
    coif_mesh part;
    int32_t *numbers; // triangle of the mesh, per triangle of part
    coif_collider collider;
} coif_scalp_locator;

// The mesh must outlive the locator. Group may be NULL or "" for the whole mesh, and must exist.
void coif_scalp_locator_open(coif_scalp_locator *scalp, const coif_mesh *mesh, const char *group,
                             coif_arena *arena);

typedef struct coif_scalp_location {
    int32_t triangle; // of the mesh
    float weights[2]; // of its second and third corner
    float distance;   // to the query position, metres
} coif_scalp_location;

// False when there is no triangle at all.
bool coif_scalp_locator_closest(coif_scalp_location *found, const coif_scalp_locator *scalp,
                                coif_vec3 position);

#endif
