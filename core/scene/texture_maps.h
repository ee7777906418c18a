// Anonymous scalp maps of values that come from a texture, see texture_value.h.
#ifndef COIF_CORE_SCENE_TEXTURE_MAPS_H
#define COIF_CORE_SCENE_TEXTURE_MAPS_H

#include "core/scene/scene_validate.h"

// Adds the map of every such value to the "maps" of its groom; that of a parameter shared by all
// grooms to every groom.
void coif_scene_add_texture_maps(const coif_scene_validate *check, coif_node *root);

#endif
