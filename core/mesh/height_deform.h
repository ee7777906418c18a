// Deformation of a body that varies with rest height, as of a head on its neck.
//
// Each height has an affine transform. Transforms are stored at uniform levels and interpolated;
// below the lowest and above the highest level the motion is rigid.
#ifndef COIF_CORE_MESH_HEIGHT_DEFORM_H
#define COIF_CORE_MESH_HEIGHT_DEFORM_H

#include "core/mesh/affine.h"

#include <stdint.h>

enum { COIF_HEIGHT_DEFORM_LEVELS = 64 };

typedef struct coif_height_deform {
    float low, high; // rest heights of the first and the last level
    coif_affine level[COIF_HEIGHT_DEFORM_LEVELS + 1]; // from rest to posed
} coif_height_deform;

// Level below a height, and the fraction to the next level; exactly 0 at the first and 1 at the
// last.
static inline int32_t coif_height_deform_find(const coif_height_deform *deform, float height,
                                              float *fraction)
{
    const float at =
        (height - deform->low) / (deform->high - deform->low) * COIF_HEIGHT_DEFORM_LEVELS;
    const int32_t level = at >= COIF_HEIGHT_DEFORM_LEVELS - 1 ? COIF_HEIGHT_DEFORM_LEVELS - 1
                          : at > 0.0f                         ? (int32_t)at
                                                              : 0;
    *fraction = coif_clamp(at - (float)level, 0.0f, 1.0f);
    return level;
}

// (1 - t) a + t b: exactly a at 0 and b at 1.
static inline coif_affine coif_affine_mix(const coif_affine *a, const coif_affine *b, float t)
{
    coif_affine mix;
    for (int r = 0; r < 3; ++r) {
        mix.linear.row[r] = coif_mad(coif_scale(a->linear.row[r], 1.0f - t), t, b->linear.row[r]);
    }
    mix.translation = coif_mad(coif_scale(a->translation, 1.0f - t), t, b->translation);
    return mix;
}

// Transform at a height.
static inline coif_affine coif_height_deform_at(const coif_height_deform *deform, float height)
{
    float fraction;
    const int32_t level = coif_height_deform_find(deform, height, &fraction);
    return coif_affine_mix(&deform->level[level], &deform->level[level + 1], fraction);
}

#endif
