// unwrap_overlap: whether faces overlap in a plane, through a uniform grid.
#ifndef COIF_CORE_MESH_UNWRAP_OVERLAP_H
#define COIF_CORE_MESH_UNWRAP_OVERLAP_H

#include "core/mesh/obj.h"

typedef struct coif_overlap_entry {
    int32_t face, next; // next entry of the cell, -1 for the last
} coif_overlap_entry;

typedef struct coif_overlap_grid {
    const coif_obj *obj;
    coif_vec3 u, v; // directions of the plane
    float low_u, low_v, cell;
    int32_t columns, rows;
    int32_t *cells; // first entry, -1 for none
    coif_overlap_entry *entries;
    size_t entry_count, entry_capacity;
    coif_arena *arena;
} coif_overlap_grid;

// For these faces, of which none is added yet.
void coif_overlap_grid_init(coif_overlap_grid *grid, const coif_obj *obj, coif_vec3 u, coif_vec3 v,
                            const int32_t *faces, int32_t count, coif_arena *arena);

// Adds a face unless its interior overlaps that of a face added before.
bool coif_overlap_grid_add(coif_overlap_grid *grid, int32_t face);

#endif
