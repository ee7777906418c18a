// root_blue_noise: blue noise subsets of surface points, in progressive order.
//
// Weighted sample elimination (C. Yuksel 2015): from a pool of several times as many points the
// one with the largest weight is removed repeatedly until the wanted number is left. Continuing
// from half to half gives an order of which every prefix is blue noise.
#ifndef COIF_SIM_GROOM_ROOT_BLUE_NOISE_H
#define COIF_SIM_GROOM_ROOT_BLUE_NOISE_H

#include "core/base/base.h"
#include "core/base/vec.h"

typedef struct coif_blue_noise_pool {
    int32_t count;
    const coif_vec3 *positions, *normals; // points with opposed normals are not neighbours
    double area;                          // of the surface
} coif_blue_noise_pool;

// Twice this is the spacing of count points in the densest packing.
double coif_blue_noise_radius(double area, int32_t count);

// Writes the indices of the count points that are kept, in progressive order.
void coif_blue_noise_choose(int32_t *order, int32_t count, const coif_blue_noise_pool *pool,
                            coif_arena *arena, coif_jobs *jobs);

#endif
