// scalp_maps: named scalp maps of a groom, and parameters whose values come from them.
//
// Maps stack: a map can be combined with an earlier one, which may be combined with a third.
#ifndef COIF_SIM_GROOM_SCALP_MAPS_H
#define COIF_SIM_GROOM_SCALP_MAPS_H

#include "core/body/body.h"
#include "plugins/host/host.h"

// One entry of "maps".
typedef struct coif_map_params {
    const char *name, *base;
    int32_t blend_mode;
    float amount;
} coif_map_params;

// An entry of the "layers" of a map. The image of the map holds the composition, so that only
// programs that paint read the layers.
typedef struct coif_layer_params {
    const char *name, *path, *mask;
    float opacity;
    int32_t blend_mode; // COIF_LAYER_...
    int32_t visible;
} coif_layer_params;

enum {
    COIF_LAYER_NORMAL,
    COIF_LAYER_MULTIPLY,
    COIF_LAYER_MAX,
    COIF_LAYER_MIN,
    COIF_LAYER_ADD,
    COIF_LAYER_SUBTRACT
};

typedef struct coif_map {
    coif_map_params params;
    coif_plugin_instance *instance;
    const struct coif_map *below; // map it is combined with, or NULL
    bool reads_image;             // it or one below reads an image and needs UVs
} coif_map;

typedef struct coif_maps {
    const char *scene; // path of the scene file, for messages
    int32_t count;
    coif_map *items;
    const coif_mesh *mesh; // at rest, that the groom grows on
    const float *border;   // per vertex of it, see geodesic_border.h; NULL: no map needs it
    // Body whose pose is compared with mesh for maps that need curvature; NULL: it is at rest.
    const coif_body *body;
    const float *curvature; // change per vertex; NULL: no map needs it
    double time;
    coif_arena *arena;
} coif_maps;

// Opens every entry of the groom's "maps".
coif_status coif_maps_open(coif_maps *maps, const coif_node *groom, double frame,
                           coif_error *error);

// Whether a map of a groom, or one below it, changes over time.
bool coif_map_is_animated(const coif_node *groom, const char *name);

// A parameter of a node or of its plugin.
typedef struct coif_param_ref {
    const coif_node *node;
    const coif_values *values;
    uint32_t row;
    int32_t axis; // component of a vector
} coif_param_ref;

// Fails when the parameter names an unknown map, or one that needs UVs the mesh does not have. A
// parameter shared by all grooms may name a map that only some of them have; elsewhere the map
// is 1.
coif_status coif_maps_check(const coif_maps *maps, const coif_param_ref *param, coif_error *error);

// Value of a mapped parameter per surface point: map values 0 and 1 are the ends of its range.
// [worker] The parameter must have been checked.
coif_status coif_maps_eval(const coif_maps *maps, const coif_param_ref *param, int32_t count,
                           const coif_surface_point *points, float *out);

// Values of a parameter per root, with maps opened for this query only.
typedef struct coif_maps_query {
    const char *scene; // path of the scene file, for messages
    const coif_node *groom;
    double frame;
    const coif_mesh *mesh; // what the roots are on, at rest
    const coif_body *body; // see coif_maps
    int32_t count;
    const coif_surface_point *roots;
} coif_maps_query;

coif_status coif_maps_evaluate_query(float *values, const coif_maps_query *query,
                                     const coif_param_ref *param, coif_error *error);

#endif
