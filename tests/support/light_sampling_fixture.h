// One light sample from the four-wide sampling functions.
#ifndef COIF_TESTS_SUPPORT_LIGHT_SAMPLING_FIXTURE_H
#define COIF_TESTS_SUPPORT_LIGHT_SAMPLING_FIXTURE_H

#include "render/lights/light_sampling_x4.h"

typedef struct light_sample {
    coif_vec3 direction, radiance;
    float distance, pdf, total;
} light_sample;

// The lane rotates from call to call; the other lanes sample other points of the same light.
static inline light_sample sample_lights(const coif_lights *lights, coif_vec3 point, float choice,
                                         coif_vec2 u)
{
    static int calls = 0;
    const int lane = calls++ % 4;
    coif_light_importances importances;
    coif_lights_importance(&importances, lights, point);
    coif_light_random_x4 random = {.choice = coif_lanes_splat(choice),
                                   .u = {0.1f, 0.2f, 0.7f, 0.9f},
                                   .v = {0.6f, 0.1f, 0.3f, 0.8f}};
    random.u[lane] = u.x;
    random.v[lane] = u.y;
    coif_light_samples_x4 samples;
    coif_lights_sample_x4(&samples, lights, point, 0.0f, &importances, &random);
    return (light_sample){
        .direction = {samples.x[lane], samples.y[lane], samples.z[lane]},
        .radiance = {samples.red[lane], samples.green[lane], samples.blue[lane]},
        .distance = samples.distance[lane],
        .pdf = samples.pdf[lane],
        .total = importances.total,
    };
}

#endif
