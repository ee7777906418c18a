// net: lays a net of quads over the sculpture.
#ifndef COIF_ASSETS_SURFACE_NETS_H
#define COIF_ASSETS_SURFACE_NETS_H

#include "tools/assets/shared/poly_mesh.h"
#include "tools/assets/mannequin/head_sdf.h"

// The half x >= 0, as a net whose points lie near the surface.
void head_net_build(head_mesh *mesh, const head_sculpture *sculpture);

// Moves points along the surface until each sits in the middle of its neighbours.
void head_net_relax(head_mesh *mesh, const head_sculpture *sculpture, int rounds);

// Splits faces where the sculpture has small features: in round 0 eyes, nose, lips and ears, in
// round 1 the rims of the lids and the line of the mouth.
void head_net_refine(head_mesh *mesh, const head_sculpture *sculpture, int round);

#endif
