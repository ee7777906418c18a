// root_surface: area-weighted sampling (CDF) of the triangles that roots are scattered on.
//
// Triangles are sorted along a Hilbert curve, so that numbers distributed evenly over the CDF
// are positions distributed evenly in space, whatever the order of the mesh.
#ifndef COIF_SIM_GROOM_ROOT_SURFACE_H
#define COIF_SIM_GROOM_ROOT_SURFACE_H

#include "core/mesh/mesh.h"

typedef struct coif_root_surface {
    int32_t triangle_count;
    int32_t *triangles; // of the group, along the curve
    double *areas;      // cumulative
} coif_root_surface;

// All triangles of a group of the mesh; NULL or "" for the whole mesh. Fails when the group is
// unknown or its area is zero.
coif_status coif_root_surface_init(coif_root_surface *surface, const coif_mesh *mesh,
                                   const char *name, coif_arena *arena, coif_error *error);

// Inverse CDF: the triangle at a fraction of the area, 0 to 1.
int32_t coif_root_surface_find(const coif_root_surface *surface, double u);

// The same for a fraction not below that of triangle `from`.
int32_t coif_root_surface_find_from(const coif_root_surface *surface, double u, int32_t from);

static inline double coif_root_surface_area(const coif_root_surface *surface)
{
    return surface->areas[surface->triangle_count - 1];
}

#endif
