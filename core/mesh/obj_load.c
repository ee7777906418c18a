// obj: the one door to tinyobj_loader_c.
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/mesh/obj.h"
#include "core/mesh/obj_parse.h"

// Memory of the foreign parser: a block that is filled from the front and emptied after each piece.
// Only a face of very many corners needs more; that comes from the arena.
typedef struct parser_memory {
    coif_arena *arena;
    unsigned char *block;
    size_t size, used;
} parser_memory;

static _Thread_local parser_memory *memory;

enum { BLOCK_HEADER = 16 }; // before each block: its size, for realloc

static void *parser_alloc(size_t bytes)
{
    const size_t needed = (bytes + BLOCK_HEADER + 15) / 16 * 16;
    unsigned char *block;
    if (needed <= memory->size - memory->used) {
        block = memory->block + memory->used;
        memory->used += needed;
    } else {
        block = coif_arena_alloc(memory->arena, needed, 1);
    }
    memcpy(block, &bytes, sizeof bytes);
    return block + BLOCK_HEADER;
}

static void *parser_calloc(size_t count, size_t size)
{
    return memset(parser_alloc(count * size), 0, count * size);
}

static void *parser_realloc(void *old, size_t bytes)
{
    void *block = parser_alloc(bytes);
    if (old != NULL) {
        size_t had;
        memcpy(&had, (unsigned char *)old - BLOCK_HEADER, sizeof had);
        memcpy(block, old, had < bytes ? had : bytes);
    }
    return block;
}

static void parser_free(void *block)
{
    (void)block; // everything goes at once, after the piece
}

#define TINYOBJ_LOADER_C_IMPLEMENTATION
#define TINYOBJ_MALLOC  parser_alloc
#define TINYOBJ_CALLOC  parser_calloc
#define TINYOBJ_REALLOC parser_realloc
#define TINYOBJ_FREE    parser_free

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#include "tinyobj_loader_c.h"
#pragma GCC diagnostic pop

// Room for one usual piece of a text: a command for each line, 15 corners or 3 floats from it, and
// a little for tables. A line has at least two characters.
static size_t room_for(size_t text_size)
{
    const size_t most = COIF_OBJ_PIECE_LINES + 2;
    const size_t lines = text_size / 2 + 2 < most ? text_size / 2 + 2 : most;
    return lines * (sizeof(Command) + sizeof(LineInfo) + 6 * sizeof(tinyobj_vertex_index_t)) + 4096;
}

typedef struct obj_reader {
    coif_obj *obj;
    coif_arena *arena;
    size_t positions, uvs, normals, corners; // taken over so far
    size_t position_capacity, uv_capacity, normal_capacity, corner_capacity;
} obj_reader;

static void reserve(obj_reader *reader, const coif_obj_estimate *guess)
{
    coif_obj *obj = reader->obj;
    obj->positions = coif_arena_new(reader->arena, guess->positions, coif_vec3);
    obj->uvs = coif_arena_new(reader->arena, guess->uvs, coif_vec2);
    obj->normals = coif_arena_new(reader->arena, guess->normals, coif_vec3);
    obj->corners = coif_arena_new(reader->arena, guess->corners, coif_obj_corner);
    reader->position_capacity = guess->positions;
    reader->uv_capacity = guess->uvs;
    reader->normal_capacity = guess->normals;
    reader->corner_capacity = guess->corners;
}

static void take_corners(obj_reader *reader, const tinyobj_vertex_index_t *from, size_t count)
{
    coif_obj_corner *to = reader->obj->corners + reader->corners;
    for (size_t i = 0; i < count; ++i) {
        // What a corner does not have comes out far below zero.
        to[i] = (coif_obj_corner){from[i].v_idx, from[i].vt_idx < 0 ? -1 : from[i].vt_idx,
                                  from[i].vn_idx < 0 ? -1 : from[i].vn_idx};
    }
    reader->corners += count;
}

static void take(obj_reader *reader, const tinyobj_attrib_t *parsed, const coif_obj_piece *piece)
{
    coif_obj *obj = reader->obj;
    coif_arena *arena = reader->arena;
    obj->positions = coif_array_grow(obj->positions, reader->positions, piece->positions,
                                     &reader->position_capacity, sizeof(coif_vec3), arena);
    obj->uvs = coif_array_grow(obj->uvs, reader->uvs, piece->uvs, &reader->uv_capacity,
                               sizeof(coif_vec2), arena);
    obj->normals = coif_array_grow(obj->normals, reader->normals, piece->normals,
                                   &reader->normal_capacity, sizeof(coif_vec3), arena);
    obj->corners = coif_array_grow(obj->corners, reader->corners, piece->corners,
                                   &reader->corner_capacity, sizeof(coif_obj_corner), arena);
    memcpy(obj->positions + reader->positions, parsed->vertices,
           piece->positions * sizeof(coif_vec3));
    memcpy(obj->uvs + reader->uvs, parsed->texcoords, piece->uvs * sizeof(coif_vec2));
    memcpy(obj->normals + reader->normals, parsed->normals, piece->normals * sizeof(coif_vec3));
    reader->positions += piece->positions;
    reader->uvs += piece->uvs;
    reader->normals += piece->normals;
    take_corners(reader, parsed->faces, piece->corners);
}

// The two face counts have changed places between versions of the parser; the larger one counts
// corners, because no line has fewer than one.
static bool found_all(const tinyobj_attrib_t *parsed, const coif_obj_piece *piece)
{
    const size_t corners = parsed->num_faces > parsed->num_face_num_verts
                               ? parsed->num_faces
                               : parsed->num_face_num_verts;
    return parsed->num_vertices == piece->positions && parsed->num_texcoords == piece->uvs &&
           parsed->num_normals == piece->normals && corners == piece->corners;
}

// Newer versions of the parser ask for the text through a callback; they are told by a macro that
// older ones do not have.
#if defined(TINYOBJ_MAX_FILEPATH)
typedef size_t parser_count;

static void give_piece(void *context, const char *name, int is_mtl, const char *obj_name,
                       char **text, size_t *size)
{
    (void)name, (void)is_mtl, (void)obj_name; // the guard lets no mtllib line through
    const coif_obj_piece *piece = context;
    *text = piece->text;
    *size = piece->size;
}

#define PIECE_ARGUMENTS(piece) "", give_piece, (void *)(piece)
#else
typedef unsigned int parser_count;
#define PIECE_ARGUMENTS(piece) (piece)->text, (unsigned int)(piece)->size
#endif

static coif_status parse_piece(obj_reader *reader, coif_obj_piece *piece, const char *name,
                               coif_error *error)
{
    tinyobj_attrib_t parsed;
    tinyobj_shape_t *shapes = NULL;
    tinyobj_material_t *materials = NULL;
    parser_count shape_count = 0;
    parser_count material_count = 0;
    memory->used = 0;
    const int result = tinyobj_parse_obj(&parsed, &shapes, &shape_count, &materials,
                                         &material_count, PIECE_ARGUMENTS(piece), 0);
    if (result != TINYOBJ_SUCCESS || !found_all(&parsed, piece)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: tinyobj_loader_c lost lines (result %d)",
                         name, result);
    }
    take(reader, &parsed, piece);
    return COIF_OK;
}

// The guard fills one piece after the other, the parser empties them.
static coif_status read_pieces(obj_reader *reader, coif_obj_parser *guard, coif_error *error)
{
    coif_obj_piece piece = {0};
    for (;;) {
        COIF_TRY(coif_obj_parser_fill(guard, &piece, error));
        if (piece.size > UINT32_MAX) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: line %lld: one face of %zu bytes",
                             guard->name, (long long)guard->lines.number, piece.size);
        }
        if (piece.size == 0) {
            return coif_obj_parser_finish(guard, error);
        }
        COIF_TRY(parse_piece(reader, &piece, guard->name, error));
    }
}

coif_status coif_obj_read(coif_obj *obj, const char *name, char *text, size_t size,
                          coif_arena *arena, coif_error *error)
{
    *obj = (coif_obj){0};
    coif_obj_parser guard = {.name = name, .arena = arena};
    COIF_TRY(coif_obj_parser_init(&guard, obj, text, size, error));

    parser_memory room = {.arena = arena, .size = room_for(size)};
    room.block = coif_arena_alloc(arena, room.size, 1);
    memory = &room;
    obj_reader reader = {.obj = obj, .arena = arena};
    reserve(&reader, &guard.guess);
    const coif_status status = read_pieces(&reader, &guard, error);
    memory = NULL;
    return status;
}

coif_status coif_obj_load(coif_obj *obj, const char *path, coif_arena *arena, coif_error *error)
{
    char *text;
    size_t size;
    COIF_TRY(coif_file_load(&text, &size, path, arena, error));
    return coif_obj_read(obj, path, text, size, arena, error);
}
