// grid_frame: rigid frame of the hair grid, which follows the roots.
#ifndef COIF_SIM_INTERACTION_GRID_FRAME_H
#define COIF_SIM_INTERACTION_GRID_FRAME_H

#include "core/simd/simd_float4.h"
#include "sim/solver/solver.h"

// Grid positions are rotation^T (x - origin) / cell.
typedef struct coif_grid_frame {
    double origin[3];
    double rotation[3][3]; // from the rest pose
} coif_grid_frame;

// Roots of strands at rest and at both ends of a time frame.
typedef struct coif_root_motion {
    int32_t count;
    const coif_root_pose *rest, *begin, *end;
} coif_root_motion;

// Best-fit rigid motion of the roots (polar decomposition) at a time of the frame, 0 to 1.
void coif_grid_frame_fit(coif_grid_frame *frame, const coif_root_motion *roots, float time);

// Velocity field of a rigid motion: linear + gradient (x - origin), by columns.
typedef struct coif_rigid_velocity {
    coif_vec3 origin, linear;
    coif_vec3 gradient[3];
} coif_rigid_velocity;

static inline coif_vec3 coif_rigid_velocity_at(const coif_rigid_velocity *rigid, coif_vec3 x)
{
    const coif_vec3 away = coif_sub(x, rigid->origin);
    return coif_mad(
        coif_mad(coif_mad(rigid->linear, away.x, rigid->gradient[0]), away.y, rigid->gradient[1]),
        away.z, rigid->gradient[2]);
}

// Single precision transform between world and grid space, and the velocity of the grid.
// Columns, component 3 unused.
typedef struct coif_grid_transform {
    coif_vec3 origin;
    simd_float4 axes[3];              // world axes in grid space
    simd_float4 velocity;             // of the origin of the grid, in grid space
    simd_float4 velocity_gradient[3]; // per cell along each axis of the grid
    coif_mat3 to_grid;
    float cells_per_metre;
} coif_grid_transform;

void coif_grid_transform_make(coif_grid_transform *transform, const coif_grid_frame *from,
                              const coif_grid_frame *to, double seconds, float cell);

// Velocity field of the grid in world space.
coif_rigid_velocity coif_grid_transform_rigid_velocity(const coif_grid_transform *transform);

// World position to grid position, in cells.
static inline simd_float4 coif_grid_transform_point(const coif_grid_transform *transform, float x,
                                                    float y, float z)
{
    const simd_float4 local = transform->axes[0] * (x - transform->origin.x) +
                              transform->axes[1] * (y - transform->origin.y) +
                              transform->axes[2] * (z - transform->origin.z);
    return local * transform->cells_per_metre;
}

// Velocity relative to the grid, in grid space, of a point at a grid position.
static inline simd_float4 coif_grid_transform_velocity(const coif_grid_transform *transform,
                                                       simd_float4 position, float vx, float vy,
                                                       float vz)
{
    const simd_float4 grid_velocity = transform->velocity +
                                      transform->velocity_gradient[0] * position[0] +
                                      transform->velocity_gradient[1] * position[1] +
                                      transform->velocity_gradient[2] * position[2];
    return transform->axes[0] * vx + transform->axes[1] * vy + transform->axes[2] * vz -
           grid_velocity;
}

#endif
