// map_callback: evaluates scalp maps of groom generation for the renderer.
#ifndef COIF_TOOLS_CLI_MAP_CALLBACK_H
#define COIF_TOOLS_CLI_MAP_CALLBACK_H

#include "core/scene/map_query.h"

// A coif_map_callback: evaluates scalp maps for the renderer.
coif_status coif_eval_hair_map(const coif_map_query *query, float *values, coif_error *error);

#endif
