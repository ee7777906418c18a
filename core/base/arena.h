// Arena allocator: objects of one lifetime are allocated together and freed at once.
//
// The program uses one arena for the process, the scene and the frame each, and a scratch arena per
// worker; only arena.c calls malloc. Allocations are zeroed, aligned to 64 bytes and followed by at
// least 16 readable bytes (the ray tracer reads a whole vector past the last element).
#ifndef COIF_CORE_BASE_ARENA_H
#define COIF_CORE_BASE_ARENA_H

#include "core/base/base.h"

#include <stdatomic.h>

typedef struct coif_arena_chunk coif_arena_chunk;

struct coif_arena {
    const char *name; // shown by --stats
    coif_arena_chunk *chunk;
    // Bytes allocated now, and their maximum; atomic because the memory table reads them from other
    // threads.
    _Atomic size_t used, peak;
    struct coif_arena *next, *previous;
    struct coif_arena *children, *sibling; // newest first
    size_t parent_used;                    // of the parent when the child was made
};

// An empty arena. Name must outlive it. Not safe to share between threads.
void coif_arena_init(coif_arena *arena, const char *name);

// Frees all allocations and removes the arena from the memory table; init makes it usable again.
void coif_arena_free(coif_arena *arena);

// An arena that is freed with its parent, or when the parent is rewound to before this call. For
// what grows during the life of an object in the parent.
coif_arena *coif_arena_new_child(coif_arena *parent, const char *name);

// Declares an empty arena that is freed when its scope ends, on every path. What a return statement
// evaluates may still use it.
#define COIF_SCOPED_ARENA(arena_, name_)                                                           \
    __attribute__((cleanup(coif_arena_free))) coif_arena arena_;                                   \
    coif_arena_init(&arena_, name_)

// Moves an arena to another address (copying the struct would leave the memory table pointing to
// the old one). Allocations keep their addresses; afterwards `from` is as after free.
void coif_arena_move(coif_arena *to, coif_arena *from);

// malloc and free for a library that takes such functions: exhausted memory calls the exhausted
// handler.
void *coif_library_malloc(size_t size);
void coif_library_free(void *memory);

// Count elements of size bytes each, zeroed. Never returns NULL: when memory is exhausted, the
// limit is reached or count * size overflows, the exhausted handler is called and does not return.
void *coif_arena_alloc(coif_arena *arena, size_t count, size_t size);

// The type-safe form: coif_arena_new(arena, 10, float).
#define coif_arena_new(arena, count, type)                                                         \
    ((type *)coif_arena_alloc((arena), (size_t)(count), sizeof(type)))

char *coif_arena_copy_text(coif_arena *arena, const char *text);
char *coif_arena_print(coif_arena *arena, const char *format, ...) COIF_PRINTF(2, 3);

// A position to rewind to: rewinding frees everything allocated after the mark was set.
typedef struct coif_arena_mark {
    coif_arena_chunk *chunk;
    size_t chunk_used, used;
} coif_arena_mark;
coif_arena_mark coif_arena_mark_here(const coif_arena *arena);
void coif_arena_rewind(coif_arena *arena, coif_arena_mark mark);

// Sets the handler of exhausted memory, which must not return (the program prints the memory table
// and exits with 7), and a limit in bytes, 0 for none. Call once at start, before threads exist.
void coif_memory_setup(void (*exhausted)(size_t requested), size_t limit);

// Counts memory of a third-party library (the ray tracer) against the same limit; negative bytes
// are freed ones. Returns false when the limit would be exceeded.
bool coif_memory_account(const char *name, int64_t bytes);

// Calls row once for each live arena and account, for --stats and the last message.
void coif_memory_table(void (*row)(void *context, const char *name, size_t used, size_t peak),
                       void *context);

#endif
