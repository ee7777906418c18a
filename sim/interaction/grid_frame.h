// crowd_pose: where the grid of a crowd is: it goes along with the roots of the hair.
#ifndef COIF_SIM_INTERACTION_GRID_FRAME_H
#define COIF_SIM_INTERACTION_GRID_FRAME_H

#include "sim/interaction/hair_interaction.h"

// Places of the grid are turn^T (x - origin) / cell.
typedef struct coif_grid_frame {
    double origin[3];
    double turn[3][3]; // from the groom at rest to now
} coif_grid_frame;

// The rigid motion nearest to that of the roots, at a moment of the frame.
void coif_grid_frame_fit(coif_grid_frame *pose, const struct coif_solver *solver,
                         const coif_interaction_interval *between, float moment);

// The same as single floats: points and velocities to the grid and accelerations back. Columns,
// with a fourth number that is not used.
typedef struct coif_grid_transform {
    coif_vec3 origin;
    simd_float4 axes[3];  // of the world, seen from the grid
    simd_float4 speed;    // of the grid's origin, along its axes
    simd_float4 whirl[3]; // and how much more of it per cell along each axis of the grid
    coif_mat3 to_grid;
    float cells_per_metre;
} coif_grid_transform;

void coif_grid_transform_make(coif_grid_transform *map, const coif_grid_frame *from,
                              const coif_grid_frame *to, double seconds, float cell);

// The grid's place of a point of the world, in cells.
static inline simd_float4 coif_grid_transform_point(const coif_grid_transform *map, float x,
                                                    float y, float z)
{
    const simd_float4 local = map->axes[0] * (x - map->origin.x) +
                              map->axes[1] * (y - map->origin.y) +
                              map->axes[2] * (z - map->origin.z);
    return local * map->cells_per_metre;
}

// Velocity against the grid, along its axes, of a point at a place of the grid.
static inline simd_float4 coif_grid_transform_velocity(const coif_grid_transform *map,
                                                       simd_float4 place, float vx, float vy,
                                                       float vz)
{
    const simd_float4 own =
        map->speed + map->whirl[0] * place[0] + map->whirl[1] * place[1] + map->whirl[2] * place[2];
    return map->axes[0] * vx + map->axes[1] * vy + map->axes[2] * vz - own;
}

#endif
