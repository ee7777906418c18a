// regions: level sets of the hairline and the other borders.
#include "tools/assets/mannequin/regions.h"

// Degrees around the head from the middle of the forehead, height in millimetres.
static const double HAIRLINE[][2] = {
    {0, 89},    {12, 89.5}, {23, 90},   {32, 88.5}, {40, 81},   {46.5, 69}, {52, 55},
    {55.5, 43}, {58.5, 29}, {61.5, 13}, {64.5, -3}, {68.5, -9}, {72.5, -3}, {76, 8},
    {80, 15},   {85, 17},   {90, 17},   {95, 15},   {99, 10},   {102.5, 0}, {106, -14},
    {110, -32}, {116, -50}, {127, -64}, {144, -74}, {162, -79}, {180, -80},
};
enum { KNOTS = sizeof HAIRLINE / sizeof HAIRLINE[0], PIECES = 12 };

static const double AXIS_Z = -10.0; // vertical axis of the angle
static const double RADIUS = 75.0;  // scales angles to lengths
static const double DEGREE = 0.017453292519943295;

// The curve is continued by its mirror image beyond the symmetry plane.
static void knot_at(int i, double *x, double *y)
{
    const int inside = i < 0 ? -i : i >= KNOTS ? 2 * KNOTS - 2 - i : i;

    *x = HAIRLINE[inside][0];
    *x = i < 0 ? -*x : i >= KNOTS ? 360.0 - *x : *x;
    *y = HAIRLINE[inside][1];
}

// Uniform Catmull-Rom spline.
static double catmull_rom(const double v[4], double t)
{
    return 0.5 *
           (2.0 * v[1] + t * (v[2] - v[0]) + t * t * (2.0 * v[0] - 5.0 * v[1] + 4.0 * v[2] - v[3]) +
            t * t * t * (3.0 * v[1] - v[0] - 3.0 * v[2] + v[3]));
}

static void hairline_init(head_hairline *line)
{
    _Static_assert((KNOTS - 1) * PIECES + 1 <= HEAD_HAIRLINE_POINTS,
                   "HEAD_HAIRLINE_POINTS is too small");

    line->count = (KNOTS - 1) * PIECES + 1;
    for (int i = 0; i < line->count; ++i) {
        const int k = i / PIECES;
        double x[4], y[4];
        for (int n = 0; n < 4; ++n) {
            knot_at(k - 1 + n, &x[n], &y[n]);
        }
        const double t = (double)(i % PIECES) / PIECES;
        line->x[i] = catmull_rom(x, t) * DEGREE * RADIUS;
        line->y[i] = catmull_rom(y, t);
    }
}

// Signed distance to the polyline of the hairline.
static double scalp_level(const head_hairline *line, coif_vec3d p)
{
    // At the back of the head the angle is the end of the curve.
    const double end = line->x[line->count - 1] - 1e-6;
    const double x = fmin(atan2(fabs(p.x), p.z - AXIS_Z) * RADIUS, end);
    double nearest = 1e9;
    int crossings = 0;

    for (int i = 0; i + 1 < line->count; ++i) {
        const double ax = x - line->x[i], ay = p.y - line->y[i];
        const double bx = line->x[i + 1] - line->x[i], by = line->y[i + 1] - line->y[i];
        const double t = sdf_clamp((ax * bx + ay * by) / (bx * bx + by * by), 0.0, 1.0);
        nearest = fmin(nearest, hypot(ax - t * bx, ay - t * by));
        if ((line->x[i] <= x) != (line->x[i + 1] <= x) && ay < by * ax / bx) {
            ++crossings;
        }
    }
    return crossings % 2 == 1 ? -nearest : nearest;
}

// The auricle, where the ear is more than 1.6 mm above the head, and its concha.
static double ear_level(const head_sdf *sdf, coif_vec3d p)
{
    const coif_vec3d q = ear_sdf_local(&sdf->ear, p);
    const double reach = sdf_ellipsoid(q, xyz(10, 0, -6), xyz(34, 42, 26));
    const double hollow = sdf_ellipsoid(q, xyz(5.5, 0, -4), xyz(11, 13, 14));

    if (reach > 0.0) {
        return -reach - 1.6;
    }
    return fmax(head_sdf_without_ears(sdf, p) - 1.6, -hollow);
}

// Below the jaw, and the hairless strip behind the ear.
static double neck_level(coif_vec3d p)
{
    const double below =
        coif_vec3d_dot(coif_vec3d_sub(xyz(0, -101, 62), p), coif_vec3d_normalize(xyz(0, 1, 1)));
    const double behind = sdf_intersect(p.z + 14.0, p.y - 14.0, 6.0);

    return -sdf_union(-below, behind, 12.0);
}

// Below the collarbones, and beyond the radius of the neck.
static double bust_level(coif_vec3d p)
{
    const double below =
        coif_vec3d_dot(coif_vec3d_sub(xyz(0, -190, 28), p), coif_vec3d_normalize(xyz(0, 1, 0.36)));
    const double within = 82.0 - hypot(p.x, p.z + 30.0);

    return p.y > -120.0 ? below : -sdf_union(-below, within, 20.0);
}

void head_regions_init(head_regions *regions, const head_sdf *sdf)
{
    regions->sdf = sdf;
    hairline_init(&regions->hairline);
}

double head_regions_level(const head_regions *regions, int group, coif_vec3d p)
{
    switch (group) {
    case HEAD_EAR:
        return ear_level(regions->sdf, p);
    case HEAD_SCALP:
        return scalp_level(&regions->hairline, p);
    case HEAD_BUST:
        return bust_level(p);
    case HEAD_NECK:
        return neck_level(p);
    case HEAD_LID_EDGE:
        return p.z > 50.0 ? 0.7 - eye_opening_distance(p) : -1.0;
    case HEAD_LID_FOOT:
        return p.z > 50.0 ? -0.7 - eye_opening_distance(p) : -1.0;
    default:
        return 1.0;
    }
}
