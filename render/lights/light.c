#include "render/lights/light.h"

#include "render/lights/mesh_light.h"
#include "render/math/fast_math.h"

#include <float.h>

static const coif_vec3 BLACK = {0.0f, 0.0f, 0.0f};

static float square(float x)
{
    return x * x;
}

// Angular falloff of a spot; smooth in the penumbra.
static float spot_falloff(const coif_light *light, coif_vec3 point)
{
    if (light->type != COIF_LIGHT_SPOT) {
        return 1.0f;
    }
    const float cosine = coif_dot(coif_normalize(coif_sub(point, light->position)), light->normal);
    const float t =
        coif_clamp((cosine - light->cos_outer) / (light->cos_inner - light->cos_outer), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

float coif_light_importance(const coif_light *light, coif_vec3 point)
{
    const coif_vec3 offset = coif_sub(point, light->position);
    const float distance2 = coif_dot(offset, offset);
    switch (light->type) {
    case COIF_LIGHT_RECTANGLE:
    case COIF_LIGHT_DISK: {
        const float front = coif_dot(offset, light->normal);
        return front > 0.0f ? light->luminance * light->area * front /
                                  (sqrtf(distance2) * (distance2 + 0.2f * light->area) + FLT_MIN)
                            : 0.0f;
    }
    case COIF_LIGHT_SPHERE:
        return light->luminance * light->area / (distance2 + square(light->radius));
    case COIF_LIGHT_DISTANT:
        return light->luminance * COIF_TWO_PI * light->one_minus_cos;
    case COIF_LIGHT_POINT:
    case COIF_LIGHT_SPOT:
        return light->luminance * light->area * spot_falloff(light, point) /
               (distance2 + square(light->radius) + FLT_MIN);
    case COIF_LIGHT_MESH:
        return coif_mesh_light_importance(light->mesh_light, point);
    default:
        return light->environment.average * COIF_TWO_PI;
    }
}

void coif_lights_importance(coif_light_importances *importances, const coif_lights *lights,
                            coif_vec3 point)
{
    importances->total = 0.0f;
    for (int32_t i = 0; i < lights->count; ++i) {
        const float importance = coif_light_importance(&lights->lights[i], point);
        importances->total += importance;
        if (i < COIF_CACHED_IMPORTANCES) {
            importances->cached[i] = importance;
        }
    }
}

float coif_lights_total_importance(const coif_lights *lights, coif_vec3 point)
{
    coif_light_importances importances;
    coif_lights_importance(&importances, lights, point);
    return importances.total;
}

// A uniform direction in a cone around axis.
static coif_vec3 sample_cone(coif_vec3 axis, float one_minus_cos, coif_vec2 u)
{
    const float height = one_minus_cos * u.x;
    const float sine = sqrtf(coif_max(height * (2.0f - height), 0.0f));
    float turn_sine, turn_cosine;
    coif_fast_sincos_turns(u.y, &turn_sine, &turn_cosine);
    coif_vec3 s, t;
    coif_frame_around(axis, &s, &t);
    return coif_normalize(coif_mad(coif_mad(coif_scale(axis, 1.0f - height), sine * turn_cosine, s),
                                   sine * turn_sine, t));
}

// 1 - cos of the half angle that a sphere subtends; 0 from inside.
static float sphere_one_minus_cos(const coif_light *light, float distance2)
{
    const float sine2 = square(light->radius) / distance2;
    return sine2 < 1.0f ? sine2 / (1.0f + sqrtf(1.0f - sine2)) : 0.0f;
}

static coif_light_sample sample_sphere(const coif_light *light, coif_vec3 point, coif_vec2 u)
{
    const coif_vec3 offset = coif_sub(light->position, point);
    const float distance2 = coif_dot(offset, offset);
    const float one_minus_cos = sphere_one_minus_cos(light, distance2);
    if (!(one_minus_cos > 0.0f)) {
        return (coif_light_sample){.pdf = 0.0f};
    }
    const coif_vec3 direction = sample_cone(coif_normalize(offset), one_minus_cos, u);
    const float along = coif_dot(offset, direction);
    const float inside = square(light->radius) - (distance2 - along * along);
    return (coif_light_sample){
        .direction = direction,
        .radiance = light->radiance,
        .distance = along - sqrtf(coif_max(inside, 0.0f)),
        .pdf = 1.0f / (COIF_TWO_PI * one_minus_cos),
    };
}

static coif_light_sample sample_point(const coif_light *light, coif_vec3 point, coif_vec2 u)
{
    const float importance = spot_falloff(light, point);
    if (light->radius > 0.0f) {
        coif_light_sample sample = sample_sphere(light, point, u);
        sample.radiance = coif_scale(sample.radiance, importance);
        return sample;
    }
    const coif_vec3 offset = coif_sub(light->position, point);
    const float distance2 = coif_dot(offset, offset);
    if (!(distance2 > 0.0f)) {
        return (coif_light_sample){.pdf = 0.0f};
    }
    const float distance = sqrtf(distance2);
    return (coif_light_sample){
        .direction = coif_scale(offset, 1.0f / distance),
        .radiance = coif_scale(light->radiance, importance / distance2),
        .distance = distance,
        .pdf = 1.0f,
        .mis = COIF_MIS_NONE,
    };
}

static coif_light_sample sample_mesh_light(const coif_light *light, coif_vec3 point, float time,
                                           float choice, coif_vec2 u)
{
    const coif_mesh_light_sample sample =
        coif_mesh_light_sample_from(light->mesh_light, point, time, choice, u);
    return (coif_light_sample){
        .direction = sample.direction,
        .radiance = sample.radiance,
        .distance = sample.distance,
        .pdf = sample.pdf,
        .mis = COIF_MIS_GEOMETRY_HIT,
    };
}

coif_light_sample coif_light_sample_from(const coif_light *light, coif_vec3 point, float time,
                                         float choice, coif_vec2 u)
{
    switch (light->type) {
    case COIF_LIGHT_MESH:
        return sample_mesh_light(light, point, time, choice, u);
    case COIF_LIGHT_SPHERE:
        return sample_sphere(light, point, u);
    case COIF_LIGHT_POINT:
    case COIF_LIGHT_SPOT:
        return sample_point(light, point, u);
    case COIF_LIGHT_DISTANT:
        return (coif_light_sample){
            .direction = sample_cone(coif_scale(light->normal, -1.0f), light->one_minus_cos, u),
            .radiance = light->radiance,
            .distance = FLT_MAX,
            .pdf = 1.0f / (COIF_TWO_PI * light->one_minus_cos),
        };
    default: {
        coif_light_sample sample = {.distance = FLT_MAX};
        sample.direction =
            coif_environment_sample(&light->environment, u, &sample.pdf, &sample.radiance);
        return sample;
    }
    }
}

float coif_light_select_pdf(const coif_light *light, coif_vec3 point, float total)
{
    return total > 0.0f ? coif_light_importance(light, point) / total : 0.0f;
}

static bool hits_area(const coif_light *light, const coif_ray *ray, float *pdf, float *distance)
{
    const float facing = -coif_dot(ray->direction, light->normal);
    if (!(facing > 1e-7f)) {
        return false;
    }
    const coif_vec3 offset = coif_sub(light->position, ray->origin);
    *distance = -coif_dot(offset, light->normal) / facing;
    if (!(*distance > ray->near) || !(*distance < ray->far)) {
        return false;
    }
    const coif_vec3 sample =
        coif_sub(coif_mad(ray->origin, *distance, ray->direction), light->position);
    const float a = coif_dot(sample, light->u), b = coif_dot(sample, light->v);
    const bool inside = light->type == COIF_LIGHT_RECTANGLE
                            ? fabsf(a) <= light->half_width && fabsf(b) <= light->half_height
                            : a * a + b * b <= square(light->radius);
    *pdf = *distance * *distance / (facing * light->area);
    return inside;
}

static bool hits_sphere(const coif_light *light, const coif_ray *ray, float *pdf, float *distance)
{
    const coif_vec3 offset = coif_sub(light->position, ray->origin);
    const float distance2 = coif_dot(offset, offset);
    const float along = coif_dot(offset, ray->direction);
    const coif_vec3 miss = coif_mad(offset, -along, ray->direction);
    const float inside = square(light->radius) - coif_dot(miss, miss);
    const float one_minus_cos = sphere_one_minus_cos(light, distance2);
    if (!(one_minus_cos > 0.0f) || !(along > 0.0f) || inside < 0.0f) {
        return false;
    }
    *distance = along - sqrtf(inside);
    *pdf = 1.0f / (COIF_TWO_PI * one_minus_cos);
    return *distance > ray->near && *distance < ray->far;
}

static bool hits_distant(const coif_light *light, const coif_ray *ray, float *pdf)
{
    const coif_vec3 across = coif_cross(ray->direction, light->normal);
    *pdf = 1.0f / (COIF_TWO_PI * light->one_minus_cos);
    return ray->far == FLT_MAX && coif_dot(ray->direction, light->normal) < 0.0f &&
           coif_dot(across, across) <= light->one_minus_cos * (2.0f - light->one_minus_cos);
}

coif_vec3 coif_light_eval_ray(const coif_light *light, const coif_ray *ray, float total, float *pdf,
                              float *distance)
{
    bool hit = false;
    *distance = FLT_MAX;
    coif_vec3 radiance = light->radiance;
    switch (light->type) {
    case COIF_LIGHT_RECTANGLE:
    case COIF_LIGHT_DISK:
        hit = hits_area(light, ray, pdf, distance);
        break;
    case COIF_LIGHT_SPHERE:
        hit = hits_sphere(light, ray, pdf, distance);
        break;
    case COIF_LIGHT_DISTANT:
        hit = hits_distant(light, ray, pdf);
        break;
    case COIF_LIGHT_POINT:
    case COIF_LIGHT_SPOT:
        hit = light->radius > 0.0f && hits_sphere(light, ray, pdf, distance);
        radiance = coif_scale(radiance, hit ? spot_falloff(light, ray->origin) : 0.0f);
        break;
    case COIF_LIGHT_MESH:
        break;
    default:
        hit = ray->far == FLT_MAX;
        if (hit) {
            radiance = coif_environment_eval(&light->environment, ray->direction);
            *pdf = coif_environment_pdf(&light->environment, ray->direction);
        }
        break;
    }
    if (!hit) {
        *pdf = 0.0f;
        return BLACK;
    }
    *pdf *= coif_light_select_pdf(light, ray->origin, total);
    return radiance;
}
