// obj: a Wavefront OBJ file as it stands: points, texture coordinates, normals and polygons.
//
// tinyobj_loader_c reads the geometry, but it trusts its input: long faces run over a fixed array,
// its material reader can hang, its decimals are a little off. So a guard (core/mesh/obj_parse.h)
// checks every line first and hands on clean text in small pieces: numbers in a form that comes
// back bit for bit, faces with absolute indices and at most 15 corners to a line. What is not
// geometry (groups, material names, libraries) the guard keeps itself.
#ifndef COIF_CORE_MESH_OBJ_H
#define COIF_CORE_MESH_OBJ_H

#include "core/base/string_table.h"
#include "core/base/vec.h"

// Numbers of point, texture coordinates and normal, from 0; -1 where the file gives none.
typedef struct coif_obj_corner {
    int32_t position, uv, normal;
} coif_obj_corner;

typedef struct coif_obj {
    int32_t position_count, uv_count, normal_count;
    coif_vec3 *positions;
    coif_vec2 *uvs;
    coif_vec3 *normals; // as written: any length

    int32_t face_count, corner_count;
    int32_t *first; // face f owns the corners [first[f], first[f + 1]), at least three
    coif_obj_corner *corners;
    int32_t *groups;     // per face: number in group_names
    int32_t *materials;  // per face: number in material_names, -1 for none
    int32_t short_faces; // faces of one or two corners, left out

    coif_string_table group_names; // of g and o lines that have faces; "default" before the first
    coif_string_table material_names; // of usemtl lines that have faces
    coif_string_table libraries;      // mtllib lines, each the whole rest of its line
} coif_obj;

// Reads size bytes of text, which must be followed by a zero byte; the text is used up. Name is for
// messages. Everything is allocated in arena. Wrong text is COIF_ERR_FORMAT with the line.
coif_status coif_obj_read(coif_obj *obj, const char *name, char *text, size_t size,
                          coif_arena *arena, coif_error *error);

coif_status coif_obj_load(coif_obj *obj, const char *path, coif_arena *arena, coif_error *error);

// Digest of the polygons: equal for all files that pose the same body. Positions, normals and
// texture coordinates do not count.
uint64_t coif_obj_topology_digest(const coif_obj *obj);

#endif
