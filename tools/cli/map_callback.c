#include "tools/cli/map_callback.h"

#include "sim/groom/scalp_maps.h"

coif_status coif_eval_hair_map(const coif_map_query *query, float *values, coif_error *error)
{
    const coif_maps_query maps_query = {.scene = query->scene->path,
                                        .groom = query->groom,
                                        .frame = query->frame,
                                        .mesh = query->mesh,
                                        .count = query->count,
                                        .roots = query->roots};
    const coif_param_ref param = {query->node, &query->node->values, query->row, query->axis};
    return coif_maps_evaluate_query(values, &maps_query, &param, error);
}
