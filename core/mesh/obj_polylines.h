// obj_curves: the polylines of a Wavefront OBJ file: guide curves.
//
// tinyobj_loader_c knows nothing of `l` lines, so they are read here, from the same lines that the
// guard of meshes sees. Programs that write one line for each edge are understood: a polyline that
// begins with the point at which the last one ended goes on with it.
#ifndef COIF_CORE_MESH_OBJ_POLYLINES_H
#define COIF_CORE_MESH_OBJ_POLYLINES_H

#include "core/base/string_table.h"
#include "core/base/vec.h"

typedef struct coif_obj_polylines {
    int32_t count, point_count;
    int32_t *first; // curve c owns the points [first[c], first[c + 1]), at least two
    coif_vec3 *points;
    int32_t *groups;               // per curve: number in group_names
    coif_string_table group_names; // of g and o lines that have curves; "default" before the first
} coif_obj_polylines;

// Reads size bytes of text, which must be followed by a zero byte; the text is used up. Faces and
// everything else are passed over. Wrong text, and a file without a polyline, is COIF_ERR_FORMAT
// with the place.
coif_status coif_obj_polylines_read(coif_obj_polylines *curves, const char *name, char *text,
                                    size_t size, coif_arena *arena, coif_error *error);

coif_status coif_obj_polylines_load(coif_obj_polylines *curves, const char *path, coif_arena *arena,
                                    coif_error *error);

#endif
