// bust: neck, collarbones, shoulders and the surface that cuts them off.
#include "core/base/base.h"
#include "tools/assets/mannequin/head_sdf.h"

static const sdf_tube_knot COLLARBONE[] = {
    {{12, -196, 22}, 7}, {{42, -193, 28}, 6.5},  {{82, -189, 22}, 6.5},
    {{122, -191, 0}, 8}, {{150, -200, -18}, 10},
};

static const sdf_tube_knot NECK_MUSCLE[] = {
    {{54, -22, -24}, 10},  {{44, -64, -19}, 10.5}, {{31, -118, -2}, 10},
    {{18, -168, 16}, 7.5}, {{10, -194, 20}, 6},
};

static const sdf_tube_knot TRAPEZIUS[] = {
    {{16, -40, -46}, 22},  {{18, -105, -44}, 24},  {{32, -150, -46}, 30},
    {{80, -194, -44}, 32}, {{138, -224, -34}, 32},
};

void bust_sdf_init(bust_sdf *bust)
{
    sdf_tube_init(&bust->collarbone, COLLARBONE, COIF_COUNT_OF(COLLARBONE), HEAD_TUBE_REACH);
    sdf_tube_init(&bust->neck_muscle, NECK_MUSCLE, COIF_COUNT_OF(NECK_MUSCLE), HEAD_TUBE_REACH);
    sdf_tube_init(&bust->trapezius, TRAPEZIUS, COIF_COUNT_OF(TRAPEZIUS), HEAD_TUBE_REACH);
}

static double torso(const bust_sdf *bust, coif_vec3d p)
{
    const coif_vec3d q = xyz(smooth_abs(p.x, 8.0), p.y, p.z);
    const double chest = sdf_ellipsoid(p, xyz(0, -310, -16), xyz(166, 128, 84));
    const double pectoral = sdf_ellipsoid(q, xyz(66, -278, 6), xyz(88, 92, 52));
    const double shoulder = sdf_ellipsoid(q, xyz(144, -244, -28), xyz(46, 50, 45));
    const double back = sdf_ellipsoid(p, xyz(0, -262, -46), xyz(112, 104, 52));
    double field = sdf_union(sdf_union(chest, pectoral, 40.0), shoulder, 40.0);

    field = sdf_union(field, back, 40.0);
    return sdf_union(field, sdf_tube_distance(&bust->trapezius, q, NULL), 34.0);
}

// Intersects with a superellipse in the frontal plane and with a plane below: an antique bust.
static double trim(double field, coif_vec3d p)
{
    const double x = p.x / 174.0, y = fmin(p.y + 190.0, 0.0) / 112.0;
    const double curve = pow(pow(fabs(x), 2.5) + pow(fabs(y), 2.5), 1.0 / 2.5);

    field = sdf_intersect(field, 112.0 * (curve - 1.0), 12.0);
    return sdf_intersect(field, -300.0 - p.y, 8.0);
}

double bust_sdf_distance(const bust_sdf *bust, double field, coif_vec3d p)
{
    if (p.y > 40.0) {
        return field;
    }
    const coif_vec3d q = xyz(smooth_abs(p.x, 3.0), p.y, p.z);
    const double t = smootherstep(-60.0, -200.0, p.y);
    const double neck = sdf_ellipsoid(xyz(p.x, 0, p.z - (-14.0 - 10.0 * t)), xyz(0, 0, 0),
                                      xyz(41 + 7 * t, 1e3, 44 + 4 * t));
    const double column = sdf_intersect(neck, fabs(p.y + 140.0) - 110.0, 40.0);
    const double larynx = sdf_capsule(p, xyz(0, -128, 21), xyz(0, -180, 17), 7, 8);

    field = sdf_union(field, column, 26.0);
    field = sdf_union(field, larynx, 18.0);
    field = sdf_union(field, torso(bust, p), 30.0);
    field = sdf_union(field, sdf_tube_distance(&bust->neck_muscle, q, NULL), 18.0);
    field = sdf_union(field, sdf_tube_distance(&bust->collarbone, q, NULL), 24.0);
    return trim(field, p);
}
