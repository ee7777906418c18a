// object_names: names of objects that a format allows, distinct among siblings.
#ifndef COIF_CORE_ARCHIVE_OBJECT_NAMES_H
#define COIF_CORE_ARCHIVE_OBJECT_NAMES_H

#include "core/base/base.h"

// Names with _ in place of characters that are not allowed: of identifiers all but letters, digits
// and _, else slashes. A name that is taken by one before gets _ at its end.
const char **coif_archive_object_names(const char *const *names, int32_t count, bool identifiers,
                                       coif_arena *arena);

#endif
