// unwrap_charts: division of a mesh into charts that are flat enough to be projected.
#ifndef COIF_CORE_MESH_UNWRAP_CHARTS_H
#define COIF_CORE_MESH_UNWRAP_CHARTS_H

#include "core/mesh/obj.h"

typedef struct coif_chart {
    int32_t first, count; // its faces in coif_charts.faces
    coif_vec3 u, v;       // directions of the image plane
    float width, height;  // of the bounding box
    float low_u, low_v;   // its corner
    float scale;          // enlargement
} coif_chart;

typedef struct coif_charts {
    int32_t count;
    coif_chart *items;
    int32_t *faces; // chart after chart
} coif_charts;

// Faces of a chart do not overlap in its plane and have normals within max_angle degrees of its
// mean. Labels are NULL or one per face: a chart has one label, and others than 0 get that scale.
coif_charts coif_charts_of(const coif_obj *obj, float max_angle, const uint8_t *labels,
                           float label_scale, coif_arena *arena);

#endif
