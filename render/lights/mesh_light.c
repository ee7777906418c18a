#include "render/lights/mesh_light.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "render/math/fast_math.h"

#include <float.h>

static float brightness(coif_vec3 c)
{
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

static bool is_dark(coif_vec3 c)
{
    return !(c.x + c.y + c.z > 0.0f);
}

// Of an MTL file; a picture that is not there is left out.
static void light_from_mtl(coif_surface_material *look, const coif_mtl *material,
                           const coif_param_source *from)
{
    coif_error ignored = {0};
    look->emission = material->emission;
    if (!is_dark(look->emission) && material->emission_map != NULL &&
        coif_texture_load(&look->emission_map, from->textures, material->emission_map,
                          COIF_MAP_COLOR, &ignored) != COIF_OK) {
        coif_log(COIF_LOG_WARNING, "texture left out: %s", ignored.text);
        look->emission_map = NULL;
    }
}

coif_status coif_materials_read_emission(coif_surface_material *looks,
                                         const coif_param_source *from, const coif_mesh *mesh,
                                         coif_error *error)
{
    coif_material_params params;
    coif_node_read(from->node, from->frame, &params);
    if (!coif_param_is_set(from, "emission")) {
        for (int32_t i = 0; i < mesh->material_count; ++i) {
            light_from_mtl(&looks[i + 1], &mesh->material_table[i], from);
        }
        return COIF_OK;
    }
    const coif_texture *map = NULL;
    const coif_vec3 emission = {params.emission[0], params.emission[1], params.emission[2]};
    const bool painted =
        !is_dark(emission) && params.emission_map != NULL && params.emission_map[0] != '\0';
    if (painted) {
        const coif_texture_param row = {"emission_map", params.emission_map, COIF_MAP_COLOR};
        COIF_TRY(coif_texture_load_param(&map, from, &row, mesh, error));
    }
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        looks[i].emission = emission;
        looks[i].emission_map = map;
    }
    return COIF_OK;
}

bool coif_materials_are_emissive(const coif_surface_material *looks, const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        if (brightness(looks[i].emission) > 0.0f) {
            return true;
        }
    }
    return false;
}

coif_vec3 coif_material_emission(const coif_surface_material *looks, const coif_mesh *mesh,
                                 int32_t triangle, float b1, float b2)
{
    const coif_surface_material *look = coif_material_of_triangle(looks, mesh, triangle);
    if (look->emission_map == NULL || mesh->uvs == NULL) {
        return look->emission;
    }
    const coif_vec2 *uv = mesh->uvs + 3 * (size_t)triangle;
    const float b0 = 1.0f - b1 - b2;
    const coif_vec2 place = {b0 * uv[0].x + b1 * uv[1].x + b2 * uv[2].x,
                             b0 * uv[0].y + b1 * uv[1].y + b2 * uv[2].y};
    coif_vec3 value;
    if (!coif_texture_at(look->emission_map, place, 0.0f, look->wrap, &value)) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    return coif_mul(look->emission, value);
}

// A texture is looked at in six places of a triangle; a tenth of its full brightness is added, so
// that a spot between them is aimed at as well.
static float mean_brightness(const coif_mesh_light *emitter, int32_t triangle)
{
    static const float places[6][2] = {{0.2f, 0.2f}, {0.6f, 0.2f}, {0.2f, 0.6f},
                                       {0.4f, 0.4f}, {0.1f, 0.4f}, {0.4f, 0.1f}};
    const coif_surface_material *look =
        coif_material_of_triangle(emitter->materials, emitter->meshes, triangle);
    if (look->emission_map == NULL || emitter->meshes->uvs == NULL) {
        return brightness(look->emission);
    }
    float sum = 0.0f;
    for (size_t i = 0; i < COIF_COUNT_OF(places); ++i) {
        sum += brightness(coif_material_emission(emitter->materials, emitter->meshes, triangle,
                                                 places[i][0], places[i][1]));
    }
    return 0.9f * sum / COIF_COUNT_OF(places) + 0.1f * brightness(look->emission);
}

static const coif_transform *placement_at(coif_transform *mixed, const coif_mesh_light *emitter,
                                          float time)
{
    if (emitter->path == NULL || emitter->path_steps < 2) {
        return emitter->path;
    }
    float t;
    const int32_t step = coif_motion_step_at(emitter->path_steps, time, &t);
    *mixed = coif_transform_lerp(&emitter->path[step], &emitter->path[step + 1], t);
    return mixed;
}

static coif_triangle facet_at(const coif_mesh_light *emitter, int32_t triangle, float time)
{
    coif_transform mixed;
    return coif_triangle_at(emitter->meshes, emitter->steps, triangle, time,
                            placement_at(&mixed, emitter, time));
}

void coif_mesh_light_prepare(coif_mesh_light *emitter, coif_arena *arena)
{
    const int32_t count = emitter->meshes->triangle_count;
    float *shares = coif_arena_new(arena, count + 1, float);
    double sum = 0.0, area = 0.0, square = 0.0;
    double middle[3] = {0.0, 0.0, 0.0}, front[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < count; ++i) {
        const coif_triangle facet = facet_at(emitter, i, 0.5f);
        const coif_vec3 across = coif_scale(coif_triangle_area_normal(&facet), 0.5f);
        const coif_vec3 place = coif_triangle_point(&facet, 1.0f / 3.0f, 1.0f / 3.0f);
        const float size = coif_length(across), bright = mean_brightness(emitter, i);
        const double weight = (double)size * bright;
        if (!(weight > 0.0)) {
            shares[i + 1] = (float)sum;
            continue;
        }
        const float at[3] = {place.x, place.y, place.z}, n[3] = {across.x, across.y, across.z};
        for (int k = 0; k < 3; ++k) {
            middle[k] += weight * at[k];
            front[k] += (double)bright * n[k];
            square += weight * at[k] * at[k];
        }
        sum += weight;
        area += size;
        shares[i + 1] = (float)sum;
    }
    const double scale = sum > 0.0 ? 1.0 / sum : 0.0;
    for (int32_t i = 1; i <= count; ++i) {
        shares[i] = (float)(shares[i] * scale);
    }
    emitter->shares = shares;
    emitter->power = (float)sum;
    emitter->middle = (coif_vec3){(float)(middle[0] * scale), (float)(middle[1] * scale),
                                  (float)(middle[2] * scale)};
    emitter->front = (coif_vec3){(float)(front[0] * scale), (float)(front[1] * scale),
                                 (float)(front[2] * scale)};
    emitter->radius2 =
        coif_max((float)(square * scale) - coif_dot(emitter->middle, emitter->middle),
                 (float)area * 1e-3f) +
        FLT_MIN;
}

// A flat one is seen by the cosine, a round one by a quarter of its area from anywhere. Never
// nothing: what is bent a little may be seen from behind its mean.
float coif_mesh_light_importance(const coif_mesh_light *emitter, coif_vec3 point)
{
    const coif_vec3 way = coif_sub(point, emitter->middle);
    const float distance2 = coif_dot(way, way);
    const float flat = coif_length(emitter->front);
    const float facing = coif_dot(way, emitter->front) / sqrtf(distance2 + FLT_MIN);
    const float seen = coif_max(facing, 0.0f) + 0.25f * coif_max(1.0f - flat, 0.05f);
    return emitter->power * seen / (distance2 + emitter->radius2);
}

// Area to solid angle, for a triangle chosen with that chance.
static float solid_pdf(float chance, coif_vec3 across, coif_vec3 way, float distance)
{
    const float front = -coif_dot(way, across); // twice the area times the cosine times distance
    return front > 0.0f ? 2.0f * chance * distance * distance * distance / front : 0.0f;
}

static int32_t find_triangle(const coif_mesh_light *emitter, float choice)
{
    int32_t low = 0, high = emitter->meshes->triangle_count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (emitter->shares[middle] <= choice) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

coif_mesh_light_sample coif_mesh_light_sample_from(const coif_mesh_light *emitter, coif_vec3 point,
                                                   float time, float choice, coif_vec2 u)
{
    const int32_t triangle = find_triangle(emitter, choice);
    const float chance = emitter->shares[triangle + 1] - emitter->shares[triangle];
    const coif_triangle facet = facet_at(emitter, triangle, time);
    const float root = sqrtf(u.x);
    const float b1 = root * (1.0f - u.y), b2 = root * u.y;
    const coif_vec3 way = coif_sub(coif_triangle_point(&facet, b1, b2), point);
    const float distance = coif_length(way);
    const float pdf = solid_pdf(chance, coif_triangle_area_normal(&facet), way, distance);
    if (!(pdf > 0.0f) || !(distance > 0.0f)) {
        return (coif_mesh_light_sample){.pdf = 0.0f};
    }
    return (coif_mesh_light_sample){
        .direction = coif_scale(way, 1.0f / distance),
        .radiance = coif_material_emission(emitter->materials, emitter->meshes, triangle, b1, b2),
        .distance = distance,
        .pdf = pdf,
    };
}

float coif_mesh_light_pdf(const coif_mesh_light *emitter, int32_t triangle, coif_vec3 place,
                          coif_vec3 point, float time)
{
    const float chance = emitter->shares[triangle + 1] - emitter->shares[triangle];
    const coif_triangle facet = facet_at(emitter, triangle, time);
    const coif_vec3 way = coif_sub(place, point);
    return solid_pdf(chance, coif_triangle_area_normal(&facet), way, coif_length(way));
}
