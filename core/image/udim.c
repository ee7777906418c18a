#include "core/image/udim.h"

#include "core/base/arena.h"

#include <string.h>

static const char TOKEN[] = "<UDIM>";

bool coif_path_is_udim(const char *path)
{
    return strstr(path, TOKEN) != NULL;
}

const char *coif_udim_tile_path(const char *path, int32_t number, coif_arena *arena)
{
    const char *token = strstr(path, TOKEN);
    return token != NULL ? coif_arena_print(arena, "%.*s%d%s", (int)(token - path), path, number,
                                            token + strlen(TOKEN))
                         : coif_arena_copy_text(arena, path);
}
