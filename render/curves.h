// curves: strands as the ray tracer wants them.
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
#ifndef COIF_RENDER_CURVES_H
#define COIF_RENDER_CURVES_H

#include "core/strands.h"

typedef enum coif_curve_kind {
    COIF_CURVE_ROUND = 0,  // B-splines with a round section: the fibre as it is
    COIF_CURVE_FLAT = 1,   // B-spline ribbons that face the ray: quicker, no contact within 2 radii
    COIF_CURVE_LINEAR = 2, // straight cones: least memory
} coif_curve_kind;

typedef struct coif_curves {
    coif_curve_kind kind;
    int32_t strand_count;
    int32_t control_count;
    int32_t segment_count;
    coif_vec4 *controls;
    uint32_t *indices; // per segment: its first control point
    uint8_t *flags;    // per segment, LINEAR only: 1 a segment before it, 2 one after it
} coif_curves;

coif_status coif_curves_init(coif_curves *curves, const coif_strands *strands, coif_curve_kind kind,
                             coif_arena *arena, coif_jobs *jobs, coif_error *error);

// A place on a segment, u from 0 to 1: centre and radius, and the derivative of both.
void coif_curves_at(const coif_curves *curves, int32_t segment, float u, coif_vec4 *point,
                    coif_vec4 *derivative);

// Whose segment it is.
static inline int32_t coif_curves_strand(const coif_curves *curves, int32_t segment)
{
    const int32_t inset = curves->kind == COIF_CURVE_LINEAR ? 1 : 0;
    return ((int32_t)curves->indices[segment] - inset - segment) / 3;
}

#endif
