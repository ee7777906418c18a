// Writes Wavefront OBJ files with the polygons, groups and materials of a coif_obj.
#ifndef COIF_CORE_MESH_OBJ_WRITE_H
#define COIF_CORE_MESH_OBJ_WRITE_H

#include "core/mesh/obj.h"

// Through a temporary name. Numbers are written with as many digits as give the same floats again.
coif_status coif_obj_save(const coif_obj *obj, const char *path, coif_error *error);

#endif
