// Growable array in an arena.
//
// The capacity doubles and the old array stays allocated in the arena, so use it for scratch memory
// of short lifetime.
#ifndef COIF_CORE_BASE_ARRAY_GROW_H
#define COIF_CORE_BASE_ARRAY_GROW_H

#include "core/base/arena.h"

#include <string.h>

// Ensures capacity for `more` elements after the first `count`. Returns the (possibly moved) array.
static inline void *coif_array_grow(void *array, size_t count, size_t more, size_t *capacity,
                                    size_t size, coif_arena *arena)
{
    if (count + more <= *capacity) {
        return array;
    }
    size_t grown = *capacity < 64 ? 64 : 2 * *capacity;
    if (grown < count + more) {
        grown = count + more;
    }
    void *larger = coif_arena_alloc(arena, grown, size);
    if (count > 0) {
        memcpy(larger, array, count * size);
    }
    *capacity = grown;
    return larger;
}

#endif
