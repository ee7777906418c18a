// Parser of value objects: keyframes, maps, textures and ramps.
#ifndef COIF_CORE_SCENE_PARAM_VALUE_OBJECT_H
#define COIF_CORE_SCENE_PARAM_VALUE_OBJECT_H

#include "core/scene/param_value_plain.h"

// Value objects: {"keys": ...}, {"map": ...}, ...
void coif_value_object(coif_value *value, const coif_param *param, const coif_json_path *location,
                       const coif_param_reader *reader);

#endif
