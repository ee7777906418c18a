// light_tries: four directions towards lights at once, a lane each.
//
// What coif_light_sample_from does for one light and one direction costs little more for four where
// arithmetic is the same for all: rectangles, disks and a sky of one colour. Others are aimed at
// one by one.
#ifndef COIF_RENDER_LIGHTS_LIGHT_SAMPLING_X4_H
#define COIF_RENDER_LIGHTS_LIGHT_SAMPLING_X4_H

#include "render/lights/light.h"
#include "render/math/fast_math.h"

typedef struct coif_light_samples_x4 {
    coif_lanes x, y, z;          // directions
    coif_lanes red, green, blue; // radiance
    coif_lanes distance;
    coif_lanes pdf;       // of light and direction together; 0: not seen from there
    coif_lanes_int light; // index
    coif_lanes_int nee_only; // -1: delta light, not hit by BSDF samples (COIF_MIS_NONE)
} coif_light_samples_x4;

// Uniform numbers by which lights and places on them are chosen. Choices must not descend from lane
// to lane.
typedef struct coif_light_random_x4 {
    coif_lanes choice, u, v;
} coif_light_random_x4;

// One light for each lane, chosen by how bright it may be at point, and a direction towards it.
// Time is that of bodies, shares are those of the point.
void coif_lights_sample_x4(coif_light_samples_x4 *tries, const coif_lights *lights, coif_vec3 point,
                           float time, const coif_light_importances *shares,
                           const coif_light_random_x4 *dice);

#endif
