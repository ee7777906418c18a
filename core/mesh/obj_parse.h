// Validating OBJ parser in front of tinyobj_loader_c.
//
// It reads lines and writes pieces of clean text with absolute indices, so that the pieces can be
// parsed independently in bounded memory. Numbers, groups, material names and libraries are parsed
// here.
#ifndef COIF_CORE_MESH_OBJ_PARSE_H
#define COIF_CORE_MESH_OBJ_PARSE_H

#include "core/mesh/obj.h"
#include "core/mesh/obj_lines.h"

// Clean text of faces, and the number of corners in it.
typedef struct coif_obj_piece {
    char *text;
    size_t size, capacity;
    size_t lines;
    size_t corners;
} coif_obj_piece;

// The largest index beyond the elements read so far, and its line; checked at the end, because a
// face may precede its vertices.
typedef struct coif_obj_forward_reference {
    int32_t index;
    int64_t line;
} coif_obj_forward_reference;

typedef struct coif_obj_parser {
    const char *name;
    coif_obj_lines lines;
    coif_obj *obj; // output: everything but the corners of faces
    coif_arena *arena;
    size_t first_capacity, group_capacity, material_capacity;
    size_t position_capacity, uv_capacity, normal_capacity;

    const char *group_name, *material_name; // current; NULL before the first
    size_t group_length, material_length;
    int32_t group, material; // their indices once a face has used them, else -1

    coif_obj_corner *corners; // of the current face, from 1; 0 when absent
    size_t corner_count, corner_capacity;
    coif_obj_forward_reference ahead[3];
    size_t collected, collected_capacity; // corners parsed by the library
} coif_obj_parser;

coif_status coif_obj_parser_init(coif_obj_parser *parser, coif_obj *obj, char *text, size_t size,
                                 coif_error *error);

// Fills the piece with the next lines; empty at the end of the text.
coif_status coif_obj_parser_fill(coif_obj_parser *parser, coif_obj_piece *piece, coif_error *error);

// Final checks: indices beyond the end, a file without faces.
coif_status coif_obj_parser_finish(const coif_obj_parser *parser, coif_error *error);

#endif
