// coif/shorten.h: shortens strands along their curve, for groom modifiers that cut hair.
//
// All functions are static inline; [worker].
#ifndef COIF_PLUGIN_SHORTEN_H
#define COIF_PLUGIN_SHORTEN_H

#include <coif/strand.h>

// Uniform Catmull-Rom spline between p[1] (t = 0) and p[2] (t = 1) (Catmull and Rom 1974).
static inline coif_kit_vec coif_kit_catmull_rom(const coif_kit_vec p[4], float t)
{
    const float a = 0.5f * (-t + 2.0f * t * t - t * t * t);
    const float b = 0.5f * (2.0f - 5.0f * t * t + 3.0f * t * t * t);
    const float c = 0.5f * (t + 4.0f * t * t - 3.0f * t * t * t);
    const float d = 0.5f * (t * t * t - t * t);
    return coif_kit_mad(coif_kit_mad(coif_kit_mad(coif_kit_scale(p[0], a), b, p[1]), c, p[2]), d,
                        p[3]);
}

// Length of the segment from a point of the batch to the next, m.
static inline float coif_kit_segment_length(const coif_groom_batch *batch, int32_t point)
{
    return coif_kit_length(
        coif_kit_sub(coif_kit_point(batch, point + 1), coif_kit_point(batch, point)));
}

// Keeps the given fraction of a strand of length `length` (m), resampled to the same number of
// points.
//
// Works in place from tip to root: points move towards the root, so the samples still needed are
// unchanged, except for the point just written, whose old position is kept in `next`.
static inline void coif_kit_shorten(const coif_groom_batch *batch, int32_t strand, float length,
                                    float fraction)
{
    const int32_t root = batch->first[strand], tip = batch->first[strand + 1] - 1;
    coif_kit_vec next = coif_kit_point(batch, tip);
    float distance = length;                                     // old arc length of the point
    int32_t from = tip - 1;                                      // segment being sampled
    float begin = length - coif_kit_segment_length(batch, from); // arc length of its first point
    for (int32_t point = tip; point > root; --point) {
        const coif_kit_vec present = coif_kit_point(batch, point);
        const float before = distance - coif_kit_segment_length(batch, point - 1);
        const float target = fraction * distance;
        while (from > root && begin > target) {
            --from;
            begin -= coif_kit_segment_length(batch, from);
        }
        const float span = coif_kit_segment_length(batch, from);
        const float t = span > 0.0f ? coif_kit_clamp((target - begin) / span, 0.0f, 1.0f) : 0.0f;
        coif_kit_vec p[4];
        for (int32_t k = 0; k < 4; ++k) {
            const int32_t wanted = from - 1 + k;
            const int32_t inside = wanted < root ? root : wanted > tip ? tip : wanted;
            p[k] = inside > point ? next : coif_kit_point(batch, inside);
        }
        // Beyond an end: extrapolate the parabola through the last three points, or linearly.
        const int at_root = from == root, at_tip = from + 1 == tip;
        if (at_root) {
            p[0] =
                coif_kit_mad(at_tip ? p[2] : p[3], at_tip ? 2.0f : 3.0f, coif_kit_sub(p[1], p[2]));
        }
        if (at_tip) {
            p[3] = coif_kit_mad(at_root ? p[1] : p[0], at_root ? 2.0f : 3.0f,
                                coif_kit_sub(p[2], p[1]));
        }
        const float radius = coif_kit_mix(batch->radius[from], batch->radius[from + 1], t);
        coif_kit_set_point(batch, point, coif_kit_catmull_rom(p, t));
        batch->radius[point] = radius;
        next = present;
        distance = before;
    }
}

#endif
