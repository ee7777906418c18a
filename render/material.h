// material: what a body looks like, from the scene or from the MTL file of its mesh.
//
// What the scene's "material" says wins; rows it does not give come from the MTL material of each
// triangle, and where there is none from the defaults.
#ifndef COIF_RENDER_MATERIAL_H
#define COIF_RENDER_MATERIAL_H

#include "core/mesh.h"
#include "core/scene.h"
#include "render/surface.h"
#include "render/textures.h"

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
    float specular;
    float second_roughness;
    float second_share;
    float sheen;
    float eta;
} coif_material_params;

extern const coif_section COIF_MATERIAL_SECTION;

// One look: a surface whose colour a texture may multiply.
typedef struct coif_look {
    coif_surface surface;
    const coif_texture *texture;
} coif_look;

// The looks of a body: the first for triangles without a material, then one per MTL material.
coif_status coif_looks_init(coif_look **looks, const coif_reading *from, const coif_mesh *mesh,
                            coif_error *error);

// Grey clay for the same mesh, whatever its materials.
coif_look *coif_looks_clay(const coif_mesh *mesh, coif_arena *arena);

// The surface of a triangle at barycentric weights of its second and third corner.
coif_surface coif_look_at(const coif_look *looks, const coif_mesh *mesh, int32_t triangle, float b1,
                          float b2);

#endif
