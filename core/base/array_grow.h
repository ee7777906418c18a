// grow: an array in an arena that becomes longer than anybody knew.
//
// The array doubles, and what it outgrew stays behind in the arena: for scratch memory that is
// given back soon.
#ifndef COIF_CORE_BASE_ARRAY_GROW_H
#define COIF_CORE_BASE_ARRAY_GROW_H

#include "core/base/arena.h"

#include <string.h>

// Room for more elements behind count; capacity is kept up to date. Returns where the array now is.
static inline void *coif_array_grow(void *array, size_t count, size_t more, size_t *capacity,
                                    size_t size, coif_arena *arena)
{
    if (count + more <= *capacity) {
        return array;
    }
    size_t wanted = *capacity < 64 ? 64 : 2 * *capacity;
    if (wanted < count + more) {
        wanted = count + more;
    }
    void *larger = coif_arena_alloc(arena, wanted, size);
    if (count > 0) {
        memcpy(larger, array, count * size);
    }
    *capacity = wanted;
    return larger;
}

#endif
