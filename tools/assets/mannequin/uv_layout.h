// uv_layout: texture coordinates of the mannequin in the unit square.
//
// Scalp and face are one island each, symmetric about u = 0.5. Neck, bust, underside, front and
// back of the ear have one island on each side, mirror images of each other.
#ifndef COIF_ASSETS_UV_LAYOUT_H
#define COIF_ASSETS_UV_LAYOUT_H

#include "core/base/error.h"
#include "tools/assets/mannequin/regions.h"

typedef struct uv_layout {
    int uv_count;
    double *uv;  // of the half x >= 0, two each
    int *corner; // four per face of the half: index into uv
} uv_layout;

// Fails when an island is not a topological disc.
coif_status uv_layout_build(uv_layout *layout, const poly_mesh *half, const head_sdf *sdf,
                            coif_error *error);

#endif
