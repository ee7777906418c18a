// arena: memory by lifetime. Things that die together are allocated together and freed at once.
//
// Arenas for the process, the scene, the frame and one scratch per worker are all there is; only
// this room calls malloc. Blocks are zeroed, aligned to 64 bytes and followed by at least 16
// readable bytes (the ray tracer reads a whole vector past the last element).
#ifndef COIF_CORE_BASE_ARENA_H
#define COIF_CORE_BASE_ARENA_H

#include "core/base/base.h"

typedef struct coif_arena_chunk coif_arena_chunk;

struct coif_arena {
    const char *name; // shown by --stats
    coif_arena_chunk *chunk;
    size_t used, peak; // bytes handed out now, and at the most
    struct coif_arena *next, *previous;
};

// An empty arena. Name must outlive it. Not safe to share between threads.
void coif_arena_init(coif_arena *arena, const char *name);

// Gives everything back and forgets the arena; init makes it usable again.
void coif_arena_free(coif_arena *arena);

// All of an arena under another address, which holds none; copying the struct is not enough, since
// arenas are counted where they are. What was allocated stays in place; from is as after free.
void coif_arena_move(coif_arena *to, coif_arena *from);

// Count elements of size bytes each, zeroed. Never returns NULL: when memory is exhausted, the
// limit is reached or count * size overflows, the exhausted handler is called and does not return.
void *coif_arena_alloc(coif_arena *arena, size_t count, size_t size);

// The type-safe form: coif_arena_new(arena, 10, float).
#define coif_arena_new(arena, count, type)                                                         \
    ((type *)coif_arena_alloc((arena), (size_t)(count), sizeof(type)))

char *coif_arena_copy_text(coif_arena *arena, const char *text);
char *coif_arena_print(coif_arena *arena, const char *format, ...) COIF_PRINTF(2, 3);

// The place to return to: memory handed out after a mark is given back by rewinding to it.
typedef struct coif_arena_mark {
    coif_arena_chunk *chunk;
    size_t chunk_used, used;
} coif_arena_mark;
coif_arena_mark coif_arena_mark_here(const coif_arena *arena);
void coif_arena_rewind(coif_arena *arena, coif_arena_mark mark);

// What to do when memory ends; must not return (the program prints the table and exits with 7).
// Limit 0 means none. Set once at start, before threads exist.
void coif_memory_setup(void (*exhausted)(size_t wanted), size_t limit);

// Memory of a foreign library (the ray tracer), counted against the same limit. Negative gives
// back. Returns false when the limit would be passed.
bool coif_memory_account(const char *name, int64_t bytes);

// Calls row once for each live arena and account, for --stats and the last message.
void coif_memory_table(void (*row)(void *context, const char *name, size_t used, size_t peak),
                       void *context);

#endif
