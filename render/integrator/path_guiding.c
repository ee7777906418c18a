#include "render/integrator/path_guiding.h"

#include "render/lights/mesh_light.h"

// What every direction is worth at least: behind corners light may come from anywhere.
static const float LEAST = 0.4f;

// Towards a light; the length is how much of its light comes from about there.
static coif_vec3 toward(const coif_light *light, coif_vec3 point)
{
    switch (light->type) {
    case COIF_LIGHT_DISTANT:
        return coif_scale(light->normal, -1.0f);
    case COIF_LIGHT_ENVIRONMENT:
        return light->environment.lean;
    case COIF_LIGHT_MESH:
        return coif_normalize(coif_sub(light->mesh_light->middle, point));
    default:
        return coif_normalize(coif_sub(light->position, point));
    }
}

void coif_path_guide_at(coif_path_guide *bearings, const coif_lights *lights, coif_vec3 point)
{
    coif_lights_importance(&bearings->lights, lights, point);
    const float total = bearings->lights.total;
    bearings->even = 1.0f;
    bearings->count = 0;
    for (int32_t i = 0; i < lights->count && i < COIF_CACHED_IMPORTANCES; ++i) {
        const float importance = bearings->lights.known[i];
        const coif_vec3 way = toward(&lights->lights[i], point);
        const float length = coif_length(way);
        if (importance * length > 0.0f) {
            const float share = importance * length / total;
            bearings->toward[bearings->count] = coif_scale(way, 1.0f / length);
            bearings->share[bearings->count++] = share;
            bearings->even -= share;
        }
    }
}

float coif_path_guide_weight(const coif_path_guide *bearings, coif_vec3 direction)
{
    float favour = bearings->even;
    for (int32_t i = 0; i < bearings->count; ++i) {
        // Nine times the eighth power of (1 + cos) / 2, which is 1 on the average.
        const float up = 0.5f + 0.5f * coif_dot(bearings->toward[i], direction);
        const float second = up * up, fourth = second * second;
        favour += bearings->share[i] * 9.0f * fourth * fourth;
    }
    return LEAST + (1.0f - LEAST) * favour;
}

coif_lanes coif_path_guide_weight_x4(const coif_path_guide *bearings, coif_lanes x, coif_lanes y,
                                     coif_lanes z)
{
    coif_lanes favour = coif_lanes_splat(bearings->even);
    for (int32_t i = 0; i < bearings->count; ++i) {
        const coif_vec3 way = bearings->toward[i];
        const coif_lanes up = 0.5f + 0.5f * (x * way.x + y * way.y + z * way.z);
        const coif_lanes second = up * up, fourth = second * second;
        favour += bearings->share[i] * 9.0f * fourth * fourth;
    }
    return LEAST + (1.0f - LEAST) * favour;
}
