// atlas: texture coordinates for the whole mannequin, in one unit square.
//
// Scalp and face are one island each, symmetric about u = 0.5. The other groups have an island on
// each side, mirror images of each other: neck, bust, its underside, front and back of the ear.
#ifndef COIF_ASSETS_UV_LAYOUT_H
#define COIF_ASSETS_UV_LAYOUT_H

#include "tools/assets/shared/poly_mesh.h"
#include "tools/assets/mannequin/head_sdf.h"

typedef struct head_atlas {
    int uv_count;
    double *uv;  // of the half, two each
    int *corner; // four per face of the half, into uv
} head_atlas;

// Returns 0, after saying why, when a piece is not a disc.
int head_atlas_build(head_atlas *atlas, const head_mesh *half, const head_sculpture *sculpture);

void head_atlas_free(head_atlas *atlas);

#endif
