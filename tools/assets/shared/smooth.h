// smooth: tangential Laplacian smoothing of a mesh on an implicit surface.
#ifndef COIF_ASSETS_SMOOTH_H
#define COIF_ASSETS_SMOOTH_H

#include "tools/assets/shared/poly_mesh.h"

typedef struct smooth_surface {
    coif_vec3d (*normal)(const void *object, coif_vec3d p);
    coif_vec3d (*project)(const void *object, coif_vec3d p); // onto the surface
    const void *object;
    bool half; // the mesh is the half x >= 0: points with x == 0 stay there
} smooth_surface;

// Points on border curves do not move.
void smooth_mesh(poly_mesh *mesh, const smooth_surface *surface, int iterations);

#endif
