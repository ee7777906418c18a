// mouth: lips as a height field over the frontal plane.
//
// Three curves over x define the lips: the upper border, the line between the lips and the lower
// border. Between two curves the height follows a profile.
#include "tools/assets/mannequin/head_sdf.h"

static const double HALF_WIDTH = 25.5;

static double upper_border(double x)
{
    static const double at[] = {0.0, 3.0, 6.5, 12.0, 18.0, 24.5};
    static const double y[] = {-53.4, -52.9, -51.8, -53.2, -56.4, -60.8};
    return cubic_spline(at, y, 6, x);
}

static double meeting_line(double x)
{
    static const double at[] = {0.0, 4.0, 9.0, 16.0, 24.5};
    static const double y[] = {-61.6, -61.1, -60.4, -60.6, -61.0};
    return cubic_spline(at, y, 5, x);
}

static double lower_border(double x)
{
    static const double at[] = {0.0, 6.0, 12.0, 18.0, 24.5};
    static const double y[] = {-71.8, -71.4, -69.6, -66.2, -61.2};
    return cubic_spline(at, y, 5, x);
}

// The upper lip rises slowly from its border and falls off steeply at the line.
static double upper_profile(double t)
{
    static const double at[] = {0.0, 0.14, 0.32, 0.60, 0.85, 1.05, 1.30};
    static const double height[] = {0.50, 0.86, 1.0, 0.76, 0.42, 0.10, 0.0};
    return cubic_spline(at, height, 7, t);
}

static double lower_profile(double t)
{
    static const double at[] = {0.0, 0.15, 0.42, 0.75, 1.0, 1.25};
    static const double height[] = {0.50, 0.84, 1.0, 0.70, 0.2, 0.0};
    return cubic_spline(at, height, 6, t);
}

double lip_mask(coif_vec3d p, double *line)
{
    const double x = smooth_abs(p.x, 0.8);
    const double top = upper_border(x), bottom = lower_border(x);
    const double across = 1.0 - smootherstep(22.0, 25.5, x);

    *line = p.y - meeting_line(x);
    if (p.z < 60.0 || x > 27.0) {
        return 0.0;
    }
    return across * smootherstep(-0.7, 0.9, top - p.y) * smootherstep(-0.9, 1.1, p.y - bottom);
}

double mouth_sdf(double field, coif_vec3d p)
{
    if (p.z < 60.0 || p.y > -36.0 || p.y < -84.0 || p.x > 36.0) {
        return field;
    }
    const double x = smooth_abs(p.x, 0.8);
    const double line = meeting_line(x), top = upper_border(x), bottom = lower_border(x);
    const double profile = sdf_clamp(1.0 - (x / HALF_WIDTH) * (x / HALF_WIDTH), 0.0, 1.0);
    const double fullness = sqrt(profile) * smootherstep(0.0, 0.6, profile);
    const double height = p.y >= line
                              ? 3.9 * upper_profile((p.y - line) / fmax(top - line, 2.0))
                              : 4.9 * lower_profile((line - p.y) / fmax(line - bottom, 2.0));
    const double off = (p.y - line) / 1.7;
    const double groove = exp(-off * off) * (1.0 - smootherstep(12.0, 25.0, x));
    const double corner = exp(-((x - 24.5) * (x - 24.5) + (p.y + 61.2) * (p.y + 61.2)) / 26.0);
    const double philtrum = exp(-x * x / 7.0) * smootherstep(-52.0, -47.0, p.y) *
                            (1.0 - smootherstep(-42.0, -38.0, p.y));
    const double column = exp(-(x - 5.2) * (x - 5.2) / 6.0) * smootherstep(-53.0, -49.0, p.y) *
                          (1.0 - smootherstep(-44.0, -38.0, p.y));

    field -= height * fullness;
    field += 1.4 * groove + 0.7 * corner + 1.1 * philtrum - 0.6 * column;
    return field;
}
