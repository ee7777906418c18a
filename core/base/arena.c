// Arena allocator: a list of chunks, newest first; an allocation never spans two chunks.
#include "core/base/arena.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct coif_arena_chunk {
    coif_arena_chunk *previous;
    size_t capacity, used;
    unsigned char *data; // 64-byte aligned
};

enum { ALIGNMENT = 64, TAIL_PADDING = 16, MIN_CHUNK = 64 * 1024, ACCOUNTS = 8 };

// Chunks double up to this size, so that a large scene needs few of them.
static const size_t MAX_GROWN_CHUNK = (size_t)64 << 20;

// Large chunks are aligned to huge pages, which saves TLB misses in randomly accessed data such as
// curve control points.
static const size_t HUGE_PAGE = (size_t)2 << 20;

typedef struct account {
    const char *name;
    size_t used, peak;
} account;

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static coif_arena *live_arenas;
static account accounts[ACCOUNTS];
static void (*exhausted_handler)(size_t requested);
static size_t memory_limit;
static _Atomic size_t memory_in_use;

static size_t load(const _Atomic size_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static void store(_Atomic size_t *value, size_t stored)
{
    atomic_store_explicit(value, stored, memory_order_relaxed);
}

COIF_NORETURN static void exhausted(size_t requested)
{
    if (exhausted_handler != NULL) {
        exhausted_handler(requested);
    }
    fprintf(stderr, "coif: out of memory: %zu bytes requested\n", requested);
    abort();
}

void *coif_library_malloc(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL && size > 0) {
        exhausted(size);
    }
    return memory;
}

void coif_library_free(void *memory)
{
    free(memory);
}

static bool reserve(size_t bytes)
{
    const size_t before = atomic_fetch_add(&memory_in_use, bytes);
    if (memory_limit != 0 && before + bytes > memory_limit) {
        atomic_fetch_sub(&memory_in_use, bytes);
        return false;
    }
    return true;
}

void coif_arena_init(coif_arena *arena, const char *name)
{
    *arena = (coif_arena){.name = name};
    pthread_mutex_lock(&table_lock);
    arena->next = live_arenas;
    if (live_arenas != NULL) {
        live_arenas->previous = arena;
    }
    live_arenas = arena;
    pthread_mutex_unlock(&table_lock);
}

// Whether a chunk of this capacity is allocated on huge pages.
static bool uses_huge_pages(size_t capacity)
{
    return capacity >= 2 * HUGE_PAGE;
}

static void free_newest_chunk(coif_arena *arena)
{
    coif_arena_chunk *chunk = arena->chunk;
    arena->chunk = chunk->previous;
    atomic_fetch_sub(&memory_in_use, chunk->capacity);
    if (uses_huge_pages(chunk->capacity)) {
        // The C library may keep freed memory; return its pages to the system.
        madvise(chunk->data, chunk->capacity / HUGE_PAGE * HUGE_PAGE, MADV_DONTNEED);
    }
    free(chunk->data);
    free(chunk);
}

coif_arena *coif_arena_new_child(coif_arena *parent, const char *name)
{
    const size_t used = load(&parent->used);
    coif_arena *child = coif_arena_new(parent, 1, coif_arena);
    coif_arena_init(child, name);
    child->parent_used = used;
    child->sibling = parent->children;
    parent->children = child;
    return child;
}

static void free_children_after(coif_arena *arena, size_t used)
{
    while (arena->children != NULL && arena->children->parent_used >= used) {
        coif_arena *child = arena->children;
        arena->children = child->sibling;
        coif_arena_free(child);
    }
}

void coif_arena_free(coif_arena *arena)
{
    free_children_after(arena, 0);
    while (arena->chunk != NULL) {
        free_newest_chunk(arena);
    }
    pthread_mutex_lock(&table_lock);
    if (arena->previous != NULL) {
        arena->previous->next = arena->next;
    } else if (live_arenas == arena) {
        live_arenas = arena->next;
    }
    if (arena->next != NULL) {
        arena->next->previous = arena->previous;
    }
    pthread_mutex_unlock(&table_lock);
    *arena = (coif_arena){.name = arena->name};
}

void coif_arena_move(coif_arena *to, coif_arena *from)
{
    pthread_mutex_lock(&table_lock);
    *to = *from;
    if (to->previous != NULL) {
        to->previous->next = to;
    } else if (live_arenas == from) {
        live_arenas = to;
    }
    if (to->next != NULL) {
        to->next->previous = to;
    }
    *from = (coif_arena){.name = from->name};
    pthread_mutex_unlock(&table_lock);
}

static void add_chunk(coif_arena *arena, size_t needed)
{
    size_t capacity = arena->chunk != NULL ? arena->chunk->capacity * 2 : MIN_CHUNK;
    capacity = capacity > MAX_GROWN_CHUNK ? MAX_GROWN_CHUNK : capacity;
    capacity = capacity < needed ? (needed + 4095) / 4096 * 4096 : capacity;
    if (!reserve(capacity)) {
        exhausted(needed);
    }
    coif_arena_chunk *chunk = calloc(1, sizeof *chunk);
    const bool huge = uses_huge_pages(capacity);
    void *data = NULL;
    if (posix_memalign(&data, huge ? HUGE_PAGE : ALIGNMENT, capacity) == 0 && huge) {
        madvise(data, capacity / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); // a hint; may fail
    }
    if (chunk == NULL || data == NULL) {
        exhausted(needed);
    }
    *chunk = (coif_arena_chunk){.previous = arena->chunk, .capacity = capacity, .data = data};
    arena->chunk = chunk;
}

void *coif_arena_alloc(coif_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 4) {
        exhausted(SIZE_MAX);
    }
    const size_t needed = (bytes + TAIL_PADDING + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (arena->chunk == NULL || arena->chunk->capacity - arena->chunk->used < needed) {
        add_chunk(arena, needed);
    }
    coif_arena_chunk *chunk = arena->chunk;
    void *data = chunk->data + chunk->used;
    chunk->used += needed;
    // Only the owner writes, so plain relaxed stores suffice.
    const size_t used = load(&arena->used) + needed;
    store(&arena->used, used);
    store(&arena->peak, used > load(&arena->peak) ? used : load(&arena->peak));
    memset(data, 0, needed);
    return data;
}

char *coif_arena_copy_text(coif_arena *arena, const char *text)
{
    const size_t size = strlen(text) + 1;
    return memcpy(coif_arena_alloc(arena, size, 1), text, size);
}

char *coif_arena_print(coif_arena *arena, const char *format, ...)
{
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    const int length = vsnprintf(NULL, 0, format, list);
    char *text = coif_arena_alloc(arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, copy);
    va_end(copy);
    va_end(list);
    return text;
}

coif_arena_mark coif_arena_mark_here(const coif_arena *arena)
{
    return (coif_arena_mark){
        .chunk = arena->chunk,
        .chunk_used = arena->chunk != NULL ? arena->chunk->used : 0,
        .used = load(&arena->used),
    };
}

void coif_arena_rewind(coif_arena *arena, coif_arena_mark mark)
{
    free_children_after(arena, mark.used);
    while (arena->chunk != mark.chunk) {
        COIF_REQUIRE(arena->chunk != NULL);
        free_newest_chunk(arena);
    }
    if (arena->chunk != NULL) {
        arena->chunk->used = mark.chunk_used;
    }
    store(&arena->used, mark.used);
}

void coif_memory_setup(void (*handler)(size_t requested), size_t limit)
{
    exhausted_handler = handler;
    memory_limit = limit;
}

static account *find_account(const char *name)
{
    for (int i = 0; i < ACCOUNTS; ++i) {
        if (accounts[i].name == NULL) {
            accounts[i].name = name;
        }
        if (strcmp(accounts[i].name, name) == 0) {
            return &accounts[i];
        }
    }
    return &accounts[ACCOUNTS - 1];
}

bool coif_memory_account(const char *name, int64_t bytes)
{
    if (bytes > 0 && !reserve((size_t)bytes)) {
        return false;
    }
    if (bytes < 0) {
        atomic_fetch_sub(&memory_in_use, (size_t)-bytes);
    }
    pthread_mutex_lock(&table_lock);
    account *entry = find_account(name);
    entry->used += (size_t)bytes;
    entry->peak = entry->used > entry->peak ? entry->used : entry->peak;
    pthread_mutex_unlock(&table_lock);
    return true;
}

void coif_memory_table(void (*row)(void *context, const char *name, size_t used, size_t peak),
                       void *context)
{
    pthread_mutex_lock(&table_lock);
    for (const coif_arena *arena = live_arenas; arena != NULL; arena = arena->next) {
        row(context, arena->name, load(&arena->used), load(&arena->peak));
    }
    for (int i = 0; i < ACCOUNTS && accounts[i].name != NULL; ++i) {
        row(context, accounts[i].name, accounts[i].used, accounts[i].peak);
    }
    pthread_mutex_unlock(&table_lock);
}
