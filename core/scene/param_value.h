// Parameter value parser: reads a value of the scene in any of the forms listed in params.h.
#ifndef COIF_CORE_SCENE_PARAM_VALUE_H
#define COIF_CORE_SCENE_PARAM_VALUE_H

#include "core/scene/diagnostics.h"
#include "core/scene/params.h"

typedef struct coif_param_reader {
    coif_diagnostics *diagnostics;
    const char *folder; // paths are resolved against it
    coif_arena *arena;
} coif_param_reader;

// Parses location->json. On an error the diagnostics get a line and the value is unchanged.
void coif_value_read(coif_value *value, const coif_param *param, const coif_json_path *location,
                     const coif_param_reader *reader);

#endif
