#include "render/integrator/path_guiding.h"

#include "render/lights/mesh_light.h"

// Minimum weight of any direction: indirect light may come from anywhere.
static const float MIN_WEIGHT = 0.4f;

// Direction towards a light; the length is the fraction of its light that comes from about there.
static coif_vec3 mean_direction(const coif_light *light, coif_vec3 point)
{
    switch (light->type) {
    case COIF_LIGHT_DISTANT:
        return coif_scale(light->normal, -1.0f);
    case COIF_LIGHT_ENVIRONMENT:
        return light->environment.mean_direction;
    case COIF_LIGHT_MESH:
        return coif_normalize(coif_sub(light->mesh_light->centroid, point));
    default:
        return coif_normalize(coif_sub(light->position, point));
    }
}

void coif_path_guide_at(coif_path_guide *guide, const coif_lights *lights, coif_vec3 point)
{
    coif_lights_importance(&guide->lights, lights, point);
    const float total = guide->lights.total;
    guide->ambient = 1.0f;
    guide->count = 0;
    for (int32_t i = 0; i < lights->count && i < COIF_CACHED_IMPORTANCES; ++i) {
        const float importance = guide->lights.cached[i];
        const coif_vec3 direction = mean_direction(&lights->lights[i], point);
        const float length = coif_length(direction);
        if (importance * length > 0.0f) {
            const float fraction = importance * length / total;
            guide->direction[guide->count] = coif_scale(direction, 1.0f / length);
            guide->fraction[guide->count++] = fraction;
            guide->ambient -= fraction;
        }
    }
}

float coif_path_guide_weight(const coif_path_guide *guide, coif_vec3 direction)
{
    float weight = guide->ambient;
    for (int32_t i = 0; i < guide->count; ++i) {
        // 9 ((1 + cos) / 2)^8, which is 1 on average over the sphere.
        const float half_cosine = 0.5f + 0.5f * coif_dot(guide->direction[i], direction);
        const float power2 = half_cosine * half_cosine, power4 = power2 * power2;
        weight += guide->fraction[i] * 9.0f * power4 * power4;
    }
    return MIN_WEIGHT + (1.0f - MIN_WEIGHT) * weight;
}

coif_vec3 coif_path_guide_sample(const coif_path_guide *guide, float choice, coif_vec2 u)
{
    coif_vec3 axis = {0.0f, 0.0f, 1.0f}, x, y;
    float cosine = 2.0f * u.x - 1.0f, remaining = choice;
    for (int32_t i = 0; i < guide->count; ++i) {
        const float probability = (1.0f - MIN_WEIGHT) * guide->fraction[i];
        if (remaining >= 0.0f && remaining < probability) {
            axis = guide->direction[i];
            cosine = 2.0f * coif_fast_exp(coif_fast_log(coif_max(u.x, 1e-7f)) / 9.0f) - 1.0f;
        }
        remaining -= probability;
    }
    float sin_phi, cos_phi;
    coif_fast_sincos_turns(u.y, &sin_phi, &cos_phi);
    coif_frame_around(axis, &x, &y);
    const float sine = sqrtf(coif_max(1.0f - cosine * cosine, 0.0f));
    return coif_normalize(
        coif_mad(coif_mad(coif_scale(axis, cosine), sine * cos_phi, x), sine * sin_phi, y));
}

coif_lanes coif_path_guide_weight_x4(const coif_path_guide *guide, coif_lanes x, coif_lanes y,
                                     coif_lanes z)
{
    coif_lanes weight = coif_lanes_splat(guide->ambient);
    for (int32_t i = 0; i < guide->count; ++i) {
        const coif_vec3 direction = guide->direction[i];
        const coif_lanes half_cosine =
            0.5f + 0.5f * (x * direction.x + y * direction.y + z * direction.z);
        const coif_lanes power2 = half_cosine * half_cosine, power4 = power2 * power2;
        weight += guide->fraction[i] * 9.0f * power4 * power4;
    }
    return MIN_WEIGHT + (1.0f - MIN_WEIGHT) * weight;
}
