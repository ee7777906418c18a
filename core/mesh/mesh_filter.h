// mesh_pick: which faces of a file belong to a mesh, by the names of their groups and materials.
#ifndef COIF_CORE_MESH_MESH_FILTER_H
#define COIF_CORE_MESH_MESH_FILTER_H

#include "core/mesh/mesh.h"
#include "core/mesh/obj.h"

typedef struct coif_mesh_filter {
    bool *groups, *materials; // by number: whether it was named as one to keep
    bool *no_groups, *no_materials;
    bool all; // nothing was named to keep: everything is
} coif_mesh_filter;

// Fails when a name is none of the file's, or when no face is left.
coif_status coif_mesh_filter_apply(coif_mesh_filter *picked, const coif_mesh_desc *desc,
                                   const coif_obj *obj, coif_arena *arena, coif_error *error);

// A face is there when its group or its material is kept, and neither is left out. Material -1 is
// none.
bool coif_mesh_filter_matches(const coif_mesh_filter *picked, int32_t group, int32_t material);

#endif
