// Members and names of values that come from a texture.
#include "core/scene/texture_value.h"

#include "core/base/arena.h"

#include <string.h>

const char *const COIF_TEXTURE_VALUE_MEMBERS[] = {"texture", "range", "ramp", "comment", NULL};

bool coif_texture_value_has_member(const char *key)
{
    const char *const *name = COIF_TEXTURE_VALUE_MEMBERS;
    while (*name != NULL && strcmp(*name, key) != 0) {
        ++name;
    }
    return *name != NULL;
}

const char *coif_texture_map_name(const coif_json_path *location, coif_arena *arena)
{
    const char *file = coif_json_find(location->json, "texture")->text;
    for (const coif_json *at = location->json->child; at != NULL; at = at->next) {
        if (!coif_texture_value_has_member(
                at->key)) { // values of the same file may differ in these
            return coif_arena_print(arena, "texture:%s of %s", file,
                                    coif_json_path_text(location, arena));
        }
    }
    return coif_arena_print(arena, "texture:%s", file);
}

bool coif_texture_map_has_param(const coif_plugin *plugin, const char *name)
{
    for (uint32_t i = 0; i < plugin->param_count; ++i) {
        if (strcmp(plugin->params[i].name, name) == 0) {
            return strcmp(name, "path") != 0;
        }
    }
    return false;
}
