// Texture coordinates for meshes without them: charts of faces with similar normals, projected
// along their mean normal, and packed on shelves with a margin between them.
//
// No two faces overlap in the image, so that a texel belongs to one place of the surface, and all
// charts have the same texel density. The result depends on the polygons only.
#ifndef COIF_CORE_MESH_UNWRAP_H
#define COIF_CORE_MESH_UNWRAP_H

#include "core/mesh/obj.h"

typedef struct coif_unwrap_desc {
    float max_angle; // degrees between the normal of a face and that of its chart
    float margin;    // between charts and at the border, as a fraction of the image's side
    // NULL, or per face: faces of different labels are in different charts, and charts of other
    // labels than 0 are enlarged.
    const uint8_t *labels;
    float label_scale;
} coif_unwrap_desc;

typedef struct coif_unwrap_stats {
    int32_t charts;
    double coverage; // of the image by faces
} coif_unwrap_stats;

// Replaces the texture coordinates of all corners; uvs are allocated in arena.
coif_unwrap_stats coif_obj_unwrap(coif_obj *obj, const coif_unwrap_desc *desc, coif_arena *arena);

#endif
