// obj_guard: every line of an OBJ file is checked here before the foreign parser may see it.
//
// The guard pulls lines from the text and fills pieces of clean text. Each piece stands alone: its
// indices are absolute, so the pieces can be parsed one by one in bounded memory.
#ifndef COIF_CORE_MESH_OBJ_PARSE_H
#define COIF_CORE_MESH_OBJ_PARSE_H

#include "core/mesh/obj.h"
#include "core/mesh/obj_lines.h"

enum { COIF_OBJ_PIECE_LINES = 4096 };

// Clean text, and what the parser has to find in it.
typedef struct coif_obj_piece {
    char *text;
    size_t size, capacity;
    size_t lines;
    size_t positions, uvs, normals, corners;
} coif_obj_piece;

// The largest index that points past what was read when it came, and its line: judged at the end,
// because a face may come before its points.
typedef struct coif_obj_forward_reference {
    int32_t index;
    int64_t line;
} coif_obj_forward_reference;

typedef struct coif_obj_parser {
    const char *name;
    coif_obj_lines lines;
    coif_obj_estimate guess;
    coif_obj *obj; // counts and everything but the geometry
    coif_arena *arena;
    size_t first_capacity, group_capacity, material_capacity;

    const char *group_name, *material_name; // in force; NULL before the first
    size_t group_length, material_length;
    int32_t group, material; // their numbers once a face has used them, else -1

    coif_obj_corner *corners; // of the face being read, from 1; 0 where absent
    size_t corner_count, corner_capacity;
    coif_obj_forward_reference ahead[3];
} coif_obj_parser;

coif_status coif_obj_parser_init(coif_obj_parser *guard, coif_obj *obj, char *text, size_t size,
                                 coif_error *error);

// Fills the piece with the next lines. An empty piece means the end of the text.
coif_status coif_obj_parser_fill(coif_obj_parser *guard, coif_obj_piece *piece, coif_error *error);

// What can only be judged when all is read: indices ahead, a file without faces.
coif_status coif_obj_parser_finish(const coif_obj_parser *guard, coif_error *error);

#endif
