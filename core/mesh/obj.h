// Wavefront OBJ files: vertices, texture coordinates, normals and polygons.
//
// tinyobj_loader_c parses the faces, but does not validate its input. So obj_parse validates every
// line first and passes on clean text in small pieces: faces with absolute indices and at most 15
// corners per line. Numbers, which the library does not round correctly, groups, material names and
// libraries are parsed by obj_parse itself.
#ifndef COIF_CORE_MESH_OBJ_H
#define COIF_CORE_MESH_OBJ_H

#include "core/base/string_table.h"
#include "core/base/vec.h"

// Indices of position, texture coordinates and normal, from 0; -1 when absent.
typedef struct coif_obj_corner {
    int32_t position, uv, normal;
} coif_obj_corner;

typedef struct coif_obj {
    int32_t position_count, uv_count, normal_count;
    coif_vec3 *positions;
    coif_vec2 *uvs;
    coif_vec3 *normals; // not normalized

    int32_t face_count, corner_count;
    int32_t *first; // face f owns the corners [first[f], first[f + 1]), at least three
    coif_obj_corner *corners;
    int32_t *groups;     // per face: index in group_names
    int32_t *materials;  // per face: index in material_names, -1 for none
    int32_t short_faces; // faces of one or two corners, omitted

    coif_string_table group_names; // of g and o lines that have faces; "default" before the first
    coif_string_table material_names; // of usemtl lines that have faces
    coif_string_table libraries;      // mtllib lines, each the rest of its line
} coif_obj;

// Parses a zero-terminated text of size bytes, which is modified; name is used in messages.
// Allocates in arena. Invalid text is COIF_ERR_FORMAT with the line.
coif_status coif_obj_read(coif_obj *obj, const char *name, char *text, size_t size,
                          coif_arena *arena, coif_error *error);

coif_status coif_obj_load(coif_obj *obj, const char *path, coif_arena *arena, coif_error *error);

// Turns positions and normals of a file with z up: (x, y, z) becomes (x, z, -y).
void coif_obj_turn_z_up(coif_obj *obj);

// Digest of the polygons, equal for all frames of a sequence; independent of positions, normals and
// texture coordinates.
uint64_t coif_obj_topology_digest(const coif_obj *obj);

#endif
