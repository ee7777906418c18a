// String interning by a hash table with open addressing.
#include "core/base/string_table.h"

#include "core/base/array_grow.h"
#include "core/base/hash64.h"

// Slot of the name, or the empty slot where it is to be inserted.
static size_t find_slot(const coif_string_table *names, const char *name, size_t length)
{
    const size_t mask = names->slot_count - 1;
    size_t slot = (size_t)coif_hash64(name, length) & mask;
    while (names->slots[slot] != 0) {
        const char *other = names->names[names->slots[slot] - 1];
        if (strncmp(other, name, length) == 0 && other[length] == '\0') {
            break;
        }
        slot = (slot + 1) & mask;
    }
    return slot;
}

// Keeps the load factor at or below one half.
static void grow_slots(coif_string_table *names, coif_arena *arena)
{
    if (2 * ((size_t)names->count + 1) <= names->slot_count) {
        return;
    }
    names->slot_count = names->slot_count == 0 ? 16 : 2 * names->slot_count;
    names->slots = coif_arena_new(arena, names->slot_count, int32_t);
    for (int32_t i = 0; i < names->count; ++i) {
        names->slots[find_slot(names, names->names[i], strlen(names->names[i]))] = i + 1;
    }
}

int32_t coif_string_table_intern(coif_string_table *names, const char *name, size_t length,
                                 coif_arena *arena)
{
    grow_slots(names, arena);
    const size_t slot = find_slot(names, name, length);
    if (names->slots[slot] == 0) {
        char *copy = coif_arena_new(arena, length + 1, char);
        memcpy(copy, name, length);
        names->names = coif_array_grow(names->names, (size_t)names->count, 1, &names->capacity,
                                       sizeof *names->names, arena);
        names->names[names->count++] = copy;
        names->slots[slot] = names->count;
    }
    return names->slots[slot] - 1;
}

int32_t coif_string_table_find(const coif_string_table *names, const char *name, size_t length)
{
    return names->slot_count == 0 ? -1 : names->slots[find_slot(names, name, length)] - 1;
}
