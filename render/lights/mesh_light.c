#include "render/lights/mesh_light.h"

#include "core/base/arena.h"
#include "render/math/color.h"

#include <float.h>

// Mean luminance of a triangle: a texture is sampled at six points, and a tenth of the untextured
// luminance is added so that a bright spot between them is sampled as well.
static float mean_coif_luminance(const coif_mesh_light *mesh_light, int32_t triangle)
{
    static const float coords[6][2] = {{0.2f, 0.2f}, {0.6f, 0.2f}, {0.2f, 0.6f},
                                       {0.4f, 0.4f}, {0.1f, 0.4f}, {0.4f, 0.1f}};
    const coif_surface_material *material =
        coif_material_of_triangle(mesh_light->materials, mesh_light->meshes, triangle);
    if (material->emission_map == NULL || mesh_light->meshes->uvs == NULL) {
        return coif_luminance(material->emission);
    }
    float sum = 0.0f;
    for (size_t i = 0; i < COIF_COUNT_OF(coords); ++i) {
        sum += coif_luminance(coif_material_emission(mesh_light->materials, mesh_light->meshes,
                                                     triangle, coords[i][0], coords[i][1]));
    }
    return 0.9f * sum / COIF_COUNT_OF(coords) + 0.1f * coif_luminance(material->emission);
}

static const coif_transform *transform_at(coif_transform *mixed, const coif_mesh_light *mesh_light,
                                          float time)
{
    if (mesh_light->transforms == NULL || mesh_light->transform_steps < 2) {
        return mesh_light->transforms;
    }
    float t;
    const int32_t step = coif_motion_step_at(mesh_light->transform_steps, time, &t);
    *mixed =
        coif_transform_lerp(&mesh_light->transforms[step], &mesh_light->transforms[step + 1], t);
    return mixed;
}

static coif_triangle triangle_at(const coif_mesh_light *mesh_light, int32_t triangle, float time)
{
    coif_transform mixed;
    return coif_triangle_at(mesh_light->meshes, mesh_light->steps, triangle, time,
                            transform_at(&mixed, mesh_light, time));
}

void coif_mesh_light_prepare(coif_mesh_light *mesh_light, coif_arena *arena)
{
    const int32_t count = mesh_light->meshes->triangle_count;
    float *cdf = coif_arena_new(arena, count + 1, float);
    double sum = 0.0, area = 0.0, mean_square = 0.0;
    double centroid[3] = {0.0, 0.0, 0.0}, mean_normal[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < count; ++i) {
        const coif_triangle corners = triangle_at(mesh_light, i, 0.5f);
        const coif_vec3 area_normal = coif_scale(coif_triangle_area_normal(&corners), 0.5f);
        const coif_vec3 position = coif_triangle_point(&corners, 1.0f / 3.0f, 1.0f / 3.0f);
        const float size = coif_length(area_normal), luminance = mean_coif_luminance(mesh_light, i);
        const double weight = (double)size * luminance;
        if (!(weight > 0.0)) {
            cdf[i + 1] = (float)sum;
            continue;
        }
        const float at[3] = {position.x, position.y, position.z},
                    n[3] = {area_normal.x, area_normal.y, area_normal.z};
        for (int k = 0; k < 3; ++k) {
            centroid[k] += weight * at[k];
            mean_normal[k] += (double)luminance * n[k];
            mean_square += weight * at[k] * at[k];
        }
        sum += weight;
        area += size;
        cdf[i + 1] = (float)sum;
    }
    const double scale = sum > 0.0 ? 1.0 / sum : 0.0;
    for (int32_t i = 1; i <= count; ++i) {
        cdf[i] = (float)(cdf[i] * scale);
    }
    mesh_light->cdf = cdf;
    mesh_light->power = (float)sum;
    mesh_light->centroid = (coif_vec3){(float)(centroid[0] * scale), (float)(centroid[1] * scale),
                                       (float)(centroid[2] * scale)};
    mesh_light->mean_normal =
        (coif_vec3){(float)(mean_normal[0] * scale), (float)(mean_normal[1] * scale),
                    (float)(mean_normal[2] * scale)};
    mesh_light->radius2 = coif_max((float)(mean_square * scale) -
                                       coif_dot(mesh_light->centroid, mesh_light->centroid),
                                   (float)area * 1e-3f) +
                          FLT_MIN;
}

// Projected area: by the cosine for a flat mesh, a quarter of the area for a closed one. Never 0: a
// slightly curved mesh may be visible from behind its mean normal.
float coif_mesh_light_importance(const coif_mesh_light *mesh_light, coif_vec3 point)
{
    const coif_vec3 offset = coif_sub(point, mesh_light->centroid);
    const float distance2 = coif_dot(offset, offset);
    const float flat = coif_length(mesh_light->mean_normal);
    const float facing = coif_dot(offset, mesh_light->mean_normal) / sqrtf(distance2 + FLT_MIN);
    const float seen = coif_max(facing, 0.0f) + 0.25f * coif_max(1.0f - flat, 0.05f);
    return mesh_light->power * seen / (distance2 + mesh_light->radius2);
}

// Pdf per area to pdf per solid angle, for a triangle selected with that probability.
static float pdf_solid_angle(float probability, coif_vec3 area_normal, coif_vec3 offset,
                             float distance)
{
    const float mean_normal =
        -coif_dot(offset, area_normal); // twice the area times the cosine times distance
    return mean_normal > 0.0f ? 2.0f * probability * distance * distance * distance / mean_normal
                              : 0.0f;
}

static int32_t find_triangle(const coif_mesh_light *mesh_light, float choice)
{
    int32_t low = 0, high = mesh_light->meshes->triangle_count;
    while (high - low > 1) {
        const int32_t centroid = low + (high - low) / 2;
        if (mesh_light->cdf[centroid] <= choice) {
            low = centroid;
        } else {
            high = centroid;
        }
    }
    return low;
}

coif_mesh_light_sample coif_mesh_light_sample_from(const coif_mesh_light *mesh_light,
                                                   coif_vec3 point, float time, float choice,
                                                   coif_vec2 u)
{
    const int32_t triangle = find_triangle(mesh_light, choice);
    const float probability = mesh_light->cdf[triangle + 1] - mesh_light->cdf[triangle];
    const coif_triangle corners = triangle_at(mesh_light, triangle, time);
    const float root = sqrtf(u.x);
    const float b1 = root * (1.0f - u.y), b2 = root * u.y;
    const coif_vec3 offset = coif_sub(coif_triangle_point(&corners, b1, b2), point);
    const float distance = coif_length(offset);
    const float pdf =
        pdf_solid_angle(probability, coif_triangle_area_normal(&corners), offset, distance);
    if (!(pdf > 0.0f) || !(distance > 0.0f)) {
        return (coif_mesh_light_sample){.pdf = 0.0f};
    }
    return (coif_mesh_light_sample){
        .direction = coif_scale(offset, 1.0f / distance),
        .radiance =
            coif_material_emission(mesh_light->materials, mesh_light->meshes, triangle, b1, b2),
        .distance = distance,
        .pdf = pdf,
    };
}

float coif_mesh_light_pdf(const coif_mesh_light *mesh_light, int32_t triangle, coif_vec3 position,
                          coif_vec3 point, float time)
{
    const float probability = mesh_light->cdf[triangle + 1] - mesh_light->cdf[triangle];
    const coif_triangle corners = triangle_at(mesh_light, triangle, time);
    const coif_vec3 offset = coif_sub(position, point);
    return pdf_solid_angle(probability, coif_triangle_area_normal(&corners), offset,
                           coif_length(offset));
}
