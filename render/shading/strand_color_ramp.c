#include "render/shading/strand_color_ramp.h"

#include "core/base/arena.h"

const coif_strand_color_ramp *coif_strand_color_ramp_of(const coif_hair_material *material,
                                                        const coif_strand_color_desc *desc,
                                                        coif_arena *arena)
{
    const coif_node *hair = coif_node_at(desc->node, "hair");
    const uint32_t row_count = hair != NULL ? hair->values.row_count : 0;
    coif_strand_color_ramp *ramp = NULL;
    for (uint32_t i = 0; i < row_count; ++i) {
        const coif_param *row = &hair->values.rows[i];
        const coif_value *value = &hair->values.values[i];
        if (value->ramp_count == 0 || coif_hair_param_is_optical(row->offset)) {
            continue;
        }
        if (ramp == NULL) {
            ramp = coif_arena_new(arena, 1, coif_strand_color_ramp);
            ramp->maps = desc->maps;
            ramp->variations = coif_strand_variations_compute(material, desc, arena);
            ramp->rows = coif_arena_new(arena, row_count, coif_varying_param);
        }
        ramp->rows[ramp->count++] =
            (coif_varying_param){.offset = row->offset,
                                 .width = row->type == COIF_PARAM_FLOAT ? 1 : 3,
                                 .low = (float)row->low,
                                 .high = (float)row->high,
                                 .ramp = value};
    }
    return ramp;
}

coif_vec3 coif_strand_color_ramp_at(const coif_strand_color_ramp *ramp,
                                    const coif_hair_material *material, int32_t strand,
                                    float position)
{
    coif_hair_params local = material->params;
    coif_hair_maps_read(ramp->maps, strand, &local);
    for (int32_t i = 0; i < ramp->count; ++i) {
        coif_varying_param_apply_ramp(&ramp->rows[i], position, &local);
    }
    coif_strand_variation variation = ramp->variations[strand];
    variation.params = &local;
    const coif_strand_color color = coif_hair_material_strand(material, &variation);
    return coif_hair_material_absorption(material, &color, position);
}
