#include "tools/studio/server/live/strand_colors.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/image/image.h"
#include "core/image/srgb.h"
#include "render/shading/hair_varying_params.h"

#include <math.h>

enum { MAX_TEXTURE_SIZE = 1024 }; // strands are sparse samples

static uint8_t byte_of(float linear)
{
    const float encoded = coif_srgb_encode(fminf(1.0f, fmaxf(0.0f, linear)));
    return (uint8_t)(encoded * 255.0f + 0.5f);
}

// Loads body materials and hair texture, if the colour model needs them.
static coif_status load_textures(coif_strand_color_desc *to, const coif_strand_colors_desc *desc,
                                 const coif_hair_params *hair, coif_texture_cache *textures,
                                 coif_error *error)
{
    if (hair->color_model != COIF_HAIR_BY_SURFACE) {
        return COIF_OK;
    }
    const coif_param_source from = {.node = coif_node_at(desc->body->node, "material"),
                                    .frame = desc->frame,
                                    .textures = textures,
                                    .arena = textures->arena};
    coif_surface_material *materials;
    COIF_TRY(coif_surface_materials_init(&materials, &from, to->mesh, error));
    to->materials = materials;
    const bool textured =
        hair->texture != NULL && hair->texture[0] != '\0' && to->mesh->uvs != NULL;
    return textured
               ? coif_texture_load(&to->texture, textures, hair->texture, COIF_MAP_COLOR, error)
               : COIF_OK;
}

// Colour of a strand file at a position from root (0) to tip (1).
static coif_vec3 stored_color(const coif_strands *strands, int32_t strand, float position)
{
    const int32_t last = coif_strands_length(strands, strand) - 1;
    return strands->colors[strands->first[strand] + (int32_t)(position * (float)last + 0.5f)];
}

coif_status coif_strand_colors(uint8_t **colors, const coif_strand_colors_desc *desc,
                               coif_arena *arena, coif_error *error)
{
    const int64_t count = desc->groom->rest.strand_count;
    *colors = coif_arena_new(arena, COIF_STRAND_COLOR_BYTES * count + 1, uint8_t);
    COIF_SCOPED_ARENA(scratch, "strand colours");
    coif_hair_params params;
    coif_node_read(coif_node_at(desc->node, "hair"), desc->frame, &params);
    coif_hair_material fibre;
    coif_hair_material_init(&fibre, &params, COIF_WORKING_REC709);
    coif_hair_maps maps;
    coif_texture_cache textures = {.arena = &scratch, .max_size = MAX_TEXTURE_SIZE};
    coif_strand_color_desc color_desc = {.groom = desc->groom,
                                         .node = desc->node,
                                         .mesh = &desc->body->rest,
                                         .maps = &maps,
                                         .jobs = desc->jobs};
    const coif_hair_maps_desc query = {.scene = desc->scene,
                                       .groom = desc->groom,
                                       .node = desc->node,
                                       .mesh = &desc->body->rest,
                                       .frame = desc->frame,
                                       .eval_map = desc->eval_map,
                                       .textures = desc->body->rest.uvs != NULL ? &textures : NULL};
    COIF_TRY(coif_hair_maps_evaluate(&maps, &query, &scratch, error));
    COIF_TRY(load_textures(&color_desc, desc, &params, &textures, error));
    const coif_strand_color_ramp *ramp = coif_strand_color_ramp_of(&fibre, &color_desc, &scratch);
    const coif_strand_color *strands =
        ramp == NULL ? coif_strand_colors_compute(&fibre, &color_desc, &scratch) : NULL;
    const bool stored = desc->groom->rest.colors != NULL &&
                        coif_hair_uses_stored_colors(coif_node_at(desc->node, "hair"), desc->frame);
    for (int32_t s = 0; s < desc->groom->rest.strand_count; ++s) {
        for (int32_t i = 0; i < COIF_STRAND_COLORS; ++i) {
            const float parameter = (float)i / (float)(COIF_STRAND_COLORS - 1);
            const coif_vec3 absorption =
                ramp != NULL ? coif_strand_color_ramp_at(ramp, &fibre, s, parameter)
                             : coif_hair_material_absorption(&fibre, &strands[s], parameter);
            const coif_vec3 color = stored ? stored_color(&desc->groom->rest, s, parameter)
                                           : coif_hair_material_color_of(&fibre, absorption);
            uint8_t *to = *colors + COIF_STRAND_COLOR_BYTES * (int64_t)s + 4 * (int64_t)i;
            to[0] = byte_of(color.x);
            to[1] = byte_of(color.y);
            to[2] = byte_of(color.z);
        }
    }
    return COIF_OK;
}
