// clay: soft joins, simple bodies and the thumb.
#include "tools/assets/shared/sdf.h"

// Wider than the widest soft join with a cord.
static const double REACH = 36.0;

double clay_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

double clay_fade(double low, double high, double value)
{
    const double t = clay_clamp((value - low) / (high - low), 0.0, 1.0);
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

double clay_fold(double x, double width)
{
    return sqrt(x * x + width * width) - width;
}

// The cubic soft minimum: two continuous derivatives, so highlights run over a seam unbroken.
double clay_join(double a, double b, double width)
{
    const double h = fmax(width - fabs(a - b), 0.0) / width;
    return fmin(a, b) - h * h * h * width / 6.0;
}

double clay_carve(double body, double tool, double width)
{
    return -clay_join(-body, tool, width);
}

double clay_meet(double a, double b, double width)
{
    return -clay_join(-a, -b, width);
}

// Exact on the surface and a good distance near it: |q| (|q| - 1) / |grad|.
double clay_ellipsoid(head_vec p, head_vec centre, head_vec radii)
{
    const head_vec d = vec_sub(p, centre);
    const head_vec q = vec(d.x / radii.x, d.y / radii.y, d.z / radii.z);
    const head_vec g = vec(q.x / radii.x, q.y / radii.y, q.z / radii.z);
    const double slope = vec_length(g);
    const double ratio = vec_length(q);

    if (slope < 1e-9) {
        return -fmin(radii.x, fmin(radii.y, radii.z));
    }
    return ratio * (ratio - 1.0) / slope;
}

double clay_cone(head_vec p, head_vec a, head_vec b, double radius_a, double radius_b)
{
    const head_vec ap = vec_sub(p, a), ab = vec_sub(b, a);
    const double t = clay_clamp(vec_dot(ap, ab) / vec_dot(ab, ab), 0.0, 1.0);

    return vec_length(vec_along(ap, ab, -t)) - (radius_a + t * (radius_b - radius_a));
}

// Catmull-Rom through four values, between the two in the middle.
static double spline(double before, double a, double b, double after, double t)
{
    const double slope_a = 0.5 * (b - before), slope_b = 0.5 * (after - a);
    const double u = 1.0 - t;

    return u * u * ((1.0 + 2.0 * t) * a + t * slope_a) +
           t * t * ((1.0 + 2.0 * u) * b - u * slope_b);
}

void clay_cord_init(head_cord *cord, const head_knot *knots, int knot_count)
{
    const int pieces = (HEAD_CORD_POINTS - 1) / (knot_count - 1);
    const int steps = pieces < 8 ? pieces : 8;

    cord->count = steps * (knot_count - 1) + 1;
    for (int i = 0; i < cord->count; ++i) {
        const int k = i < cord->count - 1 ? i / steps : knot_count - 2;
        const double t = (double)(i - k * steps) / steps;
        const head_knot *b = &knots[k], *c = &knots[k + 1];
        const head_knot *a = k > 0 ? b - 1 : b;
        const head_knot *d = k + 2 < knot_count ? c + 1 : c;

        cord->point[i] = vec(spline(a->point.x, b->point.x, c->point.x, d->point.x, t),
                             spline(a->point.y, b->point.y, c->point.y, d->point.y, t),
                             spline(a->point.z, b->point.z, c->point.z, d->point.z, t));
        cord->radius[i] = spline(a->radius, b->radius, c->radius, d->radius, t);
    }
    cord->low = cord->high = cord->point[0];
    for (int i = 0; i < cord->count; ++i) {
        const head_vec p = cord->point[i];
        const double r = cord->radius[i];
        cord->low =
            vec(fmin(cord->low.x, p.x - r), fmin(cord->low.y, p.y - r), fmin(cord->low.z, p.z - r));
        cord->high = vec(fmax(cord->high.x, p.x + r), fmax(cord->high.y, p.y + r),
                         fmax(cord->high.z, p.z + r));
    }
}

double clay_cord(const head_cord *cord, head_vec p)
{
    const head_vec out = vec(fmax(fmax(cord->low.x - p.x, p.x - cord->high.x), 0.0),
                             fmax(fmax(cord->low.y - p.y, p.y - cord->high.y), 0.0),
                             fmax(fmax(cord->low.z - p.z, p.z - cord->high.z), 0.0));
    double nearest = 1e9;

    if (vec_dot(out, out) > REACH * REACH) {
        return vec_length(out);
    }
    for (int i = 0; i + 1 < cord->count; ++i) {
        const double d =
            clay_cone(p, cord->point[i], cord->point[i + 1], cord->radius[i], cord->radius[i + 1]);
        nearest = fmin(nearest, d);
    }
    return nearest;
}

double clay_dabs(double field, head_vec p, const head_dab *dabs, int dab_count)
{
    for (int i = 0; i < dab_count; ++i) {
        const head_vec d = vec_sub(p, dabs[i].centre);
        const head_vec r = dabs[i].radii;
        const head_vec q = vec(d.x / r.x, d.y / r.y, d.z / r.z);
        const double rest = 1.0 - vec_dot(q, q);

        if (rest > 0.0) {
            field -= dabs[i].height * rest * rest * rest;
        }
    }
    return field;
}

double clay_curve(const double *x, const double *y, int count, double at)
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
