// Colours of the strands of a groom, computed once before rendering.
//
// Scalp maps are evaluated by the groom module: the caller of the renderer passes a callback
// (core/scene/map_query.h), and the values are kept with the render assets.
#ifndef COIF_RENDER_SHADING_STRAND_COLOR_H
#define COIF_RENDER_SHADING_STRAND_COLOR_H

#include "core/hair/groom.h"
#include "core/scene/map_query.h"
#include "render/shading/hair_params.h"
#include "render/shading/material_params.h"

// Per-strand values of a parameter of "hair" that a map or a texture gives.
typedef struct coif_hair_map {
    uint32_t offset;     // of the field in coif_hair_params
    int32_t width;       // number of components
    const float *values; // width per strand
} coif_hair_map;

typedef struct coif_hair_maps {
    int32_t count;
    coif_hair_map *items;
    uint64_t digest; // of the values; 0 without maps
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
    const coif_texture *texture; // overrides the colours of materials; NULL: none
    const coif_hair_maps *maps;
    coif_jobs *jobs;
} coif_strand_color_desc;

// The ellipticity of the groom's "sim", and its node and row, where "hair" does not give its own
// and the solver bends it; else NULL.
const coif_value *coif_sim_ellipticity(const coif_node **sim, uint32_t *row,
                                       const coif_scene *scene, const coif_node *groom);

// Evaluates every parameter of the groom's "hair" that has a map or a texture, and the ellipticity
// of its "sim" as if it were a map. Without a callback maps are ignored and their parameters have
// the middle of their range.
coif_status coif_hair_maps_evaluate(coif_hair_maps *maps, const coif_hair_maps_desc *desc,
                                    coif_arena *arena, coif_error *error);

// Overwrites mapped parameters with those of a strand; maps may be NULL.
void coif_hair_maps_read(const coif_hair_maps *maps, int32_t strand, coif_hair_params *params);

// The map of a parameter; NULL: it has none.
const coif_hair_map *coif_hair_maps_find(const coif_hair_maps *maps, uint32_t offset);

// Random variation of each strand, without mapped parameters.
const coif_strand_variation *coif_strand_variations_compute(const coif_hair_material *material,
                                                            const coif_strand_color_desc *desc,
                                                            coif_arena *arena);

// One colour per strand of the groom.
const coif_strand_color *coif_strand_colors_compute(const coif_hair_material *material,
                                                    const coif_strand_color_desc *desc,
                                                    coif_arena *arena);

#endif
