// grow_maps: the named scalp maps of a groom, and rows whose values come from them.
//
// Maps stack: one that lies over an earlier one is combined with it, which may lie over a third.
#ifndef COIF_SIM_GROOM_SCALP_MAPS_H
#define COIF_SIM_GROOM_SCALP_MAPS_H

#include "core/mesh/mesh.h"
#include "plugins/host/host.h"

// One entry of "maps", as the scene says it.
typedef struct coif_map_params {
    const char *name, *over;
    int32_t combine;
    float amount;
} coif_map_params;

typedef struct coif_map {
    coif_map_params params;
    coif_plugin_instance *instance;
    const struct coif_map *below; // the one it lies over, or NULL
    bool picture;                 // it or one below reads an image, so it needs texture coordinates
} coif_map;

typedef struct coif_maps {
    const char *scene; // path of the scene file, for messages
    int32_t count;
    coif_map *items;
    const coif_mesh *mesh; // at rest, that the groom grows on
    const float *border;   // per vertex of it, see mesh_border.h; NULL: no map needs it
    double time;
    coif_arena *arena;
} coif_maps;

// Opens every entry of the groom's "maps".
coif_status coif_maps_open(coif_maps *maps, const coif_node *groom, double frame,
                           coif_error *error);

// A row of a node's table (or of its plugin's), as a place in the scene.
typedef struct coif_param_ref {
    const coif_node *node;
    const coif_values *values;
    uint32_t row;
    int32_t axis; // which of its numbers, where it has three
} coif_param_ref;

// Fails when the row names a map that is not there, or one that needs texture coordinates the mesh
// does not have. A row that holds for all grooms may name one that only others have: 1 everywhere.
coif_status coif_maps_check(const coif_maps *maps, const coif_param_ref *place, coif_error *error);

// One value per surface point for a mapped row: what 0 and 1 of the map mean is the row's range.
// [worker] The row must have been checked.
coif_status coif_maps_eval(const coif_maps *maps, const coif_param_ref *place, int32_t count,
                           const coif_surface_point *points, float *out);

// One value per root for a row of any part of a groom, by maps that are opened for it alone.
typedef struct coif_maps_query {
    const char *scene; // path of the scene file, for messages
    const coif_node *groom;
    double frame;
    const coif_mesh *mesh; // what the roots are on, at rest
    int32_t count;
    const coif_surface_point *roots;
} coif_maps_query;

coif_status coif_maps_evaluate_query(float *values, const coif_maps_query *question,
                                     const coif_param_ref *place, coif_error *error);

#endif
