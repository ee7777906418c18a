// crowd_pose: where the grid of a crowd is: it goes along with the roots of the hair.
#ifndef COIF_SIM_INTERACTION_GRID_FRAME_H
#define COIF_SIM_INTERACTION_GRID_FRAME_H

#include "sim/interaction/hair_interaction.h"

// Places of the grid are turn^T (x - origin) / cell.
typedef struct coif_crowd_pose {
    double origin[3];
    double turn[3][3]; // from the groom at rest to now
} coif_crowd_pose;

// The rigid motion nearest to that of the roots, at a moment of the frame.
void coif_crowd_pose_find(coif_crowd_pose *pose, const struct coif_solver *solver,
                          const coif_crowd_moment *between, float moment);

// The same as single floats: points and velocities to the grid and accelerations back. Columns,
// with a fourth number that is not used.
typedef struct coif_crowd_map {
    coif_vec3 origin;
    coif_four axes[3];  // of the world, seen from the grid
    coif_four speed;    // of the grid's origin, along its axes
    coif_four whirl[3]; // and how much more of it per cell along each axis of the grid
    coif_mat3 to_grid;
    float cells_per_metre;
} coif_crowd_map;

void coif_crowd_map_make(coif_crowd_map *map, const coif_crowd_pose *from,
                         const coif_crowd_pose *to, double seconds, float cell);

// The grid's place of a point of the world, in cells.
static inline coif_four coif_crowd_place(const coif_crowd_map *map, float x, float y, float z)
{
    const coif_four local = map->axes[0] * (x - map->origin.x) +
                            map->axes[1] * (y - map->origin.y) + map->axes[2] * (z - map->origin.z);
    return local * map->cells_per_metre;
}

// Velocity against the grid, along its axes, of a point at a place of the grid.
static inline coif_four coif_crowd_speed(const coif_crowd_map *map, coif_four place, float vx,
                                         float vy, float vz)
{
    const coif_four own =
        map->speed + map->whirl[0] * place[0] + map->whirl[1] * place[1] + map->whirl[2] * place[2];
    return map->axes[0] * vx + map->axes[1] * vy + map->axes[2] * vz - own;
}

#endif
