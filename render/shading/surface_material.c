#include "render/shading/surface_material.h"

#include "render/math/fast_math.h"
#include "render/shading/tangent_space.h"

const coif_surface_material *coif_material_of_triangle(const coif_surface_material *looks,
                                                       const coif_mesh *mesh, int32_t triangle)
{
    const int32_t material = mesh->materials != NULL ? mesh->materials[triangle] : -1;
    return &looks[material < mesh->material_count ? material + 1 : 0];
}

static coif_vec2 uv_at(const coif_mesh *mesh, const coif_surface_coord *place)
{
    const coif_vec2 *uv = mesh->uvs + 3 * (size_t)place->triangle;
    const float b0 = 1.0f - place->b1 - place->b2;
    return (coif_vec2){b0 * uv[0].x + place->b1 * uv[1].x + place->b2 * uv[2].x,
                       b0 * uv[0].y + place->b1 * uv[1].y + place->b2 * uv[2].y};
}

// A length on the surface as a length in uv, by the areas of the triangle in both.
static float width_in_uv(const coif_mesh *mesh, const coif_surface_coord *place)
{
    if (!(place->width > 0.0f)) {
        return 0.0f;
    }
    const coif_vec2 *uv = mesh->uvs + 3 * (size_t)place->triangle;
    const int32_t *corner = mesh->indices + 3 * (size_t)place->triangle;
    const coif_vec3 *p = mesh->positions;
    const coif_vec3 across =
        coif_cross(coif_sub(p[corner[1]], p[corner[0]]), coif_sub(p[corner[2]], p[corner[0]]));
    const float area = coif_length(across);
    const float area_uv = fabsf((uv[1].x - uv[0].x) * (uv[2].y - uv[0].y) -
                                (uv[2].x - uv[0].x) * (uv[1].y - uv[0].y));
    return area > 0.0f ? place->width * sqrtf(area_uv / area) : 0.0f;
}

// Where in the pictures a place lies.
typedef struct spot {
    coif_vec2 uv;
    float width;
} spot;

static spot spot_of(const coif_mesh *mesh, const coif_surface_coord *place)
{
    return (spot){uv_at(mesh, place), width_in_uv(mesh, place)};
}

static bool is_painted(const coif_surface_material *look, const coif_mesh *mesh)
{
    return look->has_maps && mesh->uvs != NULL;
}

// What a map says; 1 where there is none.
static coif_vec3 ask(const coif_surface_material *look, coif_material_map map, const spot *at)
{
    coif_vec3 value = {1.0f, 1.0f, 1.0f};
    if (look->maps[map] != NULL) {
        coif_texture_at(look->maps[map], at->uv, at->width, look->wrap, &value);
    }
    return value;
}

static void multiply(float *number, const coif_surface_material *look, coif_material_map map,
                     const spot *at)
{
    if (look->maps[map] != NULL) {
        *number = coif_clamp(*number * ask(look, map, at).x, 0.0f, 1.0f);
    }
}

coif_surface coif_material_eval(const coif_surface_material *looks, const coif_mesh *mesh,
                                const coif_surface_coord *place)
{
    const coif_surface_material *look = coif_material_of_triangle(looks, mesh, place->triangle);
    coif_surface surface = look->surface;
    if (!is_painted(look, mesh)) {
        return surface;
    }
    const spot at = spot_of(mesh, place);
    surface.color = coif_mul(surface.color, ask(look, COIF_MATERIAL_MAP_COLOR, &at));
    multiply(&surface.roughness, look, COIF_MATERIAL_MAP_ROUGHNESS, &at);
    multiply(&surface.coat2_roughness, look, COIF_MATERIAL_MAP_ROUGHNESS, &at);
    multiply(&surface.specular, look, COIF_MATERIAL_MAP_SPECULAR, &at);
    multiply(&surface.metallic, look, COIF_MATERIAL_MAP_METALLIC, &at);
    multiply(&surface.sheen, look, COIF_MATERIAL_MAP_SHEEN, &at);
    multiply(&surface.subsurface, look, COIF_MATERIAL_MAP_SUBSURFACE, &at);
    return surface;
}

// Along u on the triangle itself, for those whose corners have no tangents.
static coif_vec3 own_tangent(coif_vec3 u, coif_vec3 normal)
{
    return coif_normalize(coif_mad(u, -coif_dot(u, normal), normal));
}

static coif_vec3 mix(const coif_vec3 *t, const coif_surface_coord *place)
{
    return coif_mad(coif_mad(coif_scale(t[0], 1.0f - place->b1 - place->b2), place->b1, t[1]),
                    place->b2, t[2]);
}

static coif_vec3 bend_by_map(const coif_surface_material *look, const spot *at, coif_vec3 tangent,
                             coif_vec3 v, coif_vec3 normal)
{
    coif_vec3 c;
    if (!coif_texture_at(look->maps[COIF_MATERIAL_MAP_NORMAL], at->uv, at->width, look->wrap, &c)) {
        return normal;
    }
    const float x = look->normal_strength * (2.0f * c.x - 1.0f);
    const float y =
        look->normal_strength * (look->flip_green ? 1.0f - 2.0f * c.y : 2.0f * c.y - 1.0f);
    const float z = coif_max(2.0f * c.z - 1.0f, 1e-3f);
    // The other tangent is on the side of v.
    coif_vec3 other = coif_cross(normal, tangent);
    other = coif_dot(other, v) < 0.0f ? coif_scale(other, -1.0f) : other;
    return coif_normalize(coif_mad(coif_mad(coif_scale(normal, z), x, tangent), y, other));
}

static float height_at(const coif_surface_material *look, coif_vec2 uv, float width)
{
    coif_vec3 value = {0.0f, 0.0f, 0.0f};
    coif_texture_at(look->maps[COIF_MATERIAL_MAP_BUMP], uv, width, look->wrap, &value);
    return look->bump_height * value.x;
}

// The gradient of the height over the surface is taken from the normal (Mikkelsen 2010).
static coif_vec3 bend_by_height(const coif_surface_material *look, const spot *at, coif_vec3 u,
                                coif_vec3 v, coif_vec3 normal)
{
    const float step = coif_max(at->width, look->maps[COIF_MATERIAL_MAP_BUMP]->texel);
    const coif_vec2 right = {at->uv.x + 0.5f * step, at->uv.y};
    const coif_vec2 left = {at->uv.x - 0.5f * step, at->uv.y};
    const coif_vec2 above = {at->uv.x, at->uv.y + 0.5f * step};
    const coif_vec2 below = {at->uv.x, at->uv.y - 0.5f * step};
    const float du = (height_at(look, right, at->width) - height_at(look, left, at->width)) / step;
    const float dv = (height_at(look, above, at->width) - height_at(look, below, at->width)) / step;
    const coif_vec3 along_u = coif_cross(v, normal), along_v = coif_cross(normal, u);
    const float whole = coif_dot(u, along_u);
    if (!(fabsf(whole) > 1e-20f)) {
        return normal;
    }
    const coif_vec3 slope =
        coif_scale(coif_mad(coif_scale(along_u, du), dv, along_v), 1.0f / whole);
    return coif_normalize(coif_sub(normal, slope));
}

coif_vec3 coif_material_normal(const coif_surface_material *looks, const coif_mesh *mesh,
                               const coif_surface_coord *place, const coif_vec3 corners[3],
                               const coif_vec3 *tangents, coif_vec3 normal)
{
    const coif_surface_material *look = coif_material_of_triangle(looks, mesh, place->triangle);
    coif_vec3 u, v;
    if (!is_painted(look, mesh) ||
        (look->maps[COIF_MATERIAL_MAP_NORMAL] == NULL &&
         look->maps[COIF_MATERIAL_MAP_BUMP] == NULL) ||
        !coif_triangle_uv_derivatives(mesh, place->triangle, corners, &u, &v)) {
        return normal;
    }
    const spot at = spot_of(mesh, place);
    if (look->maps[COIF_MATERIAL_MAP_BUMP] != NULL) {
        normal = bend_by_height(look, &at, u, v, normal);
    }
    if (look->maps[COIF_MATERIAL_MAP_NORMAL] == NULL) {
        return normal;
    }
    coif_vec3 tangent = tangents != NULL ? mix(tangents, place) : own_tangent(u, normal);
    if (!(coif_dot(tangent, tangent) > 1e-4f)) {
        tangent = own_tangent(u, normal); // corners that look opposite ways
    }
    return bend_by_map(look, &at, tangent, v, normal);
}

bool coif_materials_have_normal_map(const coif_surface_material *looks, const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        if (looks[i].maps[COIF_MATERIAL_MAP_NORMAL] != NULL) {
            return mesh->uvs != NULL;
        }
    }
    return false;
}

float coif_material_opacity(const coif_surface_material *looks, const coif_mesh *mesh,
                            const coif_surface_coord *place)
{
    const coif_surface_material *look = coif_material_of_triangle(looks, mesh, place->triangle);
    float opacity = 1.0f - look->transparency;
    if (look->maps[COIF_MATERIAL_MAP_OPACITY] != NULL && mesh->uvs != NULL) {
        const spot at = spot_of(mesh, place);
        multiply(&opacity, look, COIF_MATERIAL_MAP_OPACITY, &at);
    }
    return opacity;
}

bool coif_materials_have_subsurface(const coif_surface_material *looks, const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        if (looks[i].surface.subsurface > 0.0f) {
            return true;
        }
    }
    return false;
}

bool coif_materials_have_shadow_catcher(const coif_surface_material *looks, const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        if (looks[i].is_shadow_catcher) {
            return true;
        }
    }
    return false;
}

bool coif_materials_have_opacity(const coif_surface_material *looks, const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        if (looks[i].transparency > 0.0f || looks[i].maps[COIF_MATERIAL_MAP_OPACITY] != NULL) {
            return true;
        }
    }
    return false;
}
