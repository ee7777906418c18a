// coif/plait.h: centrelines of the locks of a braid, in its cross-section.
//
// Flat plaits of n locks: all locks follow one closed curve at phases 2 pi k / n,
//
//   x = X(phase),   y = sin((n - 1) (phase - pi / 2))
//
// X rises and falls between -1 and 1: sin(phase) for three locks, which gives the Lissajous curve
// that Hu et al. 2014 (Capturing Braided Hairstyles, ACM TOG 33(6)) fit to photographed braids, and
// a rounded triangle wave for more, so that locks lie side by side. Locks j and k meet where their
// phases are pi/2 + pi m +- pi d / n, d = j - k; there y is -+ sin((n - 1) pi d / n), so that one
// passes over the other and every lock passes over and under in turn. Two locks make a rope.
//
// Fishtails: a lock passes over the front from one edge past the middle, then moves back to the
// edge of the other side beneath the locks that follow.
#ifndef COIF_PLUGIN_PLAIT_H
#define COIF_PLUGIN_PLAIT_H

#include <coif/deterministic_math.h>

// Position in the cross-section, -1 to 1 along both axes.
typedef struct coif_kit_plait_point {
    float x, y;
} coif_kit_plait_point;

// Phase of lock k after `turns` periods, radians in [0, 2 pi). At 0 turns no two locks meet.
static inline float coif_kit_plait_phase(int32_t locks, int32_t k, float turns)
{
    const float cycle = turns + ((float)k + 0.25f) / (float)locks + 0.25f;
    return 2.0f * COIF_KIT_PI * (cycle - floorf(cycle));
}

// Centre of a lock of a flat plait.
static inline coif_kit_plait_point coif_kit_plait_flat(int32_t locks, float phase)
{
    coif_kit_plait_point at;
    const float third = locks > 3 ? 1.0f / 9.0f : 0.0f;
    at.x = (coif_kit_sin(phase) - third * coif_kit_sin(3.0f * phase)) / (1.0f + third);
    at.y = coif_kit_sin((float)(locks - 1) * (phase - 0.5f * COIF_KIT_PI));
    return at;
}

// Centre of a lock of a fishtail.
static inline coif_kit_plait_point coif_kit_plait_fishtail(float phase)
{
    const float crossing = 0.4f, past = 0.12f; // fraction of the half period; of the half width
    const float half = phase / COIF_KIT_PI;
    const float side = half < 1.0f ? 1.0f : -1.0f, t = half < 1.0f ? half : half - 1.0f;
    coif_kit_plait_point at;
    if (t < crossing) {
        const float u = t / crossing;
        at.x = side * (1.0f - (1.0f + past) * u);
        at.y = coif_kit_sin(0.5f * COIF_KIT_PI * u);
    } else {
        const float u = (t - crossing) / (1.0f - crossing);
        at.x = -side * coif_kit_mix(past, 1.0f, u);
        at.y = 1.0f - coif_kit_smoothstep(3.0f * u) - coif_kit_sin(COIF_KIT_PI * u);
    }
    return at;
}

#endif
