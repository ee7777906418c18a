// path: the light that arrives along one ray, by following it backwards.
//
// Unidirectional path tracing. At every scattering one light is aimed at and one direction is
// chosen by the material; the two are weighed by the power heuristic (Veach 1997), for every light
// and the sky alike. Paths end by Russian roulette on what they still carry, so nothing is lost on
// average and light hair may scatter hundreds of times.
#ifndef COIF_RENDER_PATH_H
#define COIF_RENDER_PATH_H

#include "render/sampler.h"
#include "render/vertex.h"

// What the camera ray met first, for the layers of a picture.
typedef struct coif_path_first {
    float alpha;    // how much of the view it took: 1, or less through widened strands, or 0
    float distance; // along the ray
    coif_vec3 normal, albedo; // times alpha
} coif_path_first;

coif_vec3 coif_path_trace(const coif_stage *stage, coif_ray ray, coif_sampler *sampler,
                          coif_path_first *first);

#endif
