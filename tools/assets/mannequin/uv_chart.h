// uv_chart: planar parameterisation of one island.
//
// An island covers a part of the half mannequin that is a topological disc. A pinned island meets
// its mirror image on the symmetry plane: points there keep u = 0.
#ifndef COIF_ASSETS_UV_CHART_H
#define COIF_ASSETS_UV_CHART_H

#include "tools/assets/shared/poly_mesh.h"

typedef struct uv_chart {
    coif_arena *arena;
    int point_count, triangle_count;
    int *point;    // index into the mesh
    int *triangle; // three local points each
    double *uv;    // two each, in millimetres until packed
    bool *on_seam; // u stays 0
} uv_chart;

// The island of the faces with label[f] == which, in Tutte's embedding. Returns false when they are
// not a disc.
bool uv_chart_build(uv_chart *chart, const poly_mesh *mesh, const int *label, int which,
                    bool pinned);

// Turns a valid embedding into one of low distortion.
void uv_chart_solve_arap(uv_chart *chart, const poly_mesh *mesh);

#endif
