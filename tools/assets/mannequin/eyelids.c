// eyelids: a plain eyeball in an opening between two lids.
//
// The lids are a shell around the eyeball. The opening is the intersection of two circles in the
// frontal plane, which meet in the corners of the eye. Eyeball and lids are concentric ellipsoids,
// so the lid margin has a constant thickness.
#include "tools/assets/mannequin/head_sdf.h"

static const coif_vec3d EYE = {31.0, 9.0, 69.5};
static const coif_vec3d RADII = {20.0, 16.0, 17.0};
static const double LID = 1.7; // thickness

// The outer corner is slightly higher than the inner one.
double eye_opening_distance(coif_vec3d p)
{
    const double tilt = 0.07, x = fabs(p.x) - EYE.x, y = p.y - EYE.y;
    const double u = x - 0.5 + tilt * y, v = y - tilt * x;
    const double upper = hypot(u + 1.0, v + 15.8) - 21.0;
    const double lower = hypot(u - 1.0, v - 24.3) - 29.1;

    return sdf_intersect(upper, lower, 1.0);
}

// Depth of the crease of the upper lid, parallel to its margin.
static double crease(double rim, coif_vec3d d)
{
    const double off = (rim - 4.6) / 2.6;
    const double above = smootherstep(1.0, 6.0, d.y) * smootherstep(-18.0, -9.0, d.x) *
                         (1.0 - smootherstep(13.0, 22.0, d.x));
    return fabs(off) < 1.0 ? above * (1.0 - off * off) * (1.0 - off * off) : 0.0;
}

double eyelids_sdf(double field, coif_vec3d p)
{
    const coif_vec3d d = coif_vec3d_sub(p, EYE);

    if (d.z < -14.0 || fabs(d.x) > 34.0 || fabs(d.y) > 26.0) {
        return field;
    }
    const coif_vec3d center = {0, 0, 0};
    const double lids = sdf_ellipsoid(d, center, RADII);
    const double ball = sdf_ellipsoid(d, center, xyz(RADII.x - LID, RADII.y - LID, RADII.z - LID));
    const double rim = eye_opening_distance(p);

    field = sdf_union(field, lids, 9.0) + 1.1 * crease(rim, d);
    field = sdf_subtract(field, fmax(rim, 1.0 - d.z), 1.8);
    return sdf_union(field, ball, 1.4);
}

double eyeball_depth(double x, double y, double off)
{
    const double u = (fabs(x) - EYE.x) / (RADII.x - LID + off),
                 v = (y - EYE.y) / (RADII.y - LID + off);
    const double left = 1.0 - u * u - v * v;

    return left > 0.0 ? EYE.z + (RADII.z - LID + off) * sqrt(left) : (double)NAN;
}

coif_vec3d eyeball_center(void)
{
    return EYE;
}
