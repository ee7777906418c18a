#include "render/shading/strand_color_ramp.h"

#include "core/base/arena.h"

const coif_strand_color_ramp *coif_strand_color_ramp_of(const coif_hair_material *fibre,
                                                        const coif_strand_color_desc *desc,
                                                        coif_arena *arena)
{
    const coif_node *hair = coif_node_at(desc->node, "hair");
    const uint32_t row_count = hair != NULL ? hair->values.row_count : 0;
    coif_strand_color_ramp *pigment = NULL;
    for (uint32_t i = 0; i < row_count; ++i) {
        const coif_param *row = coif_values_param(&hair->values, i);
        const coif_value *value = &hair->values.values[i];
        if (value->ramp_count == 0 || coif_hair_param_is_optical(row->offset)) {
            continue;
        }
        if (pigment == NULL) {
            pigment = coif_arena_new(arena, 1, coif_strand_color_ramp);
            pigment->maps = desc->maps;
            pigment->traits = coif_strand_variations_compute(fibre, desc, arena);
            pigment->rows = coif_arena_new(arena, row_count, coif_varying_param);
        }
        pigment->rows[pigment->count++] =
            (coif_varying_param){.offset = row->offset,
                                 .width = row->type == COIF_PARAM_FLOAT ? 1 : 3,
                                 .low = (float)row->low,
                                 .high = (float)row->high,
                                 .ramp = value};
    }
    return pigment;
}

coif_vec3 coif_strand_color_ramp_at(const coif_strand_color_ramp *pigment,
                                    const coif_hair_material *fibre, int32_t strand, float place)
{
    coif_hair_params own = fibre->params;
    coif_hair_maps_read(pigment->maps, strand, &own);
    for (int32_t i = 0; i < pigment->count; ++i) {
        coif_varying_param_apply_ramp(&pigment->rows[i], place, &own);
    }
    coif_strand_variation traits = pigment->traits[strand];
    traits.params = &own;
    const coif_strand_color color = coif_hair_material_strand(fibre, &traits);
    return coif_hair_material_absorption(fibre, &color, place);
}
