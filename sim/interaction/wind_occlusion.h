// shelter: hair keeps the wind from the hair behind it.
//
// Air on its way through hair loses speed to drag. Cylinders that turn an area s per kilogram to it
// take, with their coefficient C_d, the share  C_d s r / 2  of its speed per metre, where r is the
// density of hair. So
//
//   u' = w + (u - w) exp(-k S)        k = C_d s / 2        S = integral of r upstream
//
// with w the velocity of the scalp there, carried on as a rigid motion: hair has the air between it
// go along, and a head that moves through still air is a head in the wind.
#ifndef COIF_SIM_INTERACTION_WIND_OCCLUSION_H
#define COIF_SIM_INTERACTION_WIND_OCCLUSION_H

#include "plugins/host/host.h"
#include "sim/interaction/grid_frame.h"
#include "sim/solver/strand_block.h"

typedef struct coif_wind_occlusion {
    const coif_grid_transform *map;
    float area;  // k, m2/kg
    double time; // at which forces are asked for the wind
    coif_plugin_instance *const *forces;
    int32_t force_count;
} coif_wind_occlusion;

// What is left of the wind at every node that has hair, exp(-k S), goes into the fourth number of
// what is felt there, in place of the density.
void coif_wind_occlusion_compute(coif_hair_grid *field, const coif_wind_occlusion *shelter,
                                 coif_jobs *jobs);

// The motion of a grid, as the world sees it.
coif_rigid_velocity coif_wind_occlusion_rigid_velocity(const coif_grid_transform *map);

// Air in the work becomes what the points of a block get of it.
void coif_wind_occlusion_apply(const coif_strand_block *block, coif_solver_scratch *scratch,
                               const coif_rigid_velocity *drift);

#endif
