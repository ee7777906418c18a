// Selection of the faces of an OBJ file by group and material name.
#ifndef COIF_CORE_MESH_MESH_FILTER_H
#define COIF_CORE_MESH_MESH_FILTER_H

#include "core/mesh/mesh.h"
#include "core/mesh/obj.h"

typedef struct coif_mesh_filter {
    bool *groups, *materials;                   // by index: included by name
    bool *excluded_groups, *excluded_materials; // by index: excluded by name
    bool all;                                   // no name to include: all are included
} coif_mesh_filter;

// Fails when the file has no group or material of a name, or when no face is selected.
coif_status coif_mesh_filter_apply(coif_mesh_filter *filter, const coif_mesh_desc *desc,
                                   const coif_obj *obj, coif_arena *arena, coif_error *error);

// A face is selected when its group or its material is included and neither is excluded. Material
// -1 means none.
bool coif_mesh_filter_matches(const coif_mesh_filter *filter, int32_t group, int32_t material);

#endif
