// MTL material files.
//
// A missing or partly unreadable MTL file is a warning only; missing properties keep their
// defaults.
#ifndef COIF_CORE_MESH_MTL_H
#define COIF_CORE_MESH_MTL_H

#include "core/base/string_table.h"
#include "core/mesh/mesh.h"

// Default grey material of that name.
coif_mtl coif_mtl_default(const char *name);

// Fills the materials defined in the text; material i has index i in names. Map paths are relative
// to the directory of path, which is also used in messages.
void coif_mtl_read(coif_mtl *materials, const coif_string_table *names, char *text,
                   const char *path, coif_arena *arena);

// Loads the library of an mtllib line, one or more files relative to the OBJ file at obj_path.
void coif_mtl_load(coif_mtl *materials, const coif_string_table *names, const char *library,
                   const char *obj_path, coif_arena *arena);

#endif
