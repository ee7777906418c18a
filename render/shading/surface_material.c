#include "render/shading/surface_material.h"

#include "render/math/color.h"
#include "render/shading/tangent_space.h"

const coif_surface_material *coif_material_of_triangle(const coif_surface_material *materials,
                                                       const coif_mesh *mesh, int32_t triangle)
{
    const int32_t index = mesh->materials != NULL ? mesh->materials[triangle] : -1;
    return &materials[index < mesh->material_count ? index + 1 : 0];
}

static coif_vec2 uv_at(const coif_mesh *mesh, int32_t triangle, float b1, float b2)
{
    const coif_vec2 *uv = mesh->uvs + 3 * (size_t)triangle;
    const float b0 = 1.0f - b1 - b2;
    return (coif_vec2){b0 * uv[0].x + b1 * uv[1].x + b2 * uv[2].x,
                       b0 * uv[0].y + b1 * uv[1].y + b2 * uv[2].y};
}

// Footprint in uv space, by the ratio of the areas of the triangle.
static float width_in_uv(const coif_mesh *mesh, const coif_surface_coord *coord)
{
    if (!(coord->width > 0.0f)) {
        return 0.0f;
    }
    const coif_vec2 *uv = mesh->uvs + 3 * (size_t)coord->triangle;
    const int32_t *corner = mesh->indices + 3 * (size_t)coord->triangle;
    const coif_vec3 *p = mesh->positions;
    const coif_vec3 area_normal =
        coif_cross(coif_sub(p[corner[1]], p[corner[0]]), coif_sub(p[corner[2]], p[corner[0]]));
    const float area = coif_length(area_normal);
    const float area_uv = fabsf((uv[1].x - uv[0].x) * (uv[2].y - uv[0].y) -
                                (uv[2].x - uv[0].x) * (uv[1].y - uv[0].y));
    return area > 0.0f ? coord->width * sqrtf(area_uv / area) : 0.0f;
}

// Texture coordinates with their footprint.
typedef struct texcoord {
    coif_vec2 uv;
    float width;
} texcoord;

static texcoord texcoord_of(const coif_mesh *mesh, const coif_surface_coord *coord)
{
    return (texcoord){uv_at(mesh, coord->triangle, coord->b1, coord->b2), width_in_uv(mesh, coord)};
}

static bool has_texture_maps(const coif_surface_material *material, const coif_mesh *mesh)
{
    return material->has_maps && mesh->uvs != NULL;
}

// The value of a map; 1 without one.
static coif_vec3 sample_map(const coif_surface_material *material, coif_material_map map,
                            const texcoord *at)
{
    coif_vec3 value = {1.0f, 1.0f, 1.0f};
    if (material->maps[map] != NULL) {
        coif_texture_at(material->maps[map], at->uv, at->width, material->wrap, &value);
    }
    return value;
}

static void multiply(float *number, const coif_surface_material *material, coif_material_map map,
                     const texcoord *at)
{
    if (material->maps[map] != NULL) {
        *number = coif_clamp(*number * sample_map(material, map, at).x, 0.0f, 1.0f);
    }
}

coif_surface coif_material_eval(const coif_surface_material *materials, const coif_mesh *mesh,
                                const coif_surface_coord *coord)
{
    const coif_surface_material *material =
        coif_material_of_triangle(materials, mesh, coord->triangle);
    coif_surface surface = material->surface;
    if (!has_texture_maps(material, mesh)) {
        return surface;
    }
    const texcoord at = texcoord_of(mesh, coord);
    surface.color = coif_mul(surface.color, sample_map(material, COIF_MATERIAL_MAP_COLOR, &at));
    multiply(&surface.roughness, material, COIF_MATERIAL_MAP_ROUGHNESS, &at);
    multiply(&surface.coat2_roughness, material, COIF_MATERIAL_MAP_ROUGHNESS, &at);
    multiply(&surface.specular, material, COIF_MATERIAL_MAP_SPECULAR, &at);
    multiply(&surface.metallic, material, COIF_MATERIAL_MAP_METALLIC, &at);
    multiply(&surface.sheen, material, COIF_MATERIAL_MAP_SHEEN, &at);
    multiply(&surface.subsurface, material, COIF_MATERIAL_MAP_SUBSURFACE, &at);
    return surface;
}

// The tangent along u of the triangle itself, where corners have none.
static coif_vec3 triangle_tangent(coif_vec3 u, coif_vec3 normal)
{
    return coif_normalize(coif_mad(u, -coif_dot(u, normal), normal));
}

static coif_vec3 interpolate(const coif_vec3 *t, const coif_surface_coord *coord)
{
    return coif_mad(coif_mad(coif_scale(t[0], 1.0f - coord->b1 - coord->b2), coord->b1, t[1]),
                    coord->b2, t[2]);
}

static coif_vec3 apply_normal_map(const coif_surface_material *material, const texcoord *at,
                                  coif_vec3 tangent, coif_vec3 v, coif_vec3 normal)
{
    coif_vec3 c;
    if (!coif_texture_at(material->maps[COIF_MATERIAL_MAP_NORMAL], at->uv, at->width,
                         material->wrap, &c)) {
        return normal;
    }
    const float x = material->normal_strength * (2.0f * c.x - 1.0f);
    const float y =
        material->normal_strength * (material->flip_green ? 1.0f - 2.0f * c.y : 2.0f * c.y - 1.0f);
    const float z = coif_max(2.0f * c.z - 1.0f, 1e-3f);
    // The bitangent points to the side of v.
    coif_vec3 bitangent = coif_cross(normal, tangent);
    bitangent = coif_dot(bitangent, v) < 0.0f ? coif_scale(bitangent, -1.0f) : bitangent;
    return coif_normalize(coif_mad(coif_mad(coif_scale(normal, z), x, tangent), y, bitangent));
}

static float height_at(const coif_surface_material *material, coif_vec2 uv, float width)
{
    coif_vec3 value = {0.0f, 0.0f, 0.0f};
    coif_texture_at(material->maps[COIF_MATERIAL_MAP_BUMP], uv, width, material->wrap, &value);
    return material->bump_height * value.x;
}

// Bump mapping: the surface gradient of the height is subtracted from the normal (Mikkelsen 2010).
static coif_vec3 apply_bump_map(const coif_surface_material *material, const texcoord *at,
                                coif_vec3 u, coif_vec3 v, coif_vec3 normal)
{
    const float step = coif_max(at->width, material->maps[COIF_MATERIAL_MAP_BUMP]->texel);
    const coif_vec2 right = {at->uv.x + 0.5f * step, at->uv.y};
    const coif_vec2 left = {at->uv.x - 0.5f * step, at->uv.y};
    const coif_vec2 up = {at->uv.x, at->uv.y + 0.5f * step};
    const coif_vec2 down = {at->uv.x, at->uv.y - 0.5f * step};
    const float du =
        (height_at(material, right, at->width) - height_at(material, left, at->width)) / step;
    const float dv =
        (height_at(material, up, at->width) - height_at(material, down, at->width)) / step;
    const coif_vec3 along_u = coif_cross(v, normal), along_v = coif_cross(normal, u);
    const float determinant = coif_dot(u, along_u);
    if (!(fabsf(determinant) > 1e-20f)) {
        return normal;
    }
    const coif_vec3 gradient =
        coif_scale(coif_mad(coif_scale(along_u, du), dv, along_v), 1.0f / determinant);
    return coif_normalize(coif_sub(normal, gradient));
}

coif_vec3 coif_material_normal(const coif_surface_material *materials, const coif_mesh *mesh,
                               const coif_surface_coord *coord, const coif_vec3 corners[3],
                               const coif_vec3 *tangents, coif_vec3 normal)
{
    const coif_surface_material *material =
        coif_material_of_triangle(materials, mesh, coord->triangle);
    coif_vec3 u, v;
    if (!has_texture_maps(material, mesh) ||
        (material->maps[COIF_MATERIAL_MAP_NORMAL] == NULL &&
         material->maps[COIF_MATERIAL_MAP_BUMP] == NULL) ||
        !coif_triangle_uv_derivatives(mesh, coord->triangle, corners, &u, &v)) {
        return normal;
    }
    const texcoord at = texcoord_of(mesh, coord);
    if (material->maps[COIF_MATERIAL_MAP_BUMP] != NULL) {
        normal = apply_bump_map(material, &at, u, v, normal);
    }
    if (material->maps[COIF_MATERIAL_MAP_NORMAL] == NULL) {
        return normal;
    }
    coif_vec3 tangent =
        tangents != NULL ? interpolate(tangents, coord) : triangle_tangent(u, normal);
    if (!(coif_dot(tangent, tangent) > 1e-4f)) {
        tangent = triangle_tangent(u, normal); // opposite corner tangents cancel
    }
    return apply_normal_map(material, &at, tangent, v, normal);
}

bool coif_materials_have_normal_map(const coif_surface_material *materials, const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        if (materials[i].maps[COIF_MATERIAL_MAP_NORMAL] != NULL) {
            return mesh->uvs != NULL;
        }
    }
    return false;
}

float coif_material_opacity(const coif_surface_material *materials, const coif_mesh *mesh,
                            const coif_surface_coord *coord)
{
    const coif_surface_material *material =
        coif_material_of_triangle(materials, mesh, coord->triangle);
    float opacity = 1.0f - material->transparency;
    if (material->maps[COIF_MATERIAL_MAP_OPACITY] != NULL && mesh->uvs != NULL) {
        const texcoord at = texcoord_of(mesh, coord);
        multiply(&opacity, material, COIF_MATERIAL_MAP_OPACITY, &at);
    }
    return opacity;
}

bool coif_materials_have_subsurface(const coif_surface_material *materials, const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        if (materials[i].surface.subsurface > 0.0f) {
            return true;
        }
    }
    return false;
}

bool coif_materials_have_shadow_catcher(const coif_surface_material *materials,
                                        const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        if (materials[i].is_shadow_catcher) {
            return true;
        }
    }
    return false;
}

bool coif_materials_have_opacity(const coif_surface_material *materials, const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        if (materials[i].transparency > 0.0f ||
            materials[i].maps[COIF_MATERIAL_MAP_OPACITY] != NULL) {
            return true;
        }
    }
    return false;
}

bool coif_materials_are_emissive(const coif_surface_material *materials, const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        if (coif_luminance(materials[i].emission) > 0.0f) {
            return true;
        }
    }
    return false;
}

coif_vec3 coif_material_emission(const coif_surface_material *materials, const coif_mesh *mesh,
                                 int32_t triangle, float b1, float b2)
{
    const coif_surface_material *material = coif_material_of_triangle(materials, mesh, triangle);
    if (material->emission_map == NULL || mesh->uvs == NULL) {
        return material->emission;
    }
    coif_vec3 value;
    if (!coif_texture_at(material->emission_map, uv_at(mesh, triangle, b1, b2), 0.0f,
                         material->wrap, &value)) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    return coif_mul(material->emission, value);
}
