// material: what a body looks like, from the scene or from the MTL file of its mesh.
//
// What the scene's "material" says wins; rows it does not give come from the MTL material of each
// triangle, and where there is none from the defaults. What MTL files say is mapped so:
//
//   Kd, map_Kd     color, texture; Kd 0 beside a texture means the texture alone
//   Ks, map_Ks     specular 0.08 Ks, as Blender writes it (0.5 is a reflectance of 0.04), and its
//   map Ns             roughness (2 / (Ns + 2))^(1/4): the same width of highlight (Walter et al.
//   2007) Pr, map_Pr     roughness, and wins over Ns Pm, map_Pm     metallic Ps             sheen
//   d, Tr, map_d   opacity; alpha of the map, or its first channel
//   Ni             eta, where illum is 4, 6, 7 or 9 and d is below 1: glass, and then opaque
//   norm           normal_map
//   bump, map_bump normal_map when the picture looks like one, else bump_map; -bm 1 is 1 mm high
//   illum 0, 1     no coat, unless Pr or Pm is given
//   -clamp on      wrap "clamp" of the whole material; -o, -s and other options are ignored
//   Ke, map_Ke     see emitter.h
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

// The looks of a body: the first for triangles without a material, then one per MTL material.
coif_status coif_surface_materials_init(coif_surface_material **looks,
                                        const coif_param_source *from, const coif_mesh *mesh,
                                        coif_error *error);

// Grey clay for the same mesh, whatever its materials.
coif_surface_material *coif_surface_materials_clay(const coif_mesh *mesh, coif_arena *arena);

#endif
