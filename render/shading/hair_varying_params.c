#include "render/shading/hair_varying_params.h"

#include "core/base/arena.h"

#include <string.h>

bool coif_hair_param_is_optical(uint32_t offset)
{
    return offset >= offsetof(coif_hair_params, ior) &&
           offset <= offsetof(coif_hair_params, ribbon_tint);
}

static coif_varying_param varying_param(const coif_param *row, const coif_value *value,
                                        const coif_hair_map *map)
{
    return (coif_varying_param){.offset = row->offset,
                                .width = row->type == COIF_PARAM_FLOAT ? 1 : 3,
                                .low = (float)row->low,
                                .high = (float)row->high,
                                .values = map != NULL ? map->values : NULL,
                                .ramp = value->ramp_count > 0 ? value : NULL};
}

const coif_hair_varying_params *coif_hair_varying_params_of(const coif_node *hair,
                                                            const coif_hair_maps *maps,
                                                            coif_arena *arena)
{
    coif_hair_varying_params *varying = NULL;
    const uint32_t row_count = hair != NULL ? hair->values.row_count : 0;
    for (uint32_t i = 0; i < row_count; ++i) {
        const coif_param *row = &hair->values.rows[i];
        const coif_value *value = &hair->values.values[i];
        const coif_hair_map *map = coif_hair_maps_find(maps, row->offset);
        if (!coif_hair_param_is_optical(row->offset) || (map == NULL && value->ramp_count == 0)) {
            continue;
        }
        if (varying == NULL) {
            varying = coif_arena_new(arena, 1, coif_hair_varying_params);
            varying->rows = coif_arena_new(arena, row_count, coif_varying_param);
        }
        varying->rows[varying->count++] = varying_param(row, value, map);
        varying->ramped |= value->ramp_count > 0;
    }
    return varying;
}

// Multiplies a field by its ramp.
static void apply_ramp(const coif_varying_param *row, float position, coif_hair_params *params)
{
    float *field = (float *)((char *)params + row->offset);
    const float factor = coif_value_ramp(row->ramp, position);
    for (int32_t i = 0; i < row->width; ++i) {
        field[i] = coif_clamp(field[i] * factor, row->low, row->high);
    }
}

coif_hair_params coif_hair_varying_params_eval(const coif_hair_varying_params *varying,
                                               const coif_hair_material *material, int32_t strand,
                                               float position)
{
    coif_hair_params local = material->params;
    for (int32_t i = 0; i < varying->count; ++i) {
        const coif_varying_param *row = &varying->rows[i];
        const size_t width = (size_t)row->width;
        if (row->values != NULL) {
            memcpy((char *)&local + row->offset, row->values + width * (size_t)strand,
                   width * sizeof(float));
        }
        if (row->ramp != NULL) {
            apply_ramp(row, position, &local);
        }
    }
    return local;
}

coif_hair_lobes coif_hair_varying_lobes(const coif_hair_varying_params *varying,
                                        const coif_hair_material *material, int32_t strand,
                                        float position)
{
    const coif_hair_params local =
        coif_hair_varying_params_eval(varying, material, strand, position);
    const coif_hair_bsdf_params hair = coif_hair_bsdf_params_of(&local, material->working_space);
    return coif_hair_lobes_of(&hair);
}

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
        if (value->ramp_count == 0 || coif_hair_param_is_optical(row->offset) ||
            row->offset == offsetof(coif_hair_params, opacity)) {
            continue;
        }
        if (ramp == NULL) {
            ramp = coif_arena_new(arena, 1, coif_strand_color_ramp);
            ramp->maps = desc->maps;
            ramp->variations = coif_strand_variations_compute(material, desc, arena);
            ramp->rows = coif_arena_new(arena, row_count, coif_varying_param);
        }
        ramp->rows[ramp->count++] = varying_param(row, value, NULL);
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
        apply_ramp(&ramp->rows[i], position, &local);
    }
    coif_strand_variation variation = ramp->variations[strand];
    variation.params = &local;
    const coif_strand_color color = coif_hair_material_strand(material, &variation);
    return coif_hair_material_absorption(material, &color, position);
}

void coif_hair_opacity_fill(coif_bspline_curves *curves, const coif_strands *strands,
                            const coif_node *hair, const coif_hair_maps *maps,
                            const coif_hair_params *params, coif_arena *arena)
{
    const uint32_t offset = offsetof(coif_hair_params, opacity);
    const coif_value *value = hair != NULL ? coif_values_find(&hair->values, "opacity") : NULL;
    const coif_hair_map *map = coif_hair_maps_find(maps, offset);
    const bool ramped = value != NULL && value->ramp_count > 0;
    if (map == NULL && !ramped && !(params->opacity < 1.0f)) {
        return;
    }
    const coif_varying_param row = {.offset = offset, .width = 1, .high = 1.0f, .ramp = value};
    coif_hair_params local = *params;
    curves->opacity = coif_arena_new(arena, curves->control_count, float);
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t n = coif_strands_length(strands, s);
        float *to = curves->opacity + strands->first[s] + 2 * (size_t)s;
        for (int32_t k = 0; k < n + 2; ++k) {
            local.opacity = map != NULL ? map->values[s] : params->opacity;
            if (ramped) {
                apply_ramp(&row, coif_clamp((float)(k - 1) / (float)(n - 1), 0.0f, 1.0f), &local);
            }
            to[k] = local.opacity;
        }
    }
}

const float *coif_hair_section_ratios(const coif_hair_maps *maps, const coif_hair_params *params,
                                      int32_t strand_count, coif_arena *arena)
{
    const coif_hair_map *map = coif_hair_maps_find(maps, offsetof(coif_hair_params, ellipticity));
    if (params->model == COIF_MODEL_FUR || (map == NULL && !(params->ellipticity > 1.0f))) {
        return NULL;
    }
    if (map != NULL) {
        return map->values;
    }
    float *ratios = coif_arena_new(arena, strand_count, float);
    for (int32_t s = 0; s < strand_count; ++s) {
        ratios[s] = params->ellipticity;
    }
    return ratios;
}
