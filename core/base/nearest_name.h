// Name similarity, for "did you mean" in messages.
#ifndef COIF_CORE_BASE_NEAREST_NAME_H
#define COIF_CORE_BASE_NEAREST_NAME_H

#include <stddef.h>

// The most similar of names by edit distance, for "did you mean"; NULL when none is similar.
const char *coif_nearest_name(const char *name, const char *const *names, size_t count);

#endif
