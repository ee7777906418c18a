#include "tools/cli/map_callback.h"

#include "sim/groom/scalp_maps.h"
#include "sim/run/simulate.h"

coif_status coif_hair_maps_answer(const coif_map_question *question, float *values,
                                  coif_error *error)
{
    const coif_maps_question asked = {.scene = question->scene->path,
                                      .groom = question->groom,
                                      .frame = coif_timeline_of(question->scene).first,
                                      .mesh = question->mesh,
                                      .count = question->count,
                                      .roots = question->roots};
    const coif_row_place place = {question->node, &question->node->values, question->row,
                                  question->axis};
    return coif_maps_answer(values, &asked, &place, error);
}
