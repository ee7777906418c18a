// Strands as B-spline curves for Embree.
//
// A drawn strand is the interpolating cubic B-spline of its points: it passes through every point,
// starts at the root and ends at the tip. A strand of N points has N + 2 control points C, from
//
//   (C_i + 4 C_i+1 + C_i+2) / 6 = P_i,   i = 0 .. N - 1        C" = 0 at both ends
//
// a tridiagonal system with a constant matrix. Segment k of a strand is one B-spline segment
// between P_k and P_k+1. For straight (linear) segments the control points are the points
// themselves and the two outer ones are not used.
//
// The control points of strand s begin at first[s] + 2 s and its segments at first[s] - s. So the
// strand of a segment follows from its entry in the index buffer, and no table is needed.
//
// Strands with motion blur have control points at several time steps, evenly spaced over the
// shutter interval and linearly interpolated; time is 0 to 1 within it.
#ifndef COIF_RENDER_GEOMETRY_BSPLINE_CURVES_H
#define COIF_RENDER_GEOMETRY_BSPLINE_CURVES_H

#include "core/hair/strands.h"

typedef enum coif_curve_kind {
    COIF_CURVE_ROUND = 0,  // B-splines with a round cross section
    COIF_CURVE_FLAT = 1,   // B-spline ribbons facing the ray: faster; Embree ignores hits within 2
                           // radii of the origin
    COIF_CURVE_LINEAR = 2, // linear segments (cones): least memory
    COIF_CURVE_RIBBON = 3, // B-spline ribbons with normals (ribbon_orientation.h): grass
} coif_curve_kind;
// Names of the kinds without ribbon, which needs normals of the groom; NULL-terminated.
extern const char *const COIF_CURVE_NAMES[];

typedef struct coif_bspline_curves {
    coif_curve_kind kind;
    int32_t strand_count;
    int32_t control_count;
    int32_t segment_count;
    int32_t step_count;
    int32_t segments_per_strand; // where all strands have as many, else 0
    coif_vec4 *controls;         // control_count per step
    float *true_radius; // per control point: radius before min_pixel_width.h widened it; NULL: not
                        // widened
    float *opacity;     // per control point; NULL: opaque
    coif_vec3 *normals; // control_count per step: of ribbons, or minor axes of elliptical fibres;
                        // NULL: neither
    const float *section_ratio; // per strand: major over minor axis (ellipse.h); NULL: round
    uint32_t *indices;          // per segment: its first control point
    uint8_t *flags;             // per segment, LINEAR only: 1 has a left neighbour, 2 a right one
} coif_bspline_curves;

coif_status coif_bspline_curves_init(coif_bspline_curves *curves, const coif_strands *strands,
                                     coif_curve_kind kind, coif_arena *arena, coif_jobs *jobs,
                                     coif_error *error);

// The same in two stages, for motion blur: allocation for a topology, then the control points of
// one time step after another.
coif_status coif_bspline_curves_alloc(coif_bspline_curves *curves, const coif_strands *strands,
                                      coif_curve_kind kind, int32_t step_count, coif_arena *arena,
                                      coif_error *error);
void coif_bspline_curves_fill(coif_bspline_curves *curves, int32_t step,
                              const coif_strands *strands, coif_jobs *jobs);

// The control points of one step.
static inline coif_vec4 *coif_bspline_curves_step(const coif_bspline_curves *curves, int32_t step)
{
    return curves->controls + (size_t)step * (size_t)curves->control_count;
}

// A point on a segment, u and time from 0 to 1.
typedef struct coif_curve_coord {
    int32_t segment;
    float u, time;
} coif_curve_coord;

// Centre and radius, and their derivatives by u.
void coif_bspline_curves_at(const coif_bspline_curves *curves, coif_curve_coord coord,
                            coif_vec4 *point, coif_vec4 *derivative);

// Whether hits are accepted by opacity.
static inline bool coif_bspline_curves_are_transparent(const coif_bspline_curves *curves)
{
    return curves->true_radius != NULL || curves->opacity != NULL;
}

// Opacity of transparent curves; that of a widened strand is scaled by true radius over widened
// radius.
float coif_bspline_curves_opacity(const coif_bspline_curves *curves, coif_curve_coord coord);

// The normal at a position, interpolated and not normalised.
coif_vec3 coif_bspline_curves_normal(const coif_bspline_curves *curves, coif_curve_coord coord);

// The offset h across the width, -1 to 1: v of Embree's flat curves; on round fibres from the
// normal of the hit. Y and z: the frame across the fibre, y towards the observer.
float coif_curve_offset(coif_curve_kind kind, float v, coif_vec3 normal, coif_vec3 y, coif_vec3 z);

// Scales the radii of a step to the major semi-axis of section_ratio.
void coif_bspline_curves_widen_sections(coif_bspline_curves *curves, int32_t step,
                                        const coif_strands *strands);

// The time step before a time, and the fraction towards the next one; step_count is at least 2.
static inline int32_t coif_motion_step_at(int32_t step_count, float time, float *fraction)
{
    const float coord = time * (float)(step_count - 1);
    int32_t step = (int32_t)coord;
    step = step > step_count - 2 ? step_count - 2 : step;
    *fraction = coord - (float)step;
    return step;
}

// The strand of a segment.
static inline int32_t coif_bspline_curves_strand(const coif_bspline_curves *curves, int32_t segment)
{
    if (curves->segments_per_strand > 0) {
        return segment / curves->segments_per_strand;
    }
    const int32_t inset = curves->kind == COIF_CURVE_LINEAR ? 1 : 0;
    return ((int32_t)curves->indices[segment] - inset - segment) / 3;
}

// A segment's first control point. A division is much faster than the cache miss on the index
// buffer.
static inline size_t coif_bspline_curves_first(const coif_bspline_curves *curves, int32_t segment)
{
    if (curves->segments_per_strand > 0) {
        const int32_t inset = curves->kind == COIF_CURVE_LINEAR ? 1 : 0;
        return (size_t)segment + 3 * (size_t)(segment / curves->segments_per_strand) +
               (size_t)inset;
    }
    return curves->indices[segment];
}

#endif
