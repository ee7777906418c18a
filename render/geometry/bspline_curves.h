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
//
// Strands that move while the shutter is open have their control points at several steps, evenly
// spread over that time and straight between: a place in time is a share of it.
#ifndef COIF_RENDER_GEOMETRY_BSPLINE_CURVES_H
#define COIF_RENDER_GEOMETRY_BSPLINE_CURVES_H

#include "core/hair/strands.h"

typedef enum coif_curve_kind {
    COIF_CURVE_ROUND = 0,  // B-splines with a round section: the fibre as it is
    COIF_CURVE_FLAT = 1,   // B-spline ribbons that face the ray: quicker, no contact within 2 radii
    COIF_CURVE_LINEAR = 2, // straight cones: least memory
    COIF_CURVE_RIBBON = 3, // flat B-spline bands that face where their normals do (blade.h): grass
} coif_curve_kind;

typedef struct coif_bspline_curves {
    coif_curve_kind kind;
    int32_t strand_count;
    int32_t control_count;
    int32_t segment_count;
    int32_t step_count;
    int32_t even;        // segments of every strand where all have as many, else 0
    coif_vec4 *controls; // control_count per step
    float *thin; // per control point: radius before it was widened (widen.h); NULL: it was not
    coif_vec3 *normals; // BLADE only: control_count per step
    uint32_t *indices;  // per segment: its first control point
    uint8_t *flags;     // per segment, LINEAR only: 1 a segment before it, 2 one after it
} coif_bspline_curves;

coif_status coif_bspline_curves_init(coif_bspline_curves *curves, const coif_strands *strands,
                                     coif_curve_kind kind, coif_arena *arena, coif_jobs *jobs,
                                     coif_error *error);

// The same in two steps, for strands that move: room for curves of that topology, then the control
// points of one step after another from strands of that topology.
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

// A place on a segment, u and time from 0 to 1.
typedef struct coif_curve_coord {
    int32_t segment;
    float u, time;
} coif_curve_coord;

// Centre and radius there, and the derivative of both by u.
void coif_bspline_curves_at(const coif_bspline_curves *curves, coif_curve_coord place,
                            coif_vec4 *point, coif_vec4 *derivative);

// How much of the light a widened strand takes there: thin over wide radius. Not for others.
float coif_bspline_curves_opacity(const coif_bspline_curves *curves, coif_curve_coord place);

// Where in a list of steps a time lies: the step before it, and how far it is on the way to the
// next one. For two steps and more.
static inline int32_t coif_motion_step_at(int32_t step_count, float time, float *on_the_way)
{
    const float place = time * (float)(step_count - 1);
    int32_t step = (int32_t)place;
    step = step > step_count - 2 ? step_count - 2 : step;
    *on_the_way = place - (float)step;
    return step;
}

// Whose segment it is.
static inline int32_t coif_bspline_curves_strand(const coif_bspline_curves *curves, int32_t segment)
{
    if (curves->even > 0) {
        return segment / curves->even;
    }
    const int32_t inset = curves->kind == COIF_CURVE_LINEAR ? 1 : 0;
    return ((int32_t)curves->indices[segment] - inset - segment) / 3;
}

// A segment's first control point. Dividing is much quicker than waiting for an entry of the index
// buffer, which is nowhere near when a ray has hit just any strand.
static inline size_t coif_bspline_curves_first(const coif_bspline_curves *curves, int32_t segment)
{
    if (curves->even > 0) {
        const int32_t inset = curves->kind == COIF_CURVE_LINEAR ? 1 : 0;
        return (size_t)segment + 3 * (size_t)(segment / curves->even) + (size_t)inset;
    }
    return curves->indices[segment];
}

#endif
