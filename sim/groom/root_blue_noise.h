// roots_blue: points of a surface thinned out to blue noise, in an order that is blue throughout.
//
// Weighted sample elimination (C. Yuksel 2015): from a pool of a few times as many points the one
// that is most crowded is taken out, over and over, until the wanted number is left. Going on like
// that from half to half gives an order in which every beginning is evenly spread, so a share of
// the roots is as even as all of them.
#ifndef COIF_SIM_GROOM_ROOT_BLUE_NOISE_H
#define COIF_SIM_GROOM_ROOT_BLUE_NOISE_H

#include "core/base/base.h"
#include "core/base/vec.h"

typedef struct coif_blue_noise_pool {
    int32_t count;
    const coif_vec3 *places, *normals; // points that look away from each other do not crowd
    double area;                       // of the surface
} coif_blue_noise_pool;

// Twice this is the distance between points when count of them are packed as densely as can be.
double coif_blue_noise_radius(double area, int32_t count);

// Writes which count points of the pool stay, in order.
void coif_blue_noise_choose(int32_t *order, int32_t count, const coif_blue_noise_pool *pool,
                            coif_arena *arena, coif_jobs *jobs);

#endif
