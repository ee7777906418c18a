// sdf: signed distance fields, in millimetres, negative inside.
//
// Primitives are distances near their surface and bounds farther away. Smooth booleans blend two
// fields over a given width (cubic polynomial smooth minimum, after Quilez).
#ifndef COIF_ASSETS_SDF_H
#define COIF_ASSETS_SDF_H

#include "core/base/vec3d.h"

// A field and the object it is evaluated for.
typedef struct sdf_field {
    double (*distance)(const void *object, coif_vec3d p);
    const void *object;
} sdf_field;

// Central differences over the corners of a tetrahedron: four evaluations, no preferred axis.
coif_vec3d sdf_gradient(sdf_field field, coif_vec3d p, double step);

// A tube along a spline, of varying radius.
enum { SDF_TUBE_POINTS = 96 };
typedef struct sdf_tube {
    int count;
    coif_vec3d point[SDF_TUBE_POINTS];
    double radius[SDF_TUBE_POINTS];
    coif_vec3d low, high; // bounding box
    double reach;         // distances beyond are those to the box: wider than any blend
} sdf_tube;

typedef struct sdf_tube_knot {
    coif_vec3d point;
    double radius;
} sdf_tube_knot;

// A bump (height > 0) or dent (height < 0) that fades to zero at the given radii.
typedef struct sdf_bump {
    coif_vec3d center;
    coif_vec3d radii;
    double height;
} sdf_bump;

static inline coif_vec3d xyz(double x, double y, double z)
{
    return (coif_vec3d){x, y, z};
}

double sdf_clamp(double value, double low, double high);

// Quintic smoothstep (Perlin 2002) from 0 at low to 1 at high; low may be the greater one.
double smootherstep(double low, double high, double value);

// sqrt(x^2 + w^2) - w: |x| without the kink at 0, so that mirrored shapes join smoothly.
double smooth_abs(double x, double width);

double sdf_union(double a, double b, double width);
double sdf_subtract(double body, double tool, double width);
double sdf_intersect(double a, double b, double width);

double sdf_ellipsoid(coif_vec3d p, coif_vec3d center, coif_vec3d radii);
double sdf_capsule(coif_vec3d p, coif_vec3d a, coif_vec3d b, double radius_a, double radius_b);

// A tube along the Catmull-Rom spline through the knots.
void sdf_tube_init(sdf_tube *tube, const sdf_tube_knot *knots, int knot_count, double reach);

// along, unless NULL, receives the arc length to the closest point of the centre line.
double sdf_tube_distance(const sdf_tube *tube, coif_vec3d p, double *along);

double sdf_add_bumps(double distance, coif_vec3d p, const sdf_bump *bumps, int bump_count);

// Cubic Hermite spline through (x[i], y[i]), x increasing; constant beyond the ends.
double cubic_spline(const double *x, const double *y, int count, double at);

#endif
