// Polylines of a Wavefront OBJ file: guide curves and strands.
//
// tinyobj_loader_c does not support `l` lines, so they are parsed here. A polyline that begins with
// the last point of the previous one continues it, as some programs write one line per edge.
#ifndef COIF_CORE_MESH_OBJ_POLYLINES_H
#define COIF_CORE_MESH_OBJ_POLYLINES_H

#include "core/base/string_table.h"
#include "core/base/vec.h"

typedef struct coif_obj_polylines {
    int32_t count, point_count;
    int32_t *first; // curve c owns the points [first[c], first[c + 1]), at least two
    coif_vec3 *points;
    int32_t *groups;               // per curve: index in group_names
    coif_string_table group_names; // of g and o lines that have curves; "default" before the first
} coif_obj_polylines;

// Parses a zero-terminated text of size bytes, which is modified. Faces and other statements are
// ignored. Invalid text and a file without polylines are COIF_ERR_FORMAT with the line.
coif_status coif_obj_polylines_read(coif_obj_polylines *curves, const char *name, char *text,
                                    size_t size, coif_arena *arena, coif_error *error);

coif_status coif_obj_polylines_load(coif_obj_polylines *curves, const char *path, coif_arena *arena,
                                    coif_error *error);

#endif
