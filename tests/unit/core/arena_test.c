// Arenas: alignment, rewinding, limits and the memory table.
#include "tests/support/child_process.h"
#include "tests/support/test.h"

#include <unistd.h>

TEST(memory_is_zeroed_aligned_and_counted)
{
    coif_arena arena;
    coif_arena_init(&arena, "test");
    for (size_t size = 1; size < 3000; size += 97) {
        unsigned char *data = coif_arena_alloc(&arena, size, 1);
        CHECK((uintptr_t)data % 64 == 0);
        for (size_t i = 0; i < size + 16; ++i) { // 16 bytes behind are readable
            CHECK(data[i] == 0);
        }
        memset(data, 0xff, size);
    }
    CHECK(arena.used > 0 && arena.peak == arena.used);
    coif_arena_free(&arena);
    CHECK(arena.used == 0);
}

static void count_name(void *context, const char *name, size_t used, size_t peak)
{
    (void)peak;
    *(size_t *)context += strcmp(name, "moved") == 0 ? used : 0;
}

// Between two others, so that both neighbours have to learn of it.
// Pages that the process has in memory.
static long resident_pages(void)
{
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%ld %ld", &all, &resident) == 2);
    fclose(file);
    return resident;
}

// The C library keeps freed memory below a block that is still in use.
TEST(large_chunks_are_returned_to_the_system)
{
    enum { SIZE = 12 << 20 };
    coif_arena first, below, above;
    coif_arena_init(&first, "first");
    coif_arena_init(&below, "below");
    coif_arena_init(&above, "above");
    memset(coif_arena_alloc(&first, 2 * SIZE, 1), 1, 2 * SIZE);
    coif_arena_free(&first); // from now on it keeps pieces of that size
    memset(coif_arena_alloc(&below, SIZE, 1), 1, SIZE);
    memset(coif_arena_alloc(&above, SIZE, 1), 1, SIZE);
    const long before = resident_pages();
    coif_arena_free(&below);
    CHECK(before - resident_pages() > SIZE / 2 / sysconf(_SC_PAGESIZE));
    coif_arena_free(&above);
}

TEST(an_arena_can_be_moved)
{
    coif_arena older, position, newer;
    coif_arena_init(&older, "older");
    coif_arena_init(&position, "moved");
    coif_arena_init(&newer, "newer");
    const char *text = coif_arena_copy_text(&position, "kept");
    const size_t used = position.used;
    coif_arena other;
    coif_arena_move(&other, &position);
    memset(&position, 0xa5, sizeof position);
    CHECK(strcmp(text, "kept") == 0 && other.used == used);
    size_t counted = 0;
    coif_memory_table(count_name, &counted);
    CHECK(counted == used);
    coif_arena_free(&older);
    coif_arena_free(&newer);
    coif_arena_free(&other);
    counted = 0;
    coif_memory_table(count_name, &counted);
    CHECK(counted == 0);
}

TEST(rewinding_frees_allocations_after_the_mark)
{
    coif_arena arena;
    coif_arena_init(&arena, "test");
    char *kept = coif_arena_copy_text(&arena, "kept");
    const coif_arena_mark mark = coif_arena_mark_here(&arena);
    const size_t used = arena.used;
    coif_arena_new(&arena, 1000000, double);
    coif_arena_rewind(&arena, mark);
    CHECK(arena.used == used);
    CHECK_TEXT(kept, "kept");
    coif_arena_free(&arena);
}

static void stop_with_seven(size_t wanted)
{
    (void)wanted;
    _exit(7);
}

static void ask_for_more_than_exists(void)
{
    coif_arena arena;
    coif_memory_setup(stop_with_seven, 0);
    coif_arena_init(&arena, "test");
    coif_arena_alloc(&arena, SIZE_MAX / 2, 16);
}

static void ask_for_more_than_allowed(void)
{
    coif_arena arena;
    coif_memory_setup(stop_with_seven, 1 << 20);
    coif_arena_init(&arena, "test");
    coif_arena_alloc(&arena, 2 << 20, 1);
}

static size_t used_by_moved(void)
{
    size_t used = 0;
    coif_memory_table(count_name, &used);
    return used;
}

TEST(children_are_freed_with_their_parent)
{
    coif_arena parent;
    coif_arena_init(&parent, "parent");
    coif_arena *kept = coif_arena_new_child(&parent, "moved");
    coif_arena_alloc(kept, 1000, 1);
    const size_t one = used_by_moved();
    const coif_arena_mark mark = coif_arena_mark_here(&parent);
    coif_arena_alloc(coif_arena_new_child(&parent, "moved"), 1000, 1);
    coif_arena_alloc(kept, 1000, 1);
    CHECK(one >= 1000 && used_by_moved() == 3 * one);
    coif_arena_rewind(&parent, mark);
    CHECK(used_by_moved() == 2 * one);
    coif_arena_free(&parent);
    CHECK(used_by_moved() == 0);
}

TEST(exhausted_memory_reaches_the_handler)
{
    CHECK(exit_code_of(ask_for_more_than_exists) == 7);
    CHECK(exit_code_of(ask_for_more_than_allowed) == 7);
}
