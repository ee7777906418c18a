// wind_occlusion: attenuation of wind by the hair upstream (Beer-Lambert law).
//
// Air flowing through hair loses speed to drag: per metre the fraction  C_d s r / 2  where C_d is
// the drag coefficient of cylinders, s their area per kilogram and r the density of hair. So
//
//   u' = w + (u - w) exp(-k S)        k = C_d s / 2        S = integral of r upstream
//
// with w the velocity of the scalp, extended as a rigid motion: air between hairs moves with
// them, and a head that moves through still air is in the wind.
#ifndef COIF_SIM_INTERACTION_WIND_OCCLUSION_H
#define COIF_SIM_INTERACTION_WIND_OCCLUSION_H

#include "sim/interaction/grid_frame.h"
#include "sim/interaction/hair_grid.h"

typedef struct coif_wind_occlusion {
    const coif_grid_transform *transform;
    float area;  // k, m2/kg
    double time; // at which wind is evaluated
    const coif_solver_forces *forces;
} coif_wind_occlusion;

// Computes the fraction of wind left at every node with hair, exp(-k S), into component 3 of the
// response, replacing the density.
void coif_wind_occlusion_compute(coif_hair_grid *grid, const coif_wind_occlusion *occlusion,
                                 coif_jobs *jobs);

// Attenuates the wind of a block in the scratch to a fraction per point, relative to the grid.
void coif_wind_occlusion_apply(const coif_strand_block *block, const float *fractions,
                               const coif_rigid_velocity *rigid, coif_solver_scratch *scratch);

#endif
