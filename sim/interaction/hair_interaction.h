// crowd: what strands do to each other.
//
// Samples of every segment go into a field of density and momentum that travels with the scalp;
// from there come friction towards the mean motion of the hair around, and pressure where hair is
// denser than in the groom. Both act as a steady acceleration until the field is made again. Hair
// in its rest shape on a body that moves as one piece feels exactly nothing.
#ifndef COIF_SIM_INTERACTION_HAIR_INTERACTION_H
#define COIF_SIM_INTERACTION_HAIR_INTERACTION_H

#include "core/mesh/mesh.h"
#include "plugins/host/host.h"
#include "sim/interaction/hair_grid.h"
#include "sim/run/sim_params.h"

struct coif_solver;

// How a rigid body moves: at x with speed + whirl (x - origin), by columns.
typedef struct coif_rigid_velocity {
    coif_vec3 origin, speed;
    coif_vec3 whirl[3];
} coif_rigid_velocity;

static inline coif_vec3 coif_rigid_velocity_at(const coif_rigid_velocity *drift, coif_vec3 x)
{
    const coif_vec3 away = coif_sub(x, drift->origin);
    return coif_mad(
        coif_mad(coif_mad(drift->speed, away.x, drift->whirl[0]), away.y, drift->whirl[1]), away.z,
        drift->whirl[2]);
}

typedef struct coif_hair_interaction {
    bool ready;
    float cell;      // metres
    int32_t *before; // per block, and one more: strands in the blocks before it
    float hairs;     // for which each strand stands
    bool halves;     // segments have two samples, not one
    int32_t groups;  // of strands, each with a splat of its own; depends on nothing but the groom
    coif_rigid_velocity drift; // of the grid, since strands last met
} coif_hair_interaction;

// Whether any of this is asked for.
bool coif_hair_interaction_enabled(const coif_sim_params *params);

// Measures the groom at rest, once. Changes the poses of roots in the blocks.
void coif_hair_interaction_measure_rest(struct coif_solver *solver, const coif_sim_params *params,
                                        coif_solver_scratch *works, coif_jobs *jobs);

typedef struct coif_interaction_interval {
    const coif_mesh *begin, *end; // the body at both ends of the frame
    float from, to;               // moments of the frame between which the field acts, 0 to 1
    double seconds;               // between them
    double time;                  // at which forces are asked for the wind, see shelter.h
    coif_plugin_instance *const *forces;
    int32_t force_count;
} coif_interaction_interval;

// What every point is to feel from now on: the rows jostle_x, y, z and shelter of the blocks.
void coif_hair_interaction_update(struct coif_solver *solver, const coif_sim_params *params,
                                  const coif_interaction_interval *moment, coif_jobs *jobs);

#endif
