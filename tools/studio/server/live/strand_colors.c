#include "tools/studio/server/live/strand_colors.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/image/image.h"
#include "core/image/srgb.h"
#include "render/shading/strand_color_ramp.h"
#include "tools/cli/map_callback.h"

#include <math.h>

// Of a picture that hair takes its colours from: strands are far apart.
enum { LARGEST_PICTURE = 1024 };

static uint8_t byte_of(float linear)
{
    const float encoded = coif_srgb_encode(fminf(1.0f, fmaxf(0.0f, linear)));
    return (uint8_t)(encoded * 255.0f + 0.5f);
}

// What the body and the hair's own picture look like, where hair asks for it.
static coif_status read_surface(coif_strand_color_desc *paint, const coif_strand_colors_desc *desc,
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
    coif_surface_material *looks;
    COIF_TRY(coif_surface_materials_init(&looks, &from, paint->mesh, error));
    paint->materials = looks;
    const bool own = hair->texture != NULL && hair->texture[0] != '\0' && paint->mesh->uvs != NULL;
    return own ? coif_texture_load(&paint->texture, textures, hair->texture, COIF_MAP_COLOR, error)
               : COIF_OK;
}

static coif_status paint_all(uint8_t *colors, const coif_strand_colors_desc *desc,
                             coif_arena *scratch, coif_error *error)
{
    coif_hair_params params;
    coif_node_read(coif_node_at(desc->node, "hair"), desc->frame, &params);
    coif_hair_material fibre;
    coif_hair_material_init(&fibre, &params);
    coif_hair_maps maps;
    coif_texture_cache textures = {.arena = scratch, .max_size = LARGEST_PICTURE};
    coif_strand_color_desc paint = {.groom = desc->groom,
                                    .node = desc->node,
                                    .mesh = &desc->body->rest,
                                    .maps = &maps,
                                    .jobs = desc->jobs};
    const coif_hair_maps_desc query = {.scene = desc->scene,
                                       .groom = desc->groom,
                                       .node = desc->node,
                                       .mesh = &desc->body->rest,
                                       .frame = desc->frame,
                                       .eval_map = coif_hair_maps_answer,
                                       .textures = desc->body->rest.uvs != NULL ? &textures : NULL};
    COIF_TRY(coif_hair_maps_evaluate(&maps, &query, scratch, error));
    COIF_TRY(read_surface(&paint, desc, &params, &textures, error));
    const coif_strand_color_ramp *pigment = coif_strand_color_ramp_of(&fibre, &paint, scratch);
    const coif_strand_color *strands =
        pigment == NULL ? coif_strand_colors_compute(&fibre, &paint, scratch) : NULL;
    for (int32_t s = 0; s < desc->groom->rest.strand_count; ++s) {
        for (int32_t i = 0; i < COIF_STRAND_COLORS; ++i) {
            const float place = (float)i / (float)(COIF_STRAND_COLORS - 1);
            const coif_vec3 absorption =
                pigment != NULL ? coif_strand_color_ramp_at(pigment, &fibre, s, place)
                                : coif_hair_material_absorption(&fibre, &strands[s], place);
            const coif_vec3 color = coif_hair_material_color_of(&fibre, absorption);
            uint8_t *to = colors + COIF_STRAND_COLOR_BYTES * (int64_t)s + 4 * (int64_t)i;
            to[0] = byte_of(color.x);
            to[1] = byte_of(color.y);
            to[2] = byte_of(color.z);
        }
    }
    return COIF_OK;
}

coif_status coif_strand_colors(uint8_t **colors, const coif_strand_colors_desc *desc,
                               coif_arena *arena, coif_error *error)
{
    const int64_t count = desc->groom->rest.strand_count;
    *colors = coif_arena_new(arena, COIF_STRAND_COLOR_BYTES * count + 1, uint8_t);
    coif_arena scratch;
    coif_arena_init(&scratch, "strand colours");
    const coif_status status = paint_all(*colors, desc, &scratch, error);
    coif_arena_free(&scratch);
    return status;
}
