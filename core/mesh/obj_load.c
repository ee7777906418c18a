// OBJ loading through tinyobj_loader_c (its only user).
//
// The library does not validate its input: long faces overflow a fixed array, its material parser
// can loop forever, its numbers are not correctly rounded. So obj_parse.c validates every line,
// parses the numbers and passes on small pieces of clean text with the faces; this file only parses
// the pieces, checks that nothing was lost and collects the corners. It is as short as that allows.
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/mesh/obj.h"
#include "core/mesh/obj_parse.h"

// Memory of the library, freed after each piece.
static _Thread_local coif_arena *library_arena;

enum { BLOCK_HEADER = 16 }; // before each block: its size, for realloc

static void *library_alloc(size_t bytes)
{
    unsigned char *block = coif_arena_alloc(library_arena, bytes + BLOCK_HEADER, 1);
    memcpy(block, &bytes, sizeof bytes);
    return block + BLOCK_HEADER;
}

static void *library_calloc(size_t count, size_t size)
{
    return library_alloc(count * size); // arenas are zeroed
}

static void *library_realloc(void *old, size_t bytes)
{
    void *block = library_alloc(bytes);
    if (old != NULL) {
        size_t old_bytes;
        memcpy(&old_bytes, (unsigned char *)old - BLOCK_HEADER, sizeof old_bytes);
        memcpy(block, old, old_bytes < bytes ? old_bytes : bytes);
    }
    return block;
}

static void library_free(void *block)
{
    (void)block;
}

#define TINYOBJ_LOADER_C_IMPLEMENTATION
#define TINYOBJ_MALLOC  library_alloc
#define TINYOBJ_CALLOC  library_calloc
#define TINYOBJ_REALLOC library_realloc
#define TINYOBJ_FREE    library_free

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#include "tinyobj_loader_c.h"
#pragma GCC diagnostic pop

static void append_corners(coif_obj_parser *parser, const tinyobj_vertex_index_t *from,
                           size_t count)
{
    coif_obj *obj = parser->obj;
    obj->corners =
        coif_array_grow(obj->corners, parser->collected, count, &parser->collected_capacity,
                        sizeof *obj->corners, parser->arena);
    for (size_t i = 0; i < count; ++i) { // missing indices are far below zero
        obj->corners[parser->collected++] =
            (coif_obj_corner){from[i].v_idx, from[i].vt_idx < 0 ? -1 : from[i].vt_idx,
                              from[i].vn_idx < 0 ? -1 : from[i].vn_idx};
    }
}

// The two face counts are swapped between versions of the library; the larger one counts corners.
static bool is_complete(const tinyobj_attrib_t *parsed, const coif_obj_piece *piece)
{
    const size_t corners = parsed->num_faces > parsed->num_face_num_verts
                               ? parsed->num_faces
                               : parsed->num_face_num_verts;
    return corners == piece->corners;
}

// Newer versions of the library request the text by a callback; they define this macro.
#if defined(TINYOBJ_MAX_FILEPATH)
typedef size_t library_count;

static void give_piece(void *context, const char *name, int is_mtl, const char *obj_name,
                       char **text, size_t *size)
{
    (void)name, (void)is_mtl, (void)obj_name; // no mtllib line is passed on
    const coif_obj_piece *piece = context;
    *text = piece->text;
    *size = piece->size;
}

#define PIECE_ARGUMENTS(piece) "", give_piece, (void *)(piece)
#else
typedef unsigned int library_count;
#define PIECE_ARGUMENTS(piece) (piece)->text, (unsigned int)(piece)->size
#endif

static coif_status parse_piece(coif_obj_parser *parser, coif_obj_piece *piece, coif_error *error)
{
    tinyobj_attrib_t parsed;
    tinyobj_shape_t *shapes = NULL;
    tinyobj_material_t *materials = NULL;
    library_count shape_count = 0;
    library_count material_count = 0;
    const int result = tinyobj_parse_obj(&parsed, &shapes, &shape_count, &materials,
                                         &material_count, PIECE_ARGUMENTS(piece), 0);
    if (result != TINYOBJ_SUCCESS || !is_complete(&parsed, piece)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: tinyobj_loader_c failed (result %d)",
                         parser->name, result);
    }
    append_corners(parser, parsed.faces, piece->corners);
    return COIF_OK;
}

static coif_status read_pieces(coif_obj_parser *parser, coif_error *error)
{
    coif_obj_piece piece = {0};
    for (;;) {
        COIF_TRY(coif_obj_parser_fill(parser, &piece, error));
        if (piece.size > UINT32_MAX) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: line %lld: one face of %zu bytes",
                             parser->name, (long long)parser->lines.number, piece.size);
        }
        if (piece.size == 0) {
            return coif_obj_parser_finish(parser, error);
        }
        const coif_arena_mark mark = coif_arena_mark_here(library_arena);
        COIF_TRY(parse_piece(parser, &piece, error));
        coif_arena_rewind(library_arena, mark);
    }
}

coif_status coif_obj_read(coif_obj *obj, const char *name, char *text, size_t size,
                          coif_arena *arena, coif_error *error)
{
    *obj = (coif_obj){0};
    coif_obj_parser parser = {.name = name, .arena = arena};
    COIF_TRY(coif_obj_parser_init(&parser, obj, text, size, error));
    COIF_SCOPED_ARENA(scratch, "tinyobj");
    library_arena = &scratch;
    const coif_status status = read_pieces(&parser, error);
    library_arena = NULL;
    return status;
}

coif_status coif_obj_load(coif_obj *obj, const char *path, coif_arena *arena, coif_error *error)
{
    char *text;
    size_t size;
    COIF_TRY(coif_file_load(&text, &size, path, arena, error));
    return coif_obj_read(obj, path, text, size, arena, error);
}

static void turn_z_up(coif_vec3 *vectors, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        vectors[i] = (coif_vec3){vectors[i].x, vectors[i].z, -vectors[i].y};
    }
}

void coif_obj_turn_z_up(coif_obj *obj)
{
    turn_z_up(obj->positions, obj->position_count);
    turn_z_up(obj->normals, obj->normal_count);
}
