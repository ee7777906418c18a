#include "tools/cli/map_callback.h"

#include "sim/groom/scalp_maps.h"

coif_status coif_hair_maps_answer(const coif_map_query *question, float *values, coif_error *error)
{
    const coif_maps_query asked = {.scene = question->scene->path,
                                   .groom = question->groom,
                                   .frame = question->frame,
                                   .mesh = question->mesh,
                                   .count = question->count,
                                   .roots = question->roots};
    const coif_param_ref place = {question->node, &question->node->values, question->row,
                                  question->axis};
    return coif_maps_evaluate_query(values, &asked, &place, error);
}
