#include "tools/assets/shared/sdf.h"

#include <stddef.h>

coif_vec3d sdf_gradient(sdf_field field, coif_vec3d p, double step)
{
    static const coif_vec3d corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    coif_vec3d sum = {0};
    for (int i = 0; i < 4; ++i) {
        const double value = field.distance(field.object, coif_vec3d_mad(p, step, corner[i]));
        sum = coif_vec3d_mad(sum, value, corner[i]);
    }
    return coif_vec3d_scale(sum, 0.25 / step);
}

double sdf_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

double smootherstep(double low, double high, double value)
{
    const double t = sdf_clamp((value - low) / (high - low), 0.0, 1.0);
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

double smooth_abs(double x, double width)
{
    return sqrt(x * x + width * width) - width;
}

// The cubic smooth minimum has continuous second derivatives: reflections show no seam.
double sdf_union(double a, double b, double width)
{
    const double h = fmax(width - fabs(a - b), 0.0) / width;
    return fmin(a, b) - h * h * h * width / 6.0;
}

double sdf_subtract(double body, double tool, double width)
{
    return -sdf_union(-body, tool, width);
}

double sdf_intersect(double a, double b, double width)
{
    return -sdf_union(-a, -b, width);
}

// First-order distance estimate |q| (|q| - 1) / |grad|, exact on the surface.
double sdf_ellipsoid(coif_vec3d p, coif_vec3d center, coif_vec3d radii)
{
    const coif_vec3d d = coif_vec3d_sub(p, center);
    const coif_vec3d q = xyz(d.x / radii.x, d.y / radii.y, d.z / radii.z);
    const coif_vec3d g = xyz(q.x / radii.x, q.y / radii.y, q.z / radii.z);
    const double slope = coif_vec3d_length(g);
    const double ratio = coif_vec3d_length(q);
    if (slope < 1e-9) {
        return -fmin(radii.x, fmin(radii.y, radii.z));
    }
    return ratio * (ratio - 1.0) / slope;
}

double sdf_capsule(coif_vec3d p, coif_vec3d a, coif_vec3d b, double radius_a, double radius_b)
{
    const coif_vec3d ap = coif_vec3d_sub(p, a), ab = coif_vec3d_sub(b, a);
    const double t = sdf_clamp(coif_vec3d_dot(ap, ab) / coif_vec3d_dot(ab, ab), 0.0, 1.0);
    return coif_vec3d_length(coif_vec3d_mad(ap, -t, ab)) - (radius_a + t * (radius_b - radius_a));
}

// Catmull-Rom segment from a to b.
static double catmull_rom(double before, double a, double b, double after, double t)
{
    const double slope_a = 0.5 * (b - before), slope_b = 0.5 * (after - a);
    const double u = 1.0 - t;
    return u * u * ((1.0 + 2.0 * t) * a + t * slope_a) +
           t * t * ((1.0 + 2.0 * u) * b - u * slope_b);
}

void sdf_tube_init(sdf_tube *tube, const sdf_tube_knot *knots, int knot_count, double reach)
{
    const int most = (SDF_TUBE_POINTS - 1) / (knot_count - 1);
    const int steps = most < 8 ? most : 8;
    tube->count = steps * (knot_count - 1) + 1;
    tube->reach = reach;
    for (int i = 0; i < tube->count; ++i) {
        const int k = i < tube->count - 1 ? i / steps : knot_count - 2;
        const double t = (double)(i - k * steps) / steps;
        const sdf_tube_knot *b = &knots[k], *c = &knots[k + 1];
        const sdf_tube_knot *a = k > 0 ? b - 1 : b;
        const sdf_tube_knot *d = k + 2 < knot_count ? c + 1 : c;
        tube->point[i] = xyz(catmull_rom(a->point.x, b->point.x, c->point.x, d->point.x, t),
                             catmull_rom(a->point.y, b->point.y, c->point.y, d->point.y, t),
                             catmull_rom(a->point.z, b->point.z, c->point.z, d->point.z, t));
        tube->radius[i] = catmull_rom(a->radius, b->radius, c->radius, d->radius, t);
    }
    tube->low = tube->high = tube->point[0];
    for (int i = 0; i < tube->count; ++i) {
        const coif_vec3d p = tube->point[i];
        const double r = tube->radius[i];
        tube->low =
            xyz(fmin(tube->low.x, p.x - r), fmin(tube->low.y, p.y - r), fmin(tube->low.z, p.z - r));
        tube->high = xyz(fmax(tube->high.x, p.x + r), fmax(tube->high.y, p.y + r),
                         fmax(tube->high.z, p.z + r));
    }
}

// Arc length from the start of the tube to the point of a segment closest to p.
static double arc_length(const sdf_tube *tube, int segment, coif_vec3d p)
{
    double length = 0.0;
    for (int i = 0; i < segment; ++i) {
        length += coif_vec3d_length(coif_vec3d_sub(tube->point[i + 1], tube->point[i]));
    }
    const coif_vec3d a = tube->point[segment], ab = coif_vec3d_sub(tube->point[segment + 1], a);
    const double t = coif_vec3d_dot(coif_vec3d_sub(p, a), ab) / coif_vec3d_dot(ab, ab);
    return length + sdf_clamp(t, 0.0, 1.0) * coif_vec3d_length(ab);
}

double sdf_tube_distance(const sdf_tube *tube, coif_vec3d p, double *along)
{
    const coif_vec3d out = xyz(fmax(fmax(tube->low.x - p.x, p.x - tube->high.x), 0.0),
                               fmax(fmax(tube->low.y - p.y, p.y - tube->high.y), 0.0),
                               fmax(fmax(tube->low.z - p.z, p.z - tube->high.z), 0.0));
    double nearest = 1e9;
    int segment = -1;
    if (coif_vec3d_dot(out, out) > tube->reach * tube->reach) {
        nearest = coif_vec3d_length(out);
    } else {
        for (int i = 0; i + 1 < tube->count; ++i) {
            const double distance = sdf_capsule(p, tube->point[i], tube->point[i + 1],
                                                tube->radius[i], tube->radius[i + 1]);
            segment = distance < nearest ? i : segment;
            nearest = fmin(nearest, distance);
        }
    }
    if (along != NULL) {
        *along = segment >= 0 ? arc_length(tube, segment, p) : 0.0;
    }
    return nearest;
}

double sdf_add_bumps(double distance, coif_vec3d p, const sdf_bump *bumps, int bump_count)
{
    for (int i = 0; i < bump_count; ++i) {
        const coif_vec3d d = coif_vec3d_sub(p, bumps[i].center);
        const coif_vec3d r = bumps[i].radii;
        const coif_vec3d q = xyz(d.x / r.x, d.y / r.y, d.z / r.z);
        const double rest = 1.0 - coif_vec3d_dot(q, q);
        if (rest > 0.0) {
            distance -= bumps[i].height * rest * rest * rest;
        }
    }
    return distance;
}

double cubic_spline(const double *x, const double *y, int count, double at)
{
    if (at <= x[0]) {
        return y[0];
    }
    for (int i = 0; i + 1 < count; ++i) {
        if (at > x[i + 1]) {
            continue;
        }
        const double width = x[i + 1] - x[i], t = (at - x[i]) / width;
        const double slope_a = i > 0 ? (y[i + 1] - y[i - 1]) / (x[i + 1] - x[i - 1]) : 0.0;
        const double slope_b = i + 2 < count ? (y[i + 2] - y[i]) / (x[i + 2] - x[i]) : 0.0;
        const double u = 1.0 - t;
        return u * u * ((1.0 + 2.0 * t) * y[i] + t * width * slope_a) +
               t * t * ((1.0 + 2.0 * u) * y[i + 1] - u * width * slope_b);
    }
    return y[count - 1];
}
