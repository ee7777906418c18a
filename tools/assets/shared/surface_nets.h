// surface_nets: isosurface of a signed distance field as a quad mesh.
//
// Manifold surface nets: one vertex per surface sheet in a grid cell, one quad per grid edge that
// the surface crosses (Gibson 1998; several vertices per cell as in Schaefer et al. 2007).
#ifndef COIF_ASSETS_SURFACE_NETS_H
#define COIF_ASSETS_SURFACE_NETS_H

#include "tools/assets/shared/poly_mesh.h"
#include "tools/assets/shared/sdf.h"

enum { SURFACE_NETS_AXIS = 256 };

// Grid coordinates along one axis, increasing, spaced as finely as the surface needs.
typedef struct surface_nets_axis {
    int count;
    double at[SURFACE_NETS_AXIS];
} surface_nets_axis;

typedef struct surface_nets_desc {
    sdf_field field;
    surface_nets_axis x, y, z;
    bool half;           // the first cells straddle x = 0: their vertices are moved onto it
    bool join_sheets;    // one vertex where two sheets of a cell bound the same inside corners
    bool flip_diagonals; // start quads across x and z edges at the next corner
} surface_nets_desc;

// Quads face outwards, of group 0.
void surface_nets_build(poly_mesh *mesh, const surface_nets_desc *desc, coif_arena *arena);

#endif
