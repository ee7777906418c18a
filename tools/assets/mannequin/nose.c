// nose: bridge, side planes, a rounded tip, wings that curl around the nostrils, and the skin
// between those.
#include "tools/assets/mannequin/head_sdf.h"

// From the tip outwards and down into the cheek, as three pieces of a ring around the nostril.
static double wing(head_vec q)
{
    const head_vec tip = vec(4.0, -27.5, 105.0), side = vec(11.0, -28.8, 100.0);
    const head_vec back = vec(13.4, -31.2, 94.0), foot = vec(11.0, -34.6, 90.0);
    const double front = clay_cone(q, tip, side, 4.6, 4.4);
    const double flare = clay_cone(q, side, back, 4.4, 4.4);
    const double end = clay_cone(q, back, foot, 4.4, 3.4);

    return clay_join(clay_join(front, flare, 3.0), end, 3.0);
}

// Two domes side by side under one skin, and below them the column down to the lip.
static double tip(head_vec p, head_vec q)
{
    const double ball = clay_ellipsoid(p, vec(0, -25.6, 104.6), vec(7.0, 7.2, 8.2));
    const double dome = clay_ellipsoid(q, vec(2.7, -27.6, 106.0), vec(5.0, 5.2, 5.6));
    const double column = clay_cone(p, vec(0, -32.6, 105.0), vec(0, -37.0, 93.5), 3.2, 3.6);

    return clay_join(clay_join(ball, dome, 5.0), column, 6.0);
}

double head_nose(double field, head_vec p)
{
    if (p.y > 60.0 || p.y < -65.0 || p.z < 55.0 || p.x > 50.0) {
        return field;
    }
    const head_vec q = vec(clay_fold(p.x, 1.5), p.y, p.z);
    const double root = clay_cone(p, vec(0, 40, 80.5), vec(0, 13, 82.5), 8.0, 6.4);
    const double bone = clay_cone(p, vec(0, 13, 82.5), vec(0, -5, 92.6), 6.4, 5.6);
    const double ridge = clay_cone(p, vec(0, -5, 92.6), vec(0, -23, 101.8), 5.6, 6.2);
    const double flank = clay_cone(q, vec(5, 8, 77), vec(9.5, -25, 87), 6.5, 8.5);
    const double nostril = clay_cone(q, vec(4.6, -36.4, 102.6), vec(7.6, -36.6, 95.0), 1.9, 2.7);
    const double hollow = clay_cone(q, vec(5.0, -33.0, 101.0), vec(7.4, -33.0, 96.0), 1.2, 1.8);

    double nose = clay_join(clay_join(root, bone, 8.0), ridge, 8.0);
    nose = clay_join(nose, flank, 16.0);
    nose = clay_join(nose, tip(p, q), 9.0);
    nose = clay_join(nose, wing(q), 3.4);
    field = clay_join(field, nose, 6.0);
    return clay_carve(field, clay_join(nostril, hollow, 4.0), 1.6);
}
