// Pinned splines in formats without them.
#include "core/archive/spline_ends.h"

#include "core/base/arena.h"

#include <string.h>

// Copies an array of values per point with one more at each end of a curve: extrapolated, or equal.
static void *extend(const coif_archive_curves *curves, const float *from, int components,
                    float slope, coif_arena *arena)
{
    const int32_t count = curves->point_count + 2 * curves->curve_count;
    float *values = coif_arena_new(arena, (size_t)count * (size_t)components, float), *to = values;
    for (int32_t c = 0; c < curves->curve_count; ++c) {
        const int32_t size = curves->counts[c] * components;
        const float *last = from + size - components;
        for (int k = 0; k < components; ++k) {
            const float before = size > components ? from[k] - from[k + components] : 0.0f;
            const float after = size > components ? last[k] - last[k - components] : 0.0f;
            to[k] = from[k] + slope * before;
            to[components + size + k] = last[k] + slope * after;
        }
        memcpy(to + components, from, (size_t)size * sizeof *to);
        to += size + 2 * components;
        from += size;
    }
    return values;
}

void coif_curves_add_ends(coif_archive_curves *curves, coif_arena *arena)
{
    if (curves->basis == COIF_BASIS_LINEAR || !curves->pinned || curves->periodic) {
        return;
    }
    curves->points = extend(curves, &curves->points->x, 3, 1.0f, arena);
    if (curves->velocities != NULL) {
        curves->velocities = extend(curves, &curves->velocities->x, 3, 1.0f, arena);
    }
    if (curves->colors != NULL) {
        curves->colors = extend(curves, &curves->colors->x, 3, 0.0f, arena);
    }
    if (curves->widths != NULL) {
        curves->widths = extend(curves, curves->widths, 1, 0.0f, arena);
    }
    int32_t *counts = coif_arena_new(arena, curves->curve_count, int32_t);
    for (int32_t c = 0; c < curves->curve_count; ++c) {
        counts[c] = curves->counts[c] + 2;
    }
    curves->counts = counts;
    curves->point_count += 2 * curves->curve_count;
    curves->pinned = false;
}

// Moves values per point to the front without those at the ends of each curve.
static void cut(void *values, size_t bytes, const coif_archive_curves *curves)
{
    char *to = values;
    const char *from = values;
    for (int32_t c = 0; values != NULL && c < curves->curve_count; ++c) {
        const size_t kept = (size_t)curves->counts[c] - 2;
        memmove(to, from + bytes, kept * bytes);
        to += kept * bytes;
        from += (kept + 2) * bytes;
    }
}

void coif_curves_remove_ends(coif_archive_curves *curves)
{
    for (int32_t c = 0; c < curves->curve_count; ++c) {
        if (curves->counts[c] < 4) {
            return;
        }
    }
    cut(curves->points, sizeof *curves->points, curves);
    cut(curves->velocities, sizeof *curves->velocities, curves);
    cut(curves->widths, sizeof *curves->widths, curves);
    cut(curves->colors, sizeof *curves->colors, curves);
    for (int32_t c = 0; c < curves->curve_count; ++c) {
        curves->counts[c] -= 2;
    }
    curves->point_count -= 2 * curves->curve_count;
    curves->pinned = true;
}
