// What the tests of lights share: one direction towards one of several lights.
#ifndef COIF_TESTS_SUPPORT_LIGHT_SAMPLING_FIXTURE_H
#define COIF_TESTS_SUPPORT_LIGHT_SAMPLING_FIXTURE_H

#include "render/lights/light_sampling_x4.h"

typedef struct aimed {
    coif_vec3 direction, radiance;
    float distance, pdf, total;
} aimed;

// Lanes take turns to be the one that is asked; the others aim elsewhere on the same light.
static inline aimed aim_at_lights(const coif_lights *lights, coif_vec3 point, float choice,
                                  coif_vec2 u)
{
    static int turn = 0;
    const int lane = turn++ % 4;
    coif_light_importances shares;
    coif_lights_importance(&shares, lights, point);
    coif_light_random_x4 dice = {.choice = coif_lanes_splat(choice),
                                 .u = {0.1f, 0.2f, 0.7f, 0.9f},
                                 .v = {0.6f, 0.1f, 0.3f, 0.8f}};
    dice.u[lane] = u.x;
    dice.v[lane] = u.y;
    coif_light_samples_x4 tries;
    coif_lights_sample_x4(&tries, lights, point, 0.0f, &shares, &dice);
    return (aimed){
        .direction = {tries.x[lane], tries.y[lane], tries.z[lane]},
        .radiance = {tries.red[lane], tries.green[lane], tries.blue[lane]},
        .distance = tries.distance[lane],
        .pdf = tries.pdf[lane],
        .total = shares.total,
    };
}

#endif
