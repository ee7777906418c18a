// Material parameters of a body, from the scene or from the MTL file of its mesh.
//
// Parameters that the scene sets win; others come from the MTL material of each triangle, and
// without one from the defaults. MTL statements map to parameters as follows:
//
// clang-format off
//   Kd, map_Kd      color, texture; Kd 0 beside a texture means the texture alone
//   Ks, map_Ks      specular = 0.08 Ks, as Blender writes it (0.5 is a reflectance of 0.04), and its map
//   Ns              roughness = (2 / (Ns + 2))^(1/4): the same width of highlight (Walter et al. 2007)
//   Pr, map_Pr      roughness, overrides Ns
//   Pm, map_Pm      metallic
//   Ps              sheen
//   d, Tr, map_d    opacity; alpha channel of the map, or its first channel
//   Ni              index of refraction, where illum is 4, 6, 7 or 9 and d is below 1: opaque glass
//   norm            normal_map
//   bump, map_bump  normal_map if the image has the colours of one, else bump_map; -bm 1 is 1 mm high
//   illum 0, 1      no coat, unless Pr or Pm is given
//   -clamp on       wrap "clamp" of the whole material; -o, -s and other options are ignored
//   Ke, map_Ke      emission, emission_map
// clang-format on
#ifndef COIF_RENDER_SHADING_MATERIAL_PARAMS_H
#define COIF_RENDER_SHADING_MATERIAL_PARAMS_H

#include "core/scene/scene.h"
#include "render/shading/surface_material.h"

typedef enum coif_material_type {
    COIF_MATERIAL_DIFFUSE = 0,
    COIF_MATERIAL_SKIN = 1,
    COIF_MATERIAL_METAL = 2,
    COIF_MATERIAL_DIELECTRIC = 3
} coif_material_type;

typedef struct coif_material_params {
    int32_t type;
    float color[3];
    const char *texture;
    float roughness;
    const char *roughness_map;
    float specular;
    const char *specular_map;
    float metallic;
    const char *metallic_map;
    float coat2_roughness;
    float coat2_weight;
    float sheen;
    const char *sheen_map;
    float subsurface;
    const char *subsurface_map;
    float subsurface_radius[3];
    float ior;
    float opacity;
    const char *opacity_map;
    const char *normal_map;
    float normal_strength;
    int32_t normal_map_flip_green;
    const char *bump_map;
    float bump_height;
    int32_t wrap;
    float emission[3];
    const char *emission_map, *light_group;
    int32_t shadow_catcher;
} coif_material_params;

extern const coif_section COIF_MATERIAL_SECTION;

// The materials of a body: the first for triangles without one, then one per MTL material.
coif_status coif_surface_materials_init(coif_surface_material **materials,
                                        const coif_param_source *from, const coif_mesh *mesh,
                                        coif_error *error);

// Reads emission into the materials, from the scene or, where it sets none, from the MTL file.
coif_status coif_materials_read_emission(coif_surface_material *materials,
                                         const coif_param_source *from, const coif_mesh *mesh,
                                         coif_error *error);

// Neutral grey materials for the same mesh (clay render).
coif_surface_material *coif_surface_materials_clay(const coif_mesh *mesh, float albedo,
                                                   coif_arena *arena);

#endif
