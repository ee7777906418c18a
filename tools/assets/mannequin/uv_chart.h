// chart: one piece of the surface laid flat.
//
// A chart covers one piece of the half mannequin, which must be a disc. It is pinned when it meets
// its mirror image along the seam: then seam points keep u = 0 and the two halves fit together.
#ifndef COIF_ASSETS_UV_CHART_H
#define COIF_ASSETS_UV_CHART_H

#include "tools/assets/shared/poly_mesh.h"

typedef struct head_chart {
    int point_count, triangle_count;
    int *point;    // into the mesh
    int *triangle; // three local points each
    double *uv;    // two each, in millimetres until the chart is packed
    char *on_seam; // u stays zero
} head_chart;

// The chart of all faces with piece[f] == which. Returns 0 when they do not form a disc.
int head_chart_build(head_chart *chart, const head_mesh *mesh, const int *piece, int which,
                     int pinned);

// Flattens a chart with a valid but crude map into one that keeps lengths, as far as a curved
// piece allows.
void head_chart_flatten(head_chart *chart, const head_mesh *mesh);

void head_chart_free(head_chart *chart);

#endif
