// Surface materials: parameters and textures of a body, evaluated at a point.
//
// A body has a list of materials: the first for triangles without one, then one per MTL material of
// its mesh. Textures multiply parameters and are filtered over the footprint of the ray (mipmap.h).
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
    bool flip_green;    // normal map in the DirectX convention: green points down
    float bump_height;  // height of white over black, m
    float transparency; // 1 - opacity
    coif_vec3 emission; // radiance of the front, multiplied by emission_map (mesh_light.h)
    const coif_texture *emission_map;
    bool is_shadow_catcher; // the camera sees only the shadows on it
} coif_surface_material;

// A point on a mesh: barycentric weights of the second and third corner, and the ray footprint.
typedef struct coif_surface_coord {
    int32_t triangle;
    float b1, b2;
    float width; // m; 0 for a point
} coif_surface_coord;

const coif_surface_material *coif_material_of_triangle(const coif_surface_material *materials,
                                                       const coif_mesh *mesh, int32_t triangle);

// BSDF parameters at a point. The pose of the mesh only affects the texture footprint.
coif_surface coif_material_eval(const coif_surface_material *materials, const coif_mesh *mesh,
                                const coif_surface_coord *coord);

// The shading normal after normal and bump maps. Corners are those of the posed triangle, tangents
// theirs (tangent_space.h); NULL: the tangent of the triangle, which is discontinuous at edges.
coif_vec3 coif_material_normal(const coif_surface_material *materials, const coif_mesh *mesh,
                               const coif_surface_coord *coord, const coif_vec3 corners[3],
                               const coif_vec3 *tangents, coif_vec3 normal);

// Opacity, 0 to 1.
float coif_material_opacity(const coif_surface_material *materials, const coif_mesh *mesh,
                            const coif_surface_coord *coord);

// Whether a mesh with uv has a normal map and so needs tangents.
bool coif_materials_have_normal_map(const coif_surface_material *materials, const coif_mesh *mesh);
bool coif_materials_have_subsurface(const coif_surface_material *materials, const coif_mesh *mesh);
bool coif_materials_have_shadow_catcher(const coif_surface_material *materials,
                                        const coif_mesh *mesh);

bool coif_materials_have_opacity(const coif_surface_material *materials, const coif_mesh *mesh);
bool coif_materials_are_emissive(const coif_surface_material *materials, const coif_mesh *mesh);

// Radiance of the front of a triangle at barycentric weights of the second and third corner.
coif_vec3 coif_material_emission(const coif_surface_material *materials, const coif_mesh *mesh,
                                 int32_t triangle, float b1, float b2);

#endif
