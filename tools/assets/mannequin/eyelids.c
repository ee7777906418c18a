// eye: a blank eyeball in an almond opening between two lids, as on a classical bust.
//
// The lids are a shell around the eyeball. The opening is where two circles overlap in the plane
// of the eye, which gives the almond its two corners; below it the bare eyeball shows. Ball and
// lids are the same ellipsoid in two sizes, so the rim has the same depth all around.
#include "tools/assets/mannequin/head_sdf.h"

static const head_vec EYE = {31.0, 9.0, 69.5};
static const head_vec RADII = {20.0, 16.0, 17.0};
static const double LID = 1.7; // thickness

// The outer corner sits a little higher than the inner one.
double head_eye_opening(head_vec p)
{
    const double tilt = 0.07, x = fabs(p.x) - EYE.x, y = p.y - EYE.y;
    const double u = x - 0.5 + tilt * y, v = y - tilt * x;
    const double upper = hypot(u + 1.0, v + 15.8) - 21.0;
    const double lower = hypot(u - 1.0, v - 24.3) - 29.1;

    return clay_meet(upper, lower, 1.0);
}

// The fold above the upper lid, as a depth; it runs parallel to the rim.
static double fold(double rim, head_vec d)
{
    const double off = (rim - 4.6) / 2.6;
    const double above =
        clay_fade(1.0, 6.0, d.y) * clay_fade(-18.0, -9.0, d.x) * (1.0 - clay_fade(13.0, 22.0, d.x));
    return fabs(off) < 1.0 ? above * (1.0 - off * off) * (1.0 - off * off) : 0.0;
}

double head_eye(double field, head_vec p)
{
    const head_vec d = vec_sub(p, EYE);

    if (d.z < -14.0 || fabs(d.x) > 34.0 || fabs(d.y) > 26.0) {
        return field;
    }
    const head_vec centre = {0, 0, 0};
    const double lids = clay_ellipsoid(d, centre, RADII);
    const double ball = clay_ellipsoid(d, centre, vec(RADII.x - LID, RADII.y - LID, RADII.z - LID));
    const double rim = head_eye_opening(p);

    field = clay_join(field, lids, 9.0) + 1.1 * fold(rim, d);
    field = clay_carve(field, fmax(rim, 1.0 - d.z), 1.8);
    return clay_join(field, ball, 1.4);
}

double head_eye_front(double x, double y, double off)
{
    const double u = (fabs(x) - EYE.x) / (RADII.x - LID + off),
                 v = (y - EYE.y) / (RADII.y - LID + off);
    const double left = 1.0 - u * u - v * v;

    return left > 0.0 ? EYE.z + (RADII.z - LID + off) * sqrt(left) : (double)NAN;
}

head_vec head_eye_middle(void)
{
    return EYE;
}
