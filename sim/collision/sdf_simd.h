// shell, wide: how far a body is away at least, for as many places as a kernel has lanes.
#ifndef COIF_SIM_COLLISION_SDF_SIMD_H
#define COIF_SIM_COLLISION_SDF_SIMD_H

#include "sim/collision/sdf.h"
#include "sim/solver/simd/simd_vec3.h"

// Nothing of the body is nearer to the places than this; below zero deep inside. Distances differ
// by no more than the way from the middle of a block.
static inline coif_simd shell_bound(const coif_sdf *shell, wide3 p)
{
    const float side = COIF_SDF_BRICK_CELLS * shell->cell;
    const coif_simd none = coif_simd_all(0.0f);
    const coif_simd at[3] = {(p.x - shell->low.x) / side, (p.y - shell->low.y) / side,
                             (p.z - shell->low.z) / side};
    coif_simd_mask within = none == none;
    coif_simd_mask block = {0};
    coif_simd from_middle = none;
    coif_simd from_blocks = none;
    for (int a = 2; a >= 0; --a) {
        const float size = (float)shell->size[a];
        const coif_simd_mask inside = (at[a] >= 0.0f) & (at[a] < size);
        within &= inside;
        // What is not within may not fit into an integer.
        const coif_simd sane = coif_simd_select(inside, at[a], none);
        const coif_simd_mask whole = __builtin_convertvector(sane, coif_simd_mask);
        const coif_simd off = sane - __builtin_convertvector(whole, coif_simd) - 0.5f;
        const coif_simd out = coif_simd_max(coif_simd_max(-at[a], at[a] - size), none);
        block = block * shell->size[a] + whole;
        from_middle += off * off;
        from_blocks += out * out;
    }
    coif_simd found = none;
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        found[lane] = shell->middle[block[lane]];
    }
    const coif_simd away = 1.0001f * side * coif_simd_sqrt(from_middle) + 1e-6f;
    const coif_simd least = coif_simd_max(coif_simd_max(found, -found) - away, none);
    return coif_simd_select(within, coif_simd_select(found < 0.0f, -least, least),
                            shell->beyond + 0.9999f * side * coif_simd_sqrt(from_blocks));
}

static inline float shell_bound_at(const coif_sdf *shell, coif_vec3 p)
{
    const wide3 place = {coif_simd_all(p.x), coif_simd_all(p.y), coif_simd_all(p.z)};
    return shell_bound(shell, place)[0];
}

#endif
