// hair_maps: what scalp maps say of hair's colour, asked by the renderer, answered by the grower.
#ifndef COIF_TOOLS_CLI_MAP_CALLBACK_H
#define COIF_TOOLS_CLI_MAP_CALLBACK_H

#include "core/scene/map_query.h"

// As coif_render_desc.eval_map; keyed maps are those of the first frame,
// as when hair grows.
coif_status coif_hair_maps_answer(const coif_map_query *question, float *values, coif_error *error);

#endif
