// hair_paint: the colours of all strands of a groom, worked out once before rays are traced.
//
// Scalp maps belong to the room that grows hair. Whoever starts the renderer brings a function that
// answers what a map says (frame.h); the answers are kept with the production.
#ifndef COIF_RENDER_SHADING_STRAND_COLOR_H
#define COIF_RENDER_SHADING_STRAND_COLOR_H

#include "core/hair/groom.h"
#include "core/scene/map_query.h"
#include "render/shading/hair_params.h"
#include "render/shading/material_params.h"

// What maps and pictures say of the rows of a groom's "hair", per strand.
typedef struct coif_hair_map {
    uint32_t offset;     // of the field in coif_hair_params
    int32_t width;       // how many numbers it has
    const float *values; // as many for each strand
} coif_hair_map;

typedef struct coif_hair_maps {
    int32_t count;
    coif_hair_map *items;
    uint64_t digest; // of what the maps said; 0 without maps
} coif_hair_maps;

typedef struct coif_hair_maps_desc {
    const coif_scene *scene;
    const coif_groom *groom;
    const coif_node *node; // entry of "grooms"
    const coif_mesh *mesh; // of its body, at rest
    double frame;
    coif_map_callback eval_map;
    coif_texture_cache *textures; // NULL: textures of single parameters are not read
} coif_hair_maps_desc;

typedef struct coif_strand_color_desc {
    const coif_groom *groom;
    const coif_node *node; // the entry of "grooms"
    const coif_mesh *mesh; // of its body
    const coif_surface_material *materials;
    const coif_texture *texture; // colours over uv instead of those; NULL: none
    const coif_hair_maps *maps;
    coif_jobs *jobs;
} coif_strand_color_desc;

// Asks for every row of the groom's "hair" that a map or a picture gives. Without a function to ask
// there are no maps, and rows have the middle of their range.
coif_status coif_hair_maps_evaluate(coif_hair_maps *maps, const coif_hair_maps_desc *desc,
                                    coif_arena *arena, coif_error *error);

// The rows of a strand as maps give them; maps may be NULL.
void coif_hair_maps_read(const coif_hair_maps *maps, int32_t strand, coif_hair_params *params);

// What they say of one row; NULL: nothing.
const coif_hair_map *coif_hair_maps_find(const coif_hair_maps *maps, uint32_t offset);

// What makes each strand of the groom differ, without params of its own.
const coif_strand_variation *coif_strand_variations_compute(const coif_hair_material *fibre,
                                                            const coif_strand_color_desc *desc,
                                                            coif_arena *arena);

// One colour per strand of the groom.
const coif_strand_color *coif_strand_colors_compute(const coif_hair_material *fibre,
                                                    const coif_strand_color_desc *desc,
                                                    coif_arena *arena);

#endif
