// object_names: names of objects that a format allows, distinct among siblings.
#include "core/archive/object_names.h"

#include "core/base/arena.h"
#include "core/base/string_table.h"

#include <string.h>

static bool is_allowed(char c, bool first, bool identifiers)
{
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return identifiers ? letter || (!first && c >= '0' && c <= '9') : c != '/';
}

const char **coif_archive_object_names(const char *const *names, int32_t count, bool identifiers,
                                       coif_arena *arena)
{
    coif_string_table taken = {0};
    const char **clean = coif_arena_new(arena, count, const char *);
    for (int32_t i = 0; i < count; ++i) {
        char *name = coif_arena_copy_text(arena, names[i][0] != '\0' ? names[i] : "_");
        for (char *c = name; *c != '\0'; ++c) {
            *c = is_allowed(*c, c == name, identifiers) ? *c : '_';
        }
        while (coif_string_table_find(&taken, name, strlen(name)) >= 0) {
            name = coif_arena_print(arena, "%s_", name);
        }
        coif_string_table_intern(&taken, name, strlen(name), arena);
        clean[i] = name;
    }
    return clean;
}
