// material: what MTL files say of the surfaces of a mesh.
//
// An MTL file is advice, not geometry: one that is missing or partly unreadable is a warning, and
// what it does not say stays at a plain grey.
#ifndef COIF_CORE_MESH_MTL_H
#define COIF_CORE_MESH_MTL_H

#include "core/base/string_table.h"
#include "core/mesh/mesh.h"

// A grey surface of that name.
coif_mtl coif_mtl_default(const char *name);

// Fills the materials whose names the text defines; material i has number i in names. Paths in it
// are taken against folder. Path is for messages.
void coif_mtl_read(coif_mtl *materials, const coif_string_table *names, char *text,
                   const char *path, coif_arena *arena);

// Reads a library as an mtllib line names it: one file, or several, beside the OBJ file at
// obj_path.
void coif_mtl_load(coif_mtl *materials, const coif_string_table *names, const char *library,
                   const char *obj_path, coif_arena *arena);

#endif
