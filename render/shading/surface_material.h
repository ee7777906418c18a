// look: what a body's surface is like from place to place: numbers, and pictures that multiply
// them.
//
// A body has a list of looks: the first for triangles without a material, then one per MTL material
// of its mesh. Pictures are asked for about as much of the surface as a ray sees of it, so far and
// indirect views read small sizes of them (pyramid.h).
#ifndef COIF_RENDER_SHADING_SURFACE_MATERIAL_H
#define COIF_RENDER_SHADING_SURFACE_MATERIAL_H

#include "core/mesh/mesh.h"
#include "render/bsdf/surface_bsdf.h"
#include "render/shading/texture.h"

typedef enum coif_material_map {
    COIF_MATERIAL_MAP_COLOR = 0,
    COIF_MATERIAL_MAP_ROUGHNESS,
    COIF_MATERIAL_MAP_SPECULAR,
    COIF_MATERIAL_MAP_METALLIC,
    COIF_MATERIAL_MAP_SHEEN,
    COIF_MATERIAL_MAP_SUBSURFACE,
    COIF_MATERIAL_MAP_OPACITY,
    COIF_MATERIAL_MAP_NORMAL,
    COIF_MATERIAL_MAP_BUMP,
    COIF_MATERIAL_MAP_COUNT
} coif_material_map;

typedef struct coif_surface_material {
    coif_surface surface;
    bool has_maps;
    const coif_texture *maps[COIF_MATERIAL_MAP_COUNT];
    coif_wrap wrap;
    float normal_strength;
    bool flip_green;    // normal map: green points down the picture, as DirectX has it
    float bump_height;  // of white over black, m
    float transparency; // 1 - opacity
    coif_vec3 emission; // radiance of the front, which a picture may multiply (emitter.h)
    const coif_texture *emission_map;
    bool is_shadow_catcher; // the camera sees only the shadows on it
} coif_surface_material;

// A place on a mesh: barycentric weights of the second and third corner, and how wide it is seen.
typedef struct coif_surface_coord {
    int32_t triangle;
    float b1, b2;
    float width; // m; 0 for a point
} coif_surface_coord;

const coif_surface_material *coif_material_of_triangle(const coif_surface_material *looks,
                                                       const coif_mesh *mesh, int32_t triangle);

// The surface there. Mesh gives triangles, uv and sizes; how it is posed makes little difference.
coif_surface coif_material_eval(const coif_surface_material *looks, const coif_mesh *mesh,
                                const coif_surface_coord *place);

// The normal as normal and bump maps bend it. Corners are those of the triangle where it is, and
// tangents theirs (tangents.h); NULL: those of the triangle itself, which show its edges.
coif_vec3 coif_material_normal(const coif_surface_material *looks, const coif_mesh *mesh,
                               const coif_surface_coord *place, const coif_vec3 corners[3],
                               const coif_vec3 *tangents, coif_vec3 normal);

// How much of the light it stops, 0 to 1.
float coif_material_opacity(const coif_surface_material *looks, const coif_mesh *mesh,
                            const coif_surface_coord *place);

// Whether there is a normal map among the looks of a mesh with uv: it wants tangents.
bool coif_materials_have_normal_map(const coif_surface_material *looks, const coif_mesh *mesh);
bool coif_materials_have_subsurface(const coif_surface_material *looks, const coif_mesh *mesh);
bool coif_materials_have_shadow_catcher(const coif_surface_material *looks, const coif_mesh *mesh);

// Whether any of the looks of a mesh lets light through without bending it.
bool coif_materials_have_opacity(const coif_surface_material *looks, const coif_mesh *mesh);

#endif
