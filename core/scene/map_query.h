// Evaluation of a scalp map of a groom at root points, by callback.
//
// Scalp maps belong to groom generation, which the renderer does not link; the program passes a
// callback that evaluates them.
#ifndef COIF_CORE_SCENE_MAP_QUERY_H
#define COIF_CORE_SCENE_MAP_QUERY_H

#include "core/scene/scene.h"

struct coif_mesh;
struct coif_surface_point;

typedef struct coif_map_query {
    const coif_scene *scene;
    const coif_node *groom;       // entry of "grooms" that owns the maps
    const coif_node *node;        // whose parameter names the map
    uint32_t row;                 // index of that parameter
    int32_t axis;                 // component of a three-component parameter
    double frame;                 // keyed maps are evaluated at this frame
    const struct coif_mesh *mesh; // rest mesh under the roots
    int32_t count;
    const struct coif_surface_point *roots;
} coif_map_query;

// Fills one value per root.
typedef coif_status (*coif_map_callback)(const coif_map_query *query, float *values,
                                         coif_error *error);

#endif
