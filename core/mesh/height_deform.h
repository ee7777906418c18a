// flex: the motion of a body that differs with the height at rest, as that of a head on its neck.
//
// Each height has a turn and a shift of its own. They are noted at even heights, levels, and mixed
// in between; below the lowest and above the highest the body is one piece.
#ifndef COIF_CORE_MESH_HEIGHT_DEFORM_H
#define COIF_CORE_MESH_HEIGHT_DEFORM_H

#include "core/mesh/affine.h"

#include <stdint.h>

enum { COIF_HEIGHT_DEFORM_LEVELS = 64 };

typedef struct coif_height_deform {
    float low, high; // heights at rest, of the first and the last level
    coif_affine level[COIF_HEIGHT_DEFORM_LEVELS + 1]; // from the rest pose to where it is
} coif_height_deform;

// Where a height lies: between this level and the next, and how far. Both ends are exact: 0 at the
// first level, 1 at the last.
static inline int32_t coif_height_deform_find(const coif_height_deform *flex, float height,
                                              float *share)
{
    const float at = (height - flex->low) / (flex->high - flex->low) * COIF_HEIGHT_DEFORM_LEVELS;
    const int32_t level = at >= COIF_HEIGHT_DEFORM_LEVELS - 1 ? COIF_HEIGHT_DEFORM_LEVELS - 1
                          : at > 0.0f                         ? (int32_t)at
                                                              : 0;
    *share = coif_clamp(at - (float)level, 0.0f, 1.0f);
    return level;
}

// (1 - share) a + share b: exactly a at 0 and b at 1.
static inline coif_affine coif_affine_mix(const coif_affine *a, const coif_affine *b, float share)
{
    coif_affine mix;
    for (int r = 0; r < 3; ++r) {
        mix.linear.row[r] =
            coif_mad(coif_scale(a->linear.row[r], 1.0f - share), share, b->linear.row[r]);
    }
    mix.translation = coif_mad(coif_scale(a->translation, 1.0f - share), share, b->translation);
    return mix;
}

// The motion at a height.
static inline coif_affine coif_height_deform_at(const coif_height_deform *flex, float height)
{
    float share;
    const int32_t level = coif_height_deform_find(flex, height, &share);
    return coif_affine_mix(&flex->level[level], &flex->level[level + 1], share);
}

#endif
