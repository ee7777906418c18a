// Values of mappable numbers and vectors that come from a texture: {"texture": "mask.png"}.
//
// Such a value stands for an anonymous map of the plugin density.texture, see texture_maps.h.
// "path" of the plugin is the texture; its other parameters ("channel", "invert", ...) are members
// of the value.
#ifndef COIF_CORE_SCENE_TEXTURE_VALUE_H
#define COIF_CORE_SCENE_TEXTURE_VALUE_H

#include "core/scene/diagnostics.h"
#include "core/scene/params.h"

// Plugin that samples an image.
#define COIF_TEXTURE_MAP_PLUGIN "density.texture"

// Members of the value that are no parameters of its map, NULL-terminated.
extern const char *const COIF_TEXTURE_VALUE_MEMBERS[];
bool coif_texture_value_has_member(const char *key);

// Name of the map of a value. It contains a colon, which names in a file cannot.
const char *coif_texture_map_name(const coif_json_path *location, coif_arena *arena);

// Whether a parameter of the plugin may be given beside "texture".
bool coif_texture_map_has_param(const coif_plugin *plugin, const char *name);

#endif
