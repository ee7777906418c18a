// roots_ground: the surface roots are scattered on, rolled out to a line.
//
// Triangles are lined up along a Hilbert curve through space, so that numbers which are spread
// evenly over the line are places that are spread evenly, whatever the order of the mesh.
#ifndef COIF_SIM_GROOM_ROOT_SURFACE_H
#define COIF_SIM_GROOM_ROOT_SURFACE_H

#include "core/mesh/mesh.h"

typedef struct coif_root_surface {
    int32_t triangle_count;
    int32_t *triangles; // those that count, along the curve
    double *areas;      // their running sums
} coif_root_surface;

// All triangles of a group of the mesh; NULL or "" for the whole. Fails when the group is unknown
// or has no area to grow on.
coif_status coif_root_surface_init(coif_root_surface *ground, const coif_mesh *mesh,
                                   const char *name, coif_arena *arena, coif_error *error);

// Which of the triangles on the line is at a share of the area, 0 to 1.
int32_t coif_root_surface_find(const coif_root_surface *ground, double u);

// The same for a share that is not below that of the triangle to look from.
int32_t coif_root_surface_find_from(const coif_root_surface *ground, double u, int32_t from);

static inline double coif_root_surface_area(const coif_root_surface *ground)
{
    return ground->areas[ground->triangle_count - 1];
}

#endif
