// sdf_simd: lower bound of the distance to a body, for as many positions as a kernel has lanes.
#ifndef COIF_CORE_COLLISION_SDF_SIMD_H
#define COIF_CORE_COLLISION_SDF_SIMD_H

#include "core/collision/sdf.h"
#include "core/simd/simd_vec3.h"

// Lower bound of the distance; negative deep inside. The distance is 1-Lipschitz, so it differs
// from that of the brick centre by at most the distance to that centre.
static inline coif_simd sdf_lower_bound(const coif_sdf *sdf, simd_vec3 p)
{
    const float side = COIF_SDF_BRICK_CELLS * sdf->cell;
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd grid[3] = {(p.x - sdf->low.x) / side, (p.y - sdf->low.y) / side,
                               (p.z - sdf->low.z) / side};
    coif_simd_mask in_grid = zero == zero;
    coif_simd_mask brick = {0};
    coif_simd center_distance2 = zero;
    coif_simd grid_distance2 = zero;
    for (int a = 2; a >= 0; --a) {
        const float size = (float)sdf->size[a];
        const coif_simd_mask inside = (grid[a] >= 0.0f) & (grid[a] < size);
        in_grid &= inside;
        // Outside the grid the value may not fit into an integer.
        const coif_simd clamped = coif_simd_select(inside, grid[a], zero);
        const coif_simd_mask cell = __builtin_convertvector(clamped, coif_simd_mask);
        const coif_simd offset = clamped - __builtin_convertvector(cell, coif_simd) - 0.5f;
        const coif_simd outside = coif_simd_max(coif_simd_max(-grid[a], grid[a] - size), zero);
        brick = brick * sdf->size[a] + cell;
        center_distance2 += offset * offset;
        grid_distance2 += outside * outside;
    }
    coif_simd center_distance = zero;
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        center_distance[lane] = coif_sdf_center_distance(sdf, brick[lane]);
    }
    const coif_simd radius = 1.0001f * side * coif_simd_sqrt(center_distance2) + 1e-6f;
    const coif_simd bound =
        coif_simd_max(coif_simd_max(center_distance, -center_distance) - radius, zero);
    return coif_simd_select(in_grid, coif_simd_select(center_distance < 0.0f, -bound, bound),
                            sdf->outside_bound + 0.9999f * side * coif_simd_sqrt(grid_distance2));
}

static inline float sdf_lower_bound_at(const coif_sdf *sdf, coif_vec3 p)
{
    const simd_vec3 position = {coif_simd_all(p.x), coif_simd_all(p.y), coif_simd_all(p.z)};
    return sdf_lower_bound(sdf, position)[0];
}

#endif
